import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Resources } from "../../../src/index.ts";
import { buildChild, type Child, type ChildProgram, startChild } from "../process.ts";

const MB = 1024 * 1024;
let program: ChildProgram;
let dataDir: string;
const children: Child[] = [];

beforeAll(async () => {
  program = await buildChild();
});
afterAll(() => program.remove());
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "iot-files-durable-"));
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.process.kill("SIGKILL");
    await child.ended;
  }
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(maxFileBlocks?: number): Promise<Child> {
  const child = await startChild(program, { dataDir, seed: "empty" }, maxFileBlocks);
  children.push(child);
  return child;
}

function clientOf({ ready }: Child): Resources["files"] {
  const region = { api: ready.url, sse: `${ready.url}/events` };
  return new Resources({ token: ready.tokens.profile, region }).files;
}

const md5 = (content: Uint8Array): string => createHash("md5").update(content).digest("hex");

function blobs(): string[] {
  return readdirSync(join(dataDir, "blobs"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Highest resident memory of a process so far, in bytes; where the system does not keep it, the present one. */
function memoryOf({ process: { pid = 0 } }: Child): number {
  const status = `/proc/${pid}/status`;
  const peak = existsSync(status) ? /VmHWM:\s*(\d+)/.exec(readFileSync(status, "utf8"))?.[1] : undefined;
  return 1024 * Number(peak ?? execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }));
}

async function step<Result>(child: Child, body: FormData | object): Promise<Result> {
  const isForm = body instanceof FormData;
  const reply = await fetch(`${child.ready.url}/files`, {
    method: "POST",
    headers: { token: child.ready.tokens.profile, ...(!isForm && { "content-type": "application/json" }) },
    body: isForm ? body : JSON.stringify(body),
  });
  const { result } = (await reply.json()) as { result: Result };
  return result;
}

/** Uploads files in parts until the server is gone; notes what was acknowledged. */
async function uploadUntilGone(child: Child, writer: number, acknowledged: Map<string, string>): Promise<void> {
  for (let n = 0; ; n += 1) {
    const filename = `load/${writer}/${n}.bin`;
    const content = Buffer.alloc(200_000 + n, `${writer} ${n} `);
    try {
      const upload_id = await step<string>(child, { multipart_action: "start", filename });
      const form = new FormData();
      for (const [name, value] of Object.entries({ multipart_action: "upload", upload_id, part: "1" })) {
        form.append(name, value);
      }
      form.append("file", new Blob([content]));
      const { ETag } = await step<{ ETag: string }>(child, form);
      await step(child, { multipart_action: "end", upload_id, parts: [{ ETag, PartNumber: 1 }] });
    } catch {
      return;
    }
    acknowledged.set(filename, md5(content));
  }
}

describe("the files of a sandbox", { tags: ["posix"] }, () => {
  async function expectWhole(rounds: number): Promise<void> {
    const acknowledged = new Map<string, string>();
    for (let round = 0; round < rounds; round += 1) {
      const child = await start();
      const writers = [0, 1, 2].map((writer) => uploadUntilGone(child, round * 10 + writer, acknowledged));
      const before = acknowledged.size;
      while (acknowledged.size < before + 6 + round) await new Promise((resolve) => setImmediate(resolve));
      child.process.kill("SIGKILL");
      await child.ended;
      await Promise.all(writers);
    }
    const child = await start();
    const files = clientOf(child);
    for (const [path, hash] of acknowledged) {
      expect(await files.getFileMD5(`${child.ready.url}/file/${child.ready.profileId}/${path}`), path).toBe(hash);
    }
    const { files: listed } = await files.list({ path: "/load/0/", quantity: 1000 });
    expect(listed.length).toBeGreaterThan(0);
    expect(readdirSync(join(dataDir, "blobs", "tmp"))).toEqual([]);
    const rows = [...acknowledged.keys()].length;
    // An upload may have been complete before its answer was lost, or have parts that can still be used.
    expect(blobs().length).toBeGreaterThanOrEqual(rows);
    expect(blobs().length).toBeLessThanOrEqual(rows + 9);
  }

  it("are whole after kill -9, and nothing else is left on the disk", { tags: ["slow"] }, () => expectWhole(1));

  it("are whole after kill -9 again and again", { tags: ["slow"] }, () => expectWhole(3));

  it("take no more memory than a part on its way through", { tags: ["slow"] }, async () => {
    const child = await start();
    const files = clientOf(child);
    await files.uploadFile(Buffer.alloc(2 * MB), "warm.bin");
    const before = memoryOf(child);
    const hash = createHash("md5");
    async function* source(): AsyncGenerator<Uint8Array> {
      for (let n = 0; n < 96; n += 1) {
        const block = Buffer.alloc(MB, n);
        hash.update(block);
        yield block;
      }
    }
    const { file } = await files.uploadFile(source(), "large.bin", { chunkSize: 96 * MB });
    expect(await files.getFileMD5(file)).toBe(hash.digest("hex"));
    const reply = await fetch(file, { headers: { token: child.ready.tokens.profile } });
    let size = 0;
    for await (const chunk of reply.body ?? []) size += chunk.length;
    expect(size).toBe(96 * MB);
    expect(memoryOf(child) - before).toBeLessThan(64 * MB);
  });

  it("are refused with 503 when the disk takes no more, and leave nothing behind", { tags: ["slow"] }, async () => {
    // Files of at most 4 MB stand for the full disk.
    const child = await start(8192);
    const files = clientOf(child);
    await files.uploadBase64([{ filename: "small.txt", file: "c21hbGw=" }]);
    const large = files.uploadFile(Buffer.alloc(6 * MB), "large.bin", { maxTriesForEachChunk: 1 });
    await expect(large).rejects.toThrow("The storage of the sandbox is full");
    expect(readdirSync(join(dataDir, "blobs", "tmp"))).toEqual([]);
    expect(blobs()).toHaveLength(1);
    expect((await files.list()).files.map(({ filename }) => filename)).toEqual(["small.txt"]);
    await files.uploadBase64([{ filename: "again.txt", file: "c21hbGw=" }]);
    expect(child.complaints()).toBe("");
  });
});
