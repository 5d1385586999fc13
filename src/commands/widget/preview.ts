import type { CommandContext } from "../kit/context.ts";
import type { CommandInput } from "../kit/define.ts";
import { drawWidget } from "./drawing.ts";
import { codeOf, lookAt } from "./look.ts";
import { Tally } from "./tally.ts";

/** Draws every widget the arguments lead to. */
export async function preview(ctx: CommandContext, input: CommandInput): Promise<number> {
  const tally = new Tally();
  const width = ctx.io.stdoutIsTerminal ? ctx.io.columns() : 80;
  const { default: stringWidth } = await import("string-width");
  for await (const { outcome, widget } of lookAt(ctx, input, tally)) {
    if (outcome.verdict === "failed") continue;
    if (outcome.verdict === "invalid") {
      ctx.say.warning(`${outcome.label}: ${outcome.notes.join("; ")}`);
      continue;
    }
    const lines = drawWidget(widget, { ascii: ctx.flags.ascii, width, widthOf: (text) => stringWidth(text) });
    await ctx.out.raw(`${lines.join("\n")}\n`);
  }
  if (tally.total === 0) ctx.say.info("No widgets.");
  return codeOf(tally);
}
