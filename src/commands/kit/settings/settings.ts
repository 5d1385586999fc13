import { parseCount, parseDuration, quote } from "../command/values.ts";
import { usageError } from "../failures/command-error.ts";
import { timeForms } from "../output/times.ts";

export const formats = ["table", "json", "ndjson", "csv", "tsv", "yaml", "md", "id"] as const;

/** A setting a person may keep: in a file, in a variable, or give as a flag. */
export interface SettingSpec {
  readonly name: string;
  readonly summary: string;
  readonly kind: "text" | "number" | "switch" | "duration" | "choice";
  readonly choices?: readonly string[];
  readonly variable?: string;
  readonly default?: string;
  /** The smallest number it may have. @default 1 */
  readonly least?: number;
  /** May stand in a project file: it changes how results look or how far a command goes, never where a token is sent. */
  readonly inProject: boolean;
}

export const settingSpecs: readonly SettingSpec[] = [
  { name: "env", kind: "text", variable: "IOT_ENV", inProject: true, summary: "environment to use" },
  {
    name: "output",
    kind: "choice",
    choices: formats,
    variable: "IOT_OUTPUT",
    default: "table",
    inProject: true,
    summary: "format of results",
  },
  { name: "profile", kind: "text", variable: "IOT_PROFILE", inProject: true, summary: "platform profile" },
  {
    name: "color",
    kind: "choice",
    choices: ["auto", "always", "never"],
    default: "auto",
    inProject: true,
    summary: "colour in text for people",
  },
  {
    name: "time",
    kind: "choice",
    choices: timeForms,
    default: "auto",
    inProject: true,
    summary: "how tables show times",
  },
  { name: "tz", kind: "text", inProject: true, summary: "time zone for times in tables" },
  {
    name: "accessible",
    kind: "switch",
    variable: "IOT_ACCESSIBLE",
    default: "false",
    inProject: true,
    summary: "no animation, words instead of symbols",
  },
  {
    name: "ascii",
    kind: "switch",
    default: "false",
    inProject: true,
    summary: "only ASCII characters in tables and charts",
  },
  {
    name: "no-input",
    kind: "switch",
    variable: "IOT_NO_INPUT",
    default: "false",
    inProject: true,
    summary: "never prompt",
  },
  {
    name: "debug",
    kind: "switch",
    variable: "IOT_DEBUG",
    default: "false",
    inProject: false,
    summary: "redacted requests and stack traces on stderr",
  },
  {
    name: "pager",
    kind: "text",
    variable: "IOT_PAGER",
    inProject: false,
    summary: "program that shows long text; cat for none (less)",
  },
  { name: "timeout", kind: "duration", default: "60s", inProject: true, summary: "time one attempt may take" },
  {
    name: "retries",
    kind: "number",
    least: 0,
    variable: "IOT_RETRIES",
    default: "4",
    inProject: true,
    summary: "repetitions of a request after the first attempt; 0 is none",
  },
  { name: "concurrency", kind: "number", inProject: true, summary: "requests at a time, where a command sends many" },
  // A proxy and an authority decide who can read the token; a folder somebody else wrote must not choose them.
  { name: "proxy", kind: "text", inProject: false, summary: "HTTP proxy" },
  { name: "ca-file", kind: "text", inProject: false, summary: "certificate authority to trust besides the usual ones" },
  {
    name: "credential-store",
    kind: "choice",
    choices: ["file", "keychain"],
    default: "file",
    inProject: false,
    summary: "where new logins keep the token: file (plain storage, readable by you alone) or keychain (of the system)",
  },
];

export function findSetting(name: string): SettingSpec | undefined {
  return settingSpecs.find((spec) => spec.name === name);
}

/** A switch in a variable or file: 1, true, yes, on; 0, false, no, off and empty mean off. */
export function switchOf(text: string): boolean | undefined {
  if (/^(1|true|yes|on)$/i.test(text)) return true;
  return /^(0|false|no|off|)$/i.test(text) ? false : undefined;
}

/** Refuses a value the setting cannot have; `place` names where it stands. */
export function checkSetting(spec: SettingSpec, value: string, place: string): string {
  const wrong = (why: string) =>
    usageError(`${place} cannot be ${quote(value)}.`, {
      code: "usage.invalid_value",
      why,
      next: "Give it another value.",
    });
  switch (spec.kind) {
    case "choice":
      if (spec.choices?.includes(value) !== true) throw wrong(`It takes ${spec.choices?.join(", ")}.`);
      break;
    case "switch":
      if (switchOf(value) === undefined) throw wrong("It takes true or false.");
      break;
    case "number":
      parseCount(value, place, spec.least);
      break;
    case "duration":
      parseDuration(value, place);
      break;
    case "text":
      if (value === "") throw wrong("It must not be empty.");
  }
  return value;
}
