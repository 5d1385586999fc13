import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { programOf } from "../../../src/sandbox/analyses/programs.ts";
import { createSandbox, type Sandbox } from "../../../src/sandbox/index.ts";
import { holdTimers } from "../../helpers/held-timers.ts";
import { hasRuntime } from "../../helpers/runtimes.ts";
import { consoleOf, newAnalysis, ranToEnd, run, upload } from "./helpers.ts";

const LIMIT_MS = 60_000;
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty", analyses: { timeoutMs: LIMIT_MS } });
});
afterAll(() => sandbox.close());

const isOver = (lines: readonly string[]): boolean =>
  ranToEnd(lines) || lines.some((line) => line.includes("could not be started"));

/** The id of an analysis whose script was started. */
async function started(source: string, file: string, runtime: string, scope: unknown = []): Promise<string> {
  const { id } = await newAnalysis(sandbox, { variables: [{ key: "limit", value: "8" }] });
  await upload(sandbox, id, source, file, runtime);
  await run(sandbox, id, scope);
  return id;
}

/** The console of a script that was run once. */
async function consoleAfter(...script: Parameters<typeof started>): Promise<string[]> {
  return consoleOf(sandbox, await started(...script), isOver, "the end of the run");
}

const PYTHON = `
import json, os, urllib.request
print("context", os.environ["T_ANALYSIS_CONTEXT"], json.loads(os.environ["T_ANALYSIS_ENV"])[0], "é")
print("scope", json.loads(os.environ["T_ANALYSIS_DATA"]))
request = urllib.request.Request(os.environ["TAGOIO_API"] + "/info", headers={"token": os.environ["T_ANALYSIS_TOKEN"]})
info = json.load(urllib.request.urlopen(request))["result"]
print("same", info["id"] == os.environ["T_ANALYSIS_ID"])
`;

const DENO = `
const read = (name: string): string => Deno.env.get(name) ?? "";
console.log("context", read("T_ANALYSIS_CONTEXT"), JSON.parse(read("T_ANALYSIS_ENV"))[0].value);
console.log("scope", read("T_ANALYSIS_DATA"));
const reply = await fetch(\`\${read("TAGOIO_API")}/info\`, { headers: { token: read("T_ANALYSIS_TOKEN") } });
console.log("same", (await reply.json()).result.id === read("T_ANALYSIS_ID"));
for (const forbidden of [() => Deno.writeTextFileSync("x", "y"), () => new Deno.Command("ls").outputSync()]) {
  try { forbidden(); } catch (error) { console.log((error as Error).name); }
}
`;

if (hasRuntime("python3")) {
  describe("a Python analysis", () => {
    it("runs with its token, variables and scope", { tags: ["slow"] }, async () => {
      const lines = await consoleAfter(PYTHON, "job.py", "python-rt2025", [{ variable: "a", value: 1 }]);
      expect(lines.slice(0, -1)).toEqual([
        "Analysis started",
        "context tago-io {'key': 'limit', 'value': '8'} é",
        "scope [{'variable': 'a', 'value': 1}]",
        "same True",
      ]);
      expect(lines.at(-1)).toMatch(/^Analysis ended after/);
    });

    it("shows where it failed, also under a name that is no Python file", { tags: ["slow"] }, async () => {
      const lines = await consoleAfter('print("before")\nraise ValueError("broken")\n', "script", "python-legacy");
      expect(lines[1]).toBe("before");
      expect(lines.join("\n")).toContain("ValueError: broken");
      expect(lines.at(-1)).toMatch(/^Analysis failed with exit code 1/);
    });

    it("ends with its time limit", { tags: ["slow"] }, async () => {
      const limit = holdTimers(LIMIT_MS);
      const id = await started('print("running", flush=True)\nwhile True: pass\n', "endless.py", "python");
      await consoleOf(sandbox, id, (lines) => lines.includes("running"), "the first line");
      limit.elapse();
      const endless = await consoleOf(sandbox, id, isOver, "the end of the run");
      expect(endless.at(-1)).toBe("The analysis was stopped: it ran longer than 60 seconds");
    });
  });
}

if (hasRuntime("deno")) {
  describe("a Deno analysis", () => {
    it("runs TypeScript with its token, variables and scope, and cannot write files or start programs", async () => {
      const lines = await consoleAfter(DENO, "job.ts", "deno-rt2025", { a: 1 });
      expect(lines.slice(0, -1)).toEqual([
        "Analysis started",
        "context tago-io 8",
        'scope {"a":1}',
        "same true",
        "NotCapable",
        "NotCapable",
      ]);
      expect(lines.at(-1)).toMatch(/^Analysis ended after/);
    });

    it("shows the line it failed in", async () => {
      const lines = await consoleAfter('\nthrow new Error("broken");\n', "job.ts", "deno-rt2025");
      expect(lines.join("\n")).toMatch(/Error: broken[\s\S]*job\.ts:2/);
      expect(lines.at(-1)).toMatch(/^Analysis failed with exit code 1/);
    });
  });
}

describe("a runtime that this machine does not have", () => {
  it.each([
    ["python-rt2025", "Python"],
    ["python-legacy", "Python"],
    ["deno-rt2025", "Deno"],
  ])("%s is named in the console, with where to get it", async (runtime, title) => {
    vi.stubEnv("PATH", mkdtempSync(join(tmpdir(), "iot-test-")));
    const lines = await consoleAfter("1", "job", runtime);
    const { command, install } = programOf(runtime) ?? {};
    expect(lines.at(-1)).toBe(
      `The analysis could not be started: ${title} is not installed (no program "${command}" in PATH): ${install}`,
    );
  });

  it("is none for every name of Node, and for an analysis without a runtime", () => {
    const titles = [undefined, null, "node", "node-legacy", "node-rt2025", "python", "other"].map(
      (runtime) => programOf(runtime)?.title,
    );
    expect(titles).toEqual(["Node", "Node", "Node", "Node", "Node", "Python", undefined]);
  });
});
