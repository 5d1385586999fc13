import { type Command, defineCommand, type Program } from "./kit/command/define.ts";
import { one, rows } from "./kit/command/result.ts";
import { quote } from "./kit/command/values.ts";
import type { CommandContext } from "./kit/context.ts";
import { notFoundError, usageError } from "./kit/failures/command-error.ts";
import { didYouMean } from "./kit/failures/unknown-word.ts";
import { aliasWords, changeAliases, readAliases } from "./kit/state/aliases.ts";

const columns = [{ key: "name", kind: "id" }, { key: "command" }] as const;
const nameArgument = { name: "name", summary: "alias name", required: true } as const;

function checkName(name: string, { findNoun }: Program): string {
  if (!/^[a-z][a-z0-9-]{0,40}$/.test(name)) {
    throw usageError(`Invalid alias name ${quote(name)}.`, {
      code: "usage.invalid_value",
      why: "Names contain lower-case letters, digits and dashes, and start with a letter.",
    });
  }
  if (findNoun(name) !== undefined || name === "help") {
    throw usageError(`${quote(name)} is a built-in command.`, {
      code: "usage.invalid_value",
      why: "An alias cannot hide a built-in command.",
      next: "Choose another name.",
    });
  }
  return name;
}

const list = defineCommand({
  path: ["list"],
  asks: "nothing",
  result: rows(columns),
  effect: "reads",
  summary: "List the aliases",
  groups: ["limit"],
  examples: ["iot alias list", "iot alias list --json"],
  related: ["iot alias set"],
  async run(ctx) {
    const all = Object.entries(readAliases(ctx.env)).map(([name, command]) => ({ name, command }));
    await ctx.out.list(all, { columns, empty: "No aliases.", idKey: "name" });
  },
});

const set = defineCommand({
  path: ["set"],
  asks: "nothing",
  result: one(columns),
  effect: "local",
  summary: "Create or update an alias",
  details: "The alias is replaced by the command; further arguments are appended. It cannot hide a built-in command.",
  args: [nameArgument, { name: "command", summary: "command to run, quoted", required: true, variadic: true }],
  examples: [
    'iot alias set cold "device list --tag room=cold-store"',
    'iot alias set last "device data list --last 1h"',
  ],
  related: ["iot alias list", "iot alias delete"],
  async run(ctx, input, program) {
    const name = checkName(input.args.name, program);
    const command = input.args.command
      .join(" ")
      .replace(/^iot\s+/, "")
      .trim();
    const aliases = readAliases(ctx.env);
    const [first = ""] = aliasWords(command);
    if (program.findNoun(first) === undefined && first !== "help" && (first === name || aliases[first] === undefined)) {
      throw usageError(`iot has no command ${quote(first)}.`, {
        code: "usage.unknown_command",
        why: "An alias must start with a command or another alias.",
        ...didYouMean(first, Object.keys(aliases), 'Run "iot --help".'),
      });
    }
    await changeAliases(ctx.env, (all) => ({ ...all, [name]: command }));
    await ctx.out.item({ name, command }, { columns, idKey: "name" });
    ctx.say.info(`"iot ${name}" now runs "iot ${command}".`);
  },
});

const remove = defineCommand({
  path: ["delete"],
  asks: "nothing",
  result: one(columns),
  aliases: ["rm"],
  effect: "local",
  summary: "Delete an alias",
  args: [nameArgument],
  examples: ["iot alias delete cold", "iot alias delete cold --json"],
  exitCodes: [6],
  related: ["iot alias list"],
  async run(ctx, input) {
    const name = input.args.name;
    const command = await forget(ctx, name);
    await ctx.out.item({ name, command }, { columns, idKey: "name" });
    ctx.say.info(`Deleted alias "${name}".`);
  },
});

/** Removes an alias; returns its command line. */
async function forget(ctx: CommandContext, name: string): Promise<string> {
  let command = "";
  await changeAliases(ctx.env, ({ [name]: found, ...rest }) => {
    if (found === undefined) {
      throw notFoundError(`Alias ${quote(name)} not found.`, {
        code: "alias.not_found",
        next: 'Run "iot alias list".',
      });
    }
    command = found;
    return rest;
  });
  return command;
}

export const commands: readonly Command[] = [list, set, remove];
