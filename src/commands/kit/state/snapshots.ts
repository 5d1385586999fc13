import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { countOf } from "../../../text/count.ts";
import { quote } from "../command/values.ts";
import type { Target } from "../context.ts";
import { conflictError, inputError, notFoundError, usageError } from "../failures/command-error.ts";
import { isObject, type JsonObject, parseObject, readTextIfThere, writeWhole } from "../files/files.ts";
import { showPath, userFolders } from "../settings/paths.ts";

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

/** What is kept, without the id and the time that the store gives. */
type NewSnapshot = Pick<Snapshot, "reason" | "dashboard" | "widgets">;

/** Snapshots of dashboards, in the folder for state. */
export interface Snapshots {
  /** Writes one, on disk before this returns. */
  save(snapshot: NewSnapshot, target: Pick<Target, "label" | "api">): Snapshot;
  /** All of them, newest first. Files that cannot be read are left out and named in `broken`. */
  list(): { readonly snapshots: readonly Snapshot[]; readonly broken: readonly string[] };
  /** One, by its id, the start of it, or `last`. */
  need(id: string): Snapshot;
  /** Adds the widgets that were made since. */
  noteAdded(id: string, widgets: readonly string[]): void;
  /** Notes which copy was made of the dashboard. */
  noteCopy(id: string, copy: string): void;
  remove(id: string): void;
  /** Where it lies, as people write it. */
  redactPath(id: string): string;
}

const PRIVATE = { file: 0o600, folder: 0o700 } as const;
const FORMAT = "iotdeck/snapshot";
const idForm = /^[0-9]{8}-[0-9]{6}-[0-9a-f]{6}$/;

export function openSnapshots(env: Readonly<Record<string, string | undefined>>, nowMs: () => number): Snapshots {
  const folder = join(userFolders(env).state, "snapshots");
  const pathOf = (id: string): string => join(folder, `${id}.json`);
  const ids = (): string[] => namesIn(folder).filter((id) => idForm.test(id));

  function find(text: string): string {
    if (text === "last") return newest();
    if (!/^[0-9a-f-]+$/.test(text)) throw usageError(`${quote(text)} is not a snapshot id.`, nextList);
    const matches = ids().filter((id) => id === text || id.startsWith(text));
    const [only, ...others] = matches;
    if (only === undefined) {
      throw notFoundError(`Snapshot ${quote(text)} not found.`, { code: "snapshot.not_found", ...nextList });
    }
    if (others.length > 0 && only !== text) {
      throw usageError(
        `${quote(text)} matches ${countOf(matches.length, "snapshot")}: ${matches.join(", ")}.`,
        nextList,
      );
    }
    return only;
  }

  function note(id: string, more: Pick<Snapshot, "added" | "copy">): void {
    const text = JSON.stringify({ format: FORMAT, version: 1, ...read(pathOf(id)), ...more }, undefined, 1);
    writeWhole(pathOf(id), `${text}\n`, PRIVATE);
  }

  function newest(): string {
    const last = ids().sort().at(-1);
    if (last !== undefined) return last;
    throw notFoundError("No snapshots yet.", { code: "snapshot.not_found", ...nextList });
  }

  return {
    save(snapshot, { label, api }) {
      const now = new Date(nowMs());
      const stamp = now.toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
      // The thousandths of the second go first, so that the order of the ids is that of the snapshots.
      const thousandths = now.getUTCMilliseconds().toString(16).padStart(3, "0");
      const { randomBytes } = process.getBuiltinModule("node:crypto");
      const id = `${stamp}-${thousandths}${randomBytes(2).toString("hex").slice(0, 3)}`;
      const whole: Snapshot = { id, created_at: now.toISOString(), env: label, api, ...snapshot };
      const text = JSON.stringify({ format: FORMAT, version: 1, ...whole }, undefined, 1);
      writeWhole(pathOf(id), `${text}\n`, PRIVATE);
      return whole;
    },
    list() {
      const snapshots: Snapshot[] = [];
      const broken: string[] = [];
      for (const id of ids().sort().reverse()) {
        try {
          snapshots.push(read(pathOf(id)));
        } catch {
          broken.push(id);
        }
      }
      return { snapshots, broken };
    },
    need: (text) => read(pathOf(find(text))),
    noteAdded: (id, added) => note(id, { added }),
    noteCopy: (id, copy) => note(id, { copy }),
    remove: (text) => rmSync(pathOf(find(text)), { force: true }),
    redactPath: (id) => showPath(pathOf(id)),
  };
}

const nextList = { next: 'Run "iot dashboard snapshot list".' } as const;

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => name.slice(0, -".json".length));
  } catch {
    return [];
  }
}

function read(path: string): Snapshot {
  const shown = showPath(path);
  const value = parseObject(readTextIfThere(path) ?? "", shown);
  const { id, created_at, reason, env, api, dashboard, widgets, added = [], copy = "" } = value;
  const isWhole =
    value["format"] === FORMAT &&
    [id, created_at, reason, env, api, copy].every((part) => typeof part === "string") &&
    isObject(dashboard) &&
    Array.isArray(widgets) &&
    widgets.every(isObject) &&
    Array.isArray(added) &&
    added.every((each) => typeof each === "string");
  if (!isWhole) throw inputError(`${shown} is not a snapshot.`, { code: "snapshot.invalid", ...nextList });
  return value as unknown as Snapshot;
}

/** Refuses to write a snapshot to another platform than the one it was taken from. */
export function requireSameTarget(snapshot: Snapshot, target: Pick<Target, "label" | "api">): void {
  if (snapshot.api === target.api) return;
  throw conflictError(`Snapshot ${snapshot.id} is from ${snapshot.env}, not from ${target.label}.`, {
    code: "snapshot.other_target",
    why: `It belongs to ${snapshot.api}; the current environment is ${target.api}.`,
    next: `Choose the environment with --env.`,
  });
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

/** True for a member that the platform sets, or that changes by itself. */
export function isVolatile(key: string): boolean {
  return VOLATILE.has(key);
}

/** A document without the members that change by themselves; absent and null are the same. */
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
