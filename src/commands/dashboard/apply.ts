import { defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { either, rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { dashboardContent } from "../kit/dashboards/content.ts";
import { isUpToDate } from "../kit/dashboards/plan.ts";
import { conflictError } from "../kit/failures/command-error.ts";
import { destination, toEnvOption } from "../kit/files/destination.ts";
import { interruptedOptions } from "../kit/state/interrupted.ts";
import { showChanges } from "./diff.ts";
import { documentMark, openBases } from "./files/base.ts";
import { changeColumns } from "./files/changes.ts";
import { confirmWrites } from "./files/confirm-writes.ts";
import { type Loaded, loadPlans } from "./files/load.ts";
import { mapOptions } from "./files/maps.ts";
import { folderArgument, foldersOf } from "./files/place.ts";
import { readFolders } from "./files/read-folder.ts";
import { printRequests } from "./files/requests.ts";
import { jobOf, resultColumns, settleInterrupted, writeJob } from "./files/session.ts";

const options = [
  toEnvOption,
  { name: "dashboard", value: "id", summary: "dashboard to write to: id, name:… or tag:key=value" },
  ...mapOptions,
  { name: "check", summary: "show differences without writing; exit 11 if there are any" },
  { name: "overwrite", summary: "overwrite changes made on the platform since the export" },
  ...interruptedOptions,
] as const satisfies Options;

export const applyDashboards = defineCommand({
  path: ["apply"],
  effect: { most: "deletes", of: ({ options: { check } }) => (check ? "reads" : "deletes") },
  summary: "Apply dashboard files to the platform",
  details:
    "A dashboard is matched by the id in its files, by the --map-file, or by its label if that is unique; otherwise it is " +
    "created. New widgets are written first, then changed ones, then settings and arrangement; last, widgets that are not in " +
    "the files are deleted. A snapshot is taken first; if a request fails, the dashboard is restored. If both " +
    "the files and the dashboard changed since they were last in sync, nothing is written (exit 7).",
  args: [folderArgument],
  options,
  groups: ["confirm", "dryRun"],
  examples: [
    "iot dashboard apply examples/dashboards --yes",
    "iot dashboard apply examples/dashboards --check",
    "iot dashboard apply examples/dashboards --to-env old --dry-run",
  ],
  exitCodes: [3, 6, 7, 8, 11],
  related: ["iot dashboard diff", "iot dashboard export", "iot dashboard rollback"],
  result: either(rows(resultColumns), rows(changeColumns)),
  run: apply,
});

async function apply(
  ctx: CommandContext,
  input: Input<[typeof folderArgument], typeof options>,
): Promise<number | undefined> {
  const to = destination(ctx, input);
  const { check, dashboard, overwrite, mapFile } = input.options;
  if (!check && (await settleInterrupted(ctx, to, input.options))) return undefined;
  const folders = await readFolders(ctx, foldersOf(ctx, input.args.folder));
  const loaded = await loadPlans(to, input.options, folders, { dashboard, isLenient: check });
  if (check) return showChanges(ctx, loaded);
  if (!overwrite) await requireNoConflict(to, loaded);
  const plans = loaded.map(({ plan }) => plan);
  if (ctx.flags.dryRun) {
    await printRequests(to, plans);
    return undefined;
  }
  if (!plans.every(isUpToDate)) await confirmWrites(to, plans);
  await writeJob(ctx, to, await jobOf(to, mapFile, "apply", loaded));
  return undefined;
}

/** Throws rather than write files over a dashboard that somebody else changed, when the files were changed as well. */
async function requireNoConflict(to: CommandContext, loaded: readonly Loaded[]): Promise<void> {
  const bases = openBases(to, await to.target());
  for (const { plan, files, present } of loaded) {
    const base = plan.id === undefined ? undefined : bases.read(files.folder, plan.id);
    if (base === undefined || present === undefined || isUpToDate(plan)) continue;
    const isBoth = documentMark(files) !== base.files && documentMark(dashboardContent(present)) !== base.platform;
    if (!isBoth) continue;
    throw conflictError(`Dashboard "${plan.label}" changed since its files were exported.`, {
      code: "dashboard.changed",
      why: `Both the files in ${files.folder} and the dashboard in ${await to.label()} changed.`,
      next: "See iot dashboard diff. Export it to another folder and merge, or overwrite the platform's changes with --overwrite.",
    });
  }
}
