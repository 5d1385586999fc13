import { defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { lookAt, problemCode } from "../kit/widgets/look.ts";
import { filesArgument, globOption } from "../kit/widgets/options.ts";
import { WidgetCounts } from "../kit/widgets/tally.ts";
import { type KeyRow, keyColumns, keyRows } from "./keys.ts";

const options = [globOption, { name: "lost", summary: "only keys that are lost" }] as const satisfies Options;

type Given = Input<[typeof filesArgument], typeof options>;

/** What becomes of every key. */
async function explain(ctx: CommandContext, input: Given): Promise<number> {
  const tally = new WidgetCounts();
  const isLost = input.options.lost;
  async function* rows(): AsyncGenerator<KeyRow> {
    for await (const row of keyRows(ctx, lookAt(ctx, input, tally))) {
      if (!isLost || row.state === "lost") yield row;
    }
  }
  await ctx.out.list(rows(), { columns: keyColumns, empty: isLost ? "No key is lost." : "No keys." });
  ctx.say.info(tally.toString());
  return problemCode(tally);
}

export const explainWidgets = defineCommand({
  path: ["explain"],
  asks: "nothing",
  result: rows(keyColumns),
  effect: "reads",
  summary: "Explain what each legacy key is converted to",
  args: [filesArgument],
  options,
  examples: [
    "iot widget explain examples/legacy-widgets.json",
    "iot widget explain examples/legacy-widgets.json --lost -o json",
  ],
  exitCodes: [3, 8],
  related: ["iot widget convert", "iot widget detect"],
  run: explain,
});
