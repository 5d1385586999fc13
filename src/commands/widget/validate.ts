import { countText } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Input } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { lookAt, problemCode } from "../kit/widgets/look.ts";
import { filesArgument, globOption } from "../kit/widgets/options.ts";
import { WidgetCounts } from "../kit/widgets/tally.ts";
import { type Validity, validityOf } from "../kit/widgets/validity.ts";

interface Checked {
  readonly file: string;
  readonly place: number;
  readonly label: string;
  readonly type: string;
  readonly result: Validity["result"];
  readonly problems: readonly string[];
}

const checkedColumns: readonly Column<Checked>[] = [
  { key: "file" },
  { key: "place", kind: "number", hidden: true },
  { key: "label", rank: 1 },
  { key: "type" },
  { key: "result", rank: 1 },
  {
    key: "problems",
    schema: { type: "array", items: { type: "string" } },
    value: ({ problems }) => problems.join(" "),
  },
];

type Given = Input<[typeof filesArgument], [typeof globOption]>;

/** Whether widgets are what their schemas say: 3 when none is, 8 when some are not. */
async function validate(ctx: CommandContext, input: Given): Promise<number> {
  const { checkWidget } = await import("../../schema/widgets/check.ts");
  const looked = new WidgetCounts();
  let bad = 0;
  let all = 0;
  async function* rows(): AsyncGenerator<Checked> {
    for await (const judged of lookAt(ctx, input, looked)) {
      const { file, place, label, from } = judged.outcome;
      const { result, problems } = validityOf(judged, checkWidget);
      all += 1;
      if (result !== "valid") bad += 1;
      yield { file, place, label, type: from, result, problems: problems.map(({ message }) => message) };
    }
  }
  await ctx.out.list(rows(), { columns: checkedColumns, empty: "No widgets." });
  ctx.say.info(`${all - bad} of ${countText(all)} widgets are valid.`);
  return bad === 0 ? problemCode(looked) : bad === all ? 3 : 8;
}

export const validateWidgets = defineCommand({
  path: ["validate"],
  asks: "nothing",
  result: rows(checkedColumns),
  effect: "reads",
  summary: "Validate widgets of the new structure against their schemas",
  args: [filesArgument],
  options: [globOption],
  examples: [
    "iot widget validate examples/current-widgets.json",
    "iot widget convert examples/legacy-widgets.json | iot widget validate -",
    "iot widget convert examples/legacy-widgets.json | iot widget validate - -o json",
  ],
  exitCodes: [3, 8],
  related: ["iot widget schema", "iot widget convert"],
  run: validate,
});
