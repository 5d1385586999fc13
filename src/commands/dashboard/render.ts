import { countOf } from "../../text/count.ts";
import { openInBrowser } from "../kit/ask/browser.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { either } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { chooseOption } from "../kit/dashboards/blueprint.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { writeWhole } from "../kit/files/files.ts";
import { checkNewFolder, confirmOutFile } from "../kit/files/out-file.ts";
import { dashboardFinder } from "../kit/finders/dashboard.ts";
import { widgetFinder } from "../kit/finders/widget.ts";
import { confirmFiles, planFiles, writeFolderFiles } from "../kit/folders/write.ts";
import { partialError } from "../kit/jobs/ending.ts";
import { resolveId, resolveOrPick } from "../kit/resource/resolve-id.ts";
import { dashboardArgument } from "./duplicate.ts";
import { createPen, type Pen } from "./render/drawing.ts";
import { dashboardPage } from "./render/page.ts";
import { type ReadDashboard, readForDrawing } from "./render/read.ts";
import { svgFiles } from "./render/svg.ts";

const STDOUT = "-";
const themes = ["auto", "light", "dark"] as const;

const options = [
  { name: "html", file: "out", value: "file", summary: "write one web page", conflicts: ["svg"] },
  {
    name: "svg",
    file: "out",
    value: "folder",
    summary: "write an SVG file per widget; - prints the one of --widget",
  },
  { name: "widget", value: "id", summary: "only this widget: id or name:…" },
  { name: "tab", value: "title", summary: "only this tab: title or key", conflicts: ["widget"] },
  chooseOption,
  { name: "theme", value: "name", summary: "colors (auto: those of the system)", choices: themes },
  { name: "open", summary: "open the page in the browser", leadsAway: true, needs: ["html"] },
] as const satisfies Options;

type Given = Input<[typeof dashboardArgument], typeof options>;

export const renderDashboard = defineCommand({
  path: ["render"],
  effect: "local",
  summary: "Draw a dashboard with its data as a page or SVG files",
  details:
    "Reads the dashboard and the data of each widget, and draws them as iotdeck does: some widgets look different on the platform. The " +
    "page is one file without scripts that needs no network; images are boxes with their URL. Tabs that viewers do not see are left out " +
    "unless --tab names one. In a blueprint, a placeholder without --choose shows the first device that fits. A widget that " +
    "cannot be read says why there, and the exit code is 8. SVG files are for web browsers. See docs/console.md.",
  args: [dashboardArgument],
  options,
  groups: ["confirm"],
  examples: [
    'iot dashboard render "name:Plant overview" --html plant.html --yes',
    'iot dashboard render "name:Plant overview" --tab More --html more.html --theme light --yes',
    'iot dashboard render "name:Plant overview" --widget "name:Freezer temperature" --svg - > freezer.svg',
    'iot dashboard render "name:Silo, any of them" --choose "silo=name:Silo north" --svg silo --yes',
  ],
  exitCodes: { only: [3, 4, 5, 6, 7, 8, 9, 10, 130] },
  related: ["iot dashboard open", "iot widget preview", "iot widget data"],
  result: either({ shape: "text" }, { shape: "none" }),
  run: render,
});

async function render(ctx: CommandContext, input: Given): Promise<void> {
  const { html, svg, theme = "auto" } = input.options;
  if (html === undefined && svg === undefined) {
    throw usageError("No output given.", {
      code: "usage.missing_value",
      next: "Add --html plant.html, or --svg folder.",
    });
  }
  if (svg === STDOUT && input.options.widget === undefined)
    throw usageError("--svg - needs --widget.", { next: "Add --widget, or name a folder." });
  // Before anything is read for it.
  if (html !== undefined) await confirmOutFile(ctx, ctx.path(html));
  else if (svg !== undefined && svg !== STDOUT) checkNewFolder(ctx, ctx.path(svg));
  const found = await readChosen(ctx, input);
  const pen = await createPen(ctx, theme);
  if (html !== undefined) await writePage(ctx, { found, pen, out: html });
  else await writeDrawings(ctx, { found, pen, out: svg ?? STDOUT });
  if (html !== undefined && input.options.open) await openInBrowser(ctx, ctx.path(html));
  throwFailed(found);
}

async function readChosen(ctx: CommandContext, { args, options: given }: Given): Promise<ReadDashboard> {
  const { id } = await resolveOrPick(ctx, dashboardFinder, args.id);
  const { widget, tab, choose } = given;
  const chosen = widget === undefined ? undefined : (await resolveId(ctx, widgetFinder(id), widget)).id;
  return readForDrawing(ctx, { id, tab, choose, widget: chosen });
}

interface Drawing {
  readonly found: ReadDashboard;
  readonly pen: Pen;
  /** As the user named it. */
  readonly out: string;
}

async function writePage(ctx: CommandContext, { found, pen, out }: Drawing): Promise<void> {
  const time = new Date(ctx.clock.now())
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, " UTC");
  const page = dashboardPage(found, pen, { where: await ctx.where(), time });
  writeWhole(ctx.path(out), page, { file: 0o644, folder: 0o755 });
  ctx.say.info(`Drew dashboard "${found.dashboard.label}" to ${out}: ${countOf(found.widgets.size, "widget")}.`, out);
}

async function writeDrawings(ctx: CommandContext, { found, pen, out }: Drawing): Promise<void> {
  const files = svgFiles(found, pen);
  if (out === STDOUT) {
    for (const text of files.values()) await ctx.out.raw(text);
    return;
  }
  const plan = planFiles(ctx.path(out), files, [], () => false);
  await confirmFiles(ctx, out, [plan]);
  writeFolderFiles(ctx.path(out), plan);
  ctx.say.info(`Drew ${countOf(files.size, "widget")} of dashboard "${found.dashboard.label}" to ${out}.`, out);
}

function throwFailed({ widgets }: ReadDashboard): void {
  const failed = [...widgets.values()].flatMap((widget) => ("failure" in widget ? [widget] : []));
  const [first] = failed;
  if (first === undefined) return;
  throw partialError(`${failed.length} of ${countOf(widgets.size, "widget")} could not be read.`, {
    why: `${first.label || first.id}: ${first.failure}`,
    next: "Run the command again; their boxes say why.",
  });
}
