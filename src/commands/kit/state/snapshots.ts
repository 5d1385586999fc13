import type { Target } from "../context.ts";
import { isObject, type JsonObject } from "../files/files.ts";
import { openSnapshotFiles, type SnapshotFiles } from "./snapshot-files.ts";

/** A dashboard with its widgets as they were before something was written to them. */
export interface Snapshot {
  readonly id: string;
  /** ISO text. */
  readonly created_at: string;
  /** What was about to happen: `dashboard migrate`. */
  readonly reason: string;
  /** Environment and address it was taken from. */
  readonly env: string;
  readonly api: string;
  readonly dashboard: JsonObject;
  readonly widgets: readonly JsonObject[];
  /** Widgets that the command made after it had taken the snapshot. */
  readonly added?: readonly string[];
  /** The copy that was made of the dashboard. */
  readonly copy?: string;
}

/** What is stored, without the id and the time that the store adds. */
type NewSnapshot = Pick<Snapshot, "reason" | "dashboard" | "widgets">;

/** Snapshots of dashboards, in the folder for state. */
export interface Snapshots extends Omit<SnapshotFiles<Snapshot>, "save" | "change"> {
  /** Writes one, on disk before this returns. */
  save(snapshot: NewSnapshot, target: Pick<Target, "label" | "api">): Snapshot;
  /** Adds the widgets that were made since. */
  noteAdded(id: string, widgets: readonly string[]): void;
  /** Notes which copy was made of the dashboard. */
  noteCopy(id: string, copy: string): void;
}

export function openSnapshots(env: Readonly<Record<string, string | undefined>>, nowMs: () => number): Snapshots {
  const { save, change, ...files } = openSnapshotFiles<Snapshot>(env, nowMs, {
    folder: "snapshots",
    format: "iotdeck/snapshot",
    list: "iot dashboard snapshot list",
    isWhole,
  });
  return {
    ...files,
    save: (snapshot, { label, api }) => save({ env: label, api, ...snapshot }),
    noteAdded: (id, added) => change(id, { added }),
    noteCopy: (id, copy) => change(id, { copy }),
  };
}

function isWhole({ reason, env, api, dashboard, widgets, added = [], copy = "" }: JsonObject): boolean {
  return (
    [reason, env, api, copy].every((part) => typeof part === "string") &&
    isObject(dashboard) &&
    Array.isArray(widgets) &&
    widgets.every(isObject) &&
    Array.isArray(added) &&
    added.every((each) => typeof each === "string")
  );
}

const VOLATILE: ReadonlySet<string> = new Set([
  "created_at",
  "updated_at",
  "last_access",
  "token",
  "profile",
  "public_token_expire",
  "shared",
]);

/** True for a field that the platform sets, or that changes by itself. */
export function isVolatile(key: string): boolean {
  return VOLATILE.has(key);
}

/** A document without the fields that change by themselves; absent and null are the same. */
export function settled(document: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(document).filter(([key, value]) => !VOLATILE.has(key) && value !== null && value !== undefined),
  );
}

/** JSON text with the keys of every object in order, so that equal documents have equal texts. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner) && !(inner instanceof Date)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** What a dashboard and its widgets look like, in one word: anything but times of its own changes it. */
export function fingerprintOf(dashboard: JsonObject, widgets: readonly JsonObject[]): string {
  const parts = [settled(dashboard), ...widgets.map(settled)].map(canonicalText);
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(parts.join("\n")).digest("hex");
}
