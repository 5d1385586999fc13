import { createHash } from "node:crypto";
import type { Resources } from "../../index.ts";
import { ApiError } from "../../lib/core/errors.ts";
import type { CommandContext } from "../kit/context.ts";
import { messageOf } from "../kit/resource/batch.ts";
import type { RowReport } from "../kit/rows/row-report.ts";
import { withinLimits } from "../kit/say/rate-limit.ts";
import type { Journal } from "../kit/state/journal.ts";

/** What a report says of a row. */
export interface ReportedRow {
  readonly row: number;
  readonly result: "sent" | "sent before" | "failed" | "invalid";
  readonly reason: string;
}

/** A row on its way, and its number in the file. */
export interface ImportRow {
  readonly row: number;
  readonly value: Record<string, unknown>;
}

export interface ImportCounts {
  readonly sent: number;
  readonly resumed: number;
  readonly failed: number;
}

export interface ImportNotes {
  readonly journal: Journal;
  readonly report: RowReport<ReportedRow>;
  onRows(done: number): void;
}

/** Requests at a time, unless `--concurrency` says otherwise. */
const LANES = 2;

/**
 * Sends the batches. One that is refused is halved until the rows that are wrong stand alone; a failure that the next
 * batch would meet as well (token, network, limits) ends it. After Ctrl-C the running requests are finished.
 */
export async function sendRows(
  ctx: CommandContext,
  { entities }: Resources,
  entity: string,
  batches: AsyncGenerator<readonly ImportRow[]>,
  { journal, report, onRows }: ImportNotes,
): Promise<{ readonly counts: ImportCounts; readonly failure?: unknown }> {
  const counts = { sent: 0, resumed: 0, failed: 0 };
  let failure: { readonly cause: unknown } | undefined;
  const tell = (): void => onRows(counts.sent + counts.resumed + counts.failed);

  /** Answers whether every row arrived. */
  async function send(rows: readonly ImportRow[]): Promise<boolean> {
    try {
      await withinLimits(ctx, () =>
        entities.sendEntityData(
          entity,
          rows.map(({ value }) => value),
        ),
      );
      counts.sent += rows.length;
      for (const { row } of rows) report.add({ row, result: "sent", reason: "" });
      return true;
    } catch (error) {
      if (!isAboutRows(error)) throw error;
      if (rows.length > 1) {
        const middle = Math.ceil(rows.length / 2);
        const first = await send(rows.slice(0, middle));
        return (await send(rows.slice(middle))) && first;
      }
      counts.failed += 1;
      for (const { row } of rows) report.add({ row, result: "failed", reason: messageOf(error) });
      return false;
    }
  }

  async function work(rows: readonly ImportRow[]): Promise<void> {
    const [first] = rows;
    const item = `${first?.row ?? 0}-${rows.at(-1)?.row ?? 0}`;
    const mark = markOf(rows);
    if (journal.has(item, mark)) {
      counts.resumed += rows.length;
      for (const { row } of rows) report.add({ row, result: "sent before", reason: "" });
    } else if (await send(rows)) journal.add(item, mark);
    tell();
  }

  async function lane(): Promise<void> {
    while (failure === undefined && !ctx.signal.aborted) {
      const { done, value } = await batches.next();
      if (done === true) return;
      try {
        await work(value);
      } catch (cause) {
        failure ??= { cause };
      }
    }
  }

  await Promise.all(Array.from({ length: ctx.flags.concurrency ?? LANES }, lane));
  return failure === undefined ? { counts } : { counts, failure: failure.cause };
}

/** The platform does not like these rows; others may be fine. */
function isAboutRows(error: unknown): boolean {
  if (!(error instanceof ApiError) || /exceeded/i.test(error.message)) return false;
  return error.status === 400 || error.status === 413 || error.status === 422;
}

function markOf(rows: readonly ImportRow[]): string {
  return createHash("sha256")
    .update(JSON.stringify(rows.map(({ value }) => value)))
    .digest("hex")
    .slice(0, 24);
}
