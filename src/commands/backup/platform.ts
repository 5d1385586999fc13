import { countOf } from "../../text/count.ts";
import type { AccountCredentials } from "../kit/ask/account-credentials.ts";
import type { Column } from "../kit/command/columns.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError, notFoundError, usageError } from "../kit/failures/command-error.ts";
import { isObject } from "../kit/files/files.ts";
import { profileFinder } from "../kit/finders/profile.ts";
import { lookUp, type ResourceTarget } from "../kit/resource/resolve-id.ts";

/** A backup of a profile. */
export interface ProfileBackup {
  readonly id: string;
  readonly status: string;
  readonly file_size?: number;
  readonly error_message?: string;
  readonly created_at: string;
}

export const backupColumns: readonly Column<ProfileBackup>[] = [
  { key: "id", kind: "id" },
  { key: "status" },
  { key: "created_at", kind: "time" },
  { key: "file_size", header: "bytes", kind: "number" },
  { key: "error_message", header: "problem" },
  { key: "file_path", hidden: true },
  { key: "version_id", hidden: true },
  { key: "profile", kind: "id", hidden: true },
];

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

type Query = Readonly<Record<string, number | string>>;

/** More than a year's: the platform makes one a day and keeps them for 12 months. */
const MOST_BACKUPS = 1_000;

/** A call of the routes of backups, which the library has no methods for. */
export async function request(
  ctx: CommandContext,
  profile: ResourceTarget,
  method: "GET" | "POST" | "DELETE",
  { path = "", ...more }: { readonly path?: string; readonly body?: AccountCredentials; readonly query?: Query } = {},
): Promise<unknown> {
  const { rawRequest } = await import("../../lib/api/raw.ts");
  const { token, api, events } = await ctx.connection();
  const params = { ...ctx.clientOptions(), token, region: { api, sse: events } };
  const place = { method, path: `/profile/${profile.id}/backup${path}`, ...more } as const;
  return lookUp(ctx, profileFinder, profile.id, async () => (await rawRequest(params, place)).result);
}

function backupOf(value: unknown): ProfileBackup | undefined {
  if (!isObject(value) || typeof value["id"] !== "string") return undefined;
  const { id, status, created_at: createdAt } = value;
  return { ...value, id: String(id), status: String(status ?? ""), created_at: String(createdAt ?? "") };
}

/** The backups of a profile, the newest first. */
export async function backupsOf(ctx: CommandContext, profile: ResourceTarget): Promise<ProfileBackup[]> {
  const found = await request(ctx, profile, "GET", { query: { amount: MOST_BACKUPS, orderBy: "created_at,desc" } });
  const list = Array.isArray(found) ? found.map(backupOf).filter((backup) => backup !== undefined) : [];
  return list.sort((a, b) =>
    a.created_at === b.created_at ? (a.id < b.id ? 1 : -1) : a.created_at < b.created_at ? 1 : -1,
  );
}

/** The backup that a text names: its id, or `last`, the newest one that is complete. */
export async function findBackup(ctx: CommandContext, profile: ResourceTarget, text: string): Promise<ProfileBackup> {
  if (text !== "last" && !/^[0-9a-f]{24}$/i.test(text)) {
    throw usageError(`${quote(text)} is not a backup id or a file.`, {
      code: "usage.invalid_id",
      why: 'A backup id has 24 hexadecimal characters; "last" is the newest backup.',
      next: 'Run "iot backup list".',
    });
  }
  const known = await backupsOf(ctx, profile);
  const found = known.find(({ id, status }) => (text === "last" ? status === "completed" : id === text.toLowerCase()));
  if (found !== undefined) return found;
  throw notFoundError(text === "last" ? "The profile has no complete backup." : `Backup ${text} not found.`, {
    code: "backup.not_found",
    why: known.length === 0 ? "The profile has no backups." : `The profile has ${countOf(known.length, "backup")}.`,
    next: 'Run "iot backup list", or create one with "iot backup create --wait".',
  });
}

/** Waits until the platform has made the backup. */
export async function waitFor(
  ctx: CommandContext,
  profile: ResourceTarget,
  id: string,
  forMs: number,
): Promise<ProfileBackup> {
  const untilMs = ctx.clock.elapsed() + forMs;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    const backup = await findBackup(ctx, profile, id);
    if (backup.status === "completed") return backup;
    if (backup.status === "failed") {
      throw new CommandError(`The platform could not create backup ${id}.`, {
        code: "backup.failed",
        exit: 1,
        why: backup.error_message ?? "The platform gave no reason.",
        next: 'Run "iot backup create" again.',
      });
    }
    if (ctx.clock.elapsed() >= untilMs) {
      throw new CommandError(`Backup ${id} is not complete yet.`, {
        code: "backup.not_ready",
        exit: 10,
        why: `Its status is still ${quote(backup.status)}.`,
        next: 'It continues in the background; check it with "iot backup list".',
      });
    }
    await ctx.clock.sleep(waitMs);
  }
}
