import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Resources } from "../../../src/index.ts";
import { createSandbox, manualClock, type Sandbox } from "../../../src/sandbox/index.ts";
import { call, ok } from "../client.ts";

const NOW_MS = Date.parse("2026-05-14T10:37:21.500Z");
const MB = 1024 * 1024;
const clock = manualClock(NOW_MS);
let sandbox: Sandbox;
let directory: string;
let token: string;
let resources: Resources;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "iot-files-http-"));
  sandbox = await createSandbox({ seed: "empty", dataDir: directory, clock });
  token = sandbox.tokens.profile;
  resources = new Resources({ token, region: { api: sandbox.url, sse: sandbox.eventsUrl } });
});
afterAll(async () => {
  await sandbox.close();
  rmSync(directory, { recursive: true, force: true });
});

const md5 = (content: Uint8Array | string): string => createHash("md5").update(content).digest("hex");
const base64 = (text: string): string => Buffer.from(text).toString("base64");

async function put(filename: string, text: string, isPublic = false): Promise<void> {
  const body = [{ filename, file: base64(text), public: isPublic }];
  expect(await ok(sandbox, "POST", "/files", { token, body })).toBe("Files successfully uploaded");
}

const address = (path: string): string =>
  `/file/${sandbox.profileId}/${path.split("/").map(encodeURIComponent).join("/")}`;

interface FormPart {
  readonly name: string;
  readonly value: string | Buffer;
  readonly filename?: string;
}

function form(parts: readonly FormPart[], boundary = "b0undary"): { raw: Buffer; headers: Record<string, string> } {
  const pieces = parts.flatMap(({ name, value, filename }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? "" : `; filename="${filename}"`}\r\n\r\n`,
    ),
    Buffer.from(value),
    Buffer.from("\r\n"),
  ]);
  const raw = Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
  return { raw, headers: { "content-type": `multipart/form-data; boundary=${boundary}` } };
}

const start = (filename: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  ok(sandbox, "POST", "/files", { token, body: { multipart_action: "start", filename, ...more } });

const sendPart = (uploadId: string, part: number, content: Buffer) =>
  call(sandbox, "POST", "/files", {
    token,
    ...form([
      { name: "multipart_action", value: "upload" },
      { name: "filename", value: "any" },
      { name: "upload_id", value: uploadId },
      { name: "part", value: String(part) },
      { name: "file", value: content, filename: "any" },
    ]),
  });

const end = (uploadId: string, parts: readonly unknown[]) =>
  call(sandbox, "POST", "/files", {
    token,
    body: { multipart_action: "end", filename: "any", upload_id: uploadId, parts },
  });

const marks = (...contents: readonly Buffer[]) =>
  contents.map((content, index) => ({ ETag: `"${md5(content)}"`, PartNumber: index + 1 }));

describe("small files as base64", () => {
  it("are stored, listed and read with their type", async () => {
    await put("/small/hello world 100%.txt", "hello");
    await put("small/ünï/日本.json", "{}");
    const listing = await resources.files.list({ path: "/small/" });
    expect(listing).toEqual({
      files: [{ filename: "small/hello world 100%.txt", size: 5, last_modified: new Date(NOW_MS), public: false }],
      folders: ["ünï"],
      total: 100_000,
      usage: expect.any(Number),
    });
    const answer = await call(sandbox, "GET", address("small/hello world 100%.txt"), { token });
    expect([answer.status, answer.text]).toEqual([200, "hello"]);
    expect(answer.headers).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "content-length": "5",
      "accept-ranges": "bytes",
      etag: `"${md5("hello")}"`,
      "last-modified": "Thu, 14 May 2026 10:37:21 GMT",
    });
    expect((await call(sandbox, "GET", address("small/ünï/日本.json"), { token })).text).toBe("{}");
    expect(
      (await call(sandbox, "GET", `/file/${sandbox.profileId}/small/hello%20world%20100%.txt`, { token })).text,
    ).toBe("hello");
  });

  it.each([
    ["no list", { filename: "a" }, "multipart_action"],
    ["no content", [{ filename: "a" }], "0.file"],
    ["something else than base64", [{ filename: "a", file: "§§" }], "0.file"],
    ["no name", [{ file: "" }], "0.filename"],
  ])("are refused when there is %s", async (_, body, field) => {
    const answer = await call(sandbox, "POST", "/files", { token, body });
    expect([answer.status, answer.body.message, Object.keys(answer.body.field_errors ?? {})]).toEqual([
      400,
      "Error on Body parameters",
      [field],
    ]);
  });

  it("are all stored, or none", async () => {
    const body = [
      { filename: "both/a.txt", file: "" },
      { filename: "/..", file: "" },
    ];
    expect((await call(sandbox, "POST", "/files", { token, body })).body.message).toBe("Invalid filename");
    expect((await resources.files.list({ path: "/both/" })).files).toEqual([]);
  });
});

describe("who may read a file", () => {
  beforeAll(async () => {
    await put("access/open.txt", "open", true);
    await put("access/closed.txt", "closed");
  });

  it.each([
    ["a public file without a token", "access/open.txt", undefined, 200],
    ["a private file without a token", "access/closed.txt", undefined, 401],
    ["a private file with a token of the profile", "access/closed.txt", "profile", 200],
    ["a private file with a token that may only write", "access/closed.txt", "write", 401],
    ["a file that is not there", "access/none.txt", "profile", 404],
  ] as const)("%s", async (_, path, kind, status) => {
    const answer = await call(sandbox, "GET", address(path), kind === undefined ? {} : { token: sandbox.tokens[kind] });
    expect(answer.status).toBe(status);
    if (status === 404) expect(answer.body.message).toBe("file can't be found");
  });

  it("is not the owner of another profile's token", async () => {
    const other = await createSandbox({ seed: "empty" });
    await other.close();
    const answer = await call(sandbox, "GET", address("access/closed.txt").replace(/0f0001/, "0f0002"), { token });
    expect(answer.status).toBe(404);
  });

  it("changes with its permission, also of a whole folder", async () => {
    expect(await resources.files.checkPermission("/access/closed.txt")).toEqual({ public: false });
    expect(await resources.files.changePermission([{ file: "access/closed.txt", public: true }])).toBe(
      "Successfully Updated",
    );
    expect((await call(sandbox, "GET", address("access/closed.txt"))).text).toBe("closed");
    await resources.files.changePermission([{ file: "access", public: false }]);
    expect(await resources.files.checkPermission("access/open.txt")).toEqual({ public: false });
    await expect(resources.files.changePermission([{ file: "nothing", public: true }])).rejects.toThrow(
      "file can't be found",
    );
    await resources.files.changePermission([{ file: "access/open.txt", public: true }]);
  });

  it("is anybody with a signed link, for an hour, for this file only", async () => {
    const url = await resources.files.getFileURLSigned(`${sandbox.url}${address("access/closed.txt")}`);
    const path = url.slice(sandbox.url.length);
    expect(url.startsWith(sandbox.url)).toBe(true);
    expect((await call(sandbox, "GET", path)).text).toBe("closed");
    expect(
      (
        await call(
          sandbox,
          "GET",
          path.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
        )
      ).status,
    ).toBe(401);
    expect((await call(sandbox, "GET", path.replace("closed", "other"))).status).toBe(404);
    const later = path.replace(/expires=(\d+)/, (_, seconds: string) => `expires=${Number(seconds) + 60}`);
    expect((await call(sandbox, "GET", later)).status).toBe(401);
    clock.advance(3_600_000);
    expect((await call(sandbox, "GET", path)).status).toBe(401);
    expect(sandbox.requestLog().some((entry) => /signature=[0-9a-f]/.test(entry.url))).toBe(false);
  });
});

describe("reading a file", () => {
  beforeAll(() => put("read/digits.txt", "0123456789", true));

  it.each([
    ["bytes=2-4", 206, "234", "bytes 2-4/10"],
    ["bytes=7-", 206, "789", "bytes 7-9/10"],
    ["bytes=-2", 206, "89", "bytes 8-9/10"],
    ["bytes=-20", 206, "0123456789", "bytes 0-9/10"],
    ["bytes=5-99", 206, "56789", "bytes 5-9/10"],
    ["bytes=0-1,3-4", 200, "0123456789", undefined],
    ["bytes=4-2", 200, "0123456789", undefined],
    ["lines=1-2", 200, "0123456789", undefined],
  ])("gives the range %s", async (range, status, text, contentRange) => {
    const answer = await call(sandbox, "GET", address("read/digits.txt"), { headers: { range } });
    expect([answer.status, answer.text, answer.headers["content-range"]]).toEqual([status, text, contentRange]);
    expect(answer.headers["content-length"]).toBe(String(text.length));
  });

  it("refuses a range behind the end", async () => {
    const answer = await call(sandbox, "GET", address("read/digits.txt"), { headers: { range: "bytes=10-" } });
    expect([answer.status, answer.headers["content-range"], answer.body.status]).toEqual([416, "bytes */10", false]);
  });

  it("answers a HEAD without content, and what is unchanged with 304", async () => {
    const etag = `"${md5("0123456789")}"`;
    const head = await call(sandbox, "HEAD", address("read/digits.txt"));
    expect([head.status, head.text, head.headers["content-length"], head.headers["etag"]]).toEqual([
      200,
      "",
      "10",
      etag,
    ]);
    const get = (headers: Record<string, string>) => call(sandbox, "GET", address("read/digits.txt"), { headers });
    const same = await get({ "if-none-match": `"other", W/${etag}` });
    expect([same.status, same.text]).toEqual([304, ""]);
    expect((await get({ "if-none-match": '"other"' })).status).toBe(200);
    expect((await get({ "if-modified-since": String(head.headers["last-modified"]) })).status).toBe(304);
    expect((await get({ range: "bytes=0-0", "if-range": '"other"' })).status).toBe(200);
    expect((await get({ range: "bytes=0-0", "if-range": etag })).text).toBe("0");
  });

  it("gives the MD5", async () => {
    expect(await resources.files.getFileMD5(`https://api.tago.io${address("read/digits.txt")}`)).toBe(
      md5("0123456789"),
    );
  });

  it.each(["/file/x/../../../etc/passwd", "/file/%2e%2e/%2e%2e/etc/passwd", "/file/", "/file/a%00b/c", "/file/a/%00"])(
    "finds nothing at %s",
    async (path) => {
      const answer = await call(sandbox, "GET", path, { token });
      expect(answer.status).toBe(404);
      expect(answer.body.status).toBe(false);
    },
  );
});

describe("moving, copying and deleting", () => {
  it("keeps type, visibility and content", async () => {
    await put("move/a.csv", "1,2", true);
    expect(await resources.files.copy([{ from: "/move/a.csv", to: "/move/copy/b.csv" }])).toBe("Successfully Updated");
    expect(await resources.files.move([{ from: "move/a.csv", to: "moved.csv" }])).toBe("Successfully Updated");
    const answer = await call(sandbox, "GET", address("moved.csv"));
    expect([answer.text, answer.headers["content-type"]]).toEqual(["1,2", "text/csv; charset=utf-8"]);
    expect((await call(sandbox, "GET", address("move/copy/b.csv"))).text).toBe("1,2");
    expect((await call(sandbox, "GET", address("move/a.csv"))).status).toBe(404);
  });

  it("undoes a list of which one is missing", async () => {
    await put("undo/a.txt", "a");
    const moves = [
      { from: "undo/a.txt", to: "undo/b.txt" },
      { from: "undo/none.txt", to: "undo/c.txt" },
    ];
    await expect(resources.files.move(moves)).rejects.toThrow("file can't be found");
    expect((await resources.files.list({ path: "undo/" })).files.map(({ filename }) => filename)).toEqual([
      "undo/a.txt",
    ]);
  });

  it("deletes without any .. in a path, so that a name with one cannot be deleted", async () => {
    for (const path of ["archive..bak/x", "archivebak/x"]) await put(path, path);
    const listed = async (path: string): Promise<string[]> =>
      (await resources.files.list({ path })).files.map(({ filename }) => filename);
    expect(await resources.files.delete(["archive..bak/x"])).toBe("Successfully Removed");
    expect([await listed("archive..bak/"), await listed("archivebak/")]).toEqual([["archive..bak/x"], []]);
  });

  it("deletes a file, else what is under the name, and says the same when there is nothing", async () => {
    for (const path of ["trap", "trap/x.txt", "trap/deep/y.txt", "trapped.txt"]) await put(path, path);
    const names = async (): Promise<string[]> => {
      const body = await ok<{ files: { filename: string }[] }>(sandbox, "GET", "/files?search=trap", { token });
      return body.files.map(({ filename }) => filename);
    };
    expect(await resources.files.delete(["/trap"])).toBe("Successfully Removed");
    expect(await names()).toEqual(["trap/deep/y.txt", "trap/x.txt", "trapped.txt"]);
    expect(await resources.files.delete(["trap", "nothing"])).toBe("Successfully Removed");
    expect(await names()).toEqual(["trapped.txt"]);
    const root = await call(sandbox, "DELETE", "/files", { token, body: ["/"] });
    expect([root.status, root.body.result]).toEqual([200, "Successfully Removed"]);
    expect(await names()).toEqual(["trapped.txt"]);
  });

  it("needs the permission for it", async () => {
    const answer = await call(sandbox, "DELETE", "/files", { token: sandbox.tokens.write, body: ["trapped.txt"] });
    expect(answer.status).toBe(401);
  });
});

describe("an upload in parts", () => {
  const first = randomBytes(5 * MB);
  const second = randomBytes(5 * MB);
  const last = Buffer.from("the end");

  it("is put together in the order of its numbers, whatever order the parts came in, repeated ones too", {
    tags: ["slow"],
  }, async () => {
    const id = await start("/up/big file.bin", { contentType: "application/x-test", public: true });
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    for (const [number, content] of [
      [3, last],
      [1, second],
      [2, second],
      [1, first],
    ] as const) {
      const answer = await sendPart(id, number, content);
      expect([answer.status, answer.body.result]).toEqual([200, { ETag: `"${md5(content)}"` }]);
    }
    const done = await end(id, marks(first, second, last));
    expect(done.body.result).toEqual({ file: `${sandbox.url}${address("up/big file.bin")}` });
    const whole = Buffer.concat([first, second, last]);
    const reply = await fetch(`${sandbox.url}${address("up/big file.bin")}`);
    expect(reply.headers.get("content-type")).toBe("application/x-test");
    expect(reply.headers.get("etag")).toMatch(/^"[0-9a-f]{32}-3"$/);
    expect(md5(new Uint8Array(await reply.arrayBuffer()))).toBe(md5(whole));
    const across = await fetch(`${sandbox.url}${address("up/big file.bin")}`, {
      headers: { range: `bytes=${5 * MB - 2}-${5 * MB + 1}` },
    });
    expect(Buffer.from(await across.arrayBuffer())).toEqual(whole.subarray(5 * MB - 2, 5 * MB + 2));
    expect(await resources.files.getFileMD5(`${sandbox.url}${address("up/big file.bin")}`)).toBe(md5(whole));
    expect((await end(id, marks(first, second, last))).body.result).toEqual(done.body.result);
  });

  it("refuses an end that does not fit its parts, and can then be mended", async () => {
    const id = await start("up/refused.bin");
    await sendPart(id, 1, first);
    await sendPart(id, 3, last);
    const message = async (parts: readonly unknown[]): Promise<unknown> => {
      const answer = await end(id, parts);
      return [answer.status, answer.body.message];
    };
    const [one, two, three] = marks(first, second, last);
    expect(await message([one, two, three])).toEqual([400, "Part number 2 was not uploaded"]);
    expect(await message([one, three])).toEqual([400, "Part number 2 is missing"]);
    expect(await message([one, one])).toEqual([400, "The parts are not in ascending order"]);
    expect(await message([{ ...one, ETag: '"0"' }])).toEqual([400, "The ETag of part number 1 does not match"]);
    expect(await message([{ PartNumber: 1 }])).toEqual([400, "Error on Body parameters"]);
    await sendPart(id, 2, last);
    expect(await message([one, { ETag: md5(last), PartNumber: 2 }, three])).toEqual([
      400,
      "Part number 2 is smaller than the minimum of 5 MB",
    ]);
    await sendPart(id, 2, second);
    expect((await end(id, [one, two, three])).status).toBe(200);
  });

  it("of an empty file has no parts", async () => {
    const id = await start("up/empty.txt");
    expect((await end(id, [])).status).toBe(200);
    const answer = await call(sandbox, "GET", address("up/empty.txt"), { token });
    expect([answer.status, answer.headers["content-length"], answer.text]).toEqual([200, "0", ""]);
  });

  it("is unknown under another id, after it was given up, and to another profile", async () => {
    expect((await sendPart("0".repeat(32), 1, last)).body.message).toBe("Upload Not Found");
    const id = await start("up/aborted.bin");
    await sendPart(id, 1, last);
    const abort = { token, body: { multipart_action: "abort", upload_id: id } };
    expect(await ok(sandbox, "POST", "/files", abort)).toBe("Successfully Removed");
    expect((await end(id, marks(last))).status).toBe(404);
    expect((await sendPart(id, 1, last)).status).toBe(404);
  });

  it.each([
    [
      "without a number",
      [
        { name: "multipart_action", value: "upload" },
        { name: "upload_id", value: "x" },
      ],
    ],
    ["of no kind", [{ name: "multipart_action", value: "burn" }]],
    ["without anything", []],
  ])("refuses a form %s", async (_, parts) => {
    const answer = await call(sandbox, "POST", "/files", { token, ...form(parts) });
    expect([answer.status, answer.body.status]).toEqual([400, false]);
  });

  it("does not take a description for content", async () => {
    const id = await start("up/forged.bin");
    const file = { id: "0".repeat(32), size: 1, md5: md5("x") };
    const body = { multipart_action: "upload", upload_id: id, part: 1, file };
    expect((await call(sandbox, "POST", "/files", { token, body })).status).toBe(400);
  });

  it("refuses a form that is cut off, and keeps nothing of it", async () => {
    const id = await start("up/cut.bin");
    const { raw, headers } = form([
      { name: "multipart_action", value: "upload" },
      { name: "upload_id", value: id },
      { name: "part", value: "1" },
      { name: "file", value: first, filename: "x" },
    ]);
    const answer = await call(sandbox, "POST", "/files", { token, raw: raw.subarray(0, raw.length - 40), headers });
    expect([answer.status, answer.body.message]).toEqual([400, "Invalid multipart body: it ends too early"]);
    expect(readdirSync(join(directory, "blobs", "tmp"))).toEqual([]);
  });

  it("finds boundaries however the bytes are split", async () => {
    const { readForm } = await import("../../../src/sandbox/files/form.ts");
    const content = Buffer.from("\r\n--b0undar\r\n--b0undarx--\r\n\r\n--");
    const { raw } = form([
      { name: "a", value: "1" },
      { name: "file", value: content, filename: "f" },
      { name: "b", value: "zwei" },
    ]);
    for (const size of [1, 2, 3, 7, 64, 1000]) {
      async function* split(): AsyncGenerator<Buffer> {
        for (let at = 0; at < raw.length; at += size) yield raw.subarray(at, at + size);
      }
      const stored: Buffer[] = [];
      const result = await readForm(
        split(),
        "b0undary",
        async (source) => {
          for await (const piece of source) stored.push(Buffer.from(piece));
          return { id: "x", size: 0, md5: "" };
        },
        () => {},
      );
      expect({ ...result.fields }).toEqual({ a: "1", b: "zwei" });
      expect(Buffer.concat(stored)).toEqual(content);
    }
  });
});

describe("our uploader", () => {
  it("uploads in parts, and goes on with an upload that was interrupted", async () => {
    const content = randomBytes(11 * MB);
    const cancel = new AbortController();
    let state: unknown;
    const options = { chunkSize: 5 * MB, contentType: "video/mp4", isPublic: true };
    await expect(
      resources.files.uploadFile(content, "/up/video.mp4", {
        ...options,
        signal: cancel.signal,
        onState: (now) => {
          state = now;
          if (now.parts.length > 0) cancel.abort();
        },
      }),
    ).rejects.toThrow("Cancelled request");
    const { file } = await resources.files.uploadFile(content, "/up/video.mp4", {
      ...options,
      resume: state as NonNullable<Parameters<Resources["files"]["uploadFile"]>[2]>["resume"] & object,
    });
    expect(file).toBe(`${sandbox.url}/file/${sandbox.profileId}/up/video.mp4`);
    const reply = await fetch(file);
    expect(reply.headers.get("content-type")).toBe("video/mp4");
    expect(md5(new Uint8Array(await reply.arrayBuffer()))).toBe(md5(content));
  });

  it("is stopped by the limit of the plan", async () => {
    const small = await createSandbox({ seed: "empty", plan: "free" });
    try {
      const limited = new Resources({ token: small.tokens.profile, region: { api: small.url, sse: small.eventsUrl } });
      expect((await limited.files.list()).total).toBe(200);
    } finally {
      await small.close();
    }
  });
});

it("has its files after the whole sandbox was stopped and started", async () => {
  await put("kept.txt", "kept");
  await sandbox.close();
  sandbox = await createSandbox({ seed: "empty", dataDir: directory, clock });
  expect((await call(sandbox, "GET", address("kept.txt"), { token })).text).toBe("kept");
});
