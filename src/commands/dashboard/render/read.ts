import type { DashboardInfo, Resources, WidgetDataResult } from "../../../index.ts";
import { ApiError, RequestError } from "../../../lib/core/errors.ts";
import type { GridTab } from "../../../lib/widgets/draw/grid.ts";
import { readingClient } from "../../kit/client/batch-client.ts";
import type { Input } from "../../kit/command/options.ts";
import type { CommandContext } from "../../kit/context.ts";
import { type ChosenDevice, type chooseOption, chosenDevices } from "../../kit/dashboards/blueprint.ts";
import { dashboardFinder } from "../../kit/finders/dashboard.ts";
import { mapLanes } from "../../kit/lanes.ts";
import { messageOf } from "../../kit/resource/batch.ts";
import { lookUp } from "../../kit/resource/resolve-id.ts";
import { createProgress } from "../../kit/say/progress.ts";
import { tabKey } from "../tab-key.ts";

/** Requests at a time: the platform reads the data of a widget from storage. */
const LANES = 4;
/** Devices looked at for a placeholder. */
const CANDIDATES = 20;

/** Size of a widget that the dashboard does not arrange. */
const UNPLACED = { left: 0, top: 0, columns: 6, rows: 4 };

/** A widget with its data, or why there is none. */
export type ReadWidget =
  | { readonly id: string; readonly result: WidgetDataResult }
  | { readonly id: string; readonly label: string; readonly failure: string };

/** A dashboard as it is drawn. */
export interface ReadDashboard {
  readonly dashboard: DashboardInfo;
  readonly tabs: readonly GridTab[];
  /** By id. */
  readonly widgets: ReadonlyMap<string, ReadWidget>;
}

/** Which part of a dashboard is read. */
export interface RenderChoice {
  readonly id: string;
  readonly tab: string | undefined;
  readonly widget: string | undefined;
  readonly choose: Input<[], [typeof chooseOption]>["options"]["choose"];
}

/**
 * Reads a dashboard and the data of each of its widgets, once. A widget that cannot be read is one that says why.
 *
 * @throws the first failure where no widget can be read
 */
export async function readForDrawing(ctx: CommandContext, choice: RenderChoice): Promise<ReadDashboard> {
  const { dashboards } = await ctx.client();
  const dashboard = await lookUp(ctx, dashboardFinder, choice.id, () => dashboards.info(choice.id));
  const { gridOf, withDevices } = await import("../../../lib/widgets/draw/grid.ts");
  const tabs = tabsOf(gridOf(dashboard), dashboard, choice);
  const client = await readingClient(ctx);
  const chosen = await devicesOf(ctx, client, dashboard, choice);
  const devices = Object.fromEntries(chosen.map(({ origin, id }) => [origin, id]));
  const query =
    chosen.length === 0 ? undefined : { blueprint_devices: chosen.map((each) => ({ ...each, bucket: each.id })) };
  const ids = [...new Set(tabs.flatMap(({ places }) => places.map(({ widget }) => widget)))];
  const failures: unknown[] = [];
  const progress = createProgress(ctx, ["Reading", "widgets"]);
  let done = 0;
  const read = async (id: string): Promise<ReadWidget> => {
    try {
      const { widget, content } = await client.dashboards.widgets.getData(dashboard.id, id, query);
      return { id, result: { widget: withDevices(widget, devices), content } };
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof RequestError)) throw error;
      failures.push(error);
      return { id, label: await labelOf(client, dashboard.id, id), failure: failureText(error) };
    } finally {
      done += 1;
      progress.at(done, ids.length);
    }
  };
  try {
    const widgets = await mapLanes(ids, ctx.flags.concurrency ?? LANES, read);
    if (ids.length > 0 && failures.length === ids.length) throw failures[0];
    return { dashboard, tabs, widgets: new Map(widgets.map((each) => [each.id, each])) };
  } finally {
    progress.end();
  }
}

const failureText = (error: ApiError | RequestError): string =>
  error instanceof ApiError ? `${error.status} ${messageOf(error)}` : messageOf(error);

/** The name of a widget whose data cannot be read; empty where it cannot be read either. */
const labelOf = (client: Resources, dashboard: string, widget: string): Promise<string> =>
  client.dashboards.widgets.info(dashboard, widget).then(
    ({ label }) => label,
    () => "",
  );

/** The tabs that are drawn: one that is named, else those that viewers see. Of one widget only its position. */
function tabsOf(
  all: readonly GridTab[],
  { tabs = [], label }: DashboardInfo,
  { tab, widget }: RenderChoice,
): readonly GridTab[] {
  const key = tab === undefined ? undefined : tabKey(tabs, tab, label);
  if (key !== undefined) return all.filter((each) => each.key === key);
  // A tab may be a link, without widgets.
  if (widget === undefined) return all.filter(({ isHidden, places }) => !isHidden && places.length > 0);
  const [first] = all.flatMap(({ places }) => places.filter((place) => place.widget === widget));
  return [{ key: "", title: "", isHidden: false, link: "", places: [first ?? { widget, ...UNPLACED }] }];
}

/** The devices of a blueprint: those of `--choose`, and for other placeholders the first that fits. */
async function devicesOf(
  ctx: CommandContext,
  client: Resources,
  { blueprint_devices: placeholders = [] }: DashboardInfo,
  { choose }: RenderChoice,
): Promise<readonly ChosenDevice[]> {
  const chosen = await chosenDevices(ctx, choose, placeholders);
  const open = placeholders.filter(({ id }) => !chosen.some(({ origin }) => origin === id));
  const { devicesFor } = await import("../../../lib/widgets/draw/grid.ts");
  const found = await mapLanes(open, LANES, async (placeholder) => {
    const tags = placeholder.conditions?.map(({ key, value }) => ({ key, value })) ?? [];
    const fields = ["id", "name", "tags"] as const;
    const filter = tags.length === 0 ? {} : { tags };
    const rows = await client.devices.list({ amount: CANDIDATES, fields: [...fields], filter });
    const [first] = devicesFor(placeholder, rows);
    return first === undefined ? [] : [{ origin: placeholder.id, id: first.id }];
  });
  return [...chosen, ...found.flat()];
}
