import { join } from "node:path";
import type { PlannedWidget } from "../../../lib/widgets/plan.ts";
import { launchBrowser } from "../../kit/ask/browser.ts";
import type { CommandContext } from "../../kit/context.ts";
import { writePrivate } from "../../kit/files/files.ts";
import { userFolders } from "../../kit/settings/paths.ts";
import { createJudge } from "../../kit/widgets/outcome.ts";
import { createPictures } from "../../kit/widgets/pictures.ts";
import { htmlReport } from "../../kit/widgets/report-html.ts";
import { WidgetCounts } from "../../kit/widgets/tally.ts";

/**
 * Opens a page with the old widget drawn next to the new one, with sample values. The page stays in the cache folder
 * until the next one replaces it: the browser reads it after this has returned.
 */
export async function openDrawing(ctx: CommandContext, widget: PlannedWidget, after: unknown): Promise<string> {
  const pictures = await createPictures({ nowMs: ctx.clock.now() });
  const page = htmlReport(pictures, { title: "Widget preview", isPreview: true });
  const found = (await createJudge())(widget.before, "", 0);
  const judged = found.outcome.verdict === "converted" ? { ...found, widget: after } : found;
  const tally = new WidgetCounts();
  tally.add(judged);
  const path = join(userFolders(ctx.env).cache, "preview.html");
  writePrivate(path, page.start() + page.widget(judged) + page.end(tally));
  await launchBrowser(path);
  return path;
}
