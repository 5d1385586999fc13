import { ApiError, RequestError } from "../../../lib/core/errors.ts";
import { shellWord } from "../../../text/shell-word.ts";
import type { Command, CommandInput } from "../command/define.ts";
import { greatestEffect } from "../command/effect.ts";
import { camelCase } from "../command/values.ts";

/** Whether a request that changes something got no usable response although it may have been carried out. */
export function mayHaveArrived(error: unknown): boolean {
  const isLost = error instanceof RequestError || (error instanceof ApiError && error.code === "INVALID_REPLY");
  return isLost && error.method !== "GET" && error.mayHaveArrived;
}

/** The first related command of the same noun that only reads. */
function related(noun: string, commands: readonly Command[], command: Command): Command | undefined {
  const reading = commands.filter((candidate) => greatestEffect(candidate) === "reads");
  const titles = command.related ?? [];
  for (const title of titles) {
    const found = reading.find(({ path }) => ["iot", noun, ...path].join(" ") === title);
    if (found !== undefined) return found;
  }
  return reading.find(({ path }) => path.join(" ") === "list");
}

/** Where the thing is named by its first argument in both commands, the same words name it. */
function sameThing(check: Command, command: Command, { args }: CommandInput): string | undefined {
  const [first] = check.args ?? [];
  if (first === undefined || first.name !== command.args?.[0]?.name) return undefined;
  const value = args[camelCase(first.name)];
  return typeof value === "string" ? value : Array.isArray(value) ? value[0] : undefined;
}

/**
 * The command line that shows whether a change was made: `iot device list --name "Pump 3"` after `iot device create`.
 *
 * @param commands all of the noun
 */
export function checkingLine(
  noun: string,
  commands: readonly Command[],
  command: Command,
  input: CommandInput,
): string | undefined {
  if (command.check !== undefined) return command.check(input);
  const check = related(noun, commands, command);
  if (check === undefined) return undefined;
  const words = ["iot", noun, ...check.path];
  const thing = sameThing(check, command, input);
  if (thing !== undefined) words.push(shellWord(thing));
  const name = input.options["name"];
  const takesName = check.options?.some((option) => option.name === "name") === true;
  if (takesName && typeof name === "string") words.push("--name", shellWord(name));
  return words.join(" ");
}
