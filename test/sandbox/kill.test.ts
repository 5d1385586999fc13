import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { OpenDatabase } from "../../src/sandbox/store/database.ts";
import { amount, isFull } from "../helpers/amount.ts";
import { call, type NewDevice, ok } from "./client.ts";
import { createDice } from "./malformed/requests.ts";
import { buildChild, type Child, type ChildProgram, startChild } from "./process.ts";

/** The result of the nightly run is in docs/internals/sandbox.md. */
const ROUNDS = amount(3, 200);
const SEED = Number(process.env["IOT_KILL_SEED"] ?? 7);
const WRITERS = 6;

let program: ChildProgram;
const dataDir = mkdtempSync(join(tmpdir(), "iot-kill-"));
let running: Child | undefined;

beforeAll(async () => {
  program = await buildChild();
});
afterEach(async () => {
  running?.process.kill("SIGKILL");
  await running?.ended;
});
afterAll(() => {
  program.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

/** What the server has said yes to, in one round. */
interface Acknowledged {
  readonly round: number;
  readonly values: string[];
  readonly devices: string[];
  readonly files: string[];
  /** Writes sent, answered or not. */
  sent: number;
}

async function isTaken(child: Child, path: string, token: string, body: unknown): Promise<boolean> {
  const answer = await call(child.ready, "POST", path, { token, body });
  return answer.status < 300;
}

/** Writes records, devices and files until the server is gone. */
async function write(child: Child, device: NewDevice, said: Acknowledged, writer: number): Promise<void> {
  const { profile } = child.ready.tokens;
  for (let n = 0; ; n += 1) {
    const value = `${said.round}-${writer}-${n}`;
    said.sent += 1;
    try {
      if (n % 7 === 3) {
        if (await isTaken(child, "/device", profile, { name: value })) said.devices.push(value);
      } else if (n % 7 === 5) {
        const file = Buffer.from(value.repeat(50)).toString("base64");
        if (await isTaken(child, "/files", profile, [{ filename: `${value}.txt`, file, type: "text/plain" }])) {
          said.files.push(value);
        }
      } else {
        const body = [
          { variable: `load${said.round}`, value },
          { variable: `twin${said.round}`, value },
        ];
        if (await isTaken(child, "/data", device.token, body)) said.values.push(value);
      }
    } catch {
      return;
    }
  }
}

/** Everything that was acknowledged is there once, with no half of a request beside it. */
async function check(child: Child, device: NewDevice, said: Acknowledged): Promise<void> {
  const { profile } = child.ready.tokens;
  const stored = async (variable: string): Promise<string[]> => {
    const path = `/data?variables=${variable}${said.round}&qty=10000`;
    const rows = await ok<{ value: string }[]>(child.ready, "GET", path, { token: device.token });
    return rows.map(({ value }) => value).sort();
  };
  const values = await stored("load");
  expect(values).toEqual(expect.arrayContaining(said.values));
  expect(new Set(values).size).toBe(values.length);
  expect(await stored("twin")).toEqual(values);

  const listed = `/device?amount=10000&filter[name]=${said.round}-*`;
  const devices = await ok<{ name: string }[]>(child.ready, "GET", listed, { token: profile });
  const names = devices.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(said.devices));
  expect(new Set(names).size).toBe(names.length);

  for (const name of said.files) {
    const path = `/file/${child.ready.profileId}/${name}.txt`;
    expect((await call(child.ready, "GET", path, { token: profile })).text).toBe(name.repeat(50));
  }
}

describe("killed with -9 again and again under load", { tags: ["posix"] }, () => {
  it(`keeps every acknowledged write, ${ROUNDS} times`, {
    tags: ["slow"],
    timeout: 60_000 + ROUNDS * 5_000,
  }, async () => {
    const dice = createDice(SEED);
    let device: NewDevice | undefined;
    let said: Acknowledged | undefined;
    let acknowledged = 0;
    let sent = 0;
    for (let round = 0; round <= ROUNDS; round += 1) {
      const child = await startChild(program, { dataDir, seed: "empty" });
      running = child;
      expect(child.ready.error).toBeUndefined();
      const token = child.ready.tokens.profile;
      device ??= await ok<NewDevice>(child.ready, "POST", "/device", { token, body: { name: "Load" } });
      if (said !== undefined) await check(child, device, said);
      if (round === ROUNDS) break;

      const now: Acknowledged = { round, values: [], devices: [], files: [], sent: 0 };
      const known = device;
      const writers = Array.from({ length: WRITERS }, (_, writer) => write(child, known, now, writer));
      const killAt = now.sent + 20 + dice.below(150);
      const killAfterMs = dice.below(4);
      while (now.sent < killAt) await new Promise((resolve) => setImmediate(resolve));
      // Anywhere in a request: before, in and after its commit.
      await new Promise((resolve) => setTimeout(resolve, killAfterMs));
      child.process.kill("SIGKILL");
      expect(await child.ended).toBe("SIGKILL");
      await Promise.all(writers);
      acknowledged += now.values.length + now.devices.length + now.files.length;
      sent += now.sent;
      said = now;
    }
    // The kills struck while writes were under way, after others had been acknowledged.
    expect(acknowledged).toBeGreaterThan(ROUNDS * 10);
    expect(sent).toBeGreaterThan(acknowledged);
    running?.process.kill("SIGTERM");
    await running?.ended;
    const db = new OpenDatabase({ path: join(dataDir, "sandbox.db") });
    expect(db.get("PRAGMA integrity_check")).toEqual({ integrity_check: "ok" });
    db.close();
    if (isFull) console.info(`${ROUNDS} kills, ${acknowledged} of ${sent} acknowledged`);
  });
});
