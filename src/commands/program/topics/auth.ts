import { lines, type Topic, terms, title } from "./blocks.ts";

export const auth: Topic = {
  name: "auth",
  summary: "logging in, tokens, where they are kept",
  blocks: () => [
    '"iot auth login" asks for e-mail and password, makes a token that expires, and keeps the token; the password is not kept. With a token at hand:',
    lines("iot auth login --with-token < token.txt"),
    'A token is stored for one environment and bound to the address it was made for: it is never sent to another one. The file is plain storage, readable by you alone ("iot config path" says where it is); after "iot config set credential-store keychain" new logins keep the token in the keychain of the operating system instead, and fail when there is none.',
    title("Which token is used, first match"),
    terms([
      ["--env <name>", "the stored token of the environment that was named"],
      ["IOT_TOKEN", "the token in this variable"],
      ["credentials file", "the stored token of the environment in use"],
      ["keychain", "the same, of a login made with credential-store=keychain"],
      ["T_ANALYSIS_TOKEN", "the platform's own variable"],
    ]),
    title("More commands"),
    terms([
      ["iot auth status", "the token in use, where it came from and when it expires"],
      ["iot auth whoami", "whose token it is, and what it may do"],
      ["iot auth logout", "forgets it, and revokes it at the platform where it can"],
    ]),
    "Seven days before a token expires every command says so. Tokens are shown as abcd…wxyz, in debug output, reports and recordings too; a lasting secret is never taken as the value of a flag.",
  ],
};
