import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ApiError, CancelledError, Resources } from "../../../src/index.ts";
import { UploadError } from "../../../src/lib/core/errors.ts";
import { systemClock } from "../../../src/lib/http/retry.ts";
import {
  failureOf,
  otherModes,
  type RecordingClock,
  recordingClock,
  token,
  usualModes,
} from "../../helpers/fault-client.ts";
import { startUploadServer, type UploadServer } from "../../helpers/upload-server.ts";
import { waitFor } from "../../helpers/wait-for.ts";

const part = 7_340_032;
/** Three parts, no two bytes near each other alike. */
const content = Buffer.alloc(16 * 1024 * 1024);
for (let at = 0; at < content.length; at += 4) content.writeUInt32LE((at * 2654435761) % 4294967296, at);

const limit = "You have exceeded the maximum limit of 1 GB";

function uploadFaults({ options }: (typeof usualModes)[number]): void {
  let server: UploadServer;
  let clock: RecordingClock;
  let files: Resources["files"];
  const resources = (more: object = {}): Resources =>
    new Resources({ token, region: { api: server.url, sse: server.url }, clock, ...options, ...more });

  beforeEach(async () => {
    server = await startUploadServer();
    clock = recordingClock();
    files = resources().files;
  });

  afterEach(() => server.close());

  it("upload part: 500 twice", { tags: ["slow"] }, async () => {
    server.fault((request, before) =>
      request.fields["part"] === "2" && before < 2 ? { status: 500, message: "Internal Error" } : undefined,
    );
    await files.uploadFile(content, "/a.bin");
    expect(server.partNumbers().sort()).toEqual([1, 2, 2, 2, 3]);
    expect(clock.waits).toEqual([2000, 2000]);
    expect(server.file().equals(content)).toBe(true);
  });

  it("upload part: connection reset once", async () => {
    server.fault((request, before) => (request.fields["part"] === "2" && before === 0 ? "reset" : undefined));
    await files.uploadFile(content, "/a.bin");
    expect(server.partNumbers().sort()).toEqual([1, 2, 2, 3]);
    expect(server.file().equals(content)).toBe(true);
  });

  it("upload part: 500 for ever", async () => {
    server.fault((request) => (request.fields["part"] === "2" ? { status: 500, message: "disk full" } : undefined));
    const error = await failureOf(files.uploadFile(content, "/a.bin"));
    expect(error).toBeInstanceOf(UploadError);
    expect(error).toMatchObject({ message: "Could not upload part number 2: disk full", step: "part", part: 2 });
    expect(error.cause).toBeInstanceOf(ApiError);
    expect(server.partNumbers().filter((number) => number === 2)).toHaveLength(5);
    expect(clock.waits).toEqual([2000, 2000, 2000, 2000]);
    expect(server.count("end")).toBe(0);
  });

  it("upload part: limit exceeded", async () => {
    server.fault((request) => (request.step === "upload" ? { status: 400, message: limit } : undefined));
    const error = await failureOf(files.uploadFile(content.subarray(0, 100), "/a.bin"));
    expect(error.message).toBe(limit);
    expect(server.partNumbers()).toEqual([1]);
    expect(clock.waits).toEqual([]);
  });

  it("upload end: 500 twice", async () => {
    server.fault((request, before) =>
      request.step === "end" && before < 2 ? { status: 500, message: "Internal Error" } : undefined,
    );
    expect(await files.uploadFile(content, "/a.bin")).toEqual({ file: "https://files.example//a.bin" });
    expect(server.count("end")).toBe(3);
    expect(clock.waits).toEqual([1000, 1000]);
  });

  it("upload end: 500 for ever", async () => {
    server.fault((request) => (request.step === "end" ? { status: 500, message: "Internal Error" } : undefined));
    const error = await failureOf(files.uploadFile(import.meta.filename, "/a.ts"));
    expect(error).toMatchObject({ message: "Failed to complete multipart upload after retries", step: "end" });
    expect(error.cause).toMatchObject({ status: 500 });
    expect(server.count("end")).toBe(3);
  });

  it("upload end: limit exceeded", async () => {
    server.fault((request) => (request.step === "end" ? { status: 400, message: limit } : undefined));
    const error = await failureOf(files.uploadFile(content.subarray(0, 100), "/a.bin"));
    expect(error.message).toBe(limit);
    expect(server.count("end")).toBe(1);
  });

  it.each(["token", "signal"])(
    "upload cancelled: in-flight parts stop, by %s, and none starts afterwards",
    async (way) => {
      // Without the signal, the parts would hang for ever.
      const patient = resources({ timeoutMs: 0 }).files;
      server.fault((request) => (request.step === "upload" ? "hang" : undefined));
      const controller = new AbortController();
      let cancel = () => controller.abort();
      const failure = failureOf(
        patient.uploadFile(Buffer.concat([content, content]), "/a.bin", {
          ...(way === "token"
            ? { onCancelToken: (given: () => void) => (cancel = given) }
            : { signal: controller.signal }),
        }),
      );
      await waitFor(() => server.count("upload") === 3, "three parts in flight");
      cancel();
      const error = await failure;
      expect(error).toBeInstanceOf(CancelledError);
      expect(error.message).toBe("Cancelled request");
      await waitFor(() => server.aborted === 3, "the open requests being given up");
      expect(server.count("upload")).toBe(3);
      expect(server.count("end")).toBe(0);
    },
  );

  it("upload cancelled while it waits for the next try", async () => {
    let isWaiting = false;
    const onRetry = () => {
      isWaiting = true;
    };
    const own = resources({ clock: systemClock, onRetry }).files;
    server.fault((request) => (request.step === "upload" ? { status: 500, message: "Internal Error" } : undefined));
    const controller = new AbortController();
    // Without the signal, the next try would come after an hour.
    const upload = { signal: controller.signal, timeoutForEachFailedChunk: 3_600_000 };
    const failure = failureOf(own.uploadFile(content.subarray(0, 100), "/a.bin", upload));
    await waitFor(() => isWaiting, "the wait for the next try");
    controller.abort();
    expect((await failure).message).toBe("Cancelled request");
    expect(server.count("upload")).toBe(1);
  });

  it("upload of an exact multiple of the chunk", async () => {
    const progress: number[] = [];
    const onProgress = (percentage: number) => progress.push(percentage);
    await files.uploadFile(content.subarray(0, 2 * part), "/a.bin", { onProgress });
    expect(server.partNumbers().sort()).toEqual([1, 2]);
    expect(progress).toEqual([50, 100]);
  });

  it("upload chunk below 5 MB", async () => {
    const message = "Chunk sizes cannot be lower than 5mb if the upload will have multiple parts";
    const chunkSize = 1_000_000;
    const tooSmall = await failureOf(files.uploadFile(content, "/a.bin", { chunkSize }));
    expect(tooSmall).toMatchObject({ name: "InputError", message });
    expect(server.requests).toHaveLength(0);
    await files.uploadFile(content.subarray(0, chunkSize), "/a.bin", { chunkSize });
    expect(server.partNumbers()).toEqual([1]);
  });

  it("upload does not idle", async () => {
    await files.uploadFile(content, "/a.bin");
    expect(clock.waits).toEqual([]);
    expect(server.partNumbers().sort()).toEqual([1, 2, 3]);
    expect(server.file().equals(content)).toBe(true);
  });
}

describe.each(usualModes)("upload faults over $name", uploadFaults);
describe.each(otherModes)("upload faults over $name", { tags: ["slow"] }, uploadFaults);
