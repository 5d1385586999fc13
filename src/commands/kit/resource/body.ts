import type { CommandInput } from "../command/define.ts";
import { isOn, optionString, optionStrings, optionValue } from "../command/dynamic.ts";
import type { OptionSpec } from "../command/options.ts";
import { isSwitch, parseJsonText } from "../command/parse-options.ts";
import { keyValue, quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { inputError, usageError } from "../failures/command-error.ts";
import { isObject } from "../files/files.ts";
import { type Finder, resolveId } from "./resolve-id.ts";

/** A flag that sets a property of a request body. */
export interface BodyField extends OptionSpec {
  /** Property of the body; the flag's name with underscores unless given. */
  readonly member?: string;
  /** The switch that says the opposite: `inactive`. */
  readonly off?: string | OptionSpec;
  /** The text names a resource; the body gets its id. */
  readonly finder?: Finder;
  /** Never the value of a flag: `--<name>-stdin` reads it. */
  readonly isSecret?: boolean;
}

export interface Tag {
  readonly key: string;
  readonly value: string;
}

/** Placeholders of texts that are stored as they are, and may be emptied. */
const emptied: readonly (string | undefined)[] = [undefined, "text", "url"];

/** The flags of a field. */
export function optionsOf(field: BodyField): readonly OptionSpec[] {
  const { member: _member, finder: _finder, isSecret, off, ...flag } = field;
  if (isSecret === true) return [{ name: `${flag.name}-stdin`, summary: flag.summary }];
  if (off !== undefined) return [{ ...flag, opposite: offName(off) }, offOption(flag, off)];
  return [flag.kind === "content" && emptied.includes(flag.value) ? { ...flag, allowEmpty: true } : flag];
}

const offName = (off: string | OptionSpec): string => (typeof off === "string" ? off : off.name);

const offOption = ({ name }: OptionSpec, off: string | OptionSpec): OptionSpec =>
  typeof off === "string" ? { name: off, summary: `the opposite of --${name}` } : off;

/** The flag every command with a body has. */
export const inputOption = {
  name: "input",
  value: "file",
  file: "in",
  summary: "JSON object with more fields; - is stdin",
} as const satisfies OptionSpec;

/** The flags of the fields, and `--input`. */
export function bodyOptions(fields: readonly BodyField[]): readonly OptionSpec[] {
  return [...fields.flatMap(optionsOf), inputOption];
}

/** The object `--input` names; empty when it was not given. */
export async function inputObject(ctx: CommandContext, input: CommandInput): Promise<Record<string, unknown>> {
  const place = optionString(input, "input");
  if (place === undefined) return {};
  const value = parseJsonText(await ctx.readInput(place, "--input"), place === "-" ? "stdin" : quote(place));
  if (isObject(value)) return { ...value };
  throw inputError(`${place === "-" ? "stdin" : quote(place)} does not hold a JSON object.`, {
    next: 'Use the fields of one resource: {"name": "Pump 3"}.',
  });
}

/** Tags named with repeated `--tag k=v`. */
export function tagsOf(input: CommandInput, flag = "tag"): Tag[] {
  return optionStrings(input, flag).map((text) => keyValue(text, `--${flag}`));
}

/** The platform replaces all tags at once, so those that are not named are sent along. */
export function mergeTags(before: readonly Tag[], changes: readonly Tag[], removed: readonly string[]): Tag[] {
  const changed = new Set([...changes.map(({ key }) => key), ...removed]);
  return [...before.filter(({ key }) => !changed.has(key)), ...changes];
}

/** Two switches that say opposite things: true, false, or neither. */
export const onOff = (on: unknown, off: unknown): boolean | undefined =>
  on === true ? true : off === true ? false : undefined;

async function fieldValue(ctx: CommandContext, input: CommandInput, field: BodyField): Promise<unknown> {
  const { name, off, finder, isSecret, repeat } = field;
  const value = optionValue(input, name);
  if (isSecret === true) return undefined;
  if (off !== undefined && isOn(input, offName(off))) return false;
  if ((isSwitch(field) && value !== true) || (repeat === true && Array.isArray(value) && value.length === 0))
    return undefined;
  if (finder !== undefined && typeof value === "string") return (await resolveId(ctx, finder, value)).id;
  return value instanceof Date ? value.toISOString() : value;
}

/** Name of a field in the body. */
export const memberOf = ({ name, member }: BodyField): string => member ?? name.replaceAll("-", "_");

/** Fields set by flags, over those of `--input`. Fields that were not set are absent. */
export async function readBody(
  ctx: CommandContext,
  input: CommandInput,
  fields: readonly BodyField[],
): Promise<Record<string, unknown>> {
  const body = await inputObject(ctx, input);
  for (const field of fields) {
    const value = await fieldValue(ctx, input, field);
    if (value !== undefined) body[memberOf(field)] = value;
  }
  return body;
}

/** The first of the needed fields that a body lacks. */
export const lackedMember = (
  body: Readonly<Record<string, unknown>>,
  needed: Readonly<Record<string, string>>,
): string | undefined => Object.keys(needed).find((member) => (body[member] ?? "") === "");

/** Rejects a body that lacks one of the fields, with the flag that sets it. */
export function needMembers(
  body: Readonly<Record<string, unknown>>,
  noun: string,
  needed: Readonly<Record<string, string>>,
): void {
  const member = lackedMember(body, needed);
  if (member === undefined) return;
  throw usageError(`A new ${noun} needs ${member.replaceAll("_", " ")}.`, {
    code: "usage.missing_value",
    next: `Add ${needed[member]}, or put it in the --input file.`,
  });
}

/** Rejects a change that changes nothing. */
export function needChange(body: Readonly<Record<string, unknown>>, example: string): void {
  if (Object.keys(body).length > 0) return;
  throw usageError("No changes given.", { next: `Add a field, such as ${example}.` });
}

/** `tags` of an update: the named ones changed, `--remove-tag` ones gone, all others as they are. */
export async function changedTags(
  input: CommandInput,
  current: () => Promise<readonly Tag[] | undefined>,
): Promise<{ tags?: Tag[] }> {
  const changes = tagsOf(input);
  const removed = optionStrings(input, "remove-tag");
  if (changes.length + removed.length === 0) return {};
  return { tags: mergeTags((await current()) ?? [], changes, removed) };
}

/** Flags of `changedTags`. */
export const tagOptions: readonly OptionSpec[] = [
  { name: "tag", value: "k=v", summary: "tag; replaces an existing tag with the same key", repeat: true },
  { name: "remove-tag", value: "key", summary: "remove a tag", repeat: true },
];

/**
 * A lasting secret: from stdin with `--<flag>-stdin`, or asked for without echo. Never a flag value (contract,
 * section 3).
 */
export async function secretValue(
  ctx: CommandContext,
  input: CommandInput,
  flag: string,
  question: string,
): Promise<string> {
  if (!isOn(input, `${flag}-stdin`)) return (await ctx.prompts(`--${flag}-stdin`)).secret(question);
  const text = (await ctx.readInput("-", `--${flag}-stdin`)).replace(/\r?\n$/, "");
  if (text !== "") return text;
  throw inputError(`stdin contains no ${flag}.`, { next: `Pipe it in: --${flag}-stdin < ${flag}.txt` });
}

/** Rejects a call that reads both the secret and the body from stdin. */
export function checkOneStdin(input: CommandInput, flag: string): void {
  if (optionString(input, "input") !== "-" || !isOn(input, `${flag}-stdin`)) return;
  throw usageError(`--input - and --${flag}-stdin both read stdin.`, { next: `Put the ${flag} into the JSON object.` });
}
