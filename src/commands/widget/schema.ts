import { defineCommand } from "../kit/command/define.ts";
import type { Arguments, Input } from "../kit/command/options.ts";
import { value } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { typeArgument, unknownType } from "../kit/widgets/options.ts";

const args = [typeArgument] as const satisfies Arguments;

type Given = Input<typeof args, []>;

/** Prints a JSON Schema. */
async function schema(ctx: CommandContext, input: Given): Promise<void> {
  const { anyWidgetSchema, widgetSchema, widgetTypes } = await import("../../schema/widgets/index.ts");
  const type = input.args.type;
  if (type === undefined) return ctx.out.value(anyWidgetSchema());
  const found = widgetSchema(type);
  if (found === undefined) throw unknownType(type, widgetTypes);
  await ctx.out.value(found);
}

export const widgetSchema = defineCommand({
  path: ["schema"],
  asks: "nothing",
  result: value({ type: "object" }),
  effect: "reads",
  summary: "Print the JSON Schema of a widget type, or of any widget",
  args,
  examples: ["iot widget schema angular", "iot widget schema > widget.schema.json"],
  exitCodes: [6],
  related: ["iot widget validate", "iot widget types"],
  run: schema,
});
