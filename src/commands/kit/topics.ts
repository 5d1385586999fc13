import { exitCodeTexts } from "./exit-codes.ts";
import { columns } from "./help.ts";
import { settingSpecs } from "./settings.ts";

const output = (): string => `Results go to stdout, everything else to stderr.

On a terminal a list is a table: long text is cut, ids never are, and times are
local (--tz, --time). In a pipe it is the same columns as tab-separated text
with a header row, full values and ISO times; --no-header drops the header.

Formats (-o, --output):
${columns([
  ["table", "the default"],
  ["json", "one document; --json is short for it"],
  ["ndjson", "one object per line, written as pages arrive"],
  ["csv", "RFC 4180; --csv-safe and --csv-bom for spreadsheets"],
  ["tsv", "tab-separated text"],
  ["yaml", "for reading"],
  ["md", "a Markdown table"],
  ["id", "one id per line, for xargs"],
])}
Fields:
  --fields id,tags        columns or members, in this order
  --fields help           lists them

jq:
  --jq '.[].name'         filters the JSON of the result; texts are printed bare
                          unless -o json is given too
`;

const filters = (): string => `Lists take these flags:
${columns([
  ["--limit <n>", "at most n rows; 20 unless given"],
  ["--page <n>", "the page to start with"],
  ["--all", "every row; pages are read one after the other"],
  ["--sort field[:desc]", "order of the rows"],
  ["--filter field=value", "rows whose field has this value; * stands for any text; may be repeated"],
  ["--tag key=value", "rows with this tag; may be repeated"],
])}
Several filters must all be true.

  iot device list --filter 'name=Pump*' --tag site=7 --sort last_input:desc
`;

const auth = (): string => `"iot auth login" asks for e-mail and password, makes a token that expires, and
keeps the token; the password is not kept. With a token at hand:

  iot auth login --with-token < token.txt

A token is stored for one environment and bound to the address it was made for:
it is never sent to another one. The file is plain text, readable by you alone
("iot config path" says where it is).

Which token is used, first match:
${columns([
  ["--env <name>", "the stored token of the environment that was named"],
  ["IOT_TOKEN", "the token in this variable"],
  ["credentials file", "the stored token of the environment in use"],
  ["T_ANALYSIS_TOKEN", "the platform's own variable"],
])}
"iot auth status" shows the one in use, where it came from and when it expires.
"iot auth logout" forgets it, and revokes it at the platform where it can.
`;

const errors = (): string => `A failure has three parts, on stderr:

  error: There is no environment "prd".
    why: There are default, prod.
    next: Did you mean "prod"?

With -o json or -o ndjson it is one JSON line on stderr:

  {"error":{"code":"env.unknown","message":"…","why":"…","next":"…","exit":2}}

Codes are stable words:
${columns([
  ["usage.*", "the command line is wrong (exit 2)"],
  ["confirm.*", "a question needs an answer by flag (exit 2)"],
  ["input.*, file.*, config.*", "a file or its content cannot be used (exit 3; writing: 1)"],
  ["auth.missing", "there is no token (exit 4)"],
  ["auth.refused, auth.expired", "the token is not accepted (exit 4)"],
  ["auth.other_origin", "the token was made for another address (exit 4)"],
  ["auth.permission", "the token may not do this (exit 5)"],
  ["not_found, *.not_found", "the thing does not exist (exit 6)"],
  ["conflict", "it changed meanwhile, or exists already (exit 7)"],
  ["limit.reached", "a limit of the platform (exit 9)"],
  ["network.*", "no answer: network, proxy, TLS, timeout (exit 10)"],
  ["platform.*", "the platform refused or failed (exit 1)"],
  ["internal", "a fault of this program (exit 70)"],
])}
--debug adds the requests, without secrets, and a stack trace.
`;

const exitCodes = (): string => `Exit codes:
${columns(Object.entries(exitCodeTexts))}
They do not depend on the output format. "iot sandbox exec" alone ends with the
code of the program it ran.
`;

const environment = (): string => `An environment is a named set of connection settings on this machine:

  iot env add prod --region us-e1 --protected
  iot env use prod

Settings are taken from, first match: flag, variable, project file
(iot.config.json, nearest upwards, up to the root of the repository), user file,
default. "iot config list --origin" shows each value and where it came from.

Settings:
${columns(settingSpecs.map((spec) => [spec.name, `${spec.summary}${spec.variable === undefined ? "" : ` [${spec.variable}]`}`]))}
More variables:
${columns([
  ["IOT_TOKEN", "token to use"],
  ["IOT_REGION", "region: us-e1 or eu-w1"],
  ["IOT_API_URL, IOT_EVENTS_URL", "addresses of the platform"],
  ["IOT_CONFIG_DIR", "folder of the user's files"],
  ["NO_COLOR, FORCE_COLOR, TERM, CI", "as everywhere; CI also means: never prompt"],
  ["HTTPS_PROXY, HTTP_PROXY, NO_PROXY", "proxy"],
  ["NODE_EXTRA_CA_CERTS", "further certificate authorities"],
  ["TAGOIO_API, TAGOIO_SSE, T_ANALYSIS_TOKEN", "the platform's own, read last"],
])}
A project file may hold env, analyses, dashboards and defaults. It can hold
neither a credential nor an address that would receive one.
`;

const scripting = (): string => `Every command works without a terminal. For scripts:

  -o json, -o ndjson      stable members; never parse a table
  -o id                   one id per line
  --no-input              never ask; CI=1 means the same
  --yes, --confirm name   answers questions
  --dry-run               prints the requests that would change something

Give the token as a variable, not as an argument:

  IOT_TOKEN=$TOKEN iot device list -o ndjson --all

Check the exit code: "iot help exit-codes". stdout stays empty when nothing
matches, except for json and yaml, which print an empty list.

  iot device list --tag site=7 -o id | xargs -n 1 iot device get --json
`;

/** Texts of `iot help <topic>`. */
export const topics: ReadonlyMap<string, () => string> = new Map([
  ["output", output],
  ["filters", filters],
  ["auth", auth],
  ["errors", errors],
  ["exit-codes", exitCodes],
  ["environment", environment],
  ["scripting", scripting],
]);
