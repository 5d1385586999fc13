import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { countOf } from "../../../text/count.ts";
import { quote } from "../command/values.ts";
import { inputError, notFoundError, usageError } from "../failures/command-error.ts";
import { type JsonObject, parseObject, readTextIfThere, writeWhole } from "../files/files.ts";
import { showPath, userFolders } from "../settings/paths.ts";

/** What every snapshot says of itself. */
export interface StoredSnapshot {
  readonly id: string;
  /** ISO text. */
  readonly created_at: string;
}

/** A kind of snapshots: where they are stored, and what they hold. */
export interface SnapshotForm {
  /** Name of their folder in the folder for state. */
  readonly folder: string;
  /** First property of every file. */
  readonly format: string;
  /** Command line that lists them. */
  readonly list: string;
  isWhole(value: JsonObject): boolean;
}

/** Snapshots of one kind. Each is a file that only its user can read. */
export interface SnapshotFiles<Snapshot extends StoredSnapshot> {
  /** Writes one, on disk before this returns. */
  save(content: Omit<Snapshot, "id" | "created_at">): Snapshot;
  /** Rewrites one with other properties. */
  change(id: string, more: Partial<Snapshot>): void;
  /** All of them, newest first. Files that cannot be read are left out and named in `broken`. */
  list(): { readonly snapshots: readonly Snapshot[]; readonly broken: readonly string[] };
  /** One, by its id, the start of it, or `last`. */
  need(id: string): Snapshot;
  remove(id: string): void;
  /** Where it lies, as people write it. */
  pathText(id: string): string;
}

const PRIVATE = { file: 0o600, folder: 0o700 } as const;
const idForm = /^[0-9]{8}-[0-9]{6}-[0-9a-f]{6}$/;

export function openSnapshotFiles<Snapshot extends StoredSnapshot>(
  env: Readonly<Record<string, string | undefined>>,
  nowMs: () => number,
  { folder: name, format, list, isWhole }: SnapshotForm,
): SnapshotFiles<Snapshot> {
  const folder = join(userFolders(env).state, name);
  const pathOf = (id: string): string => join(folder, `${id}.json`);
  const ids = (): string[] => namesIn(folder).filter((id) => idForm.test(id));
  const next = { next: `Run "${list}".` };

  function read(path: string): Snapshot {
    const shown = showPath(path);
    const value = parseObject(readTextIfThere(path) ?? "", shown);
    const { id, created_at } = value;
    if (value["format"] === format && [id, created_at].every((part) => typeof part === "string") && isWhole(value))
      return value as unknown as Snapshot;
    throw inputError(`${shown} is not a snapshot.`, { code: "snapshot.invalid", ...next });
  }

  function write(snapshot: Snapshot): void {
    const text = JSON.stringify({ format, version: 1, ...snapshot }, undefined, 1);
    writeWhole(pathOf(snapshot.id), `${text}\n`, PRIVATE);
  }

  return {
    save(content) {
      const now = new Date(nowMs());
      // All properties are there: those of the store, and the rest.
      const whole = { id: idAt(now), created_at: now.toISOString(), ...content } as Snapshot;
      write(whole);
      return whole;
    },
    change: (id, more) => write({ ...read(pathOf(id)), ...more }),
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
    need: (text) => read(pathOf(find(ids(), text, next))),
    remove: (text) => rmSync(pathOf(find(ids(), text, next)), { force: true }),
    pathText: (id) => showPath(pathOf(id)),
  };
}

/** The id of a snapshot that is taken now. */
function idAt(now: Date): string {
  const stamp = now.toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  // The thousandths of the second go first, so that the order of the ids is that of the snapshots.
  const thousandths = now.getUTCMilliseconds().toString(16).padStart(3, "0");
  const { randomBytes } = process.getBuiltinModule("node:crypto");
  return `${stamp}-${thousandths}${randomBytes(2).toString("hex").slice(0, 3)}`;
}

/** The whole id of one that is named by its id, the start of it, or `last`. */
function find(ids: readonly string[], text: string, next: { readonly next: string }): string {
  if (text === "last") return newest(ids, next);
  if (!/^[0-9a-f-]+$/.test(text)) throw usageError(`${quote(text)} is not a snapshot id.`, next);
  const matches = ids.filter((id) => id === text || id.startsWith(text));
  const [only, ...others] = matches;
  if (only === undefined) {
    throw notFoundError(`Snapshot ${quote(text)} not found.`, { code: "snapshot.not_found", ...next });
  }
  if (others.length > 0 && only !== text) {
    throw usageError(`${quote(text)} matches ${countOf(matches.length, "snapshot")}: ${matches.join(", ")}.`, next);
  }
  return only;
}

function newest(ids: readonly string[], next: { readonly next: string }): string {
  const last = [...ids].sort().at(-1);
  if (last !== undefined) return last;
  throw notFoundError("No snapshots yet.", { code: "snapshot.not_found", ...next });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => name.slice(0, -".json".length));
  } catch {
    return [];
  }
}
