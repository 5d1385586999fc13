import type { ArgumentSpec, OptionSpec } from "../kit/command/define.ts";
import type { Input } from "../kit/command/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import type { JsonObject } from "../kit/files/files.ts";
import { dashboardFinder } from "../kit/finders/dashboard.ts";
import { widgetFinder } from "../kit/finders/widget.ts";
import { type Finder, lookUp, type ResourceTarget, resolveOrPick } from "../kit/resource/resolve-id.ts";

export const dashboardOption = {
  name: "dashboard",
  value: "id",
  summary: "dashboard of the widget: id, name:… or tag:key=value",
} as const satisfies OptionSpec;

export const widgetArgument = {
  name: "id",
  summary: "widget: full id, or a unique name:… on the dashboard",
} as const satisfies ArgumentSpec;

/** The dashboard that `--dashboard` names; a terminal gets a list to choose from. */
export async function dashboardOf(
  ctx: CommandContext,
  input: Input<[], [typeof dashboardOption]>,
): Promise<ResourceTarget> {
  const word = input.options.dashboard;
  if (word === undefined && !ctx.canPrompt) {
    throw usageError("No dashboard given.", {
      code: "usage.missing_value",
      why: "The platform identifies a widget by its dashboard.",
      next: 'Add --dashboard "name:Plant overview".',
    });
  }
  return resolveOrPick(ctx, dashboardFinder, word);
}

/** A widget on the platform, and the dashboard it is on. */
export interface WidgetPlace {
  readonly dashboard: ResourceTarget;
  readonly finder: Finder;
  readonly target: ResourceTarget;
}

export async function widgetOf(
  ctx: CommandContext,
  input: Input<[typeof widgetArgument], [typeof dashboardOption]>,
): Promise<WidgetPlace> {
  const dashboard = await dashboardOf(ctx, input);
  const finder = widgetFinder(dashboard.id);
  return { dashboard, finder, target: await resolveOrPick(ctx, finder, input.args.id) };
}

/** Reads a widget; a missing one is an error that names it. */
export async function readOne(ctx: CommandContext, { dashboard, finder, target }: WidgetPlace): Promise<JsonObject> {
  const { dashboards } = await ctx.client();
  const widget = await lookUp(ctx, finder, target.id, () => dashboards.widgets.info(dashboard.id, target.id));
  return JSON.parse(JSON.stringify(widget)) as JsonObject;
}
