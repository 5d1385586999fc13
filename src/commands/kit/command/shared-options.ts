import { usageError } from "../failures/command-error.ts";
import { timeForms } from "../output/times.ts";
import { LONGEST_TIMER_MS } from "../say/long-wait.ts";
import { formats } from "../settings/settings.ts";
import type { Command, OptionSpec } from "./define.ts";
import { changesPlatform, greatestEffect } from "./effect.ts";
import type { GlobalFlags } from "./flags.ts";
import { checkFilter, parseCount, parseDuration, parseTagFilter, quote } from "./values.ts";

/** A flag of section 3. Only these may have a single letter. Its default is for help; settings may change it. */
export interface SharedOption extends OptionSpec {
  readonly short?: string;
  readonly section: "Output" | "Connection" | "List" | "Changes" | "Presentation" | "General";
}

const output = (option: Omit<SharedOption, "section">): SharedOption => ({ ...option, section: "Output" });
const network = (option: Omit<SharedOption, "section">): SharedOption => ({ ...option, section: "Connection" });
const look = (option: Omit<SharedOption, "section">): SharedOption => ({ ...option, section: "Presentation" });
const general = (option: Omit<SharedOption, "section">): SharedOption => ({ ...option, section: "General" });

/** Flags every command takes. */
export const globalOptions: readonly SharedOption[] = [
  network({ name: "env", short: "e", value: "name", summary: "environment to use" }),
  network({ name: "profile", short: "P", value: "id", summary: "platform profile, where the token allows it" }),
  output({
    name: "output",
    short: "o",
    value: "format",
    summary: "format of the result",
    default: "table",
    choices: [...formats, "template"],
  }),
  output({ name: "json", summary: "short for -o json" }),
  output({ name: "fields", value: "a,b.c", summary: 'columns or paths, in order; "help" lists them', repeat: true }),
  output({ name: "jq", value: "expr", summary: "filter the JSON result" }),
  output({ name: "template", value: "text", summary: "format the JSON result with a template" }),
  output({ name: "header", summary: "leave out the header row", negatable: true }),
  output({ name: "csv-safe", summary: "quote csv values that a spreadsheet would run as a formula" }),
  output({ name: "csv-bom", summary: "start csv with a byte-order mark" }),
  network({ name: "timeout", value: "duration", summary: "time one attempt may take", default: "60s" }),
  network({
    name: "retries",
    value: "n",
    summary: "repetitions of a request after the first attempt; 0 is none",
    default: "4",
  }),
  network({ name: "concurrency", value: "n", summary: "requests at a time, where a command sends many" }),
  network({ name: "proxy", value: "url", summary: "HTTP proxy" }),
  network({ name: "ca-file", value: "file", summary: "certificate authority to trust besides the usual ones" }),
  network({ name: "vars-file", value: "file", summary: "file of KEY=value lines read as environment variables" }),
  network({ name: "env-file", value: "file", summary: "the same, with Node 24 and later" }),
  look({
    name: "color",
    value: "when",
    summary: "colour in text for people; --no-color stands for never",
    default: "auto",
    choices: ["auto", "always", "never"],
    negatable: true,
  }),
  look({ name: "progress", summary: "hide progress lines", negatable: true }),
  look({ name: "accessible", summary: "no animation, words instead of symbols" }),
  look({ name: "ascii", summary: "only ASCII characters in tables and charts" }),
  look({
    name: "tz",
    value: "zone",
    summary: "time zone for times in tables: UTC, Europe/Lisbon",
    default: "that of this machine",
  }),
  look({
    name: "time",
    value: "form",
    summary: "how tables show times",
    choices: timeForms,
    default: "auto",
  }),
  general({ name: "input", summary: "never prompt", negatable: true }),
  general({ name: "quiet", short: "q", summary: "fewer messages on stderr" }),
  general({ name: "verbose", short: "v", summary: "more messages on stderr" }),
  general({ name: "debug", summary: "redacted requests and stack traces on stderr" }),
];

/** Flags a command takes when it names their group. */
export const groupOptions: Readonly<Record<"list" | "limit" | "confirm" | "dryRun", readonly SharedOption[]>> = {
  list: [
    { section: "List", name: "limit", value: "n", summary: "at most this many rows", default: "20" },
    { section: "List", name: "page", value: "n", summary: "page to start with", default: "1" },
    { section: "List", name: "all", summary: "every row, page by page" },
    { section: "List", name: "sort", value: "field[:desc]", summary: "order of the rows" },
    { section: "List", name: "filter", value: "expr", summary: "field=value; * stands for any text", repeat: true },
    { section: "List", name: "tag", value: "k=v", summary: "only rows with this tag", repeat: true },
  ],
  /** Of lists the platform gives as a whole. */
  limit: [{ section: "List", name: "limit", value: "n", summary: "at most this many rows", default: "all" }],
  confirm: [
    { section: "Changes", name: "yes", short: "y", summary: "skip yes/no questions" },
    {
      section: "Changes",
      name: "confirm",
      value: "name",
      summary: "confirm a change by name; in a protected environment, by the name of the environment",
    },
  ],
  dryRun: [
    { section: "Changes", name: "dry-run", summary: "print the requests that would change something, send none" },
  ],
};

/** The flag of every command that changes the platform: it gives the name of a protected environment. */
const confirmOption = groupOptions.confirm.filter(({ name }) => name === "confirm");

/** The shared flags one command takes. A command's own flag of the same name goes first. */
export function sharedOptionsOf(command: Command): readonly SharedOption[] {
  const own = new Set(command.options?.map((option) => option.name));
  const named = (command.groups ?? []).flatMap((group) => groupOptions[group]);
  const isGated = changesPlatform(greatestEffect(command)) && command.groups?.includes("confirm") !== true;
  const groups = isGated ? [...named, ...confirmOption] : named;
  return [...globalOptions, ...groups].filter((option) => !own.has(option.name));
}

type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

const textOf = (values: Values, key: string): string | undefined => {
  const value = values[key];
  return typeof value === "string" ? value : undefined;
};
const listOf = (values: Values, key: string): readonly string[] => {
  const value = values[key];
  return Array.isArray(value) ? value : typeof value === "string" ? [value] : [];
};

function presentationOf(
  values: Values,
): Pick<GlobalFlags, "color" | "progress" | "accessible" | "ascii" | "tz" | "time"> {
  const time = timeForms.find((form) => form === values["time"]);
  const color = textOf(values, "color");
  const tz = textOf(values, "tz");
  if (tz !== undefined) checkZone(tz);
  return {
    color: values["color"] === false ? "never" : color === "always" || color === "never" ? color : "auto",
    progress: values["progress"] !== false,
    accessible: values["accessible"] === true,
    ascii: values["ascii"] === true,
    ...(tz === undefined ? {} : { tz }),
    ...(time === undefined ? {} : { time }),
  };
}

function checkZone(zone: string): void {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
  } catch {
    throw usageError(`--tz does not know the time zone ${quote(zone)}.`, {
      next: "Write a zone such as UTC or Europe/Lisbon.",
    });
  }
}

function networkOf(values: Values) {
  const numbers = { limit: 0, page: 1, retries: 0, concurrency: 1 } as const;
  const found: { limit?: number; page?: number; retries?: number; concurrency?: number; timeoutMs?: number } = {};
  for (const [name, least] of Object.entries(numbers)) {
    const text = textOf(values, name);
    if (text !== undefined) Object.assign(found, { [name]: parseCount(text, `--${name}`, least) });
  }
  const timeout = textOf(values, "timeout");
  if (timeout !== undefined)
    found.timeoutMs = Math.min(
      parseDuration(/^\d+$/.test(timeout) ? `${timeout}s` : timeout, "--timeout"),
      LONGEST_TIMER_MS,
    );
  return found;
}

/** The parsed flags of section 3, checked. */
export function globalFlagsOf(values: Values): GlobalFlags {
  const texts: Record<string, string> = {};
  for (const name of ["env", "profile", "output", "jq", "template", "sort", "confirm", "proxy", "caFile"]) {
    const text = textOf(values, name);
    if (text !== undefined) texts[name] = text;
  }
  if (values["json"] === true) texts["output"] = "json";
  const fields = listOf(values, "fields")
    .flatMap((part) => part.split(","))
    .map((part) => part.trim());
  return {
    ...texts,
    ...(fields.length === 0 ? {} : { fields: fields.filter((field) => field !== "") }),
    ...networkOf(values),
    ...presentationOf(values),
    header: values["header"] !== false,
    all: values["all"] === true,
    filter: listOf(values, "filter").map(checkFilter),
    tag: listOf(values, "tag").map(parseTagFilter),
    dryRun: values["dryRun"] === true,
    yes: values["yes"] === true,
    input: values["input"] !== false,
    quiet: values["quiet"] === true,
    verbose: values["verbose"] === true,
    debug: values["debug"] === true,
    csvSafe: values["csvSafe"] === true,
    csvBom: values["csvBom"] === true,
  };
}
