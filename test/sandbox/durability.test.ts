import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { call, type NewDevice, newDevice, ok } from "./client.ts";
import { buildChild, type Child, type ChildProgram, startChild } from "./process.ts";

let program: ChildProgram;
let dataDir: string;
const children: Child[] = [];
const sandboxes: Sandbox[] = [];

beforeAll(async () => {
  program = await buildChild();
});
afterAll(() => program.remove());
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "iot-durable-"));
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.process.kill("SIGKILL");
    await child.ended;
  }
  for (const sandbox of sandboxes.splice(0)) await sandbox.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(options: object = {}): Promise<Child> {
  const child = await startChild(program, { dataDir, seed: "empty", ...options });
  children.push(child);
  return child;
}

/** As `start`, in this process. */
async function startHere(): Promise<Sandbox> {
  const sandbox = await createSandbox({ dataDir, seed: "empty" });
  sandboxes.push(sandbox);
  return sandbox;
}

/** Writes until the server is gone; answers what was acknowledged. */
async function writeUntilGone(url: string, writer: number, device: NewDevice, acknowledged: string[]): Promise<void> {
  for (let n = 0; ; n += 1) {
    const value = `${writer}-${n}`;
    try {
      const answer = await call({ url }, "POST", "/data", {
        token: device.token,
        body: [
          { variable: "load", value },
          { variable: "twin", value },
        ],
      });
      if (answer.status !== 200) return;
    } catch {
      return;
    }
    acknowledged.push(value);
  }
}

describe("after kill -9", { tags: ["posix"] }, () => {
  it("every acknowledged write is there, and no half of one", { tags: ["slow"] }, async () => {
    const child = await start();
    const sandbox = { url: child.ready.url, tokens: child.ready.tokens };
    const device = await ok<NewDevice>(sandbox, "POST", "/device", {
      token: sandbox.tokens.profile,
      body: { name: "Load" },
    });
    const acknowledged: string[] = [];
    const writers = Array.from({ length: 8 }, (_, writer) => writeUntilGone(sandbox.url, writer, device, acknowledged));
    while (acknowledged.length < 200) await new Promise((resolve) => setImmediate(resolve));
    child.process.kill("SIGKILL");
    expect(await child.ended).toBe("SIGKILL");
    await Promise.all(writers);

    const again = await createSandbox({ dataDir, seed: "empty" });
    const read = async (variable: string): Promise<string[]> => {
      const rows = await ok<{ value: string }[]>(again, "GET", `/data?variables=${variable}&qty=10000`, {
        token: device.token,
      });
      return rows.map(({ value }) => value);
    };
    const stored = await read("load");
    const twins = await read("twin");
    const amount = await ok<number>(again, "GET", `/device/${device.device_id}/data_amount`, {
      token: again.tokens.profile,
    });
    await again.close();
    expect(stored).toEqual(expect.arrayContaining(acknowledged));
    expect(new Set(stored).size).toBe(stored.length);
    expect([...twins].sort()).toEqual([...stored].sort());
    expect(amount).toBe(stored.length * 2);
  });

  it("entities, tokens and parameters are there too", async () => {
    const child = await start();
    const { profile } = child.ready.tokens;
    const body = { name: "Kept", tags: [{ key: "a", value: "b" }], configuration_params: [{ key: "k", value: "v" }] };
    const device = await ok<NewDevice>(child.ready, "POST", "/device", { token: profile, body });
    const { dashboard } = await ok<{ dashboard: string }>(child.ready, "POST", "/dashboard", {
      token: profile,
      body: { label: "Kept" },
    });
    child.process.kill("SIGKILL");
    await child.ended;
    const again = await startHere();
    const token = again.tokens.profile;
    expect(await ok(again, "GET", "/info", { token: device.token })).toMatchObject({
      name: "Kept",
      tags: body.tags,
    });
    expect(await ok(again, "GET", `/device/${device.device_id}/params`, { token })).toHaveLength(1);
    expect(await ok(again, "GET", `/dashboard/${dashboard}`, { token })).toMatchObject({ label: "Kept" });
    expect(await ok(again, "GET", "/device?filter[tags][0][key]=a", { token })).toHaveLength(1);
  });
});

describe("one data directory", { tags: ["posix"] }, () => {
  it("has one sandbox at a time; the second one says who has it", { tags: ["slow"] }, async () => {
    const child = await start();
    await expect(startHere()).rejects.toThrow(
      new RegExp(`^The data directory .* is in use by process ${child.process.pid}\\.`),
    );
    expect(await ok(child.ready, "GET", "/status")).toBeDefined();
    child.process.kill("SIGTERM");
    expect(await child.ended).toBe(0);
    expect(readdirSync(dataDir)).toEqual(["sandbox.db", "secret.key"]);
    await startHere();
  });
});

describe("a full disk", () => {
  it("answers 503, stores no half of a request, keeps what was acknowledged and goes on reading", async () => {
    const sandbox = await createSandbox({ dataDir, seed: "empty", maxPages: 260 });
    const device = await newDevice(sandbox);
    const rows = Array.from({ length: 10 }, (_, index) => ({ variable: `v${index}`, value: "x".repeat(2_000) }));
    const statuses: number[] = [];
    let message: string | undefined;
    while (statuses.length < 500 && !statuses.includes(503)) {
      const answer = await call(sandbox, "POST", "/data", { token: device.token, body: rows });
      statuses.push(answer.status);
      message = answer.body.message;
    }
    const stored = statuses.filter((status) => status === 200).length;
    expect(statuses.at(-1)).toBe(503);
    expect(message).toContain("full");
    expect(stored).toBeGreaterThan(0);
    const path = `/device/${device.device_id}`;
    const token = sandbox.tokens.profile;
    expect(await ok(sandbox, "GET", `${path}/data_amount`, { token })).toBe(stored * 10);
    expect((await call(sandbox, "POST", `${path}/empty`, { token })).status).toBe(200);
    expect((await call(sandbox, "POST", "/data", { token: device.token, body: rows })).status).toBe(200);
    await sandbox.close();
  });
});

describe("a disk that takes no more", { tags: ["posix"] }, () => {
  it("is answered with 503 in the middle of the load; what was acknowledged is there, then and afterwards", {
    tags: ["slow"],
  }, async () => {
    const child = await startChild(program, { dataDir, seed: "empty" }, 6_000);
    children.push(child);
    const { profile } = child.ready.tokens;
    const device = await ok<NewDevice>(child.ready, "POST", "/device", { token: profile, body: { name: "Full" } });
    const acknowledged: string[] = [];
    const refused: number[] = [];
    const write = async (writer: number): Promise<void> => {
      for (let n = 0; refused.length < 20 && n < 1_000; n += 1) {
        const value = `${writer}-${n} ${"x".repeat(4_000)}`;
        const body = Array.from({ length: 5 }, (_, index) => ({ variable: `v${index}`, value }));
        const answer = await call(child.ready, "POST", "/data", { token: device.token, body });
        if (answer.status === 200) acknowledged.push(value);
        else refused.push(answer.status);
      }
    };
    await Promise.all([0, 1, 2, 3].map(write));
    expect([...new Set(refused)]).toEqual([503]);
    const check = async (ready: Pick<Sandbox, "url">): Promise<void> => {
      for (const variable of ["v0", "v4"]) {
        const rows = await ok<{ value: string }[]>(ready, "GET", `/data?variables=${variable}&qty=10000`, {
          token: device.token,
        });
        expect(rows.map(({ value }) => value).sort()).toEqual([...acknowledged].sort());
      }
    };
    expect(acknowledged.length).toBeGreaterThan(5);
    await check(child.ready);
    child.process.kill("SIGKILL");
    await child.ended;
    const again = await startHere();
    await check(again);
    const more = { token: device.token, body: [{ variable: "v0", value: "room again" }] };
    expect((await call(again, "POST", "/data", more)).status).toBe(200);
  });
});

describe("a disk without room for the one file that closing leaves", { tags: ["posix"] }, () => {
  it("keeps the log beside it: the sandbox ends cleanly, and everything acknowledged is there later", {
    tags: ["slow"],
  }, async () => {
    const blocks = 6_000;
    const acknowledged: string[] = [];
    let token = "";
    const fill = async ({ ready }: Child): Promise<void> => {
      for (let status = 200; status === 200; ) {
        const value = `${acknowledged.length} ${"x".repeat(4_000)}`;
        const body = Array.from({ length: 5 }, (_, index) => ({ variable: `v${index}`, value }));
        ({ status } = await call(ready, "POST", "/data", { token, body }));
        if (status === 200) acknowledged.push(value);
        else expect(status).toBe(503);
      }
    };
    const close = async (child: Child): Promise<void> => {
      child.process.kill("SIGTERM");
      expect({ end: await child.ended, complaints: child.complaints() }).toEqual({ end: 0, complaints: "" });
    };
    // More than one file may hold: each round leaves what it wrote to the database, until that is full as well.
    for (let round = 0; round < 3; round += 1) {
      const child = await startChild(program, { dataDir, seed: "empty" }, blocks);
      children.push(child);
      const profile = child.ready.tokens.profile;
      const body = { name: "Full", type: "immutable", chunk_period: "month", chunk_retention: 1 };
      if (round === 0) ({ token } = await ok<NewDevice>(child.ready, "POST", "/device", { token: profile, body }));
      await fill(child);
      await close(child);
    }
    expect(readdirSync(dataDir)).toContain("sandbox.db-wal");
    const again = await start();
    const rows = await ok<{ value: string }[]>(again.ready, "GET", "/data?variables=v4&qty=10000", { token });
    expect(rows.map(({ value }) => value).sort()).toEqual([...acknowledged].sort());
    await close(again);
    expect(readdirSync(dataDir)).not.toContain("sandbox.db-wal");
  });
});

describe("a sandbox that is closed", { tags: ["posix"] }, () => {
  it("lets its process end by itself", { tags: ["slow"] }, async () => {
    const child = await start({ seed: "empty" });
    await ok(child.ready, "GET", "/status");
    child.process.kill("SIGTERM");
    expect(await child.ended).toBe(0);
  });
});
