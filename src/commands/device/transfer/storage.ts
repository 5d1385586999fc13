import type { ChunkPeriod, DataStorageType, DeviceInfo } from "../../../index.ts";
import { MAX_CHUNK_RETENTION } from "../../../lib/core/limits.ts";
import type { Input, Options } from "../../kit/command/options.ts";
import { usageError } from "../../kit/failures/command-error.ts";

/** How a device stores its data. */
export interface Storage {
  readonly type: DataStorageType;
  readonly chunk_period?: ChunkPeriod;
  readonly chunk_retention?: number;
}

export const storageOptions = [
  { name: "type", value: "kind", summary: "storage type", choices: ["mutable", "immutable"] },
  {
    name: "period",
    value: "period",
    summary: "chunk period of immutable storage",
    choices: ["day", "week", "month", "quarter"],
  },
  { name: "retention", kind: "integer", least: 0, summary: "chunks to keep besides the current one" },
] as const satisfies Options;

/** How a device stores its data, in the body of a new one. The platform no longer creates the older type, which stores as mutable does. */
export function storageOf({ type, chunk_period: period, chunk_retention: retention }: DeviceInfo): Storage {
  if (type === "mutable" || type === "legacy") return { type: "mutable" };
  return {
    type,
    ...(period ? { chunk_period: period } : {}),
    ...(typeof retention === "number" ? { chunk_retention: retention } : {}),
  };
}

/** The storage the flags ask for; what they leave out is as it was. */
export function storageFrom({ options }: Input<[], typeof storageOptions>, before: DeviceInfo): Storage {
  // The platform no longer creates the older type, which stores as mutable does.
  const own = before.type === "legacy" ? "mutable" : before.type;
  const { type = own, period, retention } = options;
  if (type === "mutable") {
    if (period === undefined && retention === undefined) return { type };
    throw usageError("--period and --retention are for immutable storage.", {
      next: "Leave them out, or add --type immutable.",
    });
  }
  const chunks = { chunk_period: period ?? before.chunk_period, chunk_retention: retention ?? before.chunk_retention };
  const { chunk_period: every, chunk_retention: kept } = chunks;
  if (every === undefined || every === null || kept === undefined || kept === null) {
    throw usageError("Immutable storage needs --period and --retention.", {
      next: "Add, for example, --period month --retention 12.",
    });
  }
  if (kept > MAX_CHUNK_RETENTION[every]) {
    throw usageError(`--retention ${kept} is too high.`, {
      why: `With --period ${every}, ${MAX_CHUNK_RETENTION[every]} is the most.`,
    });
  }
  return { type, chunk_period: every, chunk_retention: kept };
}

/** Times of the records that a storage takes; both ends belong to it. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

const DAY_MS = 86_400_000;
export const everything: TimeSpan = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };

/** Immutable storage takes records from its oldest chunk on, up to the end of tomorrow, UTC. */
export function spanOf(
  { type, chunk_period: period = "month", chunk_retention: kept = 0 }: Storage,
  nowMs: number,
): TimeSpan {
  if (type !== "immutable") return everything;
  const start = new Date(nowMs);
  start.setUTCHours(0, 0, 0, 0);
  const toMs = start.getTime() + 2 * DAY_MS - 1;
  if (period === "day") start.setUTCDate(start.getUTCDate() - kept);
  else if (period === "week") start.setUTCDate(start.getUTCDate() - ((start.getUTCDay() + 6) % 7) - 7 * kept);
  else if (period === "month") start.setUTCMonth(start.getUTCMonth() - kept, 1);
  else start.setUTCMonth(start.getUTCMonth() - (start.getUTCMonth() % 3) - 3 * kept, 1);
  return { fromMs: start.getTime(), toMs };
}

export const isWithin = ({ fromMs, toMs }: TimeSpan, ms: number): boolean => ms >= fromMs && ms <= toMs;
