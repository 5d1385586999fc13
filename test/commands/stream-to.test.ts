import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../helpers/cli.ts";
import { type HereOptions, runHere } from "../helpers/in-process.ts";
import { quickClock } from "../helpers/quick-clock.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { type SmallServer, smallServer } from "../helpers/small-server.ts";
import { waitFor } from "../helpers/wait-for.ts";

let here: SandboxUnderTest;
let engine: SmallServer;
/** Status of the response to a record by its value; 204 for others, and none for 0. */
let statusOf: (value: number) => number | undefined;
beforeAll(async () => {
  here = await sandboxUnderTest();
  engine = await smallServer(({ body }, response) => {
    const status = statusOf((JSON.parse(body || "{}") as { value: number }).value) ?? 204;
    if (status !== 0) response.writeHead(status).end();
  });
});
afterAll(async () => {
  await engine.close();
  await here.close();
});
beforeEach(() => {
  statusOf = () => undefined;
  engine.seen.length = 0;
});

const iot = (args: readonly string[], more: HereOptions = {}) =>
  runHere(args, { ...more, env: { ...here.env, ...more.env } });

async function device(): Promise<string> {
  return (await iot(["device", "create", "--name", "To an engine", "-o", "id"])).stdout.trim();
}

const send = (id: string, ...values: number[]) =>
  iot(["device", "data", "send", id, ...values.map((value) => `level=${value}`)]);

const values = (): number[] => engine.seen.map(({ body }) => (JSON.parse(body) as { value: number }).value);

interface Delivering {
  readonly id: string;
  readonly folder: string;
  /** Delivers what is stored and what arrives. */
  run(args?: readonly string[], more?: HereOptions): ReturnType<typeof iot>;
}

/** A device with the values 1 and 2, and what delivers them. */
async function delivering(): Promise<Delivering> {
  const id = await device();
  await send(id, 1, 2);
  const folder = temporaryFolder();
  const words = ["stream", `device_data:${id}`, "--to", `${engine.url}/records`, "--cursor", "cursor.json"];
  return { id, folder, run: (args = [], more = {}) => iot([...words, ...args], { cwd: folder, ...more }) };
}

describe("iot stream --to", () => {
  it("posts each record with its id as key, and prints nothing", async () => {
    const { id, run } = await delivering();
    const { code, stdout, stderr } = await run(["--since", "-1h", "--count", "2"]);
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: "" });
    expect(stderr).toContain(`2 records delivered to ${engine.url}/records.`);
    for (const { method, url, headers, body } of engine.seen) {
      const record = JSON.parse(body) as { id: string; device: string };
      expect([method, url, record.device]).toEqual(["POST", "/records", id]);
      expect(headers).toMatchObject({ "idempotency-key": record.id, "content-type": "application/json" });
    }
    expect(values().sort()).toEqual([1, 2]);
  });

  it("continues where the last run ended, with what was stored meanwhile", async () => {
    const { id, run } = await delivering();
    const first = run(["--since", "-1h", "--count", "3"]);
    await waitFor(() => values().length === 2, "the stored records");
    await send(id, 3);
    expect((await first).code).toBe(0);
    await send(id, 4);
    const { code, stderr } = await run(["--count", "1", "--variable", "level"]);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("Continuing");
    expect(values().sort()).toEqual([1, 2, 3, 4]);
  });

  it("continues in the middle of stored records, and does not read those before again", async () => {
    const { id, folder, run } = await delivering();
    const times = [50, 40, 30].map((minutes) => Date.now() - minutes * 60_000);
    for (const [n, timeMs] of times.entries()) {
      const time = new Date(timeMs).toISOString();
      await iot(["device", "data", "send", id, `level=${n + 10}`, "--time", time]);
    }
    const [fromMs = 0, timeMs = 0] = times;
    const cursor = { storedMs: 0, fromMs, past: { timeMs, storedMs: Date.now() + 60_000 } };
    writeFileSync(join(folder, "cursor.json"), JSON.stringify(cursor));
    expect((await run(["--count", "3"])).code).toBe(0);
    expect(values().sort()).toEqual([1, 12, 2]);
    const reads = here.requests().filter((line) => line.startsWith(`GET /device/${id}/data?`));
    expect(reads.length).toBeGreaterThan(0);
    const starts = reads.map((line) => new URL(line.slice(4), here.sandbox.url).searchParams.get("start_date"));
    expect(starts.filter((start) => Date.parse(start ?? "") < timeMs)).toEqual([]);
  });

  it("moves its cursor after the engine's word only, so that a run that is killed loses nothing", async () => {
    statusOf = () => 0;
    const { folder, run } = await delivering();
    const ending = new AbortController();
    const first = run(["--since", "-1h"], { signal: ending.signal });
    await waitFor(() => values().length === 2, "the records at the engine");
    const cursor = () => JSON.parse(readFileSync(join(folder, "cursor.json"), "utf8")) as object;
    // As a run that is killed here leaves it.
    expect(cursor()).toEqual({ storedMs: 0, fromMs: expect.any(Number) });
    ending.abort();
    await first;
    expect(cursor()).toEqual({ storedMs: 0, fromMs: expect.any(Number) });
    statusOf = () => undefined;
    engine.seen.length = 0;
    expect((await run(["--count", "2"])).code).toBe(0);
    expect(values().sort()).toEqual([1, 2]);
    expect(cursor()).toMatchObject({ past: {} });
  });

  it("sends a record again until the engine takes it, and the others once", async () => {
    const failed: number[] = [];
    statusOf = (value) => {
      if (value !== 1 || failed.push(value) > 2) return undefined;
      return failed.length === 1 ? 503 : 429;
    };
    const { run } = await delivering();
    const { code, stderr } = await run(["--since", "-1h", "--count", "2"], { clock: quickClock() });
    expect(code, stderr).toBe(0);
    expect(values().sort()).toEqual([1, 1, 1, 2]);
  });

  it("reads what was stored while the connection was lost, once the platform lets it", { tags: ["slow"] }, async () => {
    const { id, run } = await delivering();
    const running = run(["--since", "-1h", "--count", "3", "--retries", "0"]);
    await waitFor(() => values().length === 2, "the stored records");
    here.sandbox.faults.set([
      { route: "GET /events", kind: "cut", count: 1 },
      { route: `GET /device/${id}/data`, kind: "status", status: 503, count: 2 },
    ]);
    await send(id, 3);
    const { code, stderr } = await running;
    expect(code, stderr).toBe(0);
    expect(stderr.match(/Not read: .*; retrying/g)).toHaveLength(2);
    expect(values().sort()).toEqual([1, 2, 3]);
    here.sandbox.faults.set([]);
  });

  it("ends at a record that the engine rejects, which the next run sends first", async () => {
    statusOf = (value) => (value === 2 ? 422 : undefined);
    const { run } = await delivering();
    const args = ["--since", "-1h", "--for", "10m"];
    const { code, stderr } = await run(args);
    expect(code).toBe(3);
    expect(stderr).toMatch(/rejects the record [0-9a-f]{24}\..*422 Unprocessable/s);
    statusOf = () => undefined;
    engine.seen.length = 0;
    expect((await run(["--count", "1"])).code).toBe(0);
    expect(values()).toContain(2);
  });

  it("writes rejected records to --dead-letter, and delivers the others", async () => {
    statusOf = (value) => (value === 2 ? 422 : undefined);
    const { folder, run } = await delivering();
    const { code, stderr } = await run(["--since", "-1h", "--count", "2", "--dead-letter", "dead.ndjson"]);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("1 record delivered to");
    expect(stderr).toContain("1 rejected, in dead.ndjson.");
    const [line, ...more] = readFileSync(join(folder, "dead.ndjson"), "utf8").trim().split("\n");
    expect(more).toEqual([]);
    const dead = JSON.parse(line ?? "") as { reason: string; id: string; body: string };
    expect(dead.reason).toBe("422 Unprocessable Entity");
    expect(JSON.parse(dead.body)).toMatchObject({ id: dead.id, value: 2 });
  });

  it("ends where the engine rejects the user or the path, without a record in the dead-letter file", async () => {
    const { folder, run } = await delivering();
    for (const status of [401, 403, 404, 302]) {
      statusOf = () => status;
      const { code, stderr } = await run(["--since", "-1h", "--for", "10m", "--dead-letter", "dead.ndjson"]);
      expect([code, stderr]).toEqual([5, expect.stringContaining(`It responds with ${status}`)]);
    }
    expect(existsSync(join(folder, "dead.ndjson"))).toBe(false);
  });

  it("takes password and token from variables or files, and shows neither", async () => {
    const { folder, run } = await delivering();
    const file = join(folder, "token");
    writeFileSync(file, "a-token-of-the-engine\n");
    const logins = [
      [{ IOT_SINK_TOKEN_FILE: file }, "Bearer a-token-of-the-engine"],
      [{ IOT_SINK_USER: "me", IOT_SINK_PASSWORD: "secret words" }, `Basic ${btoa("me:secret words")}`],
    ] as const;
    for (const [env, expected] of logins) {
      const { code, stderr } = await run(["--since", "-1h", "--count", "2", "--debug"], { env });
      expect(code, stderr).toBe(0);
      expect(engine.seen.at(-1)?.headers.authorization).toBe(expected);
      expect(stderr).not.toMatch(/a-token-of|secret words/);
      rmSync(join(folder, "cursor.json"));
    }
  });

  it.each([
    ["http://me:secret@127.0.0.1:1/x", "usage.secret_value", "--to takes no user and no password"],
    ["http://example.test/x", "sink.cleartext", "is not encrypted"],
    ["redis://127.0.0.1/x", "usage.invalid_value", "is not valid"],
    ["nats://127.0.0.1", "usage.invalid_value", "names no subject"],
    ["mqtt://127.0.0.1/plant/#", "usage.invalid_value", "is not valid"],
    ["mqtt://127.0.0.1/plant/+/a", "usage.invalid_value", "is not one topic or subject"],
    ["kafka://host:99999/topic", "usage.invalid_value", "is not a host with a port"],
  ])("rejects the address %s before anything is sent", async (to, code, message) => {
    const result = await iot(["stream", "ui", "--to", to, "--json"]);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(code);
    expect(result.stderr).toContain(message);
    expect(result.stderr).not.toContain("secret@");
  });

  it.each(["kafka", "nats", "mqtt"])("says that nothing listens at the address of %s", async (engineName) => {
    const { code, stderr } = await iot(["stream", "ui", "--to", `${engineName}://127.0.0.1:1/x`, "--json"]);
    expect(code, stderr).toBe(10);
    expect(stderr).toContain("sink.unreachable");
  });
});
