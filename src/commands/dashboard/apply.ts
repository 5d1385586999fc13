import { option, optionFlag } from "../kit/command/arguments.ts";
import { type CommandInput, defineCommand } from "../kit/command/define.ts";
import { either, rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { conflictError } from "../kit/failures/command-error.ts";
import { destination, toEnvOption } from "../kit/files/destination.ts";
import { showChanges } from "./diff.ts";
import { markOf, openBases } from "./files/base.ts";
import { contentOf } from "./files/canonical.ts";
import { changeColumns } from "./files/changes.ts";
import { confirmWrites } from "./files/confirm-writes.ts";
import { type Loaded, loadPlans } from "./files/load.ts";
import { mapOptions } from "./files/maps.ts";
import { folderArgument, foldersOf } from "./files/place.ts";
import { isUpToDate } from "./files/plan.ts";
import { readFolders } from "./files/read-folder.ts";
import { printRequests } from "./files/requests.ts";
import { jobOf, resultColumns, settleInterrupted, writeJob } from "./files/session.ts";
import { interruptedOptions } from "./migrate/interrupted.ts";

export const applyDashboards = defineCommand({
  path: ["apply"],
  effect: { most: "deletes", of: (input) => (optionFlag(input, "check") ? "reads" : "deletes") },
  summary: "Make dashboards on the platform equal to their files",
  details:
    "A dashboard is found by the id in its files, by the file of --map-file, or by its label when only one has it; else it is " +
    "made. New widgets come first, then changed ones, then settings and arrangement, and last the widgets the files do " +
    "not have are deleted. A snapshot is taken before; when a request fails the dashboard becomes what it was. Where both " +
    "the files and the dashboard changed since they were last the same, nothing is written (exit 7).",
  args: [folderArgument],
  options: [
    toEnvOption,
    { name: "dashboard", value: "id", summary: "dashboard to write to: id, name:… or tag:key=value" },
    ...mapOptions,
    { name: "check", summary: "write nothing, show what differs; exit 11 when something does" },
    { name: "overwrite", summary: "also undo what others changed on the platform since the export" },
    ...interruptedOptions,
  ],
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

async function apply(ctx: CommandContext, input: CommandInput): Promise<number | undefined> {
  const to = destination(ctx, input);
  const isCheck = optionFlag(input, "check");
  if (!isCheck && (await settleInterrupted(ctx, to, input))) return undefined;
  const folders = await readFolders(ctx, foldersOf(ctx, input));
  const loaded = await loadPlans(to, input, folders, { dashboard: option(input, "dashboard"), isLenient: isCheck });
  if (isCheck) return showChanges(ctx, loaded);
  if (!optionFlag(input, "overwrite")) await requireNoConflict(to, loaded);
  const plans = loaded.map(({ plan }) => plan);
  if (ctx.flags.dryRun) {
    await printRequests(to, plans);
    return undefined;
  }
  if (!plans.every(isUpToDate)) await confirmWrites(to, plans);
  await writeJob(ctx, to, await jobOf(to, input, "apply", loaded));
  return undefined;
}

/** Refuses to write files over a dashboard that somebody else changed, when the files were changed as well. */
async function requireNoConflict(to: CommandContext, loaded: readonly Loaded[]): Promise<void> {
  const bases = openBases(to, await to.target());
  for (const { plan, files, present } of loaded) {
    const base = plan.id === undefined ? undefined : bases.read(files.folder, plan.id);
    if (base === undefined || present === undefined || isUpToDate(plan)) continue;
    const isBoth = markOf(files) !== base.files && markOf(contentOf(present)) !== base.platform;
    if (!isBoth) continue;
    throw conflictError(`Dashboard "${plan.label}" was changed since its files were exported.`, {
      code: "dashboard.changed",
      why: `Both the files in ${files.folder} and the dashboard in ${await to.label()} are not what they were.`,
      next: "See iot dashboard diff. Export it elsewhere and merge, or write over the other changes with --overwrite.",
    });
  }
}
