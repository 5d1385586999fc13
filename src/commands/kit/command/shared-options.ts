import { LONGEST_TIMER_MS } from "../long-wait.ts";
import { timeForms } from "../output/times.ts";
import { table } from "../settings/table.ts";
import type { Command, OptionSpec } from "./define.ts";
import { changesPlatform, greatestEffect } from "./effect.ts";
import type { GlobalFlags } from "./flags.ts";
import { checkFilter, parseCount, parseDuration, parseTagFilter, parseZone } from "./values.ts";

/** A flag of section 3. Only these may have a single letter. Its default is for help; settings may change it. */
export interface SharedOption extends OptionSpec {
  readonly conflicts?: readonly string[];
  readonly short?: string;
  readonly section: "Output" | "Connection" | "List" | "Changes" | "Presentation" | "General";
}

/** Flags every command takes. */
export const globalOptions: readonly SharedOption[] = table.flatMap(({ section, ...row }) =>
  section === undefined ? [] : [{ section, ...row }],
);

const pageOptions: readonly SharedOption[] = [
  { section: "List", name: "limit", value: "n", summary: "maximum number of rows", default: "20" },
  { section: "List", name: "page", value: "n", summary: "first page to read", default: "1" },
  { section: "List", name: "all", summary: "read all pages", conflicts: ["limit", "page"] },
];

/** Flags a command takes when it names their group. */
export const groupOptions: Readonly<
  Record<"list" | "pages" | "limit" | "confirm" | "dryRun", readonly SharedOption[]>
> = {
  list: [
    ...pageOptions,
    { section: "List", name: "sort", value: "field[:desc]", summary: "sort by this field" },
    {
      section: "List",
      name: "filter",
      value: "expr",
      summary: "only rows with field=value or tags.KEY=value, != < <= > >=, joined by or",
      repeat: true,
    },
    { section: "List", name: "tag", value: "k=v", summary: "only rows with this tag", repeat: true },
  ],
  /** Of lists that are neither sorted nor filtered as others are. */
  pages: pageOptions,
  /** Of lists the platform returns as a whole. */
  limit: [{ section: "List", name: "limit", value: "n", summary: "maximum number of rows", default: "all" }],
  confirm: [
    { section: "Changes", name: "yes", short: "y", summary: "skip yes/no questions" },
    {
      section: "Changes",
      name: "confirm",
      value: "name",
      summary: "confirm a change by name; in a protected environment, by its name",
    },
  ],
  dryRun: [
    {
      section: "Changes",
      name: "dry-run",
      summary: "print the requests that would make changes, without sending them",
    },
  ],
};

/** The flag of every command that changes the platform: the name of a protected environment. */
const confirmOption = groupOptions.confirm.filter(({ name }) => name === "confirm");

/** The shared flags one command takes. A command's own flag of the same name goes first, and has no rules but its own. */
export function sharedOptionsOf(command: Command): readonly SharedOption[] {
  const own = new Set(command.options?.map((option) => option.name));
  const named = (command.groups ?? []).flatMap((group) => groupOptions[group]);
  const isGated = changesPlatform(greatestEffect(command)) && command.groups?.includes("confirm") !== true;
  const groups = isGated ? [...named, ...confirmOption] : named;
  const taken = [...globalOptions, ...groups].filter((option) => !own.has(option.name));
  return taken.map(({ conflicts = [], ...option }) => {
    const others = conflicts.filter((name) => !own.has(name));
    const formerly = command.formerly?.[option.name];
    return { ...option, ...(others.length > 0 && { conflicts: others }), ...(formerly !== undefined && { formerly }) };
  });
}

type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** The flags that have a value, each converted by `read`. */
function given<T>(
  values: Values,
  names: readonly string[],
  read: (text: string, name: string) => T,
): Record<string, T> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = values[name];
      return typeof text === "string" ? [[name, read(text, name)]] : [];
    }),
  );
}

const listOf = (value: Values[string]): readonly string[] =>
  Array.isArray(value) ? value : typeof value === "string" ? [value] : [];

/** Milliseconds of `--timeout`; a bare number is one of seconds. */
function timeoutOf(text: string): number {
  return Math.min(parseDuration(/^\d+$/.test(text) ? `${text}s` : text, "--timeout"), LONGEST_TIMER_MS);
}

const texts = ["env", "profile", "output", "jq", "template", "sort", "confirm", "proxy", "caFile"];
/** The smallest number of each flag that takes one. */
const smallest = new Map([
  ["limit", 0],
  ["page", 1],
  ...table.flatMap(({ name, kind, least = 1 }) => (kind === "integer" ? [[name, least] as const] : [])),
]);

/** The parsed flags of section 3, checked. */
export function globalFlagsOf(values: Values): GlobalFlags {
  const isOn = (name: string): boolean => values[name] === true;
  const fields = listOf(values["fields"]).flatMap((part) => part.split(","));
  const color = values["color"] === false ? "never" : values["color"];
  const time = timeForms.find((form) => form === values["time"]);
  return {
    ...given(values, texts, (text) => text),
    ...(isOn("json") ? { output: "json" } : {}),
    ...given(values, [...smallest.keys()], (text, name) => parseCount(text, `--${name}`, smallest.get(name))),
    ...given(values, ["tz"], (text, name) => parseZone(text, `--${name}`)),
    ...(typeof values["timeout"] === "string" ? { timeoutMs: timeoutOf(values["timeout"]) } : {}),
    ...(fields.length === 0 ? {} : { fields: fields.map((field) => field.trim()).filter((field) => field !== "") }),
    ...(time === undefined ? {} : { time }),
    color: color === "always" || color === "never" ? color : "auto",
    progress: values["progress"] !== false,
    accessible: isOn("accessible"),
    ascii: isOn("ascii"),
    header: values["header"] !== false,
    all: isOn("all"),
    filter: listOf(values["filter"]).map(checkFilter),
    tag: listOf(values["tag"]).map(parseTagFilter),
    dryRun: isOn("dryRun"),
    yes: isOn("yes"),
    input: values["input"] !== false,
    quiet: isOn("quiet"),
    verbose: isOn("verbose"),
    debug: isOn("debug"),
    csvSafe: isOn("csvSafe"),
    csvBom: isOn("csvBom"),
    reveal: isOn("reveal"),
  };
}
