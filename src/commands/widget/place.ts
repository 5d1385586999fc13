import type { ArgumentSpec, OptionSpec } from "../kit/command/define.ts";
import type { Input } from "../kit/command/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { readDashboard } from "../kit/dashboards/read.ts";
import { usageError } from "../kit/failures/command-error.ts";
import type { JsonObject } from "../kit/files/files.ts";
import { dashboardFinder } from "../kit/finders/dashboard.ts";
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

/** How the widgets of one dashboard are found. */
export function widgetFinder(dashboard: string): Finder {
  return {
    noun: "widget",
    plural: "widgets",
    forms: ["name"],
    async find(ctx) {
      const { widgets } = await readDashboard(await ctx.client(), dashboard, ctx.flags.concurrency);
      return widgets.map(({ id, label, type }) => ({ id: String(id), name: String(label ?? type ?? "") }));
    },
    async nameOf(ctx, id) {
      return (await (await ctx.client()).dashboards.widgets.info(dashboard, id)).label;
    },
  };
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
