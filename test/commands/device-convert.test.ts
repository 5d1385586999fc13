import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { spanOf } from "../../src/commands/device/transfer/storage.ts";
import { statePath, writeNote } from "../../src/commands/kit/state/notes.ts";
import { immutableEnd, retentionStart } from "../../src/sandbox/data/chunks.ts";
import { startCli } from "../helpers/cli.ts";
import { contentOf, variedRecords } from "../helpers/device-content.ts";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { waitFor } from "../helpers/wait-for.ts";

interface Device {
  readonly [member: string]: unknown;
}

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());
beforeEach(() => here.sandbox.faults.set([]));

const iot = (args: readonly string[], stdin = "") => runHere(args, { env: here.env, stdin });
const info = (id: string): Promise<Device> => here.json<Device>(["device", "get", id]);
const tokens = (id: string): Promise<Device[]> => here.json<Device[]>(["device", "token", "list", id]);
const immutable = ["--type", "immutable", "--period", "month", "--retention", "12"];

async function filled(name: string, records: readonly object[], ...flags: string[]): Promise<string> {
  const id = (await iot(["device", "create", "--name", name, ...flags, "-o", "id"])).stdout.trim();
  const { code, stderr } = await iot(["device", "data", "send", id, "--input", "-"], JSON.stringify(records));
  expect(code, stderr).toBe(0);
  return id;
}

describe("device convert", () => {
  it("keeps id, tokens, settings and every record, saves what it leaves out, and goes back", async () => {
    const nowMs = Date.now();
    const old = variedRecords(nowMs - 800 * 86_400_000, 40);
    const id = await filled("There and back", [...old, ...variedRecords(nowMs, 1_200)], "--tag", "site=7");
    const parser = Buffer.from("payload = payload.map((each) => ({ ...each, value: 999 }));").toString("base64");
    expect((await iot(["api", "PUT", `/device/${id}`, "--field", `payload_decoder=${parser}`])).code).toBe(0);
    const [before, tokensBefore, content] = [await info(id), await tokens(id), await contentOf(here.env, id)];

    const args = ["device", "convert", id, ...immutable, "--confirm", "There and back", "--json"];
    const { code, stdout, stderr } = await iot(args);
    expect(code, stderr).toBe(0);
    const [row] = JSON.parse(stdout) as Device[];
    expect(row).toMatchObject({ id, type: "immutable", records: 1_200, left_out: 40 });
    expect(stderr).toContain("40 records will be left out");
    expect(stderr).toContain("Verified: 1,200 records are the same on both sides");
    const after = await info(id);
    const storage = { type: "immutable", chunk_period: "month", chunk_retention: 12 };
    const { last_input: _, updated_at: __, data_retention: ___, ...settings } = before;
    expect(after).toMatchObject({ ...settings, ...storage });
    expect(await tokens(id)).toMatchObject(tokensBefore.map(({ token, name }) => ({ token, name })));
    const oldTimes = new Set(old.map((record) => (record as { time: string }).time));
    const isOld = (text: string): boolean => oldTimes.has((JSON.parse(text) as { time: string }).time);
    expect(await contentOf(here.env, id)).toEqual(content.filter((text) => !isOld(text)));

    const file = String(row?.["file"]);
    const rest = file.replace(".ndjson", "-left-out.ndjson");
    expect(readFileSync(file, "utf8").split("\n")).toHaveLength(1_241);
    const back = await iot(["device", "convert", id, "--type", "mutable", "--confirm", "There and back"]);
    expect(back.code, back.stderr).toBe(0);
    await iot(["api", "PUT", `/device/${id}`, "--field", "payload_decoder=null"]);
    expect((await iot(["device", "data", "import", id, "--input", rest])).code).toBe(0);
    expect(await contentOf(here.env, id)).toEqual(content);
    expect(await info(id)).toMatchObject({ type: "mutable", active: true });
  });

  it("leaves an inactive device inactive, and converts one without records", async () => {
    const id = (await iot(["device", "create", "--name", "Idle store", "--inactive", "-o", "id"])).stdout.trim();
    const { code, stderr } = await iot(["device", "convert", id, ...immutable, "--confirm", "Idle store"]);
    expect(code, stderr).toBe(0);
    expect(await info(id)).toMatchObject({ active: false, type: "immutable" });
  });

  it.each([
    [[], 0, "already; nothing to do"],
    [["--type", "mutable"], 0, "already; nothing to do"],
    [["--type", "immutable"], 2, "needs --period and --retention"],
    [["--type", "immutable", "--period", "week", "--retention", "27"], 2, "26 is the most"],
    [immutable, 2, "--confirm"],
    [[...immutable, "--yes"], 2, "--confirm"],
    [[...immutable, "--confirm", "Other"], 2, "does not match"],
    [["--resume"], 2, "No interrupted conversion"],
    [["--undo"], 2, "No interrupted conversion"],
    [["--undo", "--resume"], 2, "cannot be used together"],
  ])("changes nothing with %j", async (flags, exit, says) => {
    const before = here.requests().filter((request) => !request.startsWith("GET")).length;
    const { code, stderr } = await iot(["device", "convert", "name:Plant settings", ...flags]);
    expect({ code, says: stderr.includes(says) }, stderr).toEqual({ code: exit, says: true });
    expect(here.requests().filter((request) => !request.startsWith("GET"))).toHaveLength(before);
  });

  it("prints its requests with --dry-run", async () => {
    const { code, stdout } = await iot([
      "device",
      "convert",
      "name:Water meter",
      "--type",
      "mutable",
      "--dry-run",
      "--json",
    ]);
    expect(code).toBe(0);
    const paths = (JSON.parse(stdout) as Device[]).map(
      ({ method, path }) => `${method} ${String(path).split("/").at(-1)}`,
    );
    expect(paths.map((line) => line.replace(/[0-9a-f]{24}/, "ID"))).toEqual([
      "PUT ID",
      "POST empty",
      "POST convert",
      "PUT ID",
      "POST data",
      "PUT ID",
    ]);
  });

  it("stops before it would make actions fire again, unless allowed", async () => {
    const id = await filled("Watched", variedRecords(Date.now(), 5), "--tag", "convert=watched");
    const words =
      "action create --name Watcher --device-tag convert=watched --condition temperature>0 --notify --subject a --message b";
    await iot(words.split(" "));
    const args = ["device", "convert", id, ...immutable, "--confirm", "Watched"];
    const { code, stderr } = await iot(args);
    expect({ code, says: stderr.includes("Watcher") }, stderr).toEqual({ code: 7, says: true });
    expect(await info(id)).toMatchObject({ type: "mutable", active: true });
    expect((await iot([...args, "--allow-actions"])).code).toBe(0);
  });

  it("gives the device back as it was when its records cannot be read", { tags: ["slow"] }, async () => {
    const id = await filled("Unread", variedRecords(Date.now(), 5));
    const content = await contentOf(here.env, id);
    const args = ["device", "convert", id, ...immutable, "--confirm", "Unread"];
    const route = `GET /device/${id}/data`;
    here.sandbox.faults.set([{ route, kind: "latency", delayMs: 150 }]);
    const running = iot(args);
    await waitFor(() => here.requests().includes(`PUT /device/${id}`), "the device to be deactivated");
    here.sandbox.faults.set([{ route, kind: "status", status: 400 }]);
    const { code } = await running;
    here.sandbox.faults.set([]);
    expect(code).not.toBe(0);
    expect(await info(id)).toMatchObject({ type: "mutable", active: true });
    expect(await contentOf(here.env, id)).toEqual(content);
  });
});

describe("a conversion of an older version", () => {
  it("is not continued, nor is another one begun: its notes say where the records are", async () => {
    const id = await filled("Half converted", variedRecords(Date.now(), 5));
    const key = ["device convert", here.sandbox.url, id];
    const path = statePath(here.env, "device-conversions", key);
    writeNote(path, { stage: "emptied", file: "records.ndjson" });
    for (const flags of [["--resume"], ["--undo"], immutable]) {
      const { code, stderr } = await iot(["device", "convert", id, ...flags, "--confirm", "Half converted"]);
      expect({ code, says: stderr.includes(basename(path)) }, stderr).toEqual({ code: 7, says: true });
    }
    expect(await info(id)).toMatchObject({ type: "mutable", active: true });
  });
});

describe("the times that immutable storage takes", () => {
  it.each(["day", "week", "month", "quarter"] as const)("are those of the platform, for a %s", (period) => {
    for (let nowMs = Date.parse("2024-01-01T11:30:00Z"); nowMs < Date.parse("2027-03-01"); nowMs += 86_400_000) {
      for (const kept of [0, 1, 7, 26]) {
        const device = { id: "", type: "immutable", chunkPeriod: period, chunkRetention: kept } as const;
        const span = spanOf({ type: "immutable", chunk_period: period, chunk_retention: kept }, nowMs);
        expect(span).toEqual({ fromMs: retentionStart(device, nowMs), toMs: immutableEnd(nowMs) });
      }
    }
  });
});

describe("a conversion that is killed", () => {
  const WRITTEN = "POST /data";
  const steps = ["POST /device/ID/empty", "PUT /device/ID", "GET /device/ID/data", "POST /device/ID/convert", WRITTEN];

  async function killed(name: string, step: string): Promise<{ id: string; args: string[]; content: string[] }> {
    const id = await filled(name, variedRecords(Date.now(), 1_500));
    const content = await contentOf(here.env, id);
    const route = step.replace("ID", id);
    const args = ["device", "convert", id, ...immutable, "--concurrency", "1"];
    here.sandbox.faults.set([{ route, kind: "latency", delayMs: 1_000 }]);
    const seen = (): number => here.requests().filter((line) => line.startsWith(route)).length;
    const before = seen();
    const child = await startCli([...args, "--confirm", name], { env: here.env });
    const ended = new Promise((done) => child.once("close", (_, signal) => done(signal)));
    // The second read is the one of the records; the others are counts.
    const wanted = step.startsWith("GET") ? 3 : 1;
    const arrived = (): number => here.sandbox.faults.list()[0]?.injected ?? 0;
    await waitFor(() => arrived() >= wanted || child.exitCode !== null, step);
    // Held first: killed after the response, it might have gone on meanwhile; before, the request might not be handled.
    child.kill("SIGSTOP");
    await waitFor(() => seen() >= before + wanted, `${step} to be handled`);
    child.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
    here.sandbox.faults.set([]);
    expect(await iot([...args, "--confirm", name])).toMatchObject({
      code: 7,
      stderr: expect.stringContaining("was interrupted"),
    });
    return { id, args, content };
  }

  async function expectResumed(step: string): Promise<void> {
    const { id, args, content } = await killed(`Resumed ${step.slice(0, 4)}${step.slice(-4)}`, step);
    const { code, stderr } = await iot([...args, "--resume"]);
    expect(code, stderr).toBe(0);
    expect(await contentOf(here.env, id)).toEqual(content);
    expect(await info(id)).toMatchObject({ type: "immutable", active: true });
  }

  it.each(steps)("at %s is finished with --resume, each record once", { tags: ["slow", "posix"] }, expectResumed);

  async function expectUndone(step: string): Promise<void> {
    const { id, args, content } = await killed(`Undone ${step.slice(0, 4)}${step.slice(-4)}`, step);
    const { code, stderr } = await iot([...args, "--undo"]);
    expect(code, stderr).toBe(0);
    expect(await contentOf(here.env, id)).toEqual(content);
    expect(await info(id)).toMatchObject({ type: "mutable", active: true });
    expect((await iot([...args, "--undo"])).code).toBe(2);
  }

  it.each(steps.filter((step) => step !== WRITTEN))(
    "at %s goes back with --undo",
    { tags: ["slow", "posix"] },
    expectUndone,
  );

  it("cannot be undone once records are written back", { tags: ["slow", "posix"] }, async () => {
    const { id, args, content } = await killed("Too late", WRITTEN);
    const { code, stderr } = await iot([...args, "--undo"]);
    expect({ code, says: stderr.includes("--resume") }, stderr).toEqual({ code: 7, says: true });
    expect((await iot([...args, "--resume"])).code).toBe(0);
    expect(await contentOf(here.env, id)).toEqual(content);
  });
});
