import { keyValue, option, optionFlag, optionList, optionPair } from "../command/arguments.ts";
import type { CommandInput, OptionSpec } from "../command/define.ts";
import { parseInstant, quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { inputError, usageError } from "../failures/command-error.ts";
import { isObject } from "../files/files.ts";
import { type Finder, resolveId } from "./resolve-id.ts";

/** A member of a request body, and the flag that gives it. */
export interface BodyField {
  /** Long name of the flag, without dashes. */
  readonly flag: string;
  /** Member of the body; the flag's name with underscores unless given. */
  readonly member?: string;
  readonly summary: string;
  /**
   * `text` unless given: it may be empty, and `@file` reads it. `name` is never empty and taken as it is. `switch` is a
   * pair of flags, on and `off`; `json` is a document, or `@file`; `list` is repeated; `tags` is repeated `k=v`; `time` is
   * an instant of the contract. `secret` is never the value of a flag: `--<flag>-stdin` reads it.
   */
  readonly kind?: "secret" | "name" | "text" | "number" | "switch" | "json" | "list" | "tags" | "time";
  /** The flag that says the opposite of a switch: `inactive`. */
  readonly off?: string | OptionSpec;
  /** Placeholder of the value in help. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** The text names a resource; the body gets its id. */
  readonly finder?: Finder;
}

export interface Tag {
  readonly key: string;
  readonly value: string;
}

const placeholder = {
  name: "text",
  text: "text",
  number: "n",
  json: "json",
  list: "text",
  tags: "k=v",
  time: "time",
} as const;

/** The flags of a field. */
export function optionsOf(field: BodyField): readonly OptionSpec[] {
  const { flag, kind = "text", summary, choices, off } = field;
  if (kind === "secret") return [{ name: `${flag}-stdin`, summary }];
  if (kind === "switch") {
    return [
      { name: flag, summary },
      ...(off === undefined
        ? []
        : [typeof off === "string" ? { name: off, summary: `the opposite of --${flag}` } : off]),
    ];
  }
  const value = field.value ?? placeholder[kind];
  // A text that is stored as it is may be emptied.
  const allowEmpty = kind === "text" && choices === undefined && (value === "text" || value === "url");
  const isRead = (kind === "text" || kind === "json") && choices === undefined && field.finder === undefined;
  const file = isRead ? ({ file: "@" } as const) : {};
  const spec = { name: flag, summary, value, ...file, ...(allowEmpty ? { allowEmpty } : {}) };
  return [
    {
      ...spec,
      ...(kind === "list" || kind === "tags" ? { repeat: true } : {}),
      ...(choices === undefined ? {} : { choices }),
    },
  ];
}

/** The flag every command with a body has. */
export const inputOption: OptionSpec = {
  name: "input",
  value: "file",
  file: "in",
  summary: "JSON object with more fields; - is stdin",
};

/** The flags of the fields, and `--input`. */
export function bodyOptions(fields: readonly BodyField[]): readonly OptionSpec[] {
  return [...fields.flatMap(optionsOf), inputOption];
}

/** The JSON value in a text; `place` names it in the failure. */
export function parseJsonText(text: string, place: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw inputError(`${place} does not hold valid JSON.`, {
      why: error instanceof Error ? error.message : String(error),
      next: "Fix the JSON; keys and strings need double quotes.",
    });
  }
}

/** The object `--input` names; empty when it was not given. */
export async function inputObject(ctx: CommandContext, input: CommandInput): Promise<Record<string, unknown>> {
  const place = option(input, "input");
  if (place === undefined) return {};
  const value = parseJsonText(await ctx.readInput(place, "--input"), place === "-" ? "stdin" : quote(place));
  if (isObject(value)) return { ...value };
  throw inputError(`${place === "-" ? "stdin" : quote(place)} does not hold a JSON object.`, {
    next: 'Use the fields of one resource: {"name": "Pump 3"}.',
  });
}

/** Tags named with repeated `--tag k=v`. */
export function tagsOf(input: CommandInput, flag = "tag"): Tag[] {
  return optionList(input, flag).map((text) => keyValue(text, `--${flag}`));
}

/** The platform replaces all tags at once, so those that are not named are sent along. */
export function mergeTags(before: readonly Tag[], changes: readonly Tag[], removed: readonly string[]): Tag[] {
  const changed = new Set([...changes.map(({ key }) => key), ...removed]);
  return [...before.filter(({ key }) => !changed.has(key)), ...changes];
}

async function fieldValue(ctx: CommandContext, input: CommandInput, field: BodyField): Promise<unknown> {
  const { flag, kind = "text" } = field;
  if (kind === "secret") return undefined;
  if (kind === "switch") {
    const { off } = field;
    if (off !== undefined) return optionPair(input, flag, typeof off === "string" ? off : off.name);
    return optionFlag(input, flag) ? true : undefined;
  }
  if (kind === "tags") return optionList(input, flag).length === 0 ? undefined : tagsOf(input, flag);
  if (kind === "list") return optionList(input, flag).length === 0 ? undefined : [...optionList(input, flag)];
  const text = option(input, flag);
  if (text === undefined) return undefined;
  if (field.finder !== undefined) return (await resolveId(ctx, field.finder, text)).id;
  if (kind === "name") return text;
  if (kind === "number") return numberOf(text, flag);
  if (kind === "time") return parseInstant(text, `--${flag}`, ctx.clock.now()).toISOString();
  const content = text.startsWith("@") ? await ctx.readInput(text, `--${flag}`) : text;
  return kind === "json" ? parseJsonText(content, `--${flag}`) : content;
}

function numberOf(text: string, flag: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  throw usageError(`--${flag} needs a number, not ${quote(text)}.`);
}

/** Where the value of a field stands in the body. */
export const memberOf = ({ flag, member }: BodyField): string => member ?? flag.replaceAll("-", "_");

/** Members named by flags, over those of `--input`. Members that were not named are absent. */
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

/** Refuses a body that lacks one of the members; `example` shows the flag that gives it. */
export function needMembers(
  body: Readonly<Record<string, unknown>>,
  noun: string,
  needed: Readonly<Record<string, string>>,
): void {
  for (const [member, example] of Object.entries(needed)) {
    const value = body[member];
    if (value !== undefined && value !== null && value !== "") continue;
    throw usageError(`A new ${noun} needs ${member.replaceAll("_", " ")}.`, {
      code: "usage.missing_value",
      next: `Add ${example}, or put it in the --input file.`,
    });
  }
}

/** Refuses a change that changes nothing. */
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
  const removed = optionList(input, "remove-tag");
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
  if (!optionFlag(input, `${flag}-stdin`)) return (await ctx.prompts(`--${flag}-stdin`)).secret(question);
  const text = (await ctx.readInput("-", `--${flag}-stdin`)).replace(/\r?\n$/, "");
  if (text !== "") return text;
  throw inputError(`stdin contains no ${flag}.`, { next: `Pipe it in: iot … --${flag}-stdin < ${flag}.txt` });
}

/** Refuses to read both the secret and the body from stdin. */
export function checkOneStdin(input: CommandInput, flag: string): void {
  if (option(input, "input") !== "-" || !optionFlag(input, `${flag}-stdin`)) return;
  throw usageError(`--input - and --${flag}-stdin both read stdin.`, { next: `Put the ${flag} into the JSON object.` });
}
