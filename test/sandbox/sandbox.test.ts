import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createSandbox, manualClock, type Sandbox, type SandboxOptions } from "../../src/sandbox/index.ts";
import { demoSandbox } from "../helpers/demo-sandbox.ts";
import { SEED_ACCOUNTS, SEED_DEVICE_TOKENS, SEED_TOKENS } from "../helpers/seed.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { call, newDevice, ok } from "./client.ts";
import { buildChild, startChild } from "./process.ts";

const open: Sandbox[] = [];
const directories: string[] = [];

afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox.close();
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

async function start(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await createSandbox({ seed: "empty", ...options });
  open.push(sandbox);
  return sandbox;
}

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "iot-sandbox-"));
  directories.push(directory);
  return directory;
}

describe("createSandbox", () => {
  it("takes a free port on loopback, and keeps nothing, unless told otherwise", async () => {
    const [one, two] = [await start(), await start()];
    expect(one.url).toBe(`http://127.0.0.1:${one.port}`);
    expect(one.eventsUrl).toBe(`${one.url}/events`);
    expect(two.port).not.toBe(one.port);
    await newDevice(one);
    expect(await ok(two, "GET", "/device", { token: two.tokens.profile })).toEqual([]);
  });

  it("takes the port it is given, and says so when it is taken", async () => {
    const one = await start();
    await expect(createSandbox({ port: one.port, seed: "empty" })).rejects.toThrow(/EADDRINUSE/);
    expect((await call(one, "GET", "/status")).status).toBe(200);
  });

  it("frees the data directory when it cannot listen", async () => {
    const one = await start();
    const dataDir = newDirectory();
    await expect(createSandbox({ port: one.port, dataDir, seed: "empty" })).rejects.toThrow(/EADDRINUSE/);
    await start({ dataDir });
  });

  it("leaves no timer that reads its database when it cannot listen", async () => {
    const one = await start();
    const said: string[] = [];
    const log = (text: string) => said.push(text);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      const options = { seed: "empty", port: one.port, dataDir: newDirectory(), log } as const;
      await expect(createSandbox(options)).rejects.toThrow(/EADDRINUSE/);
      // Longer than what is due is looked for: every second.
      vi.advanceTimersByTime(2_000);
      expect([said, vi.getTimerCount()]).toEqual([[], 0]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("is closed once, however often it is asked to", async () => {
    const sandbox = await start();
    await Promise.all([sandbox.close(), sandbox.close()]);
    await sandbox.close();
    await expect(call(sandbox, "GET", "/status")).rejects.toThrow(/ECONNREFUSED/);
  });

  it("fills a data directory once, and finds it as it was left", async () => {
    const dataDir = newDirectory();
    const first = await start({ dataDir });
    const { device_id } = await newDevice(first);
    await first.close();
    const second = await start({ dataDir });
    expect(await ok(second, "GET", `/device/${device_id}`, { token: second.tokens.read })).toMatchObject({
      id: device_id,
    });
  });

  it("has working tokens for everything the seed promises", async () => {
    const sandbox = await demoSandbox();
    open.push(sandbox);
    const { tokens } = sandbox;
    for (const token of [tokens.profile, tokens.read, tokens.analysis, tokens.device]) {
      expect((await call(sandbox, "GET", "/info", { token })).status).toBe(200);
    }
    expect((await call(sandbox, "GET", "/info", { token: tokens.expired })).status).toBe(401);
    const devices = await ok<unknown[]>(sandbox, "GET", "/device", { token: tokens.analysis });
    expect(devices.length).toBeGreaterThan(10);
  });
});

describe("reset", () => {
  it("brings back the seed and forgets the rest, with streams and tokens still working", async () => {
    const sandbox = await start();
    const device = await newDevice(sandbox);
    await ok(sandbox, "POST", "/data", { token: device.token, body: { variable: "a", value: 1 } });
    await ok(sandbox, "POST", "/__sandbox/reset");
    expect((await call(sandbox, "GET", "/info", { token: device.token })).status).toBe(401);
    expect(await ok(sandbox, "GET", "/device", { token: sandbox.tokens.profile })).toEqual([]);
    const again = await newDevice(sandbox);
    expect(await ok(sandbox, "GET", "/data", { token: again.token })).toEqual([]);
    sandbox.reset();
    expect(await ok(sandbox, "GET", "/device", { token: sandbox.tokens.profile })).toEqual([]);
  });
});

describe("the clock", () => {
  it("stands still at a date and moves through the inspection route", async () => {
    const sandbox = await start({ clock: new Date("2026-01-31T00:00:00Z") });
    const { device_id } = await newDevice(sandbox);
    expect(device_id.slice(0, 8)).toBe((Date.parse("2026-01-31T00:00:00Z") / 1000).toString(16));
    const moved = await ok(sandbox, "PUT", "/__sandbox/clock", { body: { advance: 86_400_000 } });
    expect(moved).toEqual({ now: "2026-02-01T00:00:00.000Z", manual: true });
    await ok(sandbox, "PUT", "/__sandbox/clock", { body: { set: "2027-01-01T00:00:00Z" } });
    expect(sandbox.clock.now()).toBe(Date.parse("2027-01-01T00:00:00Z"));
    for (const body of [{}, { set: "soon" }, { advance: "1" }, 5]) {
      expect((await call(sandbox, "PUT", "/__sandbox/clock", { body })).status).toBe(400);
    }
  });

  it("runs faster on demand", async () => {
    const sandbox = await start({ clock: "x60" });
    const before = sandbox.clock.now();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(sandbox.clock.now() - before).toBeGreaterThanOrEqual(60 * 19);
    await expect(createSandbox({ clock: "x0" })).rejects.toThrow(/not known/);
  });

  it.each(["real", "x60", { now: () => Date.now() }] as const)(
    "runs on from where it is moved as %o",
    async (clock) => {
      const sandbox = await start({ clock });
      const move = (body: object) => ok<{ now: string; manual: boolean }>(sandbox, "PUT", "/__sandbox/clock", { body });
      const startedAt = sandbox.clock.now();
      const advanced = await move({ advance: 3_600_000 });
      expect(advanced.manual).toBe(false);
      expect(Date.parse(advanced.now) - startedAt).toBeGreaterThanOrEqual(3_600_000);
      const setAt = Date.now();
      const set = Date.parse((await move({ set: "2031-05-01T00:00:00Z" })).now);
      expect(set).toBeGreaterThanOrEqual(Date.parse("2031-05-01T00:00:00Z"));
      await waitFor(() => sandbox.clock.now() > set, "the clock to run on");
      const ranMs = sandbox.clock.now() - set;
      expect(ranMs).toBeLessThanOrEqual((clock === "x60" ? 60 : 1) * (Date.now() - setAt));
    },
  );

  it("runs what is due when a running one is moved", async () => {
    const sandbox = await start({ clock: "real" });
    const token = sandbox.tokens.profile;
    const action = { type: "email", to: "jo@example.test", subject: "s", message: "m" };
    const body = { name: "Hourly", type: "interval", active: true, trigger: [{ interval: "1 hour" }], action };
    await ok(sandbox, "POST", "/action", { token, body });
    await ok(sandbox, "PUT", "/__sandbox/clock", { body: { advance: 3_600_000 } });
    expect(sandbox.outbox({ kind: "email" })).toHaveLength(1);
  });

  it("lets tokens expire in the time that is skipped", async () => {
    const sandbox = await start({ clock: "x60" });
    const body = { name: "Short", permission: "full", expire_time: "1 day" };
    const { token } = await ok<{ token: string }>(sandbox, "POST", "/profile/current/token", {
      token: sandbox.tokens.profile,
      body,
    });
    const status = async () => (await call(sandbox, "GET", "/info", { token })).status;
    expect(await status()).toBe(200);
    await ok(sandbox, "PUT", "/__sandbox/clock", { body: { advance: 2 * 86_400_000 } });
    expect(await status()).toBe(401);
    await ok(sandbox, "PUT", "/__sandbox/clock", { body: { reset: true } });
    expect(await status()).toBe(200);
  });

  it("shows how far a running one was moved, and goes back to its own time", async () => {
    const sandbox = await start({ clock: "real" });
    const put = (body: object) => ok<{ offset_ms: number }>(sandbox, "PUT", "/__sandbox/clock", { body });
    expect(await put({ advance: 3_600_000 })).toMatchObject({ offset_ms: 3_600_000, manual: false });
    expect(await put({ advance: -60_000 })).toMatchObject({ offset_ms: 3_540_000 });
    const health = await ok(sandbox, "GET", "/__sandbox/health");
    expect(health).toMatchObject({ clock: { offset_ms: 3_540_000, manual: false } });
    expect(await put({ reset: true })).toMatchObject({ offset_ms: 0 });
    const before = Date.now();
    const own = sandbox.clock.now();
    expect(own).toBeGreaterThanOrEqual(before);
    expect(own).toBeLessThanOrEqual(Date.now());
    const fixed = await start({ clock: new Date("2026-01-31T00:00:00Z") });
    expect((await call(fixed, "PUT", "/__sandbox/clock", { body: { reset: true } })).status).toBe(400);
  });

  it("set back, makes rising ids all the same, and runs again what is due again", async () => {
    const sandbox = await start({ clock: "real" });
    const token = sandbox.tokens.profile;
    const action = { type: "email", to: "jo@example.test", subject: "s", message: "m" };
    const body = { name: "Hourly", type: "interval", active: true, trigger: [{ interval: "1 hour" }], action };
    await ok(sandbox, "POST", "/action", { token, body });
    const move = (change: object) => ok(sandbox, "PUT", "/__sandbox/clock", { body: change });
    const emails = () => sandbox.outbox({ kind: "email" }).length;
    await move({ advance: 5.5 * 3_600_000 });
    expect(emails()).toBe(5);
    const later = await newDevice(sandbox);
    await move({ reset: true });
    expect((await newDevice(sandbox)).device_id > later.device_id).toBe(true);
    await move({ advance: 1_800_000 });
    expect(emails()).toBe(5);
    await move({ advance: 1_800_000 });
    expect(emails()).toBe(6);
  });

  it("stays within the years that a date can show", async () => {
    for (const clock of ["real", new Date("2026-01-31T00:00:00Z")] as const) {
      const sandbox = await start({ clock });
      for (const body of [{ advance: 1e300 }, { advance: -1e15 }, { set: "1969-12-31T00:00:00Z" }]) {
        expect((await call(sandbox, "PUT", "/__sandbox/clock", { body })).status).toBe(400);
      }
      expect((await call(sandbox, "GET", "/__sandbox/clock")).status).toBe(200);
    }
  });

  it("together with a seed number makes ids and tokens the same every time", { tags: ["slow"] }, async () => {
    const make = async () => {
      const sandbox = await start({ seed: 7, clock: manualClock(Date.parse("2026-05-01T00:00:00Z")) });
      const device = await newDevice(sandbox);
      const more = await ok(sandbox, "POST", "/device/token", {
        token: sandbox.tokens.profile,
        body: { device: device.device_id, name: "t" },
      });
      await sandbox.close();
      return { device, more };
    };
    expect(await make()).toEqual(await make());
  });
});

describe("on an address that other machines reach", { tags: ["posix"] }, () => {
  it("the printed demo tokens and accounts open nothing, fresh ones do", { tags: ["slow"] }, async () => {
    // In a process of its own: this one is kept from naming any other address.
    const program = await buildChild();
    const child = await startChild(program, { host: "0.0.0.0", seed: "empty" });
    try {
      const { url, tokens } = child.ready;
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      const at = { url };
      for (const token of [...Object.values(SEED_TOKENS), ...Object.values(SEED_DEVICE_TOKENS)]) {
        expect((await call(at, "GET", "/info", { token })).status, token).toBe(401);
      }
      const { email, password } = SEED_ACCOUNTS.demo;
      expect((await call(at, "POST", "/account/login", { body: { email, password } })).status).toBe(401);
      const { profile, read, write, analysis } = tokens;
      expect(new Set([profile, read, write, analysis]).size).toBe(4);
      for (const token of [profile, read, analysis]) {
        expect((await call(at, "GET", "/info", { token })).status).toBe(200);
      }
      expect((await call(at, "GET", "/status", { headers: { host: "machine.example" } })).status).toBe(200);
    } finally {
      child.process.kill("SIGKILL");
      await child.ended;
      program.remove();
    }
  });
});
