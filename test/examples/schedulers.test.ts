import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cliEnvironment, cliPath, temporaryFolder } from "../helpers/cli.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

const root = join(import.meta.dirname, "../..");
const examples = join(root, "examples/schedulers");
const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const has = (program: string): boolean => spawnSync(program, ["--version"]).error === undefined;

let here: SandboxUnderTest;
let programs: string;
beforeAll(async () => {
  here = await sandboxUnderTest();
  // The program by its name, as it is installed.
  programs = temporaryFolder();
  const file = join(programs, "iot");
  writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${await cliPath()}" "$@"\n`);
  chmodSync(file, 0o755);
});
afterAll(() => here.close());

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a recipe for a day in a folder; the sandbox is in this process, so nothing may block it. */
async function recipe(program: string, args: readonly string[], cwd: string, env = {}): Promise<Ended> {
  const child = spawn(program, args, {
    cwd,
    env: {
      ...cliEnvironment({ ...here.env, ...env }),
      PATH: `${programs}:${process.env["PATH"]}`,
      PYTHONPATH: join(root, "test/fixtures/schedulers"),
      PYTHONDONTWRITEBYTECODE: "1",
      DAY: day,
    },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, "close");
  return { code: code as number, stdout, stderr };
}

const recipes = [
  ["python3", "airflow_iot.py", "airflow.exceptions.AirflowFailException"],
  ["python3", "dagster_iot.py", "allow_retries=False"],
  ["sh", "daily-export.sh", "exit code 4"],
] as const;
const recordsIn = (text: string): number =>
  (JSON.parse(text.trim().split("\n").at(-1) ?? "") as { records: number }).records;
const filesIn = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();

// Python is not everywhere.
describe.each(recipes.filter(([program]) => has(program) || program === "sh"))(
  "the recipe for %s %s",
  (program, file, final) => {
    it("exports a day, twice with the same result", async () => {
      const folder = temporaryFolder();
      const args = [join(examples, file), ...(program === "sh" ? [day] : [])];
      const results = [];
      for (let n = 0; n < 2; n += 1) {
        const { code, stdout, stderr } = await recipe(program, args, folder);
        expect(code, stderr).toBe(0);
        const text = program === "sh" ? readFileSync(join(folder, "exports.ndjson"), "utf8") : stdout;
        results.push({ records: recordsIn(text), files: filesIn(join(folder, `lake-${day}`)) });
      }
      expect(results[0]?.records).toBeGreaterThan(0);
      expect(results[1]).toEqual(results[0]);
    });

    it("tells what another attempt may mend from what it cannot", async () => {
      const args = [join(examples, file), ...(program === "sh" ? [day] : [])];
      const rejected = await recipe(program, args, temporaryFolder(), {
        IOT_TOKEN: "00000000-0000-4000-8000-000000000000",
      });
      expect([rejected.code === 0, rejected.stderr]).toEqual([false, expect.stringContaining(final)]);
      const env = { IOT_API_URL: "http://127.0.0.1:1", IOT_RETRIES: "0" };
      const away = await recipe(program, args, temporaryFolder(), env);
      expect([away.code === 0, away.stderr]).toEqual([false, expect.not.stringContaining(final)]);
      expect(away.stderr).toMatch(/RuntimeError|allow_retries=True|the next run tries again/);
    });
  },
);
