import type { Column } from "./kit/command/columns.ts";
import { type Command, defineCommand, type Program } from "./kit/command/define.ts";
import { rows } from "./kit/command/result.ts";
import { type Plugin, pluginsIn } from "./kit/process/plugins.ts";
import { readAliases } from "./kit/state/aliases.ts";

interface PluginRow extends Plugin {
  readonly runs: boolean;
  /** `command`, `alias`, `suggestion`, or the path of the program that runs instead. */
  readonly shadowed_by: string | null;
}

const columns: readonly Column<PluginRow>[] = [
  { key: "name", kind: "id" },
  { key: "path" },
  { key: "runs", kind: "flag" },
  { key: "shadowed_by" },
];

/** What comes first for a name, in the order in which a line is read. */
async function shadowOf({ name, path }: Plugin, all: readonly Plugin[], aliases: object, program: Program) {
  const first = all.find((one) => one.name === name);
  const word = await program.meaningOf(name);
  if (word === "command") return word;
  if (Object.hasOwn(aliases, name)) return "alias";
  return word ?? (first === undefined || first.path === path ? null : first.path);
}

const list = defineCommand({
  path: ["list"],
  asks: "nothing",
  result: rows(columns),
  effect: "reads",
  summary: "List the plugins in PATH",
  details:
    "A program called iot-hello in an absolute folder of PATH runs as a command of iot. The list also has those that do not run, " +
    "and why: command, alias, suggestion (the word leads to a command), or the path of the program that comes first in PATH.",
  groups: ["limit"],
  examples: ["iot plugin list", "iot plugin list --json"],
  related: ["iot alias list", "iot help aliases"],
  async run(ctx, _input, program) {
    const all = pluginsIn(ctx.env);
    const aliases = readAliases(ctx.env);
    const found = all.map(async (plugin): Promise<PluginRow> => {
      const shadow = await shadowOf(plugin, all, aliases, program);
      return { ...plugin, runs: shadow === null, shadowed_by: shadow };
    });
    const empty = "No plugins: no program in PATH is called iot-<name>.";
    await ctx.out.list(await Promise.all(found), { columns, empty, idKey: "name" });
  },
});

export const commands: readonly Command[] = [list];
