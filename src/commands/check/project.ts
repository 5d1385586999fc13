import { relative } from "node:path";
import { keyValue } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { inputError } from "../kit/failures/command-error.ts";
import { isObject, type JsonObject, parseObject, readTextIfThere } from "../kit/files/files.ts";
import { placeInProject } from "../kit/settings/config.ts";
import type { TypesFile } from "./types.ts";

/**
 * The `check` property of the project file: the same as the flags of these names. Paths are from the current folder.
 */
export interface ProjectChecks {
  readonly profile?: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly widgets?: readonly string[];
  readonly dictionary?: readonly string[];
  readonly file?: readonly string[];
  readonly types?: readonly TypesFile[];
}

const typesLists = ["entity", "dictionary", "device", "device-tag"] as const;
const typesSwitches = ["entities", "dictionaries"] as const;

/** What the project file says about `iot check`. */
export function projectChecks(ctx: CommandContext): ProjectChecks {
  const path = ctx.user.project?.path;
  const value = path === undefined ? undefined : parseObject(readTextIfThere(path) ?? "{}", path)["check"];
  if (path === undefined || value === undefined) return {};
  const refuse: Refuse = (why) =>
    inputError(`${path}: "check" is invalid.`, {
      code: "config.invalid",
      why,
      next: 'Fix it; "iot config schema" prints its JSON Schema.',
    });
  if (!isObject(value)) throw refuse("It is not an object.");
  const readers: Readonly<Record<keyof ProjectChecks, (name: string) => unknown>> = {
    profile: (name) => placeOf(name)(oneString(value[name], name, refuse)),
    include: (name) => strings(value[name], name, refuse),
    exclude: (name) => strings(value[name], name, refuse),
    widgets: (name) => strings(value[name], name, refuse).map(placeOf(name)),
    dictionary: (name) => strings(value[name], name, refuse),
    file: (name) => strings(value[name], name, refuse).map(placeOf(name)),
    types: (name) => [value[name]].flat().map((entry) => typesFile(entry, placeOf(name), refuse)),
  };
  function placeOf(name: string): (text: string) => string {
    return (text) => relative(ctx.cwd, placeInProject(text, path ?? "", `check.${name}`)) || ".";
  }
  needKnown(value, Object.keys(readers), refuse);
  const given = Object.entries(readers).filter(([name]) => value[name] !== undefined);
  return Object.fromEntries(given.map(([name, read]) => [name, read(name)]));
}

type Refuse = (why: string) => Error;

function needKnown(value: JsonObject, known: readonly string[], refuse: Refuse): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw refuse(`Unknown property "${unknown}"; valid properties are ${known.join(", ")}.`);
}

function oneString(value: unknown, name: string, refuse: Refuse): string {
  if (typeof value === "string" && value !== "") return value;
  throw refuse(`"${name}" must be a non-empty string.`);
}

/** A single string counts as a list of one. */
const strings = (value: unknown, name: string, refuse: Refuse): string[] =>
  [value].flat().map((one) => oneString(one, name, refuse));

/** A file of types with the flags of `iot generate types`. */
function typesFile(entry: unknown, placeOf: (text: string) => string, refuse: Refuse): TypesFile {
  const value = typeof entry === "string" ? { out: entry } : entry;
  if (!isObject(value)) throw refuse('"types" must name files, or be objects with "out".');
  needKnown(value, ["out", "format", ...typesLists, ...typesSwitches], refuse);
  const out = oneString(value["out"], "out", refuse);
  const format = formatIn(value, out, refuse);
  const list = (name: (typeof typesLists)[number]): readonly string[] =>
    value[name] === undefined ? [] : strings(value[name], name, refuse);
  const isOn = (name: (typeof typesSwitches)[number]): boolean => {
    const given = value[name] ?? true;
    if (typeof given === "boolean") return given;
    throw refuse(`"${name}" must be true or false.`);
  };
  const flags = {
    format,
    entity: list("entity"),
    entities: isOn("entities"),
    dictionary: list("dictionary"),
    dictionaries: isOn("dictionaries"),
    device: list("device"),
    deviceTag: list("device-tag").map((text) => keyValue(text, "device-tag")),
  };
  return { file: placeOf(out), flags };
}

function formatIn({ format }: JsonObject, out: string, refuse: Refuse): "typescript" | "json-schema" {
  if (format === undefined) return formatOf(out);
  if (format === "typescript" || format === "json-schema") return format;
  throw refuse('"format" must be typescript or json-schema.');
}

/** The format of a file that was made with no flag but `--out` and this. */
export const formatOf = (file: string): "typescript" | "json-schema" =>
  /\.json$/i.test(file) ? "json-schema" : "typescript";
