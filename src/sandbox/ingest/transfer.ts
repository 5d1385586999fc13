import type { Jobs } from "../core/jobs.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { Chunk } from "../data/chunks.ts";
import { CsvProblem, type CsvRow, readCsv, writeCsv } from "../data/csv.ts";
import { toDataDevice } from "../data/device.ts";
import { dataGaps } from "../data/gaps.ts";
import type { DataStore } from "../data/store.ts";
import type { DataDevice } from "../data/types.ts";
import type { FileStore } from "../files/store.ts";
import type { HandlerContext } from "../http/handler.ts";
import type { Collections, EntityDocument } from "../store/document.ts";
import type { SandboxDatabase } from "../store/types.ts";
import type { InspectorParts } from "./inspector.ts";
import { inspectorOf } from "./inspector.ts";

interface TransferParts extends InspectorParts {
  readonly data: DataStore;
  readonly db: SandboxDatabase;
  readonly files: FileStore;
  readonly jobs: Jobs;
  readonly log: (message: string) => void;
}

/** Immediate response to a backup request (docs/internals/platform/queries.md, Device data backups and imports). */
export interface OrderedBackup {
  readonly file_address: string;
  readonly chunk_id?: string;
  readonly status: "scheduled";
}

export interface BackupOrder {
  /** Template of the file's path. */
  readonly address: string;
  readonly headers: boolean;
  /** All rows without it. */
  readonly chunk?: Chunk;
}

const MAX_FILE_BYTES = 200 * 1024 * 1024;
const MAX_FILE_ROWS = 1_000_000;
/** Rows stored in one transaction. */
const BATCH_ROWS = 1_000;

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Fills in the placeholders of a template: no leading slash, `.csv` at the end. */
function fileAddress(app: TransferParts, profile: string, device: DataDevice, { address, chunk }: BackupOrder): string {
  const nowMs = app.clock.now();
  const span = app.data.span(device);
  const from = dateOf(chunk === undefined ? (span?.fromMs ?? nowMs) : Date.parse(chunk.from));
  const to = dateOf(chunk === undefined ? (span?.toMs ?? nowMs) : Date.parse(chunk.to));
  const marks: Readonly<Record<string, string>> = {
    ORGID: profile,
    ENVIRONMENT: "sandbox",
    DEVICE: device.id,
    CHUNK: chunk?.id ?? "all",
    FROM: from,
    TO: to,
    CHUNK_START: from,
    CHUNK_END: to,
    TIMESTAMP: String(nowMs),
  };
  const path = address.replaceAll(/\$([A-Z_]+?)\$/g, (mark, name: string) => marks[name] ?? mark).replace(/^\/+/, "");
  return /\.csv$/i.test(path) ? path : `${path}.csv`;
}

/** Orders a backup: the file is written after the request, a page of rows at a time, and replaces an older one. */
export function orderBackup(app: TransferParts, document: EntityDocument, order: BackupOrder): OrderedBackup {
  const { chunk, headers } = order;
  const device = toDataDevice(document);
  const path = fileAddress(app, document.profile, device, order);
  const write = async (signal: AbortSignal): Promise<void> => {
    const content = untilAborted(writeCsv(app.data.pages(device, chunk), { headers }), signal);
    await app.files.putStream(document.profile, path, { content, contentType: "text/csv" });
  };
  app.db.afterCommit(() => {
    app.jobs.start(write, (error) => report(app, document, `Backup to ${path} failed`, error), device.id);
  });
  return { file_address: path, ...(chunk !== undefined && { chunk_id: chunk.id }), status: "scheduled" };
}

async function* untilAborted<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  for await (const item of items) {
    signal.throwIfAborted();
    yield item;
  }
}

/** Where a job reports its failure: its response was already sent. */
function report(app: TransferParts, device: EntityDocument, what: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  inspectorOf(app, device)("Error on data import", `${what}: ${reason}`);
  app.log(`${what} (device ${device.id}): ${reason}`);
}

/**
 * Orders the import of a CSV file. It is read twice: rows are stored only when all of them are valid and fit. The same
 * order is rejected while it runs.
 *
 * @throws PlatformError 404 when there is no such file, 400 when it is too large or the device does not support imports
 */
export function orderRestore(
  app: TransferParts,
  document: EntityDocument,
  address: string,
  { assume }: Pick<HandlerContext, "assume">,
): string {
  const { size } = app.files.need(document.profile, address);
  if (size > MAX_FILE_BYTES) throw new PlatformError(400, "The file is larger than 200 MB");
  const added = app.db.run(
    "INSERT INTO data_import (device, address, stored) VALUES (?, ?, 0) ON CONFLICT DO NOTHING",
    document.id,
    address,
  );
  if (added.changes > 0) app.db.afterCommit(() => startRestore(app, document, address));
  else assume(dataGaps.importTwice);
  return "Data import added to the queue successfully!";
}

/** Resumes the imports that were interrupted when the sandbox stopped, each after the rows it had stored. */
export function resumeRestores(app: TransferParts & Collections): void {
  const left = app.db.all<{ device: string; address: string }>("SELECT device, address FROM data_import");
  for (const { device, address } of left) {
    const document = app.collection("device").get(device);
    if (document === undefined) forgetRestore(app, device, address);
    else startRestore(app, document, address);
  }
}

function forgetRestore(app: Pick<TransferParts, "db">, device: string, address: string): void {
  app.db.run("DELETE FROM data_import WHERE device = ? AND address = ?", device, address);
}

function startRestore(app: TransferParts, document: EntityDocument, address: string): void {
  app.jobs.start(
    (signal) => restore(app, document, address, signal),
    (error) => {
      forgetRestore(app, document.id, address);
      report(app, document, `Import of ${address} failed`, error);
    },
    document.id,
  );
}

async function restore(
  app: TransferParts,
  document: EntityDocument,
  address: string,
  signal: AbortSignal,
): Promise<void> {
  const device = toDataDevice(document);
  const stored =
    app.db.get<{ stored: number }>(
      "SELECT stored FROM data_import WHERE device = ? AND address = ?",
      device.id,
      address,
    )?.stored ?? 0;
  const open = (): AsyncIterable<CsvRow> => {
    const content = app.files.open(document.profile, address);
    if (content === undefined) throw new CsvProblem("The file was removed");
    return behind(stored, readCsv(untilAborted(content, signal)));
  };
  const plan = app.data.planImport(device);
  for await (const batch of batches(open())) {
    if (stored + plan.rows + batch.length > MAX_FILE_ROWS) throw new CsvProblem(`More than ${MAX_FILE_ROWS} rows`);
    checked(batch, (items) => plan.add(items));
  }
  for await (const batch of batches(open())) {
    app.db.transaction(() => {
      checked(batch, (items) => plan.store(items));
      const { changes } = app.db.run(
        "UPDATE data_import SET stored = stored + ? WHERE device = ? AND address = ?",
        batch.length,
        device.id,
        address,
      );
      if (changes === 0) throw new CsvProblem("Everything was replaced meanwhile");
    });
    await app.db.committed();
  }
  forgetRestore(app, device.id, address);
  await app.db.committed();
}

async function* behind(count: number, rows: AsyncIterable<CsvRow>): AsyncGenerator<CsvRow> {
  let seen = 0;
  for await (const row of rows) {
    if (seen >= count) yield row;
    seen += 1;
  }
}

async function* batches(rows: AsyncIterable<CsvRow>): AsyncGenerator<CsvRow[]> {
  let batch: CsvRow[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Adds the line of the file to the error of a row. */
function checked(batch: readonly CsvRow[], work: (items: readonly unknown[]) => void): void {
  try {
    work(batch.map(({ item }) => item));
  } catch (error) {
    if (!(error instanceof PlatformError) || error.fieldErrors === undefined) throw error;
    const [[field = "", texts] = []] = Object.entries(error.fieldErrors);
    const [index = "0", member = ""] = field.split(".");
    const line = batch[Number(index)]?.line;
    throw new CsvProblem(`Line ${line}: ${member}: ${(texts ?? []).join(", ")}`);
  }
}

/** The fields of a body that orders a backup. `headers` can be a flag in any form, or a list of names. */
export function wantsHeaders(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value === true || value === 1 || /^(true|1)$/i.test(String(value));
}
