import type { CommandContext } from "../../kit/context.ts";
import { dashboardContent } from "../../kit/dashboards/content.ts";
import { lookForDashboard } from "../../kit/dashboards/look-up.ts";
import { type DashboardPlan, planDashboard } from "../../kit/dashboards/plan.ts";
import type { DashboardState } from "../../kit/dashboards/read.ts";
import { readDashboard } from "../../kit/dashboards/read.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import { checkNewFile } from "../../kit/files/out-file.ts";
import { dashboardFinder } from "../../kit/finders/dashboard.ts";
import { documentText, idOf } from "../../kit/folders/documents.ts";
import { resolveId } from "../../kit/resource/resolve-id.ts";
import { allIds, type MapFlags, type Maps, readMaps, resolveReferences } from "./maps.ts";
import { type FolderContent, readFolders } from "./read-folder.ts";
import { dashboardReferences } from "./references.ts";

/** True for an id, `name:…` or `tag:key=value`; everything else is a folder. */
export function isDashboardWord(word: string): boolean {
  return /^([0-9a-f]{24}$|name:|tag:)/i.test(word);
}

/** The dashboards a word names: one of the platform, or those of a folder. */
export async function contentsOf(ctx: CommandContext, words: readonly string[]): Promise<readonly FolderContent[]> {
  const found: FolderContent[] = [];
  for (const word of words) {
    if (isDashboardWord(word)) found.push(await platformContent(ctx, word));
    else found.push(...(await readFolders(ctx, [word])));
  }
  return found;
}

/** A dashboard of the platform as its files would say it. */
async function platformContent(ctx: CommandContext, word: string): Promise<FolderContent> {
  const { id } = await resolveId(ctx, dashboardFinder, word);
  const client = await ctx.client();
  const state = await readDashboard(client, id, ctx.flags.concurrency);
  return { ...dashboardContent(state), folder: word, references: await dashboardReferences(client, id) };
}

/** Files, what the platform has for them, and what is to be written. */
export interface Loaded {
  readonly files: FolderContent;
  readonly present?: DashboardState;
  readonly plan: DashboardPlan;
  readonly maps: Maps;
}

/**
 * Compares dashboards with their counterparts on the platform.
 *
 * @param how `isNew` looks for none, because new ones are made; `dashboard` names it; `isLenient` only warns of missing
 *   devices and analyses
 */
export async function loadPlans(
  to: CommandContext,
  flags: MapFlags,
  contents: readonly FolderContent[],
  how: { readonly isNew?: boolean; readonly dashboard?: string | undefined; readonly isLenient?: boolean } = {},
): Promise<readonly Loaded[]> {
  if (how.dashboard !== undefined && contents.length !== 1) {
    throw usageError("Several dashboards cannot be written to one dashboard.", {
      next: "Give the folder of one dashboard.",
    });
  }
  const { mapFile, allowMissing } = flags;
  if (mapFile !== undefined && how.isLenient !== true) checkNewFile(to, to.path(mapFile));
  const maps = await readMaps(
    to,
    flags,
    contents.map(({ references }) => references),
  );
  const client = await to.client();
  const loaded: Loaded[] = [];
  for (const files of contents) {
    const counterpart = how.isNew === true ? undefined : await counterpartOf(to, files, maps, how.dashboard);
    const isLenient = allowMissing || how.isLenient === true || counterpart?.isSame === true;
    await resolveReferences(to, files.references, maps, isLenient);
    const present =
      counterpart === undefined ? undefined : await readDashboard(client, counterpart.id, to.flags.concurrency);
    const plan = planDashboard(files, present, how.isNew === true ? withoutWidgets(maps) : allIds(maps));
    loaded.push({ files, plan, maps, ...(present === undefined ? {} : { present }) });
  }
  return loaded;
}

const withoutWidgets = (maps: Maps) => allIds({ ...maps, widgets: new Map() });

async function counterpartOf(
  to: CommandContext,
  { dashboard }: FolderContent,
  maps: Maps,
  named: string | undefined,
): Promise<{ readonly id: string; readonly isSame: boolean } | undefined> {
  const ref = idOf(dashboard);
  if (named !== undefined) {
    const { id } = await resolveId(to, dashboardFinder, named);
    return { id, isSame: id === ref };
  }
  const known = maps.dashboards.get(ref);
  if (known !== undefined) return { id: (await resolveId(to, dashboardFinder, known)).id, isSame: false };
  return lookForDashboard(to, ref, documentText(dashboard, "label"));
}
