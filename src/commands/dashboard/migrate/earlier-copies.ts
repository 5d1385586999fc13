import type { Resources } from "../../../index.ts";
import { copyLabel, originalLabel } from "../../../text/copy-label.ts";
import { quote } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import { holds } from "../../kit/dashboards/body.ts";
import type { DashboardState } from "../../kit/dashboards/read.ts";
import { arranged, readDashboard } from "../../kit/dashboards/read.ts";
import { isUnknownId } from "../../kit/resource/not-found.ts";
import { fingerprintOf, openSnapshots } from "../../kit/state/snapshots.ts";
import type { DashboardJob, MigrationJob, Scanned, WidgetJob } from "./types.ts";

/** A copy that an earlier migration has made of a dashboard. */
export interface EarlierCopy {
  /** Id of the dashboard it was made of. */
  readonly original: string;
  readonly id: string;
  readonly label: string;
  readonly state: DashboardState;
  /** Whether it still has the widgets of the original, each at its position; only then it can be updated. */
  readonly isFitting: boolean;
}

/** Finds the newest copy of each dashboard: by the snapshots of earlier runs, otherwise by its usual name. */
export async function findEarlierCopies(
  ctx: CommandContext,
  client: Resources,
  scanned: readonly Scanned[],
): Promise<readonly EarlierCopy[]> {
  const { api } = await ctx.target();
  const { snapshots } = openSnapshots(ctx.env, () => ctx.clock.now()).list();
  const found = await Promise.all(
    scanned.map(async (original) => {
      const noted = snapshots
        .filter((each) => each.api === api && each.dashboard["id"] === original.id)
        .flatMap(({ copy }) => copy ?? []);
      const state = (await firstThere(client, noted)) ?? (await named(client, original));
      return state === undefined ? [] : [copyOf(original, state)];
    }),
  );
  return found.flat();
}

async function firstThere(client: Resources, ids: readonly string[]): Promise<DashboardState | undefined> {
  for (const id of new Set(ids)) {
    try {
      return await readDashboard(client, id);
    } catch (error) {
      if (!isUnknownId(error)) throw error;
    }
  }
  return undefined;
}

async function named(client: Resources, { id, label }: Scanned): Promise<DashboardState | undefined> {
  const rows = await client.dashboards.list({
    filter: { label: copyLabel(label).replace(/\)$/, "*") },
    fields: ["id", "label"],
    orderBy: ["created_at", "desc"],
    amount: 100,
  });
  const copy = rows.find((row) => originalLabel(row.label) === label && row.id !== id);
  return copy === undefined ? undefined : readDashboard(client, copy.id);
}

function copyOf(original: Scanned, state: DashboardState): EarlierCopy {
  const widgets = widgetsInOrder(state);
  const isFitting =
    widgets.length === original.widgets.length &&
    original.widgets.every(({ label, newType, before }, i) => {
      const type = before instanceof Object ? Reflect.get(before, "type") : undefined;
      const copy = widgets[i];
      return copy?.["label"] === label && (copy["type"] === newType || copy["type"] === type);
    });
  const id = String(state.dashboard["id"]);
  return { original: original.id, id, label: String(state.dashboard["label"]), state, isFitting };
}

function widgetsInOrder({ dashboard, widgets }: DashboardState): DashboardState["widgets"] {
  const byId = new Map(widgets.map((widget) => [widget["id"], widget]));
  return [...new Set(arranged(dashboard))].map((id) => byId.get(id)).filter((widget) => widget !== undefined);
}

/** Says which of the dashboards that are copied have a copy from an earlier migration. */
export function sayEarlierCopies(
  ctx: CommandContext,
  { dashboards }: MigrationJob,
  copies: readonly EarlierCopy[],
  isUpdate: boolean,
): void {
  const labels = new Map(
    dashboards.filter(({ newLabel }) => newLabel !== undefined).map(({ id, label }) => [id, label]),
  );
  for (const { original, id, label, isFitting } of copies) {
    const old = labels.get(original);
    if (old === undefined) continue;
    const there = `${quote(old)} has an earlier copy, ${quote(label)} (${id})`;
    const why = isUpdate ? "its widgets have changed, so it cannot be updated" : "this run creates another one";
    ctx.say.warning(`${there}; ${why}.`);
    const remove = `"iot dashboard delete ${id}" deletes the earlier copy.`;
    ctx.say.hint(isFitting ? `Use --update to update the earlier copy instead; ${remove}` : remove);
  }
}

/** Redirects the jobs of dashboards with a fitting copy to that copy; the others make a new one. */
export function toCopies(copies: readonly EarlierCopy[]): (job: DashboardJob) => DashboardJob {
  const fitting = new Map(copies.filter(({ isFitting }) => isFitting).map((copy) => [copy.original, copy]));
  return (job) => {
    const copy = fitting.get(job.id);
    return copy === undefined ? job : updateJob(job, copy);
  };
}

function updateJob(job: DashboardJob, { id, label, state }: EarlierCopy): DashboardJob {
  const widgets = widgetsInOrder(state);
  return {
    id,
    label,
    original: job.id,
    fingerprint: fingerprintOf(state.dashboard, state.widgets),
    widgets: job.widgets.map(({ after: made, ...widget }, i): WidgetJob => {
      const before = widgets[i] ?? {};
      const about = { ...widget, id: String(before["id"]), before };
      if (made === undefined || widget.action !== "convert") return about;
      const after = { ...made, id: before["id"], dashboard: id };
      return holds(before, after) ? { ...about, action: "keep" } : { ...about, after };
    }),
  };
}
