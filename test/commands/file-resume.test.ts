import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCli, temporaryFolder } from "../helpers/cli.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { smallServer } from "../helpers/small-server.ts";
import { waitFor } from "../helpers/wait-for.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const MIB = 1024 * 1024;
const md5 = (bytes: Uint8Array): string => createHash("md5").update(bytes).digest("hex");

interface Row {
  readonly filename: string;
  readonly md5: string;
  readonly result: string;
  readonly resumed_bytes: number;
}

/** The journal of the unfinished upload in the folder for state, and how many parts it has noted. */
function uploadJournal(): { readonly path: string; readonly text: string; readonly parts: number } | undefined {
  const folder = join(here.env["IOT_CONFIG_DIR"] ?? "", "state", "journals");
  const names = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".jsonl")) : [];
  for (const name of names) {
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    if (text.includes('"file upload"')) return { path, text, parts: text.match(/^\["[^"]+ \d+",/gm)?.length ?? 0 };
  }
  return undefined;
}

/** Starts the program and kills it as soon as the condition holds. */
async function killedWhen(args: readonly string[], cwd: string, env: object, isTime: () => boolean): Promise<void> {
  const child = await startCli(args, { cwd, env: { ...here.env, ...env } });
  const ended = new Promise<string>((resolve) => child.on("close", (code, signal) => resolve(String(signal ?? code))));
  await waitFor(isTime, "the moment to kill");
  child.kill("SIGKILL");
  expect(await ended).toBe("SIGKILL");
}

const partsOf = (): number => uploadJournal()?.parts ?? 0;

describe("an upload that was killed", () => {
  it("is taken up with --resume: only the missing parts are sent, and the file is whole", {
    tags: ["slow", "posix"],
  }, async () => {
    const cwd = temporaryFolder();
    const content = randomBytes(21 * MIB);
    writeFileSync(join(cwd, "big.bin"), content);
    const args = ["file", "upload", "big.bin", "--path", "big/big.bin", "--chunk-size", "5MiB"];
    here.sandbox.faults.set([{ route: "POST /files", kind: "latency", delayMs: 100 }]);
    await killedWhen(args, cwd, {}, () => partsOf() >= 2);
    const state = uploadJournal();
    const stored = partsOf();
    expect(stored).toBeLessThan(5);
    expect(statSync(state?.path ?? "").mode & 0o777).toBe(0o600);
    expect(state?.text).not.toContain(here.env["IOT_TOKEN"]);

    here.sandbox.faults.set([]);
    const startMs = Date.now();
    const [row] = await here.json<Row[]>([...args, "--resume"], { cwd });
    expect(row).toMatchObject({ md5: md5(content), result: "uploaded", resumed_bytes: stored * 5 * MIB });
    const posts = here.requestsSince(startMs).filter((line) => line === "POST /files");
    expect(posts).toHaveLength(5 - stored + 1);
    expect(uploadJournal()).toBeUndefined();
    const address = await here.json<string>(["file", "url", "big/big.bin"]);
    expect(md5(Buffer.from(await (await fetch(address)).arrayBuffer()))).toBe(md5(content));
  });

  it("starts from the beginning when the file was changed meanwhile", { tags: ["slow"] }, async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "a.bin"), randomBytes(16 * MIB));
    const args = ["file", "upload", "a.bin", "--path", "big/changed.bin", "--chunk-size", "5MiB"];
    here.sandbox.faults.set([{ route: "POST /files", kind: "latency", delayMs: 200 }]);
    await killedWhen(args, cwd, {}, () => partsOf() >= 1);
    here.sandbox.faults.set([]);
    const content = randomBytes(16 * MIB);
    writeFileSync(join(cwd, "a.bin"), content);
    const { code, stdout, stderr } = await here.iot([...args, "--resume", "--json"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("changed after the upload started") });
    expect(JSON.parse(stdout)).toMatchObject([{ md5: md5(content), resumed_bytes: 0 }]);
  });
});

describe("an upload that is resumed without anything to resume", () => {
  it("says so and sends the whole file", async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "a.txt"), "content");
    const { code, stderr } = await here.iot(["file", "upload", "a.txt", "--resume"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("starting from the beginning") });
  });
});

describe("a download that was killed", () => {
  it("is taken up with --resume from where it ended, and the file is whole", async () => {
    const content = randomBytes(6 * MIB);
    const ranges: (string | undefined)[] = [];
    let isSlow = true;
    const server = await smallServer(({ url, headers }, response) => {
      const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
      const send = (result: unknown): unknown => {
        response.setHeader("content-type", "application/json");
        return response.end(JSON.stringify({ status: true, result }));
      };
      if (pathname === "/profile/current") return send({ info: { id: "61f1b8a4b3d2f4001a2b3c4d" } });
      if (pathname === "/files/permission") return send({ public: false });
      if (searchParams.has("md5")) return send(md5(content));
      if (searchParams.has("noRedirect")) return send(`${server.url}/bytes?signature=secret`);
      const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1] ?? 0);
      ranges.push(headers.range);
      response.writeHead(start > 0 ? 206 : 200, {
        etag: '"one"',
        "content-length": content.length - start,
        ...(start > 0 && { "content-range": `bytes ${start}-${content.length - 1}/${content.length}` }),
      });
      if (!isSlow) return response.end(content.subarray(start));
      // Half of it comes, then the server is silent.
      return response.write(content.subarray(start, 3 * MIB));
    });
    const cwd = temporaryFolder();
    const env = { IOT_API_URL: server.url };
    const args = ["file", "download", "data/big.bin"];
    const part = join(cwd, ".big.bin.iot-part");
    await killedWhen(args, cwd, env, () => existsSync(part) && statSync(part).size === 3 * MIB);
    expect(existsSync(join(cwd, "big.bin"))).toBe(false);

    isSlow = false;
    const [row] = await here.json<Row[]>([...args, "--resume"], { cwd, env });
    await server.close();
    expect(row).toMatchObject({ md5: md5(content), resumed_bytes: 3 * MIB });
    expect(ranges).toEqual([undefined, `bytes=${3 * MIB}-`]);
    expect(md5(readFileSync(join(cwd, "big.bin")))).toBe(md5(content));
    expect(readdirSync(cwd)).toEqual(["big.bin"]);
  });

  it("starts from the beginning without --resume, and keeps nothing of a content that is wrong", async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, ".open.txt.iot-part"), "rubbish that is longer than the file itself");
    await here.json(["file", "download", "reports/open.txt"], { cwd });
    expect(readFileSync(join(cwd, "open.txt"), "utf8")).toBe("Anybody may read this.\n");
  });
});
