import { DASHBOARD_LABEL_MAX_CHARS } from "../../lib/core/limits.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { destination, toEnvOption } from "../kit/files/destination.ts";
import { interruptedOptions } from "../kit/state/interrupted.ts";
import { confirmWrites } from "./files/confirm-writes.ts";
import { type Loaded, loadPlans } from "./files/load.ts";
import { type MapFlags, mapOptions, overwriteOption } from "./files/maps.ts";
import { folderArgument, foldersOf } from "./files/place.ts";
import { readFolders } from "./files/read-folder.ts";
import { printRequests } from "./files/requests.ts";
import { jobOf, resultColumns, settleInterrupted, writeJob } from "./files/session.ts";

const options = [
  toEnvOption,
  { name: "name", value: "text", summary: "label of the new dashboard; %s is the label in the files" },
  overwriteOption,
  ...mapOptions,
  ...interruptedOptions,
] as const satisfies Options;

export const importDashboards = defineCommand({
  path: ["import"],
  effect: "changes",
  summary: "Create dashboards from files",
  details:
    "Creates a new dashboard from each folder, even if the exported one still exists; iot dashboard apply " +
    "updates that one. Devices and analyses are matched by id, then by name. With --overwrite the files overwrite an existing " +
    "dashboard, after a snapshot. A dashboard that cannot be completed is removed.",
  args: [folderArgument],
  options,
  groups: ["confirm", "dryRun"],
  examples: [
    'iot dashboard import examples/dashboards --name "%s, imported"',
    "iot dashboard import examples/dashboards --to-env old --map-file ids.json",
    'iot dashboard import examples/dashboards --map-device "name:Freezer 1=name:Weather station" --dry-run',
  ],
  exitCodes: [3, 6, 7, 8],
  related: ["iot dashboard export", "iot dashboard apply", "iot dashboard copy"],
  result: rows(resultColumns),
  run: importFolders,
});

async function importFolders(
  ctx: CommandContext,
  input: Input<[typeof folderArgument], typeof options>,
): Promise<void> {
  const to = destination(ctx, input);
  if (await settleInterrupted(ctx, to, input.options)) return;
  const folders = await readFolders(ctx, foldersOf(ctx, input.args.folder));
  const { name, overwrite } = input.options;
  const named = folders.map((each) => ({
    ...each,
    dashboard: { ...each.dashboard, ...dashboardName(name, each.dashboard) },
  }));
  const loaded = await loadPlans(to, input.options, named, { isNew: overwrite === undefined, dashboard: overwrite });
  await writeLoaded(ctx, to, input.options, { verb: "import", loaded });
}

/** Label of a new dashboard, if the user set one. */
export function dashboardName(
  pattern: string | undefined,
  { label }: Readonly<Record<string, unknown>>,
): { label?: string } {
  const name = pattern?.replaceAll("%s", String(label));
  if (name === undefined) return {};
  if (name.trim() !== "" && name.length <= DASHBOARD_LABEL_MAX_CHARS) return { label: name };
  throw usageError(`--name must have 1 to ${DASHBOARD_LABEL_MAX_CHARS} characters.`);
}

interface Writing {
  readonly verb: "import" | "copy";
  readonly loaded: readonly Loaded[];
  /** Runs when the user has agreed, before the first request. */
  readonly before?: () => Promise<void>;
}

/** Shows the requests in a dry run; else asks where that is needed, and writes. */
export async function writeLoaded(
  ctx: CommandContext,
  to: CommandContext,
  { mapFile }: Pick<MapFlags, "mapFile">,
  { verb, loaded, before }: Writing,
): Promise<void> {
  const plans = loaded.map(({ plan }) => plan);
  if (ctx.flags.dryRun) return printRequests(to, plans);
  await confirmWrites(to, plans);
  await before?.();
  await writeJob(ctx, to, await jobOf(to, mapFile, verb, loaded));
}
