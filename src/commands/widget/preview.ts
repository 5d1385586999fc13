import type { DrawData } from "../../lib/widgets/draw/index.ts";
import { openInBrowser } from "../kit/ask/browser.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { confirmOutFile } from "../kit/files/out-file.ts";
import { drawWidget } from "../kit/widgets/drawing.ts";
import { pendingFile } from "../kit/widgets/files.ts";
import { lookAt, problemCode } from "../kit/widgets/look.ts";
import { filesArgument, globOption } from "../kit/widgets/options.ts";
import { createPictures, type Pictures } from "../kit/widgets/pictures.ts";
import { htmlReport } from "../kit/widgets/report-html.ts";
import { WidgetCounts } from "../kit/widgets/tally.ts";
import { dataOf } from "./preview-data.ts";

const themes = ["auto", "light", "dark"] as const;

const options = [
  { name: "html", file: "out", value: "file", summary: "write a web page instead" },
  { name: "open", summary: "open the page in the browser", leadsAway: true, needs: ["html"] },
  {
    name: "data",
    file: "in",
    value: "file",
    summary: "JSON with records, such as from iot widget data --json; - is stdin",
    needs: ["html"],
    conflicts: ["device"],
  },
  {
    name: "device",
    value: "id",
    summary: "show the last 1,000 records of this device in all widgets",
    needs: ["html"],
  },
  {
    name: "theme",
    value: "name",
    summary: "colors of the page (auto: those of the system)",
    choices: themes,
    needs: ["html"],
  },
  globOption,
] as const satisfies Options;

type Given = Input<[typeof filesArgument], typeof options>;

/** Draws every widget the arguments lead to. */
async function preview(ctx: CommandContext, input: Given): Promise<number> {
  const path = input.options.html;
  if (path !== undefined) return toPage(ctx, input, ctx.path(path), path);
  return toTerminal(ctx, input);
}

async function toTerminal(ctx: CommandContext, input: Given): Promise<number> {
  const tally = new WidgetCounts();
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
  return problemCode(tally);
}

async function toPage(ctx: CommandContext, input: Given, path: string, shown: string): Promise<number> {
  await confirmOutFile(ctx, path);
  const data: DrawData | undefined = await dataOf(ctx, input.options);
  const theme: Pictures["theme"] = input.options.theme ?? "auto";
  const nowMs = ctx.clock.now();
  const pictures = await createPictures({ theme, nowMs, ...(data === undefined ? {} : { data }) });
  const text = htmlReport(pictures, { title: "Widget preview", isPreview: true });
  const tally = new WidgetCounts();
  const file = await pendingFile(path);
  try {
    await file.write(text.start());
    for await (const judged of lookAt(ctx, input, tally)) await file.write(text.widget(judged));
    if (ctx.signal.aborted) return 130;
    await file.write(text.end(tally));
    await file.commit();
  } finally {
    await file.discard();
  }
  ctx.say.info(`Wrote the preview to ${shown}.`, shown);
  if (input.options.open) await openInBrowser(ctx, path);
  return problemCode(tally);
}

export const previewWidgets = defineCommand({
  path: ["preview"],
  // Only --device needs a token and the platform.
  asks: "nothing",
  result: { shape: "text" },
  effect: "local",
  summary: "Draw widgets in the terminal or as a web page",
  details:
    "Legacy widgets are converted first. The terminal shows a rough layout. --html writes a page with each legacy widget next to " +
    "its conversion, in one file without scripts or external resources; images are boxes with their URL. It shows sample values " +
    "unless --data or --device is given, and only then is the platform used.",
  args: [filesArgument],
  options,
  groups: ["confirm"],
  examples: [
    "iot widget preview examples/legacy-widgets.json",
    "iot widget preview examples/legacy-widgets.json --ascii",
    "iot widget preview examples/legacy-widgets.json --html preview.html --yes",
    'iot widget preview examples/legacy-widgets.json --html preview.html --device "name:Freezer 1" --yes',
  ],
  exitCodes: { only: [3, 4, 5, 6, 8, 10, 130] },
  related: ["iot widget convert", "iot widget data"],
  run: preview,
});
