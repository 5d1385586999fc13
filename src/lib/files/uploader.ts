import type { HttpClient, RequestInput } from "../api/client.ts";
import { encodePart, post, type Route } from "../api/route.ts";
import { ApiError, CancelledError, InputError, RequestError, UploadError } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";
import { UPLOAD_END_TRIES, UPLOAD_LANES, UPLOAD_MIN_PART_BYTES } from "../core/limits.ts";
import { linkSignals } from "../core/signals.ts";
import { reportRetry, retryReason } from "../http/retry.ts";
import { type Fields, type Frame, MultipartWriter } from "./multipart.ts";
import { Mutex, runLanes } from "./pool.ts";
import { bytesSource, openSource, type UploadInput } from "./source.ts";
import type { Source } from "./source-types.ts";
import { changedError, isFinal, isOwnError, partError, resumeError, tooSmall, waitAfter } from "./upload-errors.ts";
import {
  checkState,
  planOf,
  type UploadedPart,
  type UploadOptions,
  type UploadPlan,
  type UploadState,
} from "./upload-options.ts";

/** Wait between two attempts to complete an upload. */
const UPLOAD_END_WAIT_MS = 1_000;

/** Result of an upload. */
export interface UploadedFile {
  /** URL of the file. */
  file: string;
}

function pathOf({ dashboard, widget }: UploadOptions): string {
  if (!dashboard || !widget) return "/files";
  return `/data/files/${encodePart(dashboard, "dashboard")}/${encodePart(widget, "widget")}`;
}

/** Reads a stream far enough ahead to know whether it fits into one small part. */
async function withPartsLargeEnough(source: Source, chunkSize: number, signal: AbortSignal): Promise<Source> {
  if (chunkSize >= UPLOAD_MIN_PART_BYTES) return source;
  if (source.size !== undefined) {
    if (source.size > chunkSize) throw tooSmall();
    return source;
  }
  const start = new Uint8Array(chunkSize + 1);
  const length = await source.read(0, start, signal);
  if (length > chunkSize) throw tooSmall();
  return { ...bytesSource(start.subarray(0, length)), close: () => source.close() };
}

/**
 * Uploads content in parts.
 *
 * @throws InputError before anything is sent; UploadError, ApiError, RequestError or CancelledError
 */
export async function upload(
  client: HttpClient,
  input: UploadInput,
  filename: string,
  options: UploadOptions,
): Promise<UploadedFile> {
  if (typeof filename !== "string" || filename === "")
    throw new InputError("Invalid filename: it must be the path of the file inside the profile", "filename");
  const path = pathOf(options);
  const plan = planOf(options);
  const cancel = linkSignals(options.signal, client.options.signal);
  const { signal } = cancel;
  options.onCancelToken?.(() => cancel.abort());
  try {
    return await uploadUntil(client, input, { filename, path, options, plan, signal });
  } finally {
    cancel.release();
  }
}

/** Uploads until the signal is aborted. */
async function uploadUntil(client: HttpClient, input: UploadInput, job: Job): Promise<UploadedFile> {
  const { signal, plan } = job;
  if (signal.aborted) throw new CancelledError(undefined, signal.reason);
  const source = await openSource(input);
  try {
    const ready = await withPartsLargeEnough(source, plan.chunkSize, signal);
    return await new Uploader(client, ready, job).run();
  } catch (error) {
    if (signal.aborted && !(error instanceof CancelledError)) throw new CancelledError(undefined, signal.reason);
    throw error;
  } finally {
    await source.close();
  }
}

interface Job {
  readonly filename: string;
  readonly path: string;
  readonly options: UploadOptions;
  readonly plan: UploadPlan;
  readonly signal: AbortSignal;
}

/** A part whose content was read. */
interface Part {
  readonly number: number;
  readonly length: number;
}

class Uploader {
  readonly #client: HttpClient;
  readonly #source: Source;
  readonly #job: Job;
  readonly #route: Route;
  readonly #writer = new MultipartWriter();
  readonly #mutex = new Mutex();
  readonly #done = new Map<number, UploadedPart>();
  #uploadId = "";
  #next = 1;
  #doneBytes = 0;
  #shown = 0;

  constructor(client: HttpClient, source: Source, job: Job) {
    this.#client = client;
    this.#source = source;
    this.#job = job;
    this.#route = post(job.path.replaceAll(":", "%3A"));
  }

  async run(): Promise<UploadedFile> {
    try {
      return await this.#run();
    } catch (error) {
      throw this.#job.options.resume === undefined ? error : resumeError(error);
    }
  }

  async #run(): Promise<UploadedFile> {
    const { options, signal } = this.#job;
    if (options.resume === undefined) this.#uploadId = await this.#start();
    else this.#takeUp(checkState(options.resume, this.#about()));
    options.onState?.(this.#state());
    await runLanes(this.#lanes(), signal, (laneSignal) => this.#lane(laneSignal));
    await this.#source.check();
    const file = await this.#end();
    options.onProgress?.(100);
    return file;
  }

  #about(): Omit<UploadState, "uploadId" | "parts"> {
    const { filename, path, plan } = this.#job;
    const { size, modifiedMs } = this.#source;
    return { filename, path, chunkSize: plan.chunkSize, size: size ?? null, modifiedMs: modifiedMs ?? null };
  }

  #parts(): UploadedPart[] {
    return [...this.#done.values()].sort((a, b) => a.PartNumber - b.PartNumber);
  }

  #state(): UploadState {
    return { uploadId: this.#uploadId, ...this.#about(), parts: this.#parts() };
  }

  #takeUp(state: UploadState): void {
    this.#uploadId = state.uploadId;
    for (const { ETag, PartNumber } of state.parts) this.#done.set(PartNumber, { ETag, PartNumber });
    const { chunkSize } = this.#job.plan;
    const { size } = this.#source;
    if (size === undefined) return;
    for (const number of this.#done.keys()) this.#doneBytes += Math.min(chunkSize, size - (number - 1) * chunkSize);
  }

  #lanes(): number {
    const { size } = this.#source;
    if (size === undefined) return UPLOAD_LANES;
    return Math.min(UPLOAD_LANES, Math.ceil(size / this.#job.plan.chunkSize) - this.#done.size);
  }

  /** Sends parts until none is left. */
  async #lane(signal: AbortSignal): Promise<void> {
    let frame: Frame | undefined;
    const makeFrame = () => {
      frame ??= this.#writer.frame(this.#frameBytes(), this.#partFields(1), this.#job.filename);
      return frame;
    };
    for (;;) {
      const part = await this.#take(makeFrame, signal);
      if (part === undefined) return;
      await this.#sendPart(part, frame, signal);
    }
  }

  #frameBytes(): number {
    return Math.min(this.#job.plan.chunkSize, this.#source.size ?? Number.POSITIVE_INFINITY);
  }

  /** fetch sends slices of a Blob itself; Node is faster, and uses less memory, with our own buffer. */
  #sendsSlices(): boolean {
    return this.#source.blob !== undefined && this.#client.transport.name === "fetch";
  }

  /** Takes the next missing part and reads it. */
  #take(makeFrame: () => Frame, signal: AbortSignal): Promise<Part | undefined> {
    const { size } = this.#source;
    return size === undefined
      ? this.#mutex.run(() => this.#takeFromStream(makeFrame, signal))
      : this.#takeAnywhere(size, makeFrame, signal);
  }

  async #takeAnywhere(size: number, makeFrame: () => Frame, signal: AbortSignal): Promise<Part | undefined> {
    while (this.#done.has(this.#next)) this.#next += 1;
    const number = this.#next;
    const { chunkSize } = this.#job.plan;
    const offset = (number - 1) * chunkSize;
    if (offset >= size || signal.aborted) return undefined;
    this.#next += 1;
    const length = Math.min(chunkSize, size - offset);
    if (this.#sendsSlices()) return { number, length };
    const read = await this.#source.read(offset, makeFrame().content.subarray(0, length), signal);
    if (read < length) throw changedError(this.#source.name);
    await this.#source.check();
    return { number, length };
  }

  async #takeFromStream(makeFrame: () => Frame, signal: AbortSignal): Promise<Part | undefined> {
    const { chunkSize } = this.#job.plan;
    while (this.#next !== Number.POSITIVE_INFINITY && !signal.aborted) {
      const number = this.#next;
      const length = await this.#source.read(0, makeFrame().content, signal);
      this.#next = length < chunkSize ? Number.POSITIVE_INFINITY : number + 1;
      if (length === 0) return undefined;
      if (!this.#done.has(number)) return { number, length };
      this.#doneBytes += length;
    }
    return undefined;
  }

  /** Options of one request. Attempts of a part are counted here, so the client must not add its own. */
  #input(more: RequestInput, signal: AbortSignal): RequestInput {
    const { blueprint_devices, timeoutMs } = this.#job.options;
    return { query: blueprint_devices === undefined ? undefined : { blueprint_devices }, timeoutMs, signal, ...more };
  }

  #common(): Fields {
    const { options, filename } = this.#job;
    const isPublic = options.isPublic === undefined ? undefined : String(options.isPublic);
    return [
      ["filename", filename],
      ["public", isPublic],
      ["field_id", options.fieldId],
    ];
  }

  #partFields(number: number): Fields {
    return [["multipart_action", "upload"], ...this.#common(), ["upload_id", this.#uploadId], ["part", String(number)]];
  }

  async #start(): Promise<string> {
    const contentType = this.#job.options.contentType ?? "application/octet-stream";
    const fields: Fields = [["multipart_action", "start"], ...this.#common(), ["contentType", contentType]];
    const body = this.#writer.form(fields);
    const input = this.#input({ body, contentType: this.#writer.contentType }, this.#job.signal);
    return this.#ask(input, "start", "the id of the upload", (result) => result);
  }

  /** Sends a request and returns one string of its result. */
  async #ask(input: RequestInput, step: string, what: string, choose: (result: unknown) => unknown): Promise<string> {
    const { reply, result } = await this.#client.exchange(this.#route, input);
    const text = choose(result);
    if (typeof text === "string" && text !== "") return text;
    const { status, statusText } = reply;
    const url = `${this.#client.api()}${this.#job.path}`;
    throw new ApiError(`Unexpected response to POST ${url} (${step} of an upload): ${what} is missing`, {
      url,
      method: "POST",
      status,
      statusText,
      code: "INVALID_REPLY",
      data: result,
    });
  }

  async #sendPart(part: Part, frame: Frame | undefined, signal: AbortSignal): Promise<void> {
    const { tries, waitMs } = this.#job.plan;
    const fields = this.#partFields(part.number);
    const framed = frame?.close(part.length, fields);
    for (let attempt = 1; ; attempt += 1) {
      try {
        const input =
          framed === undefined
            ? { body: this.#form(part, fields) }
            : { body: framed, contentType: this.#writer.contentType };
        const ETag = await this.#ask(this.#input({ ...input, attempts: 1 }, signal), "part", "the ETag", etagOf);
        this.#finish(part, ETag);
        return;
      } catch (error) {
        if (signal.aborted || isOwnError(error)) throw error;
        if (framed === undefined) await this.#source.check();
        if (attempt >= tries || isFinal(error)) throw partError(part.number, error);
        await this.#waitForRetry(error, { attempt, of: tries, waitMs }, signal);
      }
    }
  }

  async #waitForRetry(
    error: unknown,
    { attempt, of, waitMs }: { readonly attempt: number; readonly of: number; readonly waitMs: number },
    signal: AbortSignal,
  ): Promise<void> {
    const delayMs = waitAfter(error, waitMs);
    if (error instanceof ApiError || error instanceof RequestError) {
      const { method, url } = error;
      const reason = retryReason(error);
      reportRetry(this.#client.onRetry, { attempt, of, delayMs, reason, method, url, isWrite: true, error });
    }
    await this.#client.clock.sleep(delayMs, signal);
  }

  #form(part: Part, fields: Fields): FormData {
    const form = new FormData();
    for (const [name, value] of fields) if (value !== undefined) form.append(name, value);
    const offset = (part.number - 1) * this.#job.plan.chunkSize;
    const slice = this.#source.blob?.slice(offset, offset + part.length) ?? new Blob();
    form.append("file", slice, this.#job.filename);
    return form;
  }

  #finish(part: Part, ETag: string): void {
    const { onProgress, onState } = this.#job.options;
    this.#done.set(part.number, { ETag, PartNumber: part.number });
    this.#doneBytes += part.length;
    onState?.(this.#state());
    const { size } = this.#source;
    const percentage = size === undefined ? 0 : Math.floor((this.#doneBytes / size) * 100);
    // 100 is reported when the platform has assembled the parts.
    if (percentage <= this.#shown || percentage >= 100) return;
    this.#shown = percentage;
    onProgress?.(percentage);
  }

  async #end(): Promise<UploadedFile> {
    const { filename, options, signal } = this.#job;
    const fields = {
      multipart_action: "end",
      filename,
      field_id: options.fieldId,
      public: options.isPublic,
      upload_id: this.#uploadId,
      parts: this.#parts(),
    };
    const body = new TextEncoder().encode(JSON.stringify(fields));
    for (let attempt = 1; ; attempt += 1) {
      try {
        const input = this.#input({ body, contentType: "application/json", attempts: 1 }, signal);
        return (await this.#client.call(this.#route, input)) as UploadedFile;
      } catch (error) {
        if (signal.aborted || isOwnError(error)) throw error;
        if (attempt >= UPLOAD_END_TRIES)
          throw new UploadError("Failed to complete multipart upload after retries", { step: "end", cause: error });
        await this.#waitForRetry(error, { attempt, of: UPLOAD_END_TRIES, waitMs: UPLOAD_END_WAIT_MS }, signal);
      }
    }
  }
}

function etagOf(result: unknown): unknown {
  return isRecord(result) ? result["ETag"] : undefined;
}
