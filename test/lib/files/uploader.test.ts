import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ApiError, Resources, type UploadInput, type UploadState } from "../../../src/index.ts";
import { isFull } from "../../helpers/amount.ts";
import { failureOf, modes, type RecordingClock, recordingClock, token } from "../../helpers/fault-client.ts";
import { startUploadServer, type UploadServer } from "../../helpers/upload-server.ts";
import { waitFor } from "../../helpers/wait-for.ts";

/** The smallest part there may be. */
const part = 5 * 1024 * 1024;
const content = Buffer.alloc(2 * part + 1234);
for (let at = 0; at + 4 <= content.length; at += 4) content.writeUInt32LE((at * 2654435761) % 4294967296, at);

/** The content in pieces that fit neither parts nor each other. */
async function* pieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 7) % 999_983) {
    yield bytes.subarray(at, at + size);
  }
}

describe.each(modes)("an upload over $name", ({ name, options }) => {
  let server: UploadServer;
  let clock: RecordingClock;
  let files: Resources["files"];
  let folder: string;

  beforeEach(async () => {
    server = await startUploadServer();
    clock = recordingClock();
    files = new Resources({ token, region: { api: server.url, sse: server.url }, clock, ...options }).files;
    folder = await mkdtemp(join(tmpdir(), "upload-"));
  });

  afterEach(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function stored(bytes: Buffer): Promise<string> {
    const path = join(folder, "big.bin");
    await writeFile(path, bytes);
    return path;
  }

  const inputs: readonly (readonly [string, (bytes: Buffer) => UploadInput | Promise<UploadInput>])[] = [
    ["a Buffer", (bytes) => bytes],
    ["an ArrayBuffer", (bytes) => new Uint8Array(bytes).buffer],
    ["a view that begins inside its buffer", (bytes) => Buffer.concat([Buffer.from("xyz"), bytes]).subarray(3)],
    ["a Blob", (bytes) => new Blob([new Uint8Array(bytes)])],
    ["the path of a file", (bytes) => stored(bytes)],
    ["a stream of Node", (bytes) => Readable.from(pieces(bytes))],
    ["a stream of the web", (bytes) => new Blob([new Uint8Array(bytes)]).stream()],
    ["an async iterable", (bytes) => pieces(bytes)],
  ];

  /** Every way a content of this kind may go. */
  function takes(_kind: string, make: (bytes: Buffer) => UploadInput | Promise<UploadInput>): void {
    it.each([
      ["several parts", content.length, 3],
      ["exactly one part", part, 1],
      ["a few bytes", 5, 1],
      ["nothing", 0, 0],
    ])("arrives whole: %s", async (_what, size, parts) => {
      const bytes = content.subarray(0, size);
      await files.uploadFile(await make(bytes), "/dir/a.bin", { chunkSize: part });
      expect(server.file().equals(bytes)).toBe(true);
      expect(server.partNumbers().sort()).toEqual(Array.from({ length: parts }, (_, index) => index + 1));
      expect(server.requests.map((request) => request.step)).toEqual(["start", ...Array(parts).fill("upload"), "end"]);
      const end = server.requests.at(-1)?.fields["parts"] as { PartNumber: number }[];
      expect(end.map((one) => one.PartNumber)).toEqual(Array.from({ length: parts }, (_, index) => index + 1));
    });

    it("sends only missing parts when it is resumed", { tags: ["slow"] }, async () => {
      const input = await make(content);
      const states: string[] = [];
      const crash = new AbortController();
      server.fault((request) => (request.fields["part"] === "2" ? "hang" : undefined));
      let finished = 0;
      const onState = (state: UploadState) => {
        states.push(JSON.stringify(state));
        finished = state.parts.length;
      };
      const failure = failureOf(files.uploadFile(input, "/a.bin", { onState, signal: crash.signal, chunkSize: part }));
      await waitFor(() => finished === 2 && server.count("upload") === 3, "two parts done and one in flight");
      crash.abort();
      await failure;
      const state = JSON.parse(states.at(-1) ?? "") as UploadState;
      expect(state.parts.map((one) => one.PartNumber)).toEqual([1, 3]);
      server.fault(() => undefined);
      server.reset();
      const again = typeof input === "string" || input instanceof Blob ? input : await make(content);
      await files.uploadFile(again, "/a.bin", { resume: state });
      expect(server.count("start")).toBe(0);
      expect(server.partNumbers()).toEqual([2]);
      expect(server.file().equals(content)).toBe(true);
    });
  }

  // How content is read is the same on every way to the network.
  const some = inputs.filter(([kind]) => /^(a Buffer|the path of a file|a stream of Node)$/.test(kind));
  const quick = name === "undici" ? some : some.slice(0, 1);
  describe.each(quick)("of %s", takes);
  describe.each((isFull || name === "undici" ? inputs : some).filter((one) => !quick.includes(one)))(
    "of %s",
    { tags: ["slow"] },
    takes,
  );

  it("sends the content type, and false as false", async () => {
    await files.uploadFile(Buffer.from("x"), '/ä/"b".txt', {
      contentType: "text/plain",
      isPublic: false,
      fieldId: "f1",
    });
    const [start, upload, end] = server.requests;
    const common = { filename: '/ä/"b".txt', public: "false", field_id: "f1" };
    expect(start?.fields).toEqual({ multipart_action: "start", ...common, contentType: "text/plain" });
    expect(upload?.fields).toEqual({ multipart_action: "upload", ...common, upload_id: "upload-1", part: "1" });
    expect(upload?.filename).toBe("/ä/%22b%22.txt");
    expect(end?.fields).toMatchObject({ multipart_action: "end", ...common, public: false, upload_id: "upload-1" });
    expect(server.requests.every((request) => Number(request.contentLength) > 0 || options.fetch !== undefined)).toBe(
      true,
    );
  });

  it("goes to the given widget, with the devices of its blueprint", async () => {
    const blueprint_devices = [{ origin: "b1", id: "d1" }];
    await files.uploadFile(Buffer.from("x"), "/a", { dashboard: "a/b", widget: "w:1", blueprint_devices });
    const paths = new Set(server.requests.map((request) => decodeURIComponent(request.path)));
    expect([...paths]).toEqual(["/data/files/a/b/w:1?blueprint_devices[0][origin]=b1&blueprint_devices[0][id]=d1"]);
    expect(server.requests[0]?.path).toMatch(/^\/data\/files\/a%2Fb\/w%3A1\?/);
  });

  it("reports growing progress up to 100", async () => {
    const progress: number[] = [];
    await files.uploadFile(content, "/a.bin", {
      chunkSize: part,
      onProgress: (percentage) => progress.push(percentage),
    });
    expect(progress).toEqual([...new Set(progress)].sort((a, b) => a - b));
    expect(progress.at(-1)).toBe(100);
    expect(progress.length).toBeGreaterThan(1);
    progress.length = 0;
    await files.uploadFile(Buffer.alloc(0), "/a.bin", { onProgress: (percentage) => progress.push(percentage) });
    expect(progress).toEqual([100]);
  });

  it(
    "continues with other parts while one waits for its next attempt",
    name === "http" ? {} : { tags: ["slow"] },
    async () => {
      server.fault((request, before) =>
        request.fields["part"] === "1" && before === 0 ? { status: 500, message: "Internal Error" } : undefined,
      );
      const own = new Resources({ token, region: { api: server.url, sse: server.url }, ...options }).files;
      await own.uploadFile(content, "/a.bin", { chunkSize: part, timeoutForEachFailedChunk: 300 });
      expect(server.partNumbers().at(-1)).toBe(1);
      expect(server.partNumbers().sort()).toEqual([1, 1, 2, 3]);
    },
  );

  it("does not wait for a silent stream when it is cancelled", async () => {
    const controller = new AbortController();
    const silent = new Readable({ read: () => controller.abort() });
    const error = await failureOf(files.uploadFile(silent, "/a.bin", { signal: controller.signal }));
    expect(error.message).toBe("Cancelled request");
    expect(silent.destroyed).toBe(true);
  });

  it("sends nothing when it is cancelled at once", async () => {
    const onCancelToken = (cancel: () => void) => cancel();
    const error = await failureOf(files.uploadFile(content, "/a.bin", { onCancelToken }));
    expect(error).toMatchObject({ name: "CancelledError", message: "Cancelled request" });
    expect(server.requests).toHaveLength(0);
  });

  it("rethrows errors of the stream and of callbacks", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield content;
      throw new Error("The disk went away");
    }
    expect((await failureOf(files.uploadFile(broken(), "/a.bin"))).message).toBe("The disk went away");
    const onProgress = () => {
      throw new Error("The screen went away");
    };
    expect((await failureOf(files.uploadFile(content, "/a.bin", { chunkSize: part, onProgress }))).message).toBe(
      "The screen went away",
    );
  });

  it.each([
    ["start", "the id of the upload", ""],
    ["upload", "the ETag", {}],
  ])("names the request whose answer to %s makes no sense", async (step, what, result) => {
    server.fault((request) => (request.step === step ? { result } : undefined));
    const error = await failureOf(files.uploadFile(Buffer.from("x"), "/a", { maxTriesForEachChunk: 1 }));
    const cause = step === "start" ? error : error.cause;
    expect(cause).toBeInstanceOf(ApiError);
    expect(cause).toMatchObject({ code: "INVALID_REPLY", method: "POST", url: `${server.url}/files` });
    expect(error.message).toContain(`${what} is missing`);
  });

  describe("rejects, before sending anything,", () => {
    const small = Buffer.from("x");
    it.each<[string, UploadInput, string, object, string]>([
      ["an empty name", small, "", {}, "Invalid filename"],
      ["no name", small, undefined as unknown as string, {}, "Invalid filename"],
      ["a number as file", 5 as unknown as Blob, "/a", {}, "Invalid file:"],
      ["nothing as file", null as unknown as Blob, "/a", {}, "Invalid file:"],
      ["a file that is not there", "/nowhere/at/all", "/a", {}, "Cannot read the file /nowhere/at/all: ENOENT"],
      ["a folder", tmpdir(), "/a", {}, "it is not a regular file"],
      ["no tries", small, "/a", { maxTriesForEachChunk: 0 }, "Invalid maxTriesForEachChunk"],
      ["a part of half a byte", small, "/a", { chunkSize: 1.5 }, "Invalid chunkSize"],
      ["a part without an end", small, "/a", { chunkSize: Number.NaN }, "Invalid chunkSize"],
      [
        "a wait that is no number",
        small,
        "/a",
        { timeoutForEachFailedChunk: "1" },
        "Invalid timeoutForEachFailedChunk",
      ],
      ["a dashboard named ..", small, "/a", { dashboard: "..", widget: "w" }, "Invalid dashboard"],
      ["a state that is none", small, "/a", { resume: { parts: 1 } }, "Cannot go on with this upload"],
      [
        "a long stream in small parts",
        pieces(content),
        "/a",
        { chunkSize: 1000 },
        "Chunk sizes cannot be lower than 5mb",
      ],
    ])("%s", async (_what, input, name, more, message) => {
      const error = await failureOf(files.uploadFile(input, name, more));
      expect(error.name).toBe("InputError");
      expect(error.message).toContain(message);
      expect(server.requests).toHaveLength(0);
    });

    it("the state of a file that has changed since", async () => {
      const path = await stored(content);
      const states: UploadState[] = [];
      await files.uploadFile(path, "/a.bin", { onState: (state) => states.push(state) });
      const [resume] = states;
      if (resume === undefined) throw new Error("There was no state");
      server.reset();
      await utimes(path, 1, 1);
      const changed = await failureOf(files.uploadFile(path, "/a.bin", { resume }));
      expect(changed.message).toContain("the file was changed since");
      const renamed = await failureOf(files.uploadFile(path, "/b.bin", { resume }));
      expect(renamed.message).toContain("it is of another file name");
      const beyond = { ...resume, modifiedMs: 1000, parts: [{ ETag: "x", PartNumber: 9 }] };
      expect((await failureOf(files.uploadFile(path, "/a.bin", { resume: beyond }))).message).toContain(
        "beyond the end",
      );
      expect(server.requests).toHaveLength(0);
    });
  });

  it("sends a short stream in one small part", async () => {
    await files.uploadFile(Readable.from(["hel", "lö"]), "/a", { chunkSize: 1000 });
    expect(server.file().toString()).toBe("hellö");
  });
});
