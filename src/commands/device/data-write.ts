import { ApiError } from "../../lib/core/errors.ts";
import { countOf, countText } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import type { CommandContext } from "../kit/context.ts";
import type { OutgoingRecord } from "../kit/devices/record-checks.ts";
import { deviceWriter, tokenWriter } from "../kit/devices/writer.ts";
import { CommandError, notFoundError, stoppedError } from "../kit/failures/command-error.ts";
import { mayHaveArrived } from "../kit/failures/lost-write.ts";
import { selfDevice } from "../kit/finders/self.ts";
import { partialError } from "../kit/jobs/ending.ts";
import { messageOf } from "../kit/resource/batch.ts";
import type { ResourceTarget } from "../kit/resource/resolve-id.ts";
import { refusedRows } from "../kit/rows/refusal.ts";
import { isSelf } from "./self.ts";

/** Records of one request. The platform takes 200 kB at a time; some room is left for the brackets. */
const CHUNK_RECORDS = 1_000;
const CHUNK_BYTES = 190_000;

interface Chunk {
  /** Index of the first record, from 0. */
  readonly start: number;
  readonly records: readonly OutgoingRecord[];
}

function chunksOf(records: readonly OutgoingRecord[]): Chunk[] {
  const chunks: Chunk[] = [];
  let start = 0;
  let bytes = 0;
  for (const [i, record] of records.entries()) {
    const size = Buffer.byteLength(JSON.stringify(record)) + 1;
    if (i > start && (i - start >= CHUNK_RECORDS || bytes + size > CHUNK_BYTES)) {
      chunks.push({ start, records: records.slice(start, i) });
      start = i;
      bytes = 0;
    }
    bytes += size;
  }
  if (start < records.length) chunks.push({ start, records: records.slice(start) });
  return chunks;
}

/** What became of the records of one request. */
export interface ChunkResult {
  /** First and last record, counted from 1. */
  readonly from: number;
  readonly to: number;
  readonly records: number;
  readonly result: "sent" | "failed" | "not tried";
  readonly message: string;
}

/**
 * Sends the records in order, one request at a time. A rejected request does not stop the others; one that says the
 * next will fare no better (token, network) does. After Ctrl-C the running request is finished and nothing more starts.
 */
async function writeChunks(
  ctx: CommandContext,
  records: readonly OutgoingRecord[],
  write: (records: readonly OutgoingRecord[]) => Promise<string>,
): Promise<{ readonly results: readonly ChunkResult[]; readonly failure?: unknown }> {
  const results: ChunkResult[] = [];
  let failure: unknown;
  let isFatal = false;
  for (const { start, records: part } of chunksOf(records)) {
    const place = { from: start + 1, to: start + part.length, records: part.length };
    if (isFatal || ctx.signal.aborted) {
      results.push({ ...place, result: "not tried", message: "" });
      continue;
    }
    try {
      results.push({ ...place, result: "sent", message: String(await write(part)) });
    } catch (error) {
      const rows = part.map((_, at) => ({ row: start + at + 1 }));
      const refused = refusedRows(error, rows, { unit: "record", columnOf: String });
      failure ??= refused ?? error;
      isFatal = !(error instanceof ApiError) || error.status === 401 || error.status === 429 || error.status >= 500;
      results.push({ ...place, result: "failed", message: refused?.why ?? messageOf(error) });
    }
  }
  return failure === undefined ? { results } : { results, failure };
}

/** Ends the command after a batch: quietly when all went, else with the numbers. */
function throwOnFailedChunks(
  ctx: CommandContext,
  batch: { results: readonly ChunkResult[]; failure?: unknown },
  verb: string,
): void {
  const count = (result: ChunkResult["result"]): number =>
    batch.results.filter((chunk) => chunk.result === result).reduce((sum, chunk) => sum + chunk.records, 0);
  const [sent, failed, left] = [count("sent"), count("failed"), count("not tried")];
  const total = sent + failed + left;
  if (ctx.signal.aborted && left > 0) {
    const rest = sent === 0 ? "Run the command again" : `Continue with record ${countText(firstLeft(batch.results))}`;
    ctx.say.warning(
      `Stopped: ${countText(sent)} of ${countOf(total, "record")} ${verb}; the running request was finished. ${rest}.`,
    );
    throw stoppedError();
  }
  if (batch.failure === undefined) return;
  if (sent === 0) throw batch.failure;
  for (const chunk of batch.results.filter(({ result }) => result === "failed")) {
    ctx.say.warning(`Records ${chunk.from} to ${chunk.to} failed: ${chunk.message}`);
  }
  throw partialError(
    `${countText(sent)} of ${countOf(total, "record")} ${verb}, ${countText(failed)} failed${left === 0 ? "" : `, ${countText(left)} not tried`}.`,
    {
      why: batch.failure instanceof CommandError ? (batch.failure.why ?? "") : messageOf(batch.failure),
      next: mayHaveArrived(batch.failure)
        ? "The warnings above name the records; check whether they arrived before you send them again."
        : "Send the records named in the warnings again.",
    },
  );
}

/** Records that the platform says it changed: it skips unknown ids. All that were sent where it does not say. */
function updatedIn(results: readonly ChunkResult[], sent: number): number {
  const counts = results.map(({ message }) => /^(\d+) item/.exec(message)?.[1]);
  return counts.includes(undefined) ? sent : counts.reduce((sum, count) => sum + Number(count), 0);
}

function firstLeft(results: readonly ChunkResult[]): number {
  return results.find(({ result }) => result === "not tried")?.from ?? 1;
}

/** What a command that sends or edits records prints of each request. */
export const chunkColumns: readonly Column<ChunkResult>[] = [
  { key: "from", kind: "number" },
  { key: "to", kind: "number" },
  { key: "records", kind: "number" },
  { key: "result" },
  { key: "message" },
];

/** Where records go. Looked up only when something is sent. */
export interface RecordTarget {
  /** Sends or edits the records of one request. */
  writer(): Promise<(records: readonly OutgoingRecord[]) => Promise<string>>;
  /** Follows the number of records: ` of device "Pump 3"`. */
  of(): Promise<string>;
}

/** Sends or edits in batches, prints what became of each, and says where it went. */
export async function writeRecords(
  ctx: CommandContext,
  records: readonly OutgoingRecord[],
  mode: "send" | "edit",
  target: RecordTarget,
): Promise<void> {
  if (await ctx.dryRun({ method: mode === "send" ? "POST" : "PUT", path: "/data", body: records })) return;
  const batch = await writeChunks(ctx, records, await target.writer());
  const tried = batch.results.filter(({ result }) => result !== "not tried");
  const sent = tried.filter(({ result }) => result === "sent").reduce((sum, chunk) => sum + chunk.records, 0);
  if (sent > 0) await ctx.out.list(tried, { columns: chunkColumns, empty: "Nothing was sent.", idKey: "from" });
  throwOnFailedChunks(ctx, batch, mode === "send" ? "sent" : "changed");
  const found = mode === "send" ? sent : updatedIn(batch.results, sent);
  if (found === 0 && sent > 0) {
    throw notFoundError(sent === 1 ? "The record was not found." : "None of the records was found.", {
      code: "record.not_found",
      why: `No record${await target.of()} has ${sent === 1 ? "this id" : "one of these ids"}.`,
      next: "Nothing was changed; check the ids.",
    });
  }
  if (found < sent) ctx.say.warning(`${countOf(sent - found, "record")} not found: no record has the id.`);
  await ctx.done(`${mode === "send" ? "Sent" : "Changed"} ${countOf(found, "record")}${await target.of()}`);
}

/** The device, and how records get into it. */
export const recordTarget = (
  ctx: CommandContext,
  input: Parameters<typeof isSelf>[0],
  device: ResourceTarget,
  mode: "send" | "edit",
): RecordTarget => ({
  async writer() {
    const writer = await (isSelf(input) ? tokenWriter(await selfDevice(ctx)) : deviceWriter(ctx, device.id));
    return (part) => writer[mode](part);
  },
  of: async () => ` of device "${await device.name()}"`,
});
