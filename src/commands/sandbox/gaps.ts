import type { Gap } from "../../sandbox/index.ts";
import { option } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";

const columns: readonly Column<Gap>[] = [{ key: "subject" }, { key: "choice" }];

export const gapsCommand: Command = defineCommand({
  path: ["gaps"],
  asks: "nothing",
  result: rows(columns),
  effect: "reads",
  summary: "List what the sandbox chose where nobody knows the platform's behaviour",
  details: "Do not rely on these rows: the platform may do something else. No sandbox needs to run.",
  options: [{ name: "search", value: "text", summary: "only rows with this text" }],
  groups: ["limit"],
  examples: ["iot sandbox gaps --search token", "iot sandbox gaps --json"],
  related: ["iot sandbox start"],
  async run(ctx, input) {
    const { gaps } = await import("../../sandbox/index.ts");
    const text = option(input, "search")?.toLowerCase() ?? "";
    const rows = gaps.filter(({ subject, choice }) => `${subject} ${choice}`.toLowerCase().includes(text));
    await ctx.out.list(rows, { columns, empty: "No gaps match.", idKey: "subject" });
  },
});
