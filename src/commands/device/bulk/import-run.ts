import type { Resources } from "../../../index.ts";
import { ApiError, RequestError } from "../../../lib/core/errors.ts";
import { STREAM_BATCH_QTY } from "../../../lib/core/limits.ts";
import { attemptsOf } from "../../kit/client/attempts.ts";
import { batchClient } from "../../kit/client/batch-client.ts";
import type { CommandContext } from "../../kit/context.ts";
import { readData } from "../../kit/devices/data-read.ts";
import type { OutgoingRecord } from "../../kit/devices/record-checks.ts";
import { type DeviceWriter, deviceWriter } from "../../kit/devices/writer.ts";
import { conflictError } from "../../kit/failures/command-error.ts";
import { throwStop } from "../../kit/jobs/ending.ts";
import type { JobItem } from "../../kit/jobs/job.ts";
import { runItems } from "../../kit/jobs/run-items.ts";
import type { RowBatch, RowOutcome, RowsResult } from "../../kit/rows/import-job.ts";
import { rowsKind } from "../../kit/rows/rows-kind.ts";
import { itemOf, RefusedRows, sendRows } from "../../kit/rows/send-rows.ts";
import type { Journal } from "../../kit/state/journal.ts";
import { asFull } from "../storage-checks.ts";
import type { ImportRecord } from "./import-records.ts";

/** `device data import` by workers. */
export const importKind = rowsKind<object, ImportRecord, ImportBatch>("device data import", async (ctx, client) => {
  const sender = new BatchSender(ctx, client);
  return {
    prepare: (batch, isBegun) => sender.prepare(batch, isBegun),
    split: halvesOf,
    unpack(args) {
      const { number, device, rows } = args as ReturnType<typeof packed>;
      return batchOf(number, device, rows);
    },
  };
});

/** What makes a batch again. */
export const packed = ({ number, device, rows }: ImportBatch): Pick<ImportBatch, "number" | "device" | "rows"> => ({
  number,
  device,
  rows,
});

/** Limits of one request: the platform takes 200 kB at a time; some room is left for the brackets. */
const BATCH_RECORDS = 1_000;
const BATCH_BYTES = 190_000;
/** Records that may wait for a full batch of their device. */
const WAITING_RECORDS = 20_000;

/** Records of one device, on their way in one request. The platform stores all of a request or nothing. */
export interface ImportBatch extends RowBatch<ImportRecord> {
  /** Counted from 1; halves of a batch add theirs: `3.1`. */
  readonly number: number | string;
  readonly device: string;
  readonly records: readonly OutgoingRecord[];
}

interface Waiting {
  rows: ImportRecord[];
  records: number;
  bytes: number;
}

/** Puts records into batches, a device each, in an order that depends on nothing but the file. */
export async function* batchesOf(records: AsyncIterable<ImportRecord>): AsyncGenerator<ImportBatch, void, undefined> {
  const waiting = new Map<string, Waiting>();
  let number = 0;
  let held = 0;
  const take = (device: string): ImportBatch => {
    const { rows = [], records = 0 } = waiting.get(device) ?? {};
    waiting.delete(device);
    held -= records;
    number += 1;
    return batchOf(number, device, rows);
  };
  for await (const row of records) {
    const { device, records } = row;
    const bytes = records.reduce((sum, record) => sum + Buffer.byteLength(JSON.stringify(record)) + 40, 0);
    const before = waiting.get(device);
    if (before !== undefined && (before.records + records.length > BATCH_RECORDS || before.bytes + bytes > BATCH_BYTES))
      yield take(device);
    const list = waiting.get(device) ?? { rows: [], records: 0, bytes: 0 };
    waiting.set(device, list);
    list.rows.push(row);
    list.records += records.length;
    list.bytes += bytes;
    held += records.length;
    const [oldest] = waiting.keys();
    if (held >= WAITING_RECORDS && oldest !== undefined) yield take(oldest);
  }
  for (const device of [...waiting.keys()]) yield take(device);
}

/** How a rejected batch is sent again. */
export function halvesOf({ number, device, rows }: ImportBatch): ImportBatch[] {
  const middle = Math.ceil(rows.length / 2);
  return [rows.slice(0, middle), rows.slice(middle)].map((half, at) => batchOf(`${number}.${at + 1}`, device, half));
}

/**
 * Records without a group share one, as the platform would have it; here it is made from what they are, so that it can
 * be asked later whether the batch arrived.
 */
function batchOf(number: number | string, device: string, rows: readonly ImportRecord[]): ImportBatch {
  const given = rows.flatMap(({ records }) => records);
  const hash = process
    .getBuiltinModule("node:crypto")
    .createHash("sha256")
    .update(JSON.stringify([number, device, given]))
    .digest("hex");
  const group = hash.slice(0, 24);
  const hasGroup = (record: OutgoingRecord): boolean => record["group"] !== undefined || record["serie"] !== undefined;
  const records = given.map((record) => (hasGroup(record) ? record : { ...record, group }));
  const elements = rows.flatMap((row) => row.records.map(() => row));
  return { item: `batch ${number}`, mark: hash.slice(0, 32), number, device, rows, elements, records };
}

/** Sends batches, each once. */
export class BatchSender {
  readonly #ctx: CommandContext;
  readonly #client: Resources;
  readonly #writers = new Map<string, Promise<DeviceWriter>>();

  constructor(ctx: CommandContext, client: Resources) {
    this.#ctx = ctx;
    this.#client = client;
  }

  /** Sends a batch, unless an earlier run was about to and the platform says that its records are there. */
  async prepare(batch: ImportBatch, isBegun: boolean): Promise<RowOutcome | (() => Promise<RowOutcome>)> {
    if (isBegun && (await this.#isStored(batch))) return { result: "sent before" };
    return async () => {
      await this.#write(batch);
      return { result: "sent" };
    };
  }

  async #write(batch: ImportBatch): Promise<void> {
    const writer = await this.#writerOf(batch.device);
    const attempts = attemptsOf(this.#ctx);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await writer.send(batch.records);
        return;
      } catch (error) {
        const full = asFull(error, batch.device);
        if (full !== undefined) throw full;
        if (!isAmbiguous(error) || this.#ctx.signal.aborted) throw error;
        if (await this.#isStored(batch)) return;
        if (attempt >= attempts) throw error;
      }
    }
  }

  #writerOf(device: string): Promise<DeviceWriter> {
    const known = this.#writers.get(device);
    if (known !== undefined) return known;
    const made = deviceWriter(this.#ctx, device);
    this.#writers.set(device, made);
    return made;
  }

  /** Whether the records of a batch are there: all or none are, so some are looked for. */
  async #isStored({ device, records, mark }: ImportBatch): Promise<boolean> {
    const own = records.find((record) => record["group"] === mark.slice(0, 24));
    if (own !== undefined) return (await this.#read(device, { groups: [mark.slice(0, 24)], qty: 1 })).length > 0;
    const step = Math.max(1, Math.floor(records.length / SAMPLES));
    for (let at = 0; at < records.length; at += step) {
      const record = records[at];
      if (record !== undefined && !(await this.#holds(device, record))) return false;
    }
    return true;
  }

  async #holds(device: string, record: OutgoingRecord): Promise<boolean> {
    const time = record["time"] === undefined ? {} : momentOf(record["time"]);
    const query = {
      variables: [record["variable"]],
      groups: [record["group"] ?? record["serie"]],
      ...time,
      qty: STREAM_BATCH_QTY,
    };
    const found = await this.#read(device, query);
    return found.some(({ value }) => value === (record["value"] ?? undefined));
  }

  #read(device: string, query: object): Promise<readonly { readonly value?: unknown }[]> {
    return readData(this.#client, device, query);
  }
}

/**
 * Sends batches that are no rows of a file, each once. The first failure ends it, and so does Ctrl-C.
 *
 * @param onSent called with the records of each batch
 */
export async function sendRecords(
  ctx: CommandContext,
  journal: Journal,
  batches: AsyncIterable<ImportBatch>,
  onSent: (records: number) => void,
): Promise<void> {
  const sender = new BatchSender(ctx, await batchClient(ctx));
  async function* items(): AsyncGenerator<JobItem<ImportBatch>> {
    for await (const batch of batches) yield itemOf<ImportRecord, ImportBatch>(batch);
  }
  const { stop } = await runItems<ImportBatch, RowsResult>(ctx, journal, {
    phases: () => [items()],
    run: async ({ args }, notes) =>
      args.records.length === 0
        ? { rows: 0, refused: 0, outcomes: [] }
        : sendRows({ sender, notes, isTolerant: false }, args),
    ended: ({ args }) => onSent(args.records.length),
    isFatal: () => true,
    isWhole: ({ rows }) => rows > 0,
    changed: changedInput,
  });
  if (stop?.cause instanceof RefusedRows) throw stop.cause.cause;
  throwStop(stop);
}

const changedInput = (): Error =>
  conflictError("The records are not those that the interrupted run was sending.", {
    code: "input.changed",
    next: "Restore the original files and devices, or start again without --resume once you know what was sent.",
  });

/** Records looked for where all of a batch have a group of their own. */
const SAMPLES = 10;

function momentOf(time: unknown): { start_date?: string; end_date?: string } {
  const moment = new Date(typeof time === "number" ? time : String(time));
  if (Number.isNaN(moment.getTime())) return {};
  return { start_date: moment.toISOString(), end_date: moment.toISOString() };
}

/** The request may have been carried out. */
function isAmbiguous(error: unknown): boolean {
  if (!(error instanceof ApiError)) return error instanceof RequestError;
  return error.status >= 500 || error.status === 408 || error.code === "INVALID_REPLY";
}
