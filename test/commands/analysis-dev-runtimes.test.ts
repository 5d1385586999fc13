import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startCli, temporaryFolder } from "../helpers/cli.ts";
import { hasRuntime } from "../helpers/runtimes.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { waitFor } from "../helpers/wait-for.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill("SIGKILL");
  running.clear();
});

const json = <T>(...args: readonly string[]): Promise<T> => here.json<T>(["analysis", ...args]);
const modeOf = async (id: string): Promise<string> => (await json<{ run_on: string }>("get", id)).run_on;

let count = 0;
/** An analysis of its own, and the file of its script. */
async function prepared(name: string, source: string): Promise<{ id: string; file: string }> {
  count += 1;
  const { id } = await json<{ id: string }>("create", "--name", `runtime ${count}`);
  const file = join(temporaryFolder(), name);
  writeFileSync(file, source);
  return { id, file };
}

async function startDev(id: string, file: string, ...flags: readonly string[]) {
  const child = await startCli(["analysis", "dev", id, "--file", file, ...flags], { env: here.env });
  running.add(child);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  const ended = new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? -1)));
  const saying = (words: string): Promise<void> =>
    waitFor(() => text.includes(words), `"${words}"`).catch((error: unknown) => {
      throw new Error(`${String(error)} in: ${text}`);
    });
  return { child, ended, saying, text: () => text };
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const python = (word: string): string => `
import json, os, time, urllib.request
from words import word
request = urllib.request.Request(os.environ["TAGOIO_API"] + "/info", headers={"token": os.environ["T_ANALYSIS_TOKEN"]})
info = json.load(urllib.request.urlopen(request))["result"]
print("pid %d." % os.getpid(), word, "${word}", info["id"] == os.environ["T_ANALYSIS_ID"], "T_ANALYSIS_CONTEXT" in os.environ)
print([name for name in os.environ if name.startswith("IOT_")])
time.sleep(600)
`;

const deno = (word: string): string => `
import { Analysis } from "iotdeck";
import { word } from "./words.ts";
console.log(\`pid \${Deno.pid}.\`, word, "${word}", "iot" in globalThis);
Analysis.use(async (_context: unknown, scope: unknown[]) => { console.log("rows", scope.length); }, { token: Deno.env.get("T_ANALYSIS_TOKEN")! });
`;

const pidIn = (text: string): number => Number(/pid (\d+)\./.exec(text)?.[1]);

if (hasRuntime("python3")) {
  describe("analysis dev with a Python file", { tags: ["posix"] }, () => {
    it("runs it with the token, and restores the mode", { tags: ["slow"] }, async () => {
      const { id, file } = await prepared("job.py", python("first"));
      writeFileSync(join(file, "..", "words.py"), 'word = "one"\n');
      const dev = await startDev(id, file);
      await dev.saying("one first True False\n[]");
      expect(await modeOf(id)).toBe("external");
      dev.child.kill("SIGTERM");
      expect(await dev.ended).toBe(143);
      expect([await modeOf(id), isAlive(pidIn(dev.text()))]).toEqual(["tago", false]);
    });

    it("runs it again after a change of it or of a file beside it", { tags: ["slow"] }, async () => {
      const { id, file } = await prepared("job.py", python("first"));
      const words = join(file, "..", "words.py");
      writeFileSync(words, 'word = "one"\n');
      const dev = await startDev(id, file);
      await dev.saying("one first True False\n[]");
      writeFileSync(file, python("second"));
      await dev.saying("one second True");
      writeFileSync(words, 'word = "two, changed"\n');
      await dev.saying("two, changed second True");
      dev.child.kill("SIGTERM");
      expect(await dev.ended).toBe(143);
    });

    it("shows its errors and starts it again", { tags: ["slow"] }, async () => {
      const { id, file } = await prepared("job.py", 'raise ValueError("broken")\n');
      const dev = await startDev(id, file);
      await dev.saying("ValueError: broken");
      await dev.saying("restarting in 2 s");
      dev.child.kill("SIGTERM");
      expect(await dev.ended).toBe(143);
    });

    it("ends the script when the program is killed", { tags: ["slow"] }, async () => {
      const { id, file } = await prepared(
        "job.py",
        "import os, time\nprint('pid %d.' % os.getpid())\ntime.sleep(600)\n",
      );
      const dev = await startDev(id, file);
      await dev.saying("pid ");
      const pid = pidIn(dev.text());
      dev.child.kill("SIGKILL");
      await waitFor(() => !isAlive(pid), "the end of the script");
    });
  });
}

if (hasRuntime("deno")) {
  describe("analysis dev with a Deno script", { tags: ["posix"] }, () => {
    it("bundles it, runs it for triggers, again after a change, and restores the mode", {
      tags: ["slow"],
    }, async () => {
      const { id, file } = await prepared("job.ts", deno("first"));
      writeFileSync(join(file, "..", "words.ts"), 'export const word: string = "one";\n');
      const dev = await startDev(id, file, "--language", "deno-rt2025", "--trigger", '[{"variable":"a"}]');
      await dev.saying("one first");
      await dev.saying("rows 1");
      writeFileSync(join(file, "..", "words.ts"), 'export const word: string = "two";\n');
      await dev.saying("two first");
      const pid = pidIn(dev.text().slice(dev.text().lastIndexOf("pid ")));
      dev.child.kill("SIGINT");
      expect(await dev.ended).toBe(130);
      expect([await modeOf(id), isAlive(pid)]).toEqual(["tago", false]);
    });

    it("shows the line of an error in the source, and opens the debugger", { tags: ["slow"] }, async () => {
      const { id, file } = await prepared("job.ts", 'interface A { a: number }\n\nthrow new Error("fell over");\n');
      const dev = await startDev(id, file, "--language", "deno-rt2025", "--inspect");
      await dev.saying("job.ts:3");
      await waitFor(() => /Debugger listening on|address already in use/i.test(dev.text()), "the debugger");
      dev.child.kill("SIGTERM");
      expect(await dev.ended).toBe(143);
    });
  });
}

describe("analysis dev without the runtime", () => {
  it.each([
    ["job.py", "node-rt2025", "Python"],
    ["job.ts", "deno-rt2025", "Deno"],
  ])("says what to install for %s and %s, and leaves the mode", async (name, language, title) => {
    const { id, file } = await prepared(name, "1\n");
    const env = { PATH: temporaryFolder() };
    const { code, stderr } = await here.iot(["analysis", "dev", id, "--file", file, "--language", language], { env });
    // A killed session of another test may be reported first.
    const error = stderr.split("\n").find((line) => line.startsWith("error:"));
    expect([code, error]).toEqual([1, `error: ${title} is not installed.`]);
    expect(stderr).toContain("https://");
    expect(await modeOf(id)).toBe("tago");
  });

  it("rejects a runtime that cannot run the file", async () => {
    const { id, file } = await prepared("job.ts", "1\n");
    const { code, stderr } = await here.iot(["analysis", "dev", id, "--file", file, "--language", "python-rt2025"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('"job.ts" is not a Python file.')]);
  });
});
