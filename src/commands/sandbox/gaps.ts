import type { ListedGap } from "../../sandbox/index.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";

const columns: readonly Column<ListedGap>[] = [
  { key: "subject", rank: 1 },
  { key: "choice", rank: 1 },
  { key: "scope", schema: { enum: ["request", "general"] } },
];

export const gapsCommand: Command = defineCommand({
  path: ["gaps"],
  asks: "nothing",
  result: rows(columns),
  effect: "reads",
  summary: "List behaviours the sandbox had to assume",
  details:
    "Do not rely on them: the platform may behave differently. Those of scope request are named in the header " +
    "x-sandbox-gap of responses, and rejected with 501 by iot sandbox start --strict; the others are only listed. " +
    "Works without a running sandbox.",
  options: [{ name: "search", value: "text", summary: "only rows containing this text" }],
  groups: ["limit"],
  examples: ["iot sandbox gaps --search token", "iot sandbox gaps --json"],
  related: ["iot sandbox start"],
  async run(ctx, input) {
    const { listedGaps } = await import("../../sandbox/index.ts");
    const text = input.options.search?.toLowerCase() ?? "";
    const rows = listedGaps.filter(({ subject, choice }) => `${subject} ${choice}`.toLowerCase().includes(text));
    await ctx.out.list(rows, { columns, empty: "No matching gaps.", idKey: "subject" });
  },
});
