import { lines, type Topic, terms, title } from "./blocks.ts";

export const auth: Topic = {
  name: "auth",
  summary: "logging in, tokens, where they are stored",
  blocks: () => [
    '"iot auth login" prompts for email and password, creates a token that expires, and stores only the token. If you already have a token:',
    lines("iot auth login --with-token < token.txt"),
    'A token is stored for one environment and bound to its address: it is never sent to another one. The credentials file is plain text, readable only by you ("iot config path" shows its path). After "iot config set credential-store keychain", new logins store the token in the system keychain instead, and fail if there is none.',
    title("Token lookup, first match wins"),
    terms([
      ["--env <name>", "stored token of the given environment"],
      ["IOT_TOKEN", "token in this variable"],
      ["credentials file", "stored token of the current environment"],
      ["keychain", "the same, for logins with credential-store=keychain"],
      ["T_ANALYSIS_TOKEN", "the platform's own variable"],
    ]),
    title("More commands"),
    terms([
      ["iot auth status", "show the current token, its source and expiry date"],
      ["iot auth whoami", "show the owner and permissions of the token"],
      ["iot auth logout", "remove it from this machine and, if possible, revoke it"],
    ]),
    "Every command warns seven days before a token expires. Tokens are masked as abcd…wxyz in lists of every format, debug output, reports and recordings; --reveal of a list shows them in full. Commands that delete tokens take the masked form. Long-lived secrets are never accepted as flag values.",
  ],
};
