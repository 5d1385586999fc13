import type { DashboardPlan } from "../../kit/dashboards/plan.ts";
import { isObject, type JsonObject } from "../../kit/files/files.ts";
import { replaceIds } from "../../kit/folders/replace-ids.ts";
import { type PlanForm, planIn, planText } from "../../kit/state/plan-file.ts";
import { openRuns, type RunLog } from "../migrate/run-log.ts";

/** Plans of files that are about to be written to a platform. */
export interface WriteJob {
  /** The command it came from. */
  readonly verb: "import" | "apply" | "copy";
  readonly createdAt: string;
  readonly target: { readonly label: string; readonly api: string };
  /** Where new ids are noted, as a full path. */
  readonly mapFile?: string;
  readonly dashboards: readonly DashboardWrite[];
}

/** What is to be written for one dashboard. */
export interface DashboardWrite extends DashboardPlan {
  /** Tells the dashboards of a job apart. */
  readonly key: string;
  /** What the files say, in one word, to notice later that they changed. */
  readonly filesMark: string;
  /** False for what has no files, as a copy. */
  readonly hasFiles: boolean;
}

/** A step that is done, and must not be done again. */
export interface WriteStep {
  readonly dashboard: string;
  /** The snapshot that was taken. */
  readonly snapshot?: string;
  /** The new dashboard that was made. */
  readonly made?: string;
  /** A widget that was written, by its id in the files, and its new id if it was created. */
  readonly widget?: string;
  readonly id?: string;
  /** A widget that was deleted. */
  readonly removed?: string;
  /** Everything of the dashboard is done. */
  readonly done?: boolean;
}

export type WriteRun = RunLog<WriteJob, WriteStep>;

const writePlans: PlanForm = {
  format: "iotdeck/dashboard-write",
  what: "a dashboard write plan",
  create: "iot dashboard apply",
  isWhole: ({ verb, createdAt, target, dashboards }) =>
    ["import", "apply", "copy"].some((each) => each === verb) &&
    typeof createdAt === "string" &&
    isObject(target) &&
    typeof target["api"] === "string" &&
    Array.isArray(dashboards) &&
    dashboards.every(isWrite),
};

/** Writes under way, and those that were interrupted. */
export const writeRuns = openRuns<WriteJob, WriteStep>({
  folder: "dashboard-writes",
  text: (job) => planText(writePlans, job),
  parse: (value, shown) => planIn(value, shown, writePlans),
});

/** Label of a new dashboard until all of it is written: one that broke off never looks finished. */
export function workingLabel(run: Pick<WriteRun, "id">, write: DashboardWrite): string {
  return `${write.label.slice(0, 180)} (incomplete ${run.id} ${write.key.slice(-6)})`;
}

function isWrite(value: unknown): boolean {
  if (!isObject(value)) return false;
  const texts = ["key", "ref", "folder", "label"].every((key) => typeof value[key] === "string");
  return texts && isObject(value["settings"]) && Array.isArray(value["widgets"]) && Array.isArray(value["removals"]);
}

/** The id a step gave a new widget. */
export function newId({ widget, id }: WriteStep): readonly (readonly [string, string])[] {
  return widget === undefined || id === undefined ? [] : [[widget, id]];
}

/** Ids of the files and what they are on the platform, as far as is known after some steps. */
export function idsOf({ widgets, ref, id }: DashboardWrite, steps: readonly WriteStep[]): ReadonlyMap<string, string> {
  const known = widgets.flatMap((widget) => (widget.id === undefined ? [] : [[widget.ref, widget.id] as const]));
  const own = id === undefined || ref === "" ? [] : [[ref, id] as const];
  return new Map([...known, ...own, ...steps.flatMap(newId)]);
}

/** What is written of the dashboard itself; empty when nothing differs. */
export function settingsOf({ settings, arrangement }: DashboardWrite, ids: ReadonlyMap<string, string>): JsonObject {
  return replaceIds({ ...settings, ...(arrangement === undefined ? {} : { arrangement }) }, ids);
}
