import { type CommandInput, defineCommand } from "../kit/command/define.ts";
import type { CommandContext } from "../kit/context.ts";
import { drawWidget } from "./drawing.ts";
import { codeOf, lookAt } from "./look.ts";
import { filesArgument, globOption } from "./options.ts";
import { Tally } from "./tally.ts";

/** Draws every widget the arguments lead to. */
async function preview(ctx: CommandContext, input: CommandInput): Promise<number> {
  const tally = new Tally();
  const width = ctx.io.stdoutIsTerminal ? ctx.io.columns() : 80;
  const { default: stringWidth } = await import("string-width");
  const parts: string[] = [];
  // One JSON document holds all drawings; people see each as it is made.
  const isText = ctx.out.format === "json" || ctx.out.format === "ndjson";
  for await (const { outcome, widget } of lookAt(ctx, input, tally)) {
    if (outcome.verdict === "failed") continue;
    if (outcome.verdict === "invalid") {
      ctx.say.warning(`${outcome.label}: ${outcome.notes.join("; ")}`);
      continue;
    }
    const lines = drawWidget(widget, { ascii: ctx.flags.ascii, width, widthOf: (text) => stringWidth(text) });
    const text = `${lines.join("\n")}\n`;
    if (isText) parts.push(text);
    else await ctx.out.raw(text);
  }
  if (isText) await ctx.out.raw(parts.join(""));
  if (tally.total === 0) ctx.say.info("No widgets.");
  return codeOf(tally);
}

export const previewWidgets = defineCommand({
  path: ["preview"],
  asks: "nothing",
  result: { shape: "text" },
  effect: "reads",
  summary: "Draw a rough preview of widgets",
  details: "Legacy widgets are converted first. The preview shows the layout with sample values, not the data.",
  args: [filesArgument],
  options: [globOption],
  examples: [
    "iot widget preview examples/legacy-widgets.json",
    "iot widget preview examples/legacy-widgets.json --ascii",
  ],
  exitCodes: [3, 8],
  related: ["iot widget convert"],
  run: preview,
});
