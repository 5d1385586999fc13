import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSandbox, DataDirectoryError, openStoppedSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { runHere } from "../helpers/in-process.ts";
import { call, newDevice, ok } from "./client.ts";

let dataDir: string;
let log: string[];
const open: Sandbox[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "iot-damaged-"));
  log = [];
});
afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const file = (): string => join(dataDir, "sandbox.db");

async function start(): Promise<Sandbox> {
  const sandbox = await createSandbox({ seed: "empty", dataDir, log: (line) => log.push(line) });
  open.push(sandbox);
  return sandbox;
}

const MARK = "a record that stands on many pages ".repeat(12);
const PAGE_BYTES = 4096;

/** A closed sandbox with records and a snapshot; its device's token. */
async function filled(): Promise<string> {
  const sandbox = await start();
  const { token } = await newDevice(sandbox);
  const records = Array.from({ length: 200 }, (_, n) => ({ variable: "level", value: n, metadata: { text: MARK } }));
  await ok(sandbox, "POST", "/data", { token, body: records });
  await sandbox.snapshots.create("whole");
  await sandbox.close();
  return token;
}

/** Overwrites the start of the pages that are chosen. Returns how many. */
function damage(isChosen: (page: Buffer, index: number) => boolean): number {
  const bytes = readFileSync(file());
  let damaged = 0;
  for (let index = 1; (index + 1) * PAGE_BYTES <= bytes.length; index += 1) {
    const page = bytes.subarray(index * PAGE_BYTES, (index + 1) * PAGE_BYTES);
    if (!isChosen(page, index)) continue;
    page.fill(0, 0, 12);
    damaged += 1;
  }
  writeFileSync(file(), bytes);
  return damaged;
}

const isRecord = (page: Buffer): boolean => page.includes(MARK.slice(0, 34));

describe("a damaged database", () => {
  it("is told by its file when it is opened, also without a server, and a snapshot can be restored", async () => {
    const token = await filled();
    expect(damage((_page, index) => index < 200)).toBeGreaterThan(20);
    const told = `The database of the sandbox is damaged: ${file()} (SQLITE_CORRUPT`;
    await expect(createSandbox({ seed: "empty", dataDir })).rejects.toThrow(DataDirectoryError);
    await expect(createSandbox({ seed: "empty", dataDir })).rejects.toThrow(told);
    expect(() => openStoppedSandbox(dataDir, { create: false })).toThrow(told);
    rmSync(file());
    const again = await start();
    await again.snapshots.restore("whole");
    expect(await ok<unknown[]>(again, "GET", "/data?qty=1000", { token })).toHaveLength(200);
  });

  it("is not an internal error of the program", { tags: ["slow"] }, async () => {
    await filled();
    damage((_page, index) => index < 200);
    const { code, stderr } = await runHere(["sandbox", "start", "--data-dir", dataDir, "--port", "0", "--json"]);
    expect(code).toBe(7);
    const message = expect.stringContaining(`The database of the sandbox is damaged: ${file()}`);
    expect(JSON.parse(stderr).error).toMatchObject({ code: "sandbox.data", message });
  });

  it("answers requests that need it with 503, says so once in the log, and ends cleanly", async () => {
    const token = await filled();
    expect(damage(isRecord)).toBeGreaterThan(20);
    const sandbox = await start();
    for (const path of ["/data?qty=1000", "/data?qty=999"]) {
      const { status, body } = await call(sandbox, "GET", path, { token });
      expect({ status, message: body.message }).toEqual({
        status: 503,
        message: expect.stringContaining(`The database of the sandbox is damaged: ${file()} (SQLITE_CORRUPT`),
      });
    }
    expect(log.filter((line) => line.includes("is damaged"))).toHaveLength(1);
    expect((await call(sandbox, "GET", "/info", { token })).status).toBe(200);
    await sandbox.close();
    expect(readdirSync(dataDir)).not.toContain("sandbox.lock");
  });

  it("is looked for after a process that did not end by itself, at every start", async () => {
    await filled();
    damage(isRecord);
    writeFileSync(join(dataDir, "sandbox.lock"), "1\n");
    for (let times = 0; times < 2; times += 1)
      await expect(createSandbox({ seed: "empty", dataDir })).rejects.toThrow(/is damaged: .* \(quick_check\)/);
  });
});

describe("a folder with other files", () => {
  it("is not made a data directory, and nothing is written into it", async () => {
    for (const name of ["precious.txt", ".env"]) {
      writeFileSync(join(dataDir, name), "");
      const told = `The data directory ${dataDir} holds other files (${JSON.stringify(name)}) and no sandbox`;
      await expect(createSandbox({ seed: "empty", dataDir })).rejects.toThrow(told);
      expect(() => openStoppedSandbox(dataDir, { create: true })).toThrow(told);
      expect(readdirSync(dataDir)).toEqual([name]);
      rmSync(join(dataDir, name));
    }
  });

  it("stays one that has a database, and empty ones may hold what systems put there", async () => {
    for (const name of ["lost+found", "blobs"]) mkdirSync(join(dataDir, name));
    for (const name of [".gitignore", "sandbox.lock"]) writeFileSync(join(dataDir, name), "");
    await (await start()).close();
    writeFileSync(join(dataDir, "notes.txt"), "");
    await start();
    expect(readdirSync(dataDir)).toContain("notes.txt");
  });
});
