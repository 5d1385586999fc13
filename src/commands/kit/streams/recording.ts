import { closeSync, createReadStream, fchmodSync, openSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { escapeJson } from "../../../text/clean.ts";
import type { CommandContext } from "../context.ts";
import { inputError } from "../failures/command-error.ts";
import { isObject, onFile } from "../files/files.ts";
import { afterMs } from "../long-wait.ts";
import { redact } from "../say/redact.ts";
import type { EntrySource, StreamEntry } from "./entry.ts";

const FORMAT = "iotdeck-stream";

/** First line of a recording. */
export interface RecordingHead {
  readonly recording: typeof FORMAT;
  readonly version: 1;
  /** Channels as given, for the title. */
  readonly channels: readonly string[];
  /** Devices and resources: id and name. */
  readonly names: Readonly<Record<string, string>>;
  readonly startedAt: string;
}

export interface Recorder {
  write(entry: StreamEntry): void;
  close(): void;
  readonly count: () => number;
}

/** Most bytes that wait in memory before they are written. */
const FLUSH_BYTES = 64 * 1024;
const FLUSH_MS = 1_000;

const lineOf = (value: RecordingHead | StreamEntry): string => `${escapeJson(redact(JSON.stringify(value)))}\n`;

/**
 * Writes a recording as lines of JSON: the head, then one entry per line, tokens masked. Only the user may read the file.
 * An existing file is replaced only after the user has agreed.
 */
export async function openRecorder(
  ctx: CommandContext,
  path: string,
  about: Pick<RecordingHead, "channels" | "names">,
): Promise<Recorder> {
  const { existsSync } = await import("node:fs");
  const place = ctx.path(path);
  if (existsSync(place)) {
    await ctx.confirm({ level: 1, action: `Overwrite the file ${path}`, where: "on this machine", name: path });
  }
  const file = open(path, place);
  let waiting = "";
  let count = 0;
  let flushedMs = Date.now();

  function flush(): void {
    if (waiting !== "") onFile(path, () => writeSync(file, waiting));
    waiting = "";
    flushedMs = Date.now();
  }
  const head: RecordingHead = { recording: FORMAT, version: 1, ...about, startedAt: new Date().toISOString() };
  onFile(path, () => writeSync(file, lineOf(head)));
  return {
    write(entry) {
      waiting += lineOf(entry);
      if (entry.type === "event") count += 1;
      if (waiting.length >= FLUSH_BYTES || Date.now() - flushedMs >= FLUSH_MS) flush();
    },
    close() {
      flush();
      closeSync(file);
    },
    count: () => count,
  };
}

function open(path: string, place: string): number {
  try {
    const file = openSync(place, "w", 0o600);
    // A file that is overwritten keeps its mode.
    fchmodSync(file, 0o600);
    return file;
  } catch (error) {
    throw inputError(`The recording ${path} cannot be written.`, {
      code: "file.unwritable",
      why: error instanceof Error ? error.message : "The system returned an error.",
      next: "Use a file in a folder that exists and is writable.",
      cause: error,
    });
  }
}

export interface RecordingReplay extends EntrySource {
  readonly head: RecordingHead;
}

/** Reads a recording. Nothing goes over the network. `speed` 1 is the original timing, 0 waits for nothing. */
export async function openReplay(ctx: CommandContext, path: string, speed: number): Promise<RecordingReplay> {
  const stop = new AbortController();
  const lines = readLines(ctx, path);
  const head = await readHead(lines, path);
  const startMs = Date.parse(head.startedAt);
  const beganMs = performance.now();
  let lastMs = startMs;
  let hasEnded = false;

  async function* entries(): AsyncGenerator<StreamEntry> {
    let number = 1;
    try {
      for await (const line of lines) {
        number += 1;
        if (line.trim() === "") continue;
        const entry = parseEntry(line, path, number);
        if (speed > 0) await waitUntil(beganMs + (entry.atMs - startMs) / speed, stop.signal, ctx.signal);
        if (stop.signal.aborted) return;
        ctx.signal.throwIfAborted();
        lastMs = entry.atMs;
        yield entry;
        // Without waits the screen and the signals still get their turn.
        if (speed === 0 && number % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      hasEnded = true;
      await lines.return(undefined);
    }
  }

  return {
    head,
    entries: entries(),
    close: () => stop.abort(),
    now: () => (speed === 0 || hasEnded ? lastMs : Math.max(lastMs, startMs + (performance.now() - beganMs) * speed)),
  };
}

async function* readLines(ctx: CommandContext, path: string): AsyncGenerator<string> {
  const stream = createReadStream(ctx.path(path), "utf8");
  try {
    yield* createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    throw inputError(`The recording ${path} cannot be read.`, {
      code: "file.unreadable",
      why: error instanceof Error ? error.message : "The system returned an error.",
      next: "Check the path of --replay.",
      cause: error,
    });
  } finally {
    stream.destroy();
  }
}

async function readHead(lines: AsyncGenerator<string>, path: string): Promise<RecordingHead> {
  const first = await lines.next();
  const value = first.done === true ? undefined : parse(first.value);
  if (!isHead(value)) {
    throw inputError(`The file ${path} is not a recording.`, {
      code: "recording.invalid",
      why: "Its first line is not the header of a recording.",
      next: "Use a file written by --save of device watch or stream.",
    });
  }
  return value;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isHead(value: unknown): value is RecordingHead {
  return (
    isObject(value) &&
    value["recording"] === FORMAT &&
    Array.isArray(value["channels"]) &&
    value["channels"].every((one) => typeof one === "string") &&
    isObject(value["names"]) &&
    Object.values(value["names"]).every((one) => typeof one === "string") &&
    typeof value["startedAt"] === "string" &&
    !Number.isNaN(Date.parse(value["startedAt"]))
  );
}

const numbers: Readonly<Record<StreamEntry["type"], readonly string[]>> = {
  open: [],
  event: [],
  gap: ["lostAtMs", "resumedAtMs"],
  retry: ["delayMs", "failures"],
};

function isEntry(value: unknown): value is StreamEntry {
  if (!isObject(value) || !Number.isFinite(value["atMs"])) return false;
  const { type } = value;
  if (type !== "open" && type !== "event" && type !== "gap" && type !== "retry") return false;
  if (type === "retry" && typeof value["reason"] !== "string") return false;
  const texts = [value["channel"], value["timestamp"]];
  return (
    texts.every((text) => text === undefined || typeof text === "string") &&
    numbers[type].every((name) => Number.isFinite(value[name]))
  );
}

function parseEntry(line: string, path: string, number: number): StreamEntry {
  const value = parse(line);
  if (isEntry(value)) return value;
  throw inputError(`Line ${number} of the recording ${path} cannot be read.`, {
    code: "recording.invalid",
    why: "It is not an entry of a recording.",
    next: "Remove the line, or use another recording.",
  });
}

/** Resolves at that value of `performance.now()`, or when one of the signals is aborted. */
function waitUntil(atMs: number, ...signals: AbortSignal[]): Promise<void> | undefined {
  const leftMs = atMs - performance.now();
  // Shorter waits than a timer can keep would only slow down.
  if (leftMs < 2) return undefined;
  return new Promise((resolve) => {
    const end = (): void => {
      stopTimer();
      for (const signal of signals) signal.removeEventListener("abort", end);
      resolve();
    };
    const stopTimer = afterMs(leftMs, end);
    for (const signal of signals) {
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    }
  });
}
