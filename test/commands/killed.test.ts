import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startCli, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { waitFor } from "../helpers/wait-for.ts";

let here: SandboxUnderTest;
let cwd: string;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());
beforeEach(() => {
  cwd = temporaryFolder();
  here.sandbox.faults.set([]);
});

const iot = (...args: string[]) => runHere(args, { env: here.env, cwd });
const sent = (line: string): number => here.requests().filter((request) => request === line).length;

/** Starts the program and kills it with -9 as soon as the condition holds. */
async function killedWhen(args: readonly string[], isTime: () => boolean): Promise<void> {
  const child = await startCli(args, { env: here.env, cwd });
  const ended = new Promise((resolve) => child.once("close", (code, signal) => resolve(signal ?? code)));
  child.stdout?.resume();
  child.stderr?.resume();
  await waitFor(() => isTime() || child.exitCode !== null, "the moment to kill");
  child.kill("SIGKILL");
  expect(await ended).toBe("SIGKILL");
}

describe("a fleet import that is killed", () => {
  const TITLE = "after %i devices is finished with --resume: each device once, with all it needs";

  async function killedAfter(made: number): Promise<void> {
    const names = Array.from({ length: 12 }, (_, n) => `Killed ${made} ${n}`);
    writeFileSync(join(cwd, "fleet.csv"), `name,tag.site,param.rate\n${names.map((name) => `${name},7,5\n`).join("")}`);
    here.sandbox.faults.set([{ route: "POST /device", kind: "latency", delayMs: 40 }]);
    const before = sent("POST /device");
    await killedWhen(["device", "import", "fleet.csv"], () => sent("POST /device") >= before + made);
    here.sandbox.faults.set([]);
    const { code, stderr } = await iot("device", "import", "fleet.csv", "--resume");
    expect(code, stderr).toBe(0);
    const { stdout } = await iot(
      "device",
      "list",
      "--name",
      `Killed ${made} *`,
      "--all",
      "--json",
      "--fields",
      "id,name,tags",
    );
    const found = JSON.parse(stdout) as { id: string; name: string; tags: unknown }[];
    expect(found.map(({ name }) => name).sort()).toEqual([...names].sort());
    for (const { id, tags } of found) {
      expect(tags).toEqual([{ key: "site", value: "7" }]);
      const params = JSON.parse((await iot("device", "param", "list", id, "--json")).stdout) as { key: string }[];
      expect(params.map(({ key }) => key)).toEqual(["rate"]);
    }
    expect(await iot("device", "import", "fleet.csv", "--resume")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("nothing to do"),
    });
  }

  it.each([1, 6, 11])(TITLE, { tags: ["slow"] }, killedAfter);
});

describe("a sync of files that is killed", () => {
  const TITLE = "after %i requests is finished with --resume: every file as it is here";

  async function killedAfter(requests: number): Promise<void> {
    const names = Array.from({ length: 8 }, (_, n) => `f${n}.txt`);
    mkdirSync(join(cwd, "up"));
    for (const name of names) writeFileSync(join(cwd, "up", name), `${name} `.repeat(5_000));
    here.sandbox.faults.set([{ route: "POST /files", kind: "latency", delayMs: 40 }]);
    const args = ["file", "sync", "up", `files:/killed${requests}`, "--concurrency", "2"];
    const before = sent("POST /files");
    await killedWhen(args, () => sent("POST /files") >= before + requests);
    here.sandbox.faults.set([]);
    const { code, stderr } = await iot(...args, "--resume", "--yes");
    expect(code, stderr).toBe(0);
    expect((await iot("file", "sync", `files:/killed${requests}`, "down")).code).toBe(0);
    expect(readdirSync(join(cwd, "down")).sort()).toEqual(names);
    for (const name of names)
      expect(readFileSync(join(cwd, "down", name)).equals(readFileSync(join(cwd, "up", name)))).toBe(true);
  }

  it.each([2])(TITLE, killedAfter);
  it.each([9])(TITLE, { tags: ["slow"] }, killedAfter);
});

describe("a conversion in place that is killed", () => {
  const TITLE = "after %i files leaves whole files, and --resume converts the others";

  async function killedAfter(converted: number): Promise<void> {
    const [legacy] = JSON.parse(readFileSync("examples/legacy-widgets.json", "utf8")) as object[];
    const old = JSON.stringify(Array.from({ length: 300 }, () => legacy));
    const names = Array.from({ length: 12 }, (_, n) => `w${n}.json`);
    mkdirSync(join(cwd, "in"));
    for (const name of names) writeFileSync(join(cwd, "in", name), old);
    const text = (name: string): string => readFileSync(join(cwd, "in", name), "utf8");
    const copies = (): number => readdirSync(join(cwd, "in")).filter((name) => name.endsWith(".bak")).length;
    const args = ["widget", "convert", "in", "--in-place", "--yes", "-o", "id"];
    await killedWhen(args, () => copies() >= converted);
    for (const name of names) expect(JSON.parse(text(name))).toHaveLength(300);
    const { code, stderr } = await iot(...args, "--resume");
    expect(code, stderr).toBe(0);
    const done = text("w0.json");
    expect(done).not.toBe(old);
    for (const name of names) {
      expect(text(name) === done).toBe(true);
      expect(existsSync(join(cwd, "in", `${name}.bak`)) && text(`${name}.bak`) === old).toBe(true);
    }
    expect(readdirSync(join(cwd, "in")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    expect(await iot(...args, "--resume")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("Already finished: 12 files."),
    });
  }

  it.each([1, 5, 9])(TITLE, { tags: ["slow"] }, killedAfter);
});
