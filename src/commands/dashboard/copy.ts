import { defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { readDashboard } from "../kit/dashboards/read.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { destination, toEnvOption } from "../kit/files/destination.ts";
import { documentText, idOf } from "../kit/folders/documents.ts";
import { interruptedOptions } from "../kit/state/interrupted.ts";
import { openSnapshots } from "../kit/state/snapshots.ts";
import { contentsOf, isDashboardWord, loadPlans } from "./files/load.ts";
import { mapOptions, overwriteOption } from "./files/maps.ts";
import type { FolderContent } from "./files/read-folder.ts";
import { resultColumns, settleInterrupted } from "./files/session.ts";
import { dashboardName, writeLoaded } from "./import.ts";
import { selectArguments } from "./selected.ts";

const options = [
  toEnvOption,
  {
    name: "name",
    value: "text",
    summary: 'label of the copy; %s is the old label (same environment: "%s (copy)")',
  },
  overwriteOption,
  ...mapOptions,
  ...interruptedOptions,
] as const satisfies Options;

export const copyDashboards = defineCommand({
  path: ["copy"],
  effect: "changes",
  summary: "Copy dashboards, also to another environment",
  details:
    "Creates a new dashboard with the same widgets, tabs and arrangement, or overwrites an existing one with --overwrite. " +
    "In another environment, devices and analyses are matched by id, then by name. A snapshot of the original is " +
    "saved first, and one of the dashboard that is overwritten.",
  args: selectArguments,
  options,
  groups: ["confirm", "dryRun"],
  examples: [
    'iot dashboard copy "name:Plant overview" --name "%s for visitors"',
    'iot dashboard copy "name:Plant overview" --to-env old --name "%s, from prod" --map-file ids.json',
    'iot dashboard copy "name:Plant overview" --map-device "name:Freezer 1=name:Weather station" --dry-run',
  ],
  exitCodes: [3, 7, 8],
  related: ["iot dashboard duplicate", "iot dashboard export", "iot dashboard import"],
  result: rows(resultColumns),
  run: copy,
});

async function copy(ctx: CommandContext, input: Input<typeof selectArguments, typeof options>): Promise<void> {
  const to = destination(ctx, input);
  if (await settleInterrupted(ctx, to, input.options)) return;
  const words = input.args.id;
  const strange = words.find((word) => !isDashboardWord(word));
  if (words.length === 0 || strange !== undefined) {
    throw usageError(strange === undefined ? "No dashboard given." : `${strange} is not a dashboard.`, {
      code: strange === undefined ? "usage.missing_argument" : "usage.invalid_id",
      next: "Give an id, name:… or tag:key=value.",
    });
  }
  const contents = await contentsOf(ctx, words);
  const { name, overwrite } = input.options;
  const named = contents.map((each) => {
    const fallback =
      to === ctx && overwrite === undefined ? { label: `${documentText(each.dashboard, "label")} (copy)` } : {};
    return { ...each, dashboard: { ...each.dashboard, ...fallback, ...dashboardName(name, each.dashboard) } };
  });
  const loaded = await loadPlans(to, input.options, named, { isNew: overwrite === undefined, dashboard: overwrite });
  await writeLoaded(ctx, to, input.options, { verb: "copy", loaded, before: () => keepOriginals(ctx, contents) });
}

async function keepOriginals(ctx: CommandContext, contents: readonly FolderContent[]): Promise<void> {
  const snapshots = openSnapshots(ctx.env, () => ctx.clock.now());
  const client = await ctx.client();
  for (const { dashboard } of contents) {
    const state = await readDashboard(client, idOf(dashboard), ctx.flags.concurrency);
    snapshots.save(
      { reason: "dashboard copy", dashboard: state.dashboard, widgets: state.widgets },
      await ctx.target(),
    );
  }
}
