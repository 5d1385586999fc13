import type { CommandContext } from "../../kit/context.ts";
import { isObject, type JsonObject } from "../../kit/files/files.ts";
import type { Entry } from "../../kit/profiles/kind.ts";
import { type Made, madeIn, requireNoOldNotes } from "../../kit/profiles/notes.ts";
import { unfinishedRun } from "../../kit/state/journal.ts";
import { openSnapshotFiles, type SnapshotFiles } from "../../kit/state/snapshot-files.ts";

/** A resource that a run makes. */
export interface Planned {
  readonly kind: string;
  readonly name: string;
  readonly file_id: string;
  /** Identifies it when its id is not known. */
  readonly key: string;
  /** Its id, once it is known. */
  readonly id?: string;
}

/** What a run is about to change, as it was: the words of files, without tokens and secrets. */
export interface ProfileSnapshot {
  readonly id: string;
  /** ISO text. */
  readonly created_at: string;
  readonly reason: "profile apply" | "profile rollback";
  readonly env: string;
  readonly api: string;
  readonly profile: { readonly id: string; readonly name: string };
  /** What makes two runs the same: a folder, the id of a snapshot. */
  readonly source: string;
  /** `open` until its run has come to its end; `partial` where something failed then. */
  readonly state: "open" | "partial" | "done";
  /** Resources that are changed or deleted. */
  readonly entries: readonly Entry[];
  readonly created: readonly Planned[];
}

type State = Pick<CommandContext, "env" | "clock">;

export function openProfileSnapshots(ctx: State): SnapshotFiles<ProfileSnapshot> {
  return openSnapshotFiles(ctx.env, () => ctx.clock.now(), {
    folder: "profile-snapshots",
    format: "iotdeck/profile-snapshot",
    list: "iot profile snapshot list",
    isWhole,
  });
}

function isWhole({ reason, env, api, profile, source, state, entries, created }: JsonObject): boolean {
  const texts = [reason, env, api, source, state].every((part) => typeof part === "string");
  const isEntry = (each: unknown): boolean =>
    isObject(each) && typeof each["kind"] === "string" && typeof each["id"] === "string" && isObject(each["document"]);
  const lists = Array.isArray(entries) && entries.every(isEntry) && Array.isArray(created) && created.every(isObject);
  return texts && lists && isObject(profile) && typeof profile["id"] === "string";
}

/** Names the journal of a snapshot's run. */
export const journalKey = ({ id }: Pick<ProfileSnapshot, "id">): readonly string[] => ["profile apply", id];

/** What the run of a snapshot has made so far. */
export function applyNotes({ env }: State, snapshot: Pick<ProfileSnapshot, "id" | "reason">): Made {
  const { id, reason } = snapshot;
  requireNoOldNotes(env, "profile-applies", [id], {
    what: reason.replace("profile ", ""),
    next: () =>
      `Continue it with that version, or check what it has done and forget it: iot profile snapshot delete ${id}`,
  });
  return madeIn(unfinishedRun(env, journalKey(snapshot)));
}

/** The source of a rollback. */
export const rollbackSource = (id: string): string => `snapshot ${id}`;

/** Where a run happens, and what it brings there. */
export type RunPlace = Pick<ProfileSnapshot, "api" | "source" | "profile">;

/** The run of the same source into the same profile that has not come to its end. */
export function interruptedRun(ctx: State, { api, source, profile }: RunPlace): ProfileSnapshot | undefined {
  return openProfileSnapshots(ctx)
    .list()
    .snapshots.find(
      (each) => each.state === "open" && each.api === api && each.source === source && each.profile.id === profile.id,
    );
}

/** What a run has created so far, or may have created: the last response may be lost. */
export function resourcesMade({ created }: ProfileSnapshot, notes: Made): Planned[] {
  return created.flatMap((each) => {
    const id = each.id ?? notes.made(each.file_id);
    if (id === undefined && !notes.isBegun(each.file_id)) return [];
    return [{ ...each, ...(id === undefined ? {} : { id }) }];
  });
}
