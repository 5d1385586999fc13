import { countOf } from "../../text/count.ts";
import { screenColor } from "../kit/ask/terminal.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Arguments, Input, Options } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { destination, toEnvOption } from "../kit/files/destination.ts";
import { changeText } from "./files/change-text.ts";
import { type Change, changeColumns, changesOf } from "./files/changes.ts";
import { contentsOf, isDashboardWord, type Loaded, loadPlans } from "./files/load.ts";
import { mapOptions } from "./files/maps.ts";
import { foldersOf } from "./files/place.ts";

const args = [
  {
    name: "folder",
    file: (word: string) => (isDashboardWord(word) ? undefined : word),
    summary: "folders of dashboards, or dashboards: id, name:… or tag:key=value",
    variadic: true,
  },
] as const satisfies Arguments;

const options = [
  toEnvOption,
  { name: "dashboard", value: "id", summary: "dashboard to compare with: id, name:… or tag:key=value" },
  ...mapOptions,
] as const satisfies Options;

export const diffDashboards = defineCommand({
  path: ["diff"],
  effect: "reads",
  summary: "Compare dashboards on the platform with their files",
  details:
    "Exits with 11 if there are differences, else with 0. Lines with - are on the platform, lines with + " +
    "in the files: apply would turn the first into the second. An id or name:… instead of a folder compares that dashboard with its " +
    "counterpart in --to-env, or with --dashboard.",
  args,
  options,
  examples: [
    'iot dashboard diff "name:Plant overview" --dashboard "name:Plant, old widgets"',
    "iot dashboard export --all --out shown --yes && iot dashboard diff shown",
    'iot dashboard diff "name:Plant overview" --to-env old --json',
  ],
  exitCodes: [3, 6, 11],
  related: ["iot dashboard apply", "iot dashboard export"],
  result: rows(changeColumns),
  run: diff,
});

async function diff(ctx: CommandContext, input: Input<typeof args, typeof options>): Promise<number> {
  const words = foldersOf(ctx, input.args.folder);
  const to = destination(ctx, input);
  const contents = await contentsOf(ctx, words);
  const { dashboard } = input.options;
  if (dashboard === undefined && to === ctx && words.some(isDashboardWord)) {
    throw usageError("Both sides are the same dashboard.", {
      next: "Choose another one with --dashboard name:… or --to-env.",
    });
  }
  return showChanges(ctx, await loadPlans(to, input.options, contents, { dashboard, isLenient: true }));
}

/** Prints what differs; 11 when something does. */
export async function showChanges(ctx: CommandContext, loaded: readonly Loaded[]): Promise<number> {
  const changes = loaded.flatMap(({ plan, present }) => changesOf(plan, present?.dashboard));
  await printChanges(ctx, changes);
  const differing = new Set(changes.map(({ label, dashboard }) => `${dashboard} ${label}`)).size;
  if (differing === 0) ctx.say.info(`No differences in ${countOf(loaded.length, "dashboard")}.`);
  else
    ctx.say.info(
      `Differences in ${differing} of ${countOf(loaded.length, "dashboard")}: ${countOf(changes.length, "change")}.`,
    );
  return differing === 0 ? 0 : 11;
}

async function printChanges(ctx: CommandContext, changes: readonly Change[]): Promise<void> {
  const { out, io, flags } = ctx;
  const isText = out.format === "table" && flags.fields === undefined && flags.jq === undefined;
  if (!isText) {
    await out.list(changes, { columns: changeColumns, empty: "No differences.", idKey: "dashboard" });
    return;
  }
  const color = flags.color === "always" || (io.stdoutIsTerminal && screenColor(ctx));
  const text = await changeText(changes, { color, ...(io.stdoutIsTerminal ? { width: io.columns() } : {}) });
  if (text !== "") await out.raw(text);
}
