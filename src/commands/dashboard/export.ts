import { join } from "node:path";
import { countOf } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { type DashboardContent, dashboardContent, type References } from "../kit/dashboards/content.ts";
import { readDashboard } from "../kit/dashboards/read.ts";
import { checkNewFolder } from "../kit/files/out-file.ts";
import { documentText, idOf } from "../kit/folders/documents.ts";
import { confirmFiles, type FolderPlan, writeFolderFiles } from "../kit/folders/write.ts";
import { mapLanes } from "../kit/lanes.ts";
import { createProgress } from "../kit/say/progress.ts";
import { documentMark, openBases } from "./files/base.ts";
import { standardFolder } from "./files/place.ts";
import { dashboardReferences } from "./files/references.ts";
import { planDashboardFolder } from "./files/write-folder.ts";
import { selectArguments, selectedDashboards, selectOptions } from "./selected.ts";

interface Exported {
  readonly id: string;
  readonly label: string;
  readonly folder: string;
  readonly widgets: number;
  readonly written: number;
  readonly removed: number;
}

const columns: readonly Column<Exported>[] = [
  { key: "id", kind: "id" },
  { key: "label" },
  { key: "folder" },
  { key: "widgets", kind: "number" },
  { key: "written", kind: "number" },
  { key: "removed", kind: "number" },
];

const options = [
  ...selectOptions,
  { name: "out", file: "out", value: "folder", summary: "folder to write to (project file, else dashboards)" },
] as const satisfies Options;

export const exportDashboards = defineCommand({
  path: ["export"],
  effect: "local",
  summary: "Export dashboards to files for version control",
  details:
    "Each dashboard becomes a folder with dashboard.json, references.json (names of the devices and analyses it uses) and " +
    "one file per widget. The files contain no dates or tokens, and their keys are sorted: exporting an unchanged " +
    "dashboard changes no file. An existing folder of the dashboard is updated.",
  args: selectArguments,
  options,
  groups: ["confirm", "dryRun"],
  examples: [
    'iot dashboard export "name:Plant overview" --out exported --yes',
    "iot dashboard export --all --out exported --yes",
    "iot dashboard export --tag format=current --out exported --dry-run",
  ],
  exitCodes: { only: [4, 5, 6, 7, 10] },
  related: ["iot dashboard diff", "iot dashboard apply", "iot dashboard import"],
  result: rows(columns),
  run: exportFolders,
});

interface Read {
  readonly content: DashboardContent;
  readonly references: References;
}

async function exportFolders(ctx: CommandContext, input: Input<typeof selectArguments, typeof options>): Promise<void> {
  const out = input.options.out ?? standardFolder(ctx);
  const root = ctx.path(out);
  checkNewFolder(ctx, root);
  const ids = await selectedDashboards(ctx, input);
  const found = await readAll(ctx, ids);
  const taken = new Set<string>();
  const plans = found.map(({ content, references }) => planDashboardFolder(root, content, references, taken));
  if (!ctx.flags.dryRun) await confirmFiles(ctx, out, plans);
  const bases = openBases(ctx, await ctx.target());
  const done = found.map(({ content }, i) => {
    const plan = plans[i];
    if (plan === undefined) throw new Error("The dashboard was not planned.");
    const folder = join(out, plan.folder);
    if (!ctx.flags.dryRun) {
      writeFolderFiles(root, plan);
      const mark = documentMark(content);
      bases.keep(folder, idOf(content.dashboard), { files: mark, platform: mark });
    }
    return rowOf(content, plan, folder);
  });
  await ctx.out.list(done, { columns, empty: "No dashboards match." });
  const files = done.reduce((sum, { written }) => sum + written, 0);
  const verb = ctx.flags.dryRun ? "Would export" : "Exported";
  const what = done.length === 1 ? `dashboard "${done[0]?.label ?? ""}"` : countOf(done.length, "dashboard");
  ctx.say.info(
    `${verb} ${what} to ${out}: ${files === 0 ? "no files changed" : `${countOf(files, "file")} written`}.`,
    out,
  );
}

function rowOf({ dashboard, widgets }: DashboardContent, { written, removed }: FolderPlan, folder: string): Exported {
  const label = documentText(dashboard, "label");
  return {
    id: idOf(dashboard),
    label,
    folder,
    widgets: widgets.length,
    written: written.size,
    removed: removed.length,
  };
}

async function readAll(ctx: CommandContext, ids: readonly string[]): Promise<readonly Read[]> {
  const client = await ctx.client();
  const progress = createProgress(ctx, ["Reading", "dashboards"]);
  let done = 0;
  try {
    return await mapLanes(ids, 2, async (id) => {
      const state = await readDashboard(client, id, ctx.flags.concurrency);
      for (const widget of state.missing) {
        ctx.say.warning(`"${documentText(state.dashboard, "label")}" arranges widget ${widget}, which does not exist.`);
      }
      const references = await dashboardReferences(client, id);
      done += 1;
      progress.at(done, ids.length);
      return { content: dashboardContent(state), references };
    });
  } finally {
    progress.end();
  }
}
