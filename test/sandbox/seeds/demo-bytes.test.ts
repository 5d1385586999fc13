import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createSandbox, type SandboxOptions } from "../../../src/sandbox/index.ts";
import { OpenDatabase } from "../../../src/sandbox/store/database.ts";

const DIGESTS = new URL("demo-digests.json", import.meta.url);

/** Random by nature: salted hashes, names of blobs, the number of this run. Tokens have no order but their position. */
const RANDOM: Readonly<Record<string, readonly string[]>> = {
  account: ["password_hash"],
  run_user_login: ["password_hash"],
  file: ["content"],
  file_blob: ["id", "content"],
  file_content: ["id"],
  run_revision: ["number"],
  token: [],
};

type Case = readonly [name: string, options: SandboxOptions];
const DEMO: Case = ["demo, seed 7, between two samples", { seed: 7, clock: new Date("2026-05-14T10:37:21.500Z") }];
const EMPTY: Case = ["empty", { seed: "empty", clock: new Date("2026-01-15T12:00:00Z") }];

function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  return JSON.stringify(typeof value === "bigint" ? String(value) : value);
}

/** Of every table: how many rows, and a digest over all of them in the order they are stored in. */
async function digestsOf(options: SandboxOptions): Promise<Record<string, string>> {
  const dataDir = mkdtempSync(join(tmpdir(), "iot-demo-bytes-"));
  try {
    const sandbox = await createSandbox({ ...options, dataDir });
    await sandbox.close();
    const db = new OpenDatabase({ path: join(dataDir, "sandbox.db") });
    const tables = db.all<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'migration' ORDER BY name",
    );
    const digests = tables.map(({ name }) => {
      const left = RANDOM[name];
      const stored = db.all(`SELECT * FROM "${name}"`).map((row) =>
        Object.entries(row)
          .filter(([column]) => left?.includes(column) !== true)
          .map(([column, value]) => `${column}=${textOf(value)}`)
          .join("\n"),
      );
      const rows = left === undefined ? stored : stored.sort();
      return [name, `${rows.length} ${createHash("sha256").update(rows.join("\n\n")).digest("hex")}`];
    });
    db.close();
    return Object.fromEntries(digests);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const stored: unknown = JSON.parse(readFileSync(DIGESTS, "utf8"));

async function expectSame(name: string, options: SandboxOptions): Promise<void> {
  expect(stored).toHaveProperty([name]);
  expect({ [name]: await digestsOf(options) }).toEqual({ [name]: (stored as Record<string, unknown>)[name] });
}

it("fills every table of an empty account as it always did", () => expectSame(...EMPTY));

it("fills every table of the demo account as it always did", { tags: ["slow"] }, () => expectSame(...DEMO));
