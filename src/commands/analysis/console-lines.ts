import type { Column } from "../kit/command/columns.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError } from "../kit/failures/command-error.ts";
import { isObject } from "../kit/files/files.ts";
import { afterMs } from "../kit/long-wait.ts";
import { printFollowed } from "../kit/output/followed.ts";
import { networkSource } from "../kit/streams/network-source.ts";

/** A line of an analysis' console. */
export interface ConsoleLine {
  /** ISO 8601; absent for lines that were there before. */
  readonly time?: string;
  readonly message: string;
}

export const lineColumns: readonly Column<ConsoleLine>[] = [
  { key: "time", kind: "time", exact: true },
  { key: "message" },
];

export interface FollowOptions {
  /** Ends the lines this long after they could first arrive. */
  readonly forMs?: number | undefined;
  readonly count?: number | undefined;
  /** Other lines are left out, and do not count. */
  keep?(line: ConsoleLine): boolean;
  /** Ends the lines after this time without one. */
  readonly idleMs?: number | undefined;
  /** Called once, when lines can arrive. */
  onOpen(): Promise<void> | void;
  /** What else can be done where the lines cannot be followed: `or omit --wait`. */
  readonly instead?: string;
  /** Ends the lines after this one. */
  isLast?(line: ConsoleLine): boolean;
}

/** Longest wait for the event stream: nothing may happen before it is open. */
const OPEN_MS = 15_000;

function lineOf(payload: unknown, timestamp: string | undefined, atMs: number): ConsoleLine {
  const { timestamp: moment, message } = isObject(payload) ? payload : { timestamp: undefined, message: payload };
  const isMoment = typeof moment === "number" || typeof moment === "string";
  const date = new Date(isMoment ? moment : (timestamp ?? atMs));
  return {
    time: (Number.isNaN(date.getTime()) ? new Date(atMs) : date).toISOString(),
    message: typeof message === "string" ? message : (JSON.stringify(message) ?? ""),
  };
}

/** A date at the start of a line, as scripts print it: `2026-05-14T10:37:21.500Z`, also in brackets. */
const leadingDate = /^\[?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)/;

/**
 * Stored lines that are not older. The platform stores no times: they are read from lines that begin with one. The others
 * belong to the line before, the first ones to the first with a time; undefined where no line has one.
 */
export function linesSince(lines: readonly string[], sinceMs: number): readonly string[] | undefined {
  const times = lines.map((line) => Date.parse(leadingDate.exec(line)?.[1] ?? ""));
  let atMs = times.find((time) => !Number.isNaN(time));
  if (atMs === undefined) return undefined;
  return lines.filter((_, index) => {
    const own = times[index];
    if (own !== undefined && !Number.isNaN(own)) atMs = own;
    return atMs !== undefined && atMs >= sinceMs;
  });
}

/** Lines as the platform publishes them, until a limit or the user ends it. The connection is made again by itself. */
export async function* followConsole(
  ctx: CommandContext,
  analysisId: string,
  options: FollowOptions,
): AsyncGenerator<ConsoleLine> {
  const source = await networkSource(ctx, [{ channel: "analysis_console", resource_id: analysisId }], true);
  const closeAfter = (ms: number | undefined): (() => void) | undefined =>
    ms === undefined ? undefined : afterMs(ms, () => source.close());
  let left = options.count ?? Number.POSITIVE_INFINITY;
  let isOpen = false;
  let stopTimer = closeAfter(OPEN_MS);
  let stopFor: (() => void) | undefined;
  const rest = (): void => {
    stopTimer?.();
    stopTimer = closeAfter(options.idleMs);
  };
  try {
    for await (const entry of source.entries) {
      if (entry.type === "open" && !isOpen) {
        isOpen = true;
        // The time to connect is not part of it: a slow machine would hear nothing.
        stopFor = closeAfter(options.forMs);
        await options.onOpen();
        rest();
      }
      if (entry.type === "retry")
        ctx.say.warning(`Disconnected (${entry.reason}); next attempt in ${(entry.delayMs / 1000).toFixed(0)} s.`);
      if (entry.type === "gap") ctx.say.info("Reconnected; lines in between may be missing.");
      if (entry.type !== "event") continue;
      rest();
      const line = lineOf(entry.payload, entry.timestamp, entry.atMs);
      if (options.keep?.(line) === false) continue;
      yield line;
      left -= 1;
      if (left <= 0 || options.isLast?.(line) === true) return;
    }
  } catch (error) {
    // What was asked for as one document is still ended as one.
    if (!ctx.signal.aborted) throw error;
  } finally {
    stopTimer?.();
    stopFor?.();
    source.close();
  }
  if (isOpen || ctx.signal.aborted) return;
  throw new CommandError("The platform's event stream cannot be reached.", {
    code: "network.failed",
    exit: 10,
    why: `It did not open within ${OPEN_MS / 1000} s.`,
    next: `Check the API URL with "iot env current"${options.instead === undefined ? "" : `, ${options.instead}`}.`,
  });
}

/** Lines as they arrive for people, the chosen format for programs; ndjson into a pipe, as every stream. */
export async function printLines(ctx: CommandContext, lines: AsyncIterable<ConsoleLine>): Promise<void> {
  const list = { columns: lineColumns, empty: "No lines arrived.", idKey: "message" } as const;
  await printFollowed(ctx, lines, list, (line) => readable(line, ctx.flags.tz));
}

function readable({ time, message }: ConsoleLine, zone: string | undefined): string {
  const clock = time === undefined ? "" : new Date(time).toLocaleTimeString("en-GB", { timeZone: zone });
  return `${clock}  ${message}`;
}
