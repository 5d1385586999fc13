import type { CommandContext } from "../kit/context.ts";
import { inputError } from "../kit/failures/command-error.ts";
import { isObject } from "../kit/files/files.ts";
import { profileOf } from "../kit/settings/where.ts";
import { readNote, statePath, writeNote } from "../kit/state/notes.ts";
import type { StreamCursor } from "../kit/streams/entry.ts";

/** What a cursor is about: the same words continue where the last run with them ended. */
export interface CursorScope {
  readonly to: string;
  readonly words: readonly string[];
  readonly tags: readonly object[];
  readonly variables: readonly string[];
}

/** How far the records of a stream were delivered, in a file. */
export interface CursorFile {
  readonly path: string;
  /** As an earlier run left it. */
  readonly found: StreamCursor | undefined;
  save(cursor: StreamCursor): void;
}

/** @param named file of `--cursor`; without one, a file in the folder for state */
export async function openCursor(
  ctx: CommandContext,
  named: string | undefined,
  scope: CursorScope,
): Promise<CursorFile> {
  const path = named === undefined ? await usualPath(ctx, scope) : ctx.path(named);
  const note = readNote(path);
  if (note !== null && !isCursor(note)) {
    throw inputError(`${path} is not a cursor of a stream.`, {
      code: "input.invalid",
      next: "Use another file with --cursor, or remove this one to begin now.",
    });
  }
  return { path, found: note ?? undefined, save: (cursor) => writeNote(path, cursor) };
}

async function usualPath(ctx: CommandContext, { to, words, tags, variables }: CursorScope): Promise<string> {
  const connection = await ctx.connection();
  const profile = connection.profile ?? (await profileOf(ctx, connection, connection.token));
  const about = JSON.stringify([words, tags, variables]);
  return statePath(ctx.env, "streams", [new URL(connection.api).origin, profile?.id ?? "", to, about]);
}

function isCursor(value: unknown): value is StreamCursor {
  if (!isObject(value)) return false;
  const { storedMs, fromMs, past, ids } = value;
  if (ids !== undefined && !(Array.isArray(ids) && ids.every((id) => typeof id === "string"))) return false;
  if (!Number.isFinite(storedMs) || !(fromMs === undefined || Number.isFinite(fromMs))) return false;
  return past === undefined || (isObject(past) && Number.isFinite(past["timeMs"]) && Number.isFinite(past["storedMs"]));
}
