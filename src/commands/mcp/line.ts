import type { OptionSpec } from "../kit/command/define.ts";
import { type FileForm, pathIn } from "../kit/command/file-form.ts";
import { quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { didYouMean } from "../kit/failures/unknown-word.ts";
import { isObject } from "../kit/files/files.ts";
import { noFiles } from "./files.ts";
import { type CommandTool, memberOf } from "./tools.ts";

/** A call as a command line. */
export interface ToolLine {
  readonly words: readonly string[];
  readonly stdin: string;
  /** Files that it names, as they were given. */
  readonly paths: readonly string[];
}

/** Commands that follow something end by themselves, as a call has to. */
const FOLLOW_FOR = "10s";

function textOf(value: unknown, member: string): string {
  if (typeof value === "string" && !value.includes("\0")) return value;
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  throw usageError(`${quote(member)} must be a string.`, { code: "usage.invalid_value" });
}

function listOf(value: unknown, member: string): string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => textOf(item, member));
}

const pathsIn = (form: FileForm, value: unknown, member: string): string[] =>
  listOf(value, member).flatMap((text) => pathIn(form, text) ?? []);

function optionWords(option: OptionSpec, member: string, value: unknown): string[] {
  const { name } = option;
  if (option.value === undefined) {
    if (typeof value !== "boolean")
      throw usageError(`${quote(member)} must be true or false.`, { code: "usage.invalid_value" });
    if (option.negatable === true) return value ? [] : [`--no-${name}`];
    return value ? [`--${name}`] : [];
  }
  if (option.repeat !== true && Array.isArray(value)) throw usageError(`${quote(member)} takes one value.`);
  return listOf(value, member).map((text) => `--${name}=${text}`);
}

function refuseUnknown(tool: CommandTool, input: Readonly<Record<string, unknown>>, hasFiles: boolean): void {
  const known = Object.keys(isObject(tool.inputSchema["properties"]) ? tool.inputSchema["properties"] : {});
  const unknown = Object.keys(input).find((member) => !known.includes(member));
  if (unknown === undefined) return;
  const isFile = tool.command.options?.some(({ name, file }) => file !== undefined && memberOf(name) === unknown);
  if (isFile === true && !hasFiles) noFiles(unknown);
  throw usageError(`${tool.name} has no argument ${quote(unknown)}.`, {
    code: "usage.unknown_flag",
    why: `It takes ${known.join(", ")}. All calls use the environment and profile the server was started with.`,
    ...didYouMean(unknown, known),
  });
}

function confirmationWords(tool: CommandTool, input: Readonly<Record<string, unknown>>): string[] {
  const { confirm, dry_run: dryRun } = input;
  const words = dryRun === true ? ["--dry-run"] : [];
  if (!tool.isConfirmed || dryRun === true) return words;
  if (confirm === true) return [...words, "--yes"];
  // The command says itself what it would do, and whether that needs a confirmation.
  if (typeof confirm !== "string" || confirm === "") return words;
  return confirm === "yes" ? ["--yes"] : [`--confirm=${confirm}`];
}

/**
 * The command line of a call.
 *
 * @throws CommandError (exit 2) for arguments the tool does not take
 */
export function lineOf(tool: CommandTool, given: unknown, hasFiles: boolean): ToolLine {
  const input = given ?? {};
  if (!isObject(input)) throw usageError("The arguments must be an object.");
  refuseUnknown(tool, input, hasFiles);
  const paths: string[] = [];
  const { command, noun, args, options } = tool;
  const flags: string[] = [];
  for (const [member, option] of options) {
    const value = input[member];
    if (value === undefined || value === null) continue;
    flags.push(...optionWords(option, member, value));
    if (option.file !== undefined) paths.push(...pathsIn(option.file, value, member));
  }
  const isEndless =
    options.has("for") && input["for"] === undefined && (options.has("follow") ? input["follow"] === true : true);
  if (isEndless) flags.push(`--for=${FOLLOW_FOR}`);
  const positional: string[] = [];
  for (const { name, required, variadic, file } of args) {
    const member = memberOf(name);
    const value = input[member];
    if (value === undefined || value === null) {
      if (required === true)
        throw usageError(`${tool.name} needs ${quote(member)}.`, { code: "usage.missing_argument" });
      continue;
    }
    if (variadic !== true && Array.isArray(value)) throw usageError(`${quote(member)} takes one value.`);
    positional.push(...listOf(value, member));
    if (file !== undefined) paths.push(...pathsIn(file, value, member));
  }
  const words = [noun, ...command.path, ...flags, ...confirmationWords(tool, input), "--", ...positional];
  return { words, stdin: input["stdin"] === undefined ? "" : textOf(input["stdin"], "stdin"), paths };
}
