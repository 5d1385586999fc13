import type { Resources } from "../../../index.ts";
import { ApiError, RequestError } from "../../../lib/core/errors.ts";
import type { CommandContext } from "../../kit/context.ts";
import { conflictError } from "../../kit/failures/command-error.ts";
import { attemptsOf } from "../../kit/say/attempts.ts";
import { withinLimits } from "../../kit/say/rate-limit.ts";
import type { Journal } from "../../kit/state/journal.ts";
import { readData } from "../data-read.ts";
import type { OutgoingRecord } from "../records.ts";
import { type DeviceWriter, deviceWriter } from "../writer.ts";
import type { ImportRecord } from "./import-records.ts";

/** Limits of one request: the platform takes 200 kB at a time; some room is left for the brackets. */
const BATCH_RECORDS = 1_000;
const BATCH_BYTES = 190_000;
/** Records that may wait for a full batch of their device. */
const WAITING_RECORDS = 20_000;

/** Records of one device, on their way in one request. The platform stores all of a request or nothing. */
export interface ImportBatch {
  /** Counted from 1; the same file makes the same batches. */
  readonly number: number;
  readonly device: string;
  readonly rows: readonly number[];
  readonly records: readonly OutgoingRecord[];
  /** Changes when any of its records does. */
  readonly mark: string;
}

interface Waiting {
  rows: number[];
  records: OutgoingRecord[];
  bytes: number;
}

/** Puts records into batches, a device each, in an order that depends on nothing but the file. */
export async function* batchesOf(records: AsyncIterable<ImportRecord>): AsyncGenerator<ImportBatch, void, undefined> {
  const waiting = new Map<string, Waiting>();
  let number = 0;
  let held = 0;
  const take = (device: string): ImportBatch => {
    const { rows = [], records: list = [] } = waiting.get(device) ?? {};
    waiting.delete(device);
    held -= list.length;
    number += 1;
    return batchOf(number, device, rows, list);
  };
  for await (const { row, device, record } of records) {
    const bytes = Buffer.byteLength(JSON.stringify(record)) + 40;
    const before = waiting.get(device);
    if (before !== undefined && (before.records.length >= BATCH_RECORDS || before.bytes + bytes > BATCH_BYTES))
      yield take(device);
    const list = waiting.get(device) ?? { rows: [], records: [], bytes: 0 };
    waiting.set(device, list);
    list.rows.push(row);
    list.records.push(record);
    list.bytes += bytes;
    held += 1;
    const [oldest] = waiting.keys();
    if (held >= WAITING_RECORDS && oldest !== undefined) yield take(oldest);
  }
  for (const device of [...waiting.keys()]) yield take(device);
}

/**
 * Records without a group share one, as the platform would have it; here it is made from what they are, so that it can
 * be asked later whether the batch arrived.
 */
function batchOf(
  number: number,
  device: string,
  rows: readonly number[],
  given: readonly OutgoingRecord[],
): ImportBatch {
  const mark = process
    .getBuiltinModule("node:crypto")
    .createHash("sha256")
    .update(JSON.stringify([number, device, given]))
    .digest("hex");
  const group = mark.slice(0, 24);
  const hasGroup = (record: OutgoingRecord): boolean => record["group"] !== undefined || record["serie"] !== undefined;
  const records = given.map((record) => (hasGroup(record) ? record : { ...record, group }));
  return { number, device, rows, records, mark: mark.slice(0, 32) };
}

/** Sends batches, each once. */
export class BatchSender {
  readonly #ctx: CommandContext;
  readonly #client: Resources;
  readonly #journal: Journal;
  readonly #writers = new Map<string, Promise<DeviceWriter>>();

  constructor(ctx: CommandContext, client: Resources, journal: Journal) {
    this.#ctx = ctx;
    this.#client = client;
    this.#journal = journal;
  }

  /**
   * Sends a batch unless an earlier run did. The journal has a line before and after each request; where only the one
   * before is there, or an answer got lost, the platform is asked whether the records arrived.
   *
   * @throws what the platform refuses it with; the batch is then not stored
   */
  async send(batch: ImportBatch): Promise<"sent" | "sent before"> {
    const noted = this.#journal.mark(`batch ${batch.number}`);
    if (noted !== undefined && noted.slice(1) !== batch.mark) throw changedFile(batch);
    if (noted?.startsWith("+") === true) return "sent before";
    const isDoubtful = noted !== undefined && (await this.#isStored(batch));
    if (!isDoubtful) {
      this.#journal.add(`batch ${batch.number}`, `?${batch.mark}`);
      await this.#write(batch);
    }
    this.#journal.add(`batch ${batch.number}`, `+${batch.mark}`);
    return isDoubtful ? "sent before" : "sent";
  }

  async #write(batch: ImportBatch): Promise<void> {
    const writer = await this.#writerOf(batch.device);
    const attempts = attemptsOf(this.#ctx);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await withinLimits(this.#ctx, () => writer.send(batch.records));
        return;
      } catch (error) {
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
      qty: 1_000,
    };
    const found = await this.#read(device, query);
    return found.some(({ value }) => value === (record["value"] ?? undefined));
  }

  #read(device: string, query: object): Promise<readonly { readonly value?: unknown }[]> {
    return withinLimits(this.#ctx, () => readData(this.#client, device, query));
  }
}

/** Records looked for where all of a batch have a group of their own. */
const SAMPLES = 10;

function momentOf(time: unknown): { start_date?: string; end_date?: string } {
  const moment = new Date(typeof time === "number" ? time : String(time));
  if (Number.isNaN(moment.getTime())) return {};
  return { start_date: moment.toISOString(), end_date: moment.toISOString() };
}

/** The request may have been carried out. */
function isAmbiguous(error: unknown): boolean {
  return error instanceof RequestError || (error instanceof ApiError && (error.status >= 500 || error.status === 408));
}

function changedFile({ rows }: ImportBatch): Error {
  return conflictError("The file is not the one the interrupted import has begun with.", {
    code: "input.changed",
    why: `Records around number ${rows[0] ?? 1} are others now.`,
    next: "Bring the old file back, or start again without --resume once you know what was sent.",
  });
}
