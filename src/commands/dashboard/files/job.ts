import type { DashboardPlan } from "../../kit/dashboards/plan.ts";
import { isObject, type JsonObject } from "../../kit/files/files.ts";
import { replaceIds } from "../../kit/folders/replace-ids.ts";
import type { JobNotes } from "../../kit/jobs/job.ts";
import { type DashboardRun, openRuns } from "../runs.ts";

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
  /** Identifies a dashboard in a job. */
  readonly key: string;
  /** What the files say, in one word, to notice later that they changed. */
  readonly filesMark: string;
  /** False for what has no files, as a copy. */
  readonly hasFiles: boolean;
}

export type WriteRun = DashboardRun<WriteJob>;

/** Writes under way, and those that were interrupted. */
export const writeRuns = openRuns<WriteJob>({
  what: "write",
  isWhole: ({ verb, createdAt, target, dashboards }) =>
    ["import", "apply", "copy"].some((each) => each === verb) &&
    typeof createdAt === "string" &&
    isObject(target) &&
    typeof target["api"] === "string" &&
    Array.isArray(dashboards) &&
    dashboards.every(isWrite),
  oldFolder: "dashboard-writes",
});

/** What the journal notes of a dashboard: `snapshot`, `made` with the id of a new one, and these of its widgets. */
export type WriteNotes = Pick<JobNotes, "of">;
/** A widget that was written, by its id in the files: its new id if it was created. */
export const writtenNote = (ref: string): string => `widget-${ref}`;
/** A widget that was deleted. */
export const removedNote = (id: string): string => `removed-${id}`;

/** The dashboards of a run, each with its name in the journal. */
export const writesIn = ({
  job,
}: Pick<WriteRun, "job">): readonly { readonly id: string; readonly args: DashboardWrite }[] =>
  job.dashboards.map((write, i) => ({ id: `dashboard-${i}`, args: write }));

/** Label of a new dashboard until all of it is written: one that broke off never looks finished. */
export function workingLabel(run: Pick<WriteRun, "id">, write: DashboardWrite): string {
  return `${write.label.slice(0, 180)} (incomplete ${run.id} ${write.key.slice(-6)})`;
}

function isWrite(value: unknown): boolean {
  if (!isObject(value)) return false;
  const texts = ["key", "ref", "folder", "label"].every((key) => typeof value[key] === "string");
  return texts && isObject(value["settings"]) && Array.isArray(value["widgets"]) && Array.isArray(value["removals"]);
}

/** Ids of the widgets a run has created, with those they have in the files. */
export const createdIn = ({ widgets }: DashboardWrite, notes: WriteNotes): (readonly [string, string])[] =>
  widgets.flatMap(({ action, ref }) => {
    const id = action === "create" ? notes.of(writtenNote(ref)) : undefined;
    return id === undefined ? [] : [[ref, id] as const];
  });

/** Ids of the files and what they are on the platform, as far as is known. */
export function idsOf(write: DashboardWrite, notes: WriteNotes): Map<string, string> {
  const { widgets, ref, id } = write;
  const known = widgets.flatMap((widget) => (widget.id === undefined ? [] : [[widget.ref, widget.id] as const]));
  const own = id === undefined || ref === "" ? [] : [[ref, id] as const];
  return new Map([...known, ...own, ...createdIn(write, notes)]);
}

/** What is written of the dashboard itself; empty when nothing differs. */
export function changedSettings(
  { settings, arrangement }: DashboardWrite,
  ids: ReadonlyMap<string, string>,
): JsonObject {
  return replaceIds({ ...settings, ...(arrangement === undefined ? {} : { arrangement }) }, ids);
}
