import type { FlagKind, OptionSpec } from "../command/options.ts";
import { timeForms } from "../output/times.ts";

const formats = ["table", "json", "ndjson", "csv", "tsv", "yaml", "md", "id"] as const;

/** A setting a person may save in a file, set in a variable, or pass as a flag. */
export interface SettingSpec {
  readonly name: string;
  readonly summary: string;
  readonly kind: FlagKind | "switch" | "choice";
  readonly choices?: readonly string[];
  readonly variable?: string;
  readonly default?: string | undefined;
  /** As for a flag. */
  readonly least?: number;
  /** Allowed in a project file: it changes how results look or how far a command goes, never where a token is sent. */
  readonly inProject: boolean;
}

/** A flag of every command, a setting, or both. */
export interface GlobalOption extends OptionSpec, Partial<Pick<SettingSpec, "variable" | "inProject">> {
  /** Section of help; absent where there is no flag. */
  readonly section?: "Output" | "Connection" | "Presentation" | "General";
  readonly short?: string;
  readonly default?: string;
  readonly conflicts?: readonly string[];
  /** What `--no-name` sets the setting to. */
  readonly off?: string;
  /** What the setting has otherwise than the flag. */
  readonly setting?: Partial<SettingSpec>;
}

/** A row from the flag as help writes it: `-e, --env <name>`. */
const flags =
  (section: NonNullable<GlobalOption["section"]>) =>
  (flag: string, summary: string, more: Partial<GlobalOption> = {}): GlobalOption => {
    const { name = "", ...rest } = /^(-(?<short>.), )?--(?<name>\S+)( <(?<value>.+)>)?$/.exec(flag)?.groups ?? {};
    return { section, name, ...rest, summary, ...more };
  };

const [output, network, look, general] = [
  flags("Output"),
  flags("Connection"),
  flags("Presentation"),
  flags("General"),
];
const inProject = true;

/** The flags of every command and the settings, in the order of help. A row that says `inProject` is a setting. */
export const table: readonly GlobalOption[] = [
  network("-e, --env <name>", "environment to use", { variable: "IOT_ENV", inProject }),
  network("-P, --profile <id>", "platform profile, if the token allows it", {
    variable: "IOT_PROFILE",
    inProject,
    setting: { summary: "platform profile" },
  }),
  output("-o, --output <format>", "output format", {
    choices: [...formats, "template"],
    default: "table",
    variable: "IOT_OUTPUT",
    inProject,
    setting: { summary: "output format", choices: formats },
  }),
  output("--json", "short for -o json"),
  output("--fields <a,b.c>", 'fields to show, in order; "help" lists them', { repeat: true }),
  output("--jq <expr>", "filter the JSON result", { conflicts: ["template"] }),
  output("--template <text>", "format the JSON result with a template"),
  output("--header", "omit the header row", { negatable: true }),
  output("--csv-safe", "escape csv values that look like formulas"),
  output("--csv-bom", "start csv with a byte-order mark"),
  network("--timeout <duration>", "timeout per attempt", { kind: "duration", default: "60s", inProject }),
  network("--retries <n>", "retries after the first attempt; 0 for none", {
    kind: "integer",
    least: 0,
    default: "4",
    variable: "IOT_RETRIES",
    inProject,
  }),
  network("--concurrency <n>", "parallel requests, for commands that send many", { kind: "integer", inProject }),
  // A proxy and an authority decide who can read the token; a folder somebody else wrote must not choose them.
  network("--proxy <url>", "HTTP proxy", { inProject: false }),
  network("--ca-file <file>", "additional certificate authority to trust", { file: "in", inProject: false }),
  network("--vars-file <file>", "file of KEY=value lines to read as variables", { file: "in" }),
  network("--env-file <file>", "the same, with Node 24 and later", { file: "in" }),
  look("--color <when>", "use colours; --no-color means never", {
    choices: ["auto", "always", "never"],
    default: "auto",
    negatable: true,
    off: "never",
    inProject,
    setting: { summary: "use colours" },
  }),
  look("--progress", "hide progress lines", { negatable: true }),
  look("--accessible", "no animations, words instead of symbols", { variable: "IOT_ACCESSIBLE", inProject }),
  look("--ascii", "only ASCII characters in tables and charts", { inProject }),
  look("--tz <zone>", "time zone for times in tables: UTC, Europe/Lisbon", {
    default: "local time zone",
    inProject,
    setting: { summary: "time zone for times in tables", default: undefined },
  }),
  look("--time <form>", "time format in tables", { choices: timeForms, default: "auto", inProject }),
  general("--input", "never prompt", {
    negatable: true,
    off: "true",
    variable: "IOT_NO_INPUT",
    inProject,
    setting: { name: "no-input" },
  }),
  general("-q, --quiet", "fewer messages on stderr"),
  general("-v, --verbose", "show a line for each request on stderr"),
  general("--debug", "show whole requests and stack traces on stderr, redacted", {
    variable: "IOT_DEBUG",
    inProject: false,
  }),
  {
    name: "pager",
    summary: "pager for long text; cat for none (less)",
    kind: "text",
    variable: "IOT_PAGER",
    inProject: false,
  },
  {
    name: "credential-store",
    summary: "store of new tokens: private file, or system keychain",
    choices: ["file", "keychain"],
    default: "file",
    inProject: false,
  },
  // The queue decides what workers do; a folder somebody else wrote must not choose it.
  {
    name: "queue",
    summary: "Redis queue of iot job and iot worker",
    kind: "text",
    variable: "IOT_QUEUE",
    inProject: false,
  },
  {
    name: "queue-key-file",
    summary: "file of its key [IOT_QUEUE_KEY: the key]",
    kind: "text",
    variable: "IOT_QUEUE_KEY_FILE",
    inProject: false,
  },
];
