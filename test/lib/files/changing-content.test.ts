import { appendFileSync, openAsBlob, readFileSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ApiError, Resources, type RetryEvent, UploadError, type UploadState } from "../../../src/index.ts";
import { failureOf, otherModes, recordingClock, token, usualModes } from "../../helpers/fault-client.ts";
import { startUploadServer, type UploadServer } from "../../helpers/upload-server.ts";

const part = 5 * 1024 * 1024;
const content = Buffer.alloc(2 * part + 1234, "a");

function changingContent({ options }: (typeof usualModes)[number]): void {
  let server: UploadServer;
  let files: Resources["files"];
  let folder: string;
  let path: string;
  const retries: RetryEvent[] = [];

  beforeEach(async () => {
    server = await startUploadServer();
    retries.length = 0;
    const region = { api: server.url, sse: server.url };
    const onRetry = (event: RetryEvent) => retries.push(event);
    files = new Resources({ token, region, clock: recordingClock(), onRetry, ...options }).files;
    folder = await mkdtemp(join(tmpdir(), "changing-"));
    path = join(folder, "log.bin");
    writeFileSync(path, content);
    utimesSync(path, 1_700_000_000, 1_700_000_000);
  });

  afterEach(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const changes: [string, () => void][] = [
    ["is written over", () => writeFileSync(path, Buffer.alloc(content.length, "b"))],
    ["grows", () => appendFileSync(path, "more")],
    ["shrinks", () => truncateSync(path, part + 1)],
  ];

  describe.each(changes)("a file that %s", (_how, change) => {
    it("while the first part is sent is an error that names it, and is not completed", async () => {
      server.fault((request) => {
        if (request.step === "start") change();
        return undefined;
      });
      const error = await failureOf(files.uploadFile(path, "/log.bin", { chunkSize: part }));
      expect(error).toBeInstanceOf(UploadError);
      expect(error.message).toContain(`The file ${path} changed while it was uploaded`);
      expect(server.count("end")).toBe(0);
    });

    it("while the last part is sent is an error, and is not completed", async () => {
      server.fault((request) => {
        if (request.fields["part"] === "3") change();
        return undefined;
      });
      const error = await failureOf(files.uploadFile(path, "/log.bin", { chunkSize: part }));
      expect(error.message).toContain("changed while it was uploaded");
      expect(server.count("end")).toBe(0);
    });

    it("as a Blob is an error that says so, and is not completed", async () => {
      const blob = await openAsBlob(path);
      server.fault((request) => {
        if (request.step === "start") change();
        return undefined;
      });
      const error = await failureOf(files.uploadFile(blob, "/log.bin", { chunkSize: part }));
      expect(error.message).toContain("The Blob changed while it was uploaded");
      expect(server.count("end")).toBe(0);
    });
  });

  it("a file that does not change is completed", async () => {
    await files.uploadFile(path, "/log.bin", { chunkSize: part });
    expect(server.file().equals(content)).toBe(true);
  });

  it.each([401, 403, 404])("a part that is refused with %i is not sent again", async (status) => {
    server.fault((request) => (request.step === "upload" ? { status, message: "Refused" } : undefined));
    const error = await failureOf(files.uploadFile(Buffer.from("x"), "/a.bin"));
    expect(error).toMatchObject({ message: "Could not upload part number 1: Refused", step: "part", part: 1 });
    expect(error.cause).toBeInstanceOf(ApiError);
    expect(server.count("upload")).toBe(1);
    expect(retries).toEqual([]);
  });

  it.each([400, 408, 429, 500])("a part that fails with %i is sent again, and onRetry is called", async (status) => {
    server.fault((request, before) =>
      request.step === "upload" && before < 2 ? { status, message: "Busy" } : undefined,
    );
    await files.uploadFile(Buffer.from("x"), "/a.bin");
    expect(server.count("upload")).toBe(3);
    const common = { of: 5, delayMs: 2000, reason: `HTTP ${status}`, method: "POST", isWrite: true };
    expect(retries).toMatchObject([
      { ...common, attempt: 1 },
      { ...common, attempt: 2 },
    ]);
  });

  it("a resumed upload that the platform no longer knows fails with advice", async () => {
    const state: UploadState = {
      uploadId: "upload-0",
      filename: "/a.bin",
      path: "/files",
      chunkSize: part,
      size: 1,
      modifiedMs: null,
      parts: [],
    };
    const refuse = (step: string) =>
      server.fault((request) => (request.step === step ? { status: 404, message: "Upload Not Found" } : undefined));
    for (const step of ["upload", "end"]) {
      refuse(step);
      const error = await failureOf(files.uploadFile(Buffer.from("x"), "/a.bin", { resume: state }));
      expect(error).toBeInstanceOf(UploadError);
      expect(error.message).toBe(
        "The platform does not go on with this upload: Upload Not Found. Start it again without `resume`.",
      );
      expect(error.cause).toMatchObject({ status: 404 });
    }
  });
}

describe.each(usualModes)("content that changes while it is uploaded over $name", changingContent);
describe.each(otherModes)("content that changes while it is uploaded over $name", { tags: ["slow"] }, changingContent);

// Only Linux has files whose size is given as 0 although they hold something.
describe.runIf(process.platform === "linux")("a file of /proc", { tags: ["posix"] }, () => {
  it("is uploaded with its content", async () => {
    const server = await startUploadServer();
    const { files } = new Resources({ token, region: { api: server.url, sse: server.url } });
    await files.uploadFile("/proc/version", "/version.txt");
    expect(server.file().toString()).toBe(readFileSync("/proc/version", "utf8"));
    expect(server.file().length).toBeGreaterThan(0);
    await server.close();
  });
});
