import { cleanLine } from "../../../text/clean.ts";
import type { Column } from "../../kit/command/columns.ts";
import type { ArgumentSpec, Command, OptionSpec } from "../../kit/command/define.ts";
import type { ResultSpec } from "../../kit/command/result.ts";
import type { Finder, NamedResource } from "../../kit/resource/resolve-id.ts";
import { readUserConfig } from "../../kit/settings/config.ts";
import { findNoun } from "../../registry.ts";
import { findResources } from "./resources.ts";
import { tagSuggestions } from "./tags.ts";
import { type CompletionContext, files, isPlain, type Suggestion } from "./types.ts";

/** A noun, and all its commands. */
export interface CompletedCommand {
  readonly place: CompletionContext;
  readonly noun: string;
  readonly commands: readonly Command[];
  readonly command: Command;
  /** What was typed of the word so far. */
  readonly typed: string;
}

function environments(env: CompletionContext["env"]): readonly Suggestion[] {
  try {
    return Object.keys(readUserConfig(env).environments).map((name) => [name, "environment"]);
  } catch {
    return [];
  }
}

/** Whether the value itself is a path: one behind `@` is for the user to know. */
const isFile = ({ file }: Pick<OptionSpec, "file">): boolean => file !== undefined && file !== "@" && file !== "=@";

/** The finder of the commands around: that of `run user` for `run user login`, that of `device` for `device token list`. */
function finderAt(commands: readonly Command[], path: readonly string[]): Finder | undefined {
  const near = commands.filter(({ finder, path: words }) => {
    const above = words.slice(0, -1);
    return finder !== undefined && above.length < path.length && above.every((word, i) => path[i] === word);
  });
  return near.sort((a, b) => b.path.length - a.path.length)[0]?.finder;
}

/** The finder of a noun that a flag is named after: `--dashboard`, `--network`. */
async function finderOfNoun(name: string): Promise<Finder | undefined> {
  const noun = findNoun(name);
  return noun === undefined ? undefined : finderAt((await noun.load()).commands, ["get"]);
}

function nameOrId(finder: Finder, rows: readonly NamedResource[], typed: string): readonly Suggestion[] {
  const times = new Map<string, number>();
  for (const { name } of rows) times.set(name, (times.get(name) ?? 0) + 1);
  const wantsIds = /^[0-9a-f]{2,}$/i.test(typed) || !finder.forms.includes("name");
  // A name that could move the cursor is offered by its id.
  return rows.map(({ id, name }) => {
    const isUsable = !wantsIds && isPlain(name) && times.get(name) === 1;
    return isUsable ? [`name:${name}`, id] : [id, cleanLine(name, 60)];
  });
}

async function resources(around: CompletedCommand, finder: Finder | undefined): Promise<readonly Suggestion[]> {
  if (finder === undefined) return [];
  return nameOrId(finder, await findResources(around.place, finder, around.typed), around.typed);
}

function columnsOf(result: ResultSpec | undefined): readonly Column<never>[] {
  if (result?.shape === "list" || result?.shape === "item") return result.columns;
  return result?.shape === "either" ? result.of.flatMap(columnsOf) : [];
}

/** Names of columns; of `id,na` the part behind the last comma is completed. */
function columnNames({ command, typed }: CompletedCommand): readonly Suggestion[] {
  const before = typed.slice(0, typed.lastIndexOf(",") + 1);
  return columnsOf(command.result).map(({ key }) => [`${before}${key}`, "column"]);
}

/** As `columnNames`, for a flag that compares: of tags, the value of one. */
const comparedNames = (around: CompletedCommand): readonly string[] =>
  columnNames(around).map(([key]) => (key === "tags" ? "tags." : key));

/** Tags of what the command is about, and of devices. */
const tagFlags = new Set(["tag", "set-tag", "remove-tag"]);
const deviceTagFlags = new Set(["device-tag"]);

function tags(around: CompletedCommand, { name, value }: OptionSpec): Promise<readonly Suggestion[]> {
  const finder = deviceTagFlags.has(name) ? undefined : finderAt(around.commands, around.command.path);
  return tagSuggestions(around.place, finder, around.typed, value === "key" ? "" : "=");
}

/** What a flag may be given. */
export async function valuesOfFlag(around: CompletedCommand, option: OptionSpec): Promise<readonly Suggestion[]> {
  const { name, kind, value = "", choices } = option;
  if (choices !== undefined) return choices.map((choice) => [choice, option.summary]);
  if (name === "env" || name.endsWith("-env")) return environments(around.place.env);
  if (isFile(option)) return files;
  if (name === "fields") return [...columnNames(around), ["help", "list the columns"]];
  if (name === "sort")
    return comparedNames(around).flatMap((key): Suggestion[] => [
      [key, "ascending"],
      [`${key}:desc`, "descending"],
    ]);
  if (name === "filter") return comparedNames(around).map((key) => [key.endsWith(".") ? key : `${key}=`, "column"]);
  if (tagFlags.has(name) || deviceTagFlags.has(name)) return tags(around, option);
  if (name === "tz" || kind === "zone") return Intl.supportedValuesOf("timeZone").map((zone) => [zone, "time zone"]);
  if (value !== "id" && !value.endsWith("-id")) return [];
  return resources(around, await finderOfNoun(name.replace(/-id$/, "")));
}

/** Possible values of an argument. */
export async function valuesOfArgument(
  around: CompletedCommand,
  argument: ArgumentSpec,
): Promise<readonly Suggestion[]> {
  const { name, values } = argument;
  const { noun, command, commands, place } = around;
  if (values !== undefined) return values.map((value) => [value, argument.summary]);
  if (noun === "env") return environments(place.env);
  if (isFile(argument) && name !== "id") return files;
  if (name === "id" || name === "ids" || findNoun(name)?.name === noun)
    return resources(around, finderAt(commands, command.path));
  return resources(around, await finderOfNoun(name));
}
