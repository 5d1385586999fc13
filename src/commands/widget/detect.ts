import { countText } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Input } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { lookAt, problemCode } from "../kit/widgets/look.ts";
import { filesArgument, globOption } from "../kit/widgets/options.ts";
import { WidgetCounts } from "../kit/widgets/tally.ts";

interface Found {
  readonly file: string;
  readonly place: number;
  readonly id: string;
  readonly label: string;
  readonly verdict: string;
  readonly from: string;
  readonly to: string;
  /** Paths of the keys that prove the verdict. */
  readonly keys: readonly string[];
  readonly notes: readonly string[];
}

export const foundColumns: readonly Column<Found>[] = [
  { key: "file" },
  { key: "place", kind: "number", hidden: true },
  { key: "label", rank: 1 },
  { key: "verdict", rank: 1 },
  { key: "from" },
  { key: "to" },
  { key: "keys", schema: { type: "array", items: { type: "string" } }, value: ({ keys }) => keys.join(", ") },
  { key: "notes", schema: { type: "array", items: { type: "string" } }, value: ({ notes }) => notes.join("; ") },
  { key: "id", kind: "id", hidden: true },
];

type Given = Input<[typeof filesArgument], [typeof globOption]>;

/** Which widgets are legacy ones: 11 when one is. */
async function detect(ctx: CommandContext, input: Given): Promise<number> {
  const tally = new WidgetCounts();
  const { inspectWidget } = await import("../../lib/widgets/index.ts");
  async function* found(): AsyncGenerator<Found> {
    for await (const { outcome, before, source } of lookAt(ctx, input, tally)) {
      const { dropped: _, notes, ...about } = outcome;
      const isFile = outcome.verdict === "failed" || source === undefined;
      const keys = isFile ? [] : inspectWidget(source).keys;
      yield { ...about, verdict: outcome.verdict === "converted" ? before : outcome.verdict, keys, notes };
    }
  }
  await ctx.out.list(found(), { columns: foundColumns, empty: "No widgets." });
  ctx.say.info(`${tally.legacy} of ${countText(tally.total)} widgets have the legacy structure.`);
  return problemCode(tally) || (tally.legacy > 0 ? 11 : 0);
}

export const detectWidgets = defineCommand({
  path: ["detect"],
  asks: "nothing",
  result: rows(foundColumns),
  effect: "reads",
  summary: "Detect widgets with the legacy structure",
  args: [filesArgument],
  options: [globOption],
  examples: ["iot widget detect examples/legacy-widgets.json", "iot widget detect examples/legacy-widgets.json --json"],
  exitCodes: [3, 8, 11],
  related: ["iot widget convert"],
  run: detect,
});
