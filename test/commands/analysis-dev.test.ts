import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startCli, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
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

const iot = (...args: readonly string[]) => runHere(["analysis", ...args], { env: here.env });

async function json<T>(...args: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await iot(...args, "-o", "json");
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}

const listens = (body: string): string => `
import { Analysis } from "iotdeck";
Analysis.use(async (context, scope) => { ${body} }, { token: process.env.T_ANALYSIS_TOKEN });
`;

let count = 0;
/** An analysis of its own, and the file of its script. */
async function prepared(source: string): Promise<{ id: string; file: string }> {
  count += 1;
  const { id } = await json<{ id: string }>("create", "--name", `dev ${count}`);
  const file = join(temporaryFolder(), "script.ts");
  writeFileSync(file, source);
  return { id, file };
}

interface Dev {
  readonly child: ChildProcess;
  text(): string;
  readonly ended: Promise<number>;
}

async function startDev(id: string, file: string, ...flags: readonly string[]): Promise<Dev> {
  const child = await startCli(["analysis", "dev", id, "--file", file, ...flags], {
    env: { ...here.env, SECRET_OF_SHELL: "seen" },
  });
  running.add(child);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  const ended = new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? -1)));
  return { child, text: () => text, ended };
}

const saying = (dev: Dev, words: string): Promise<void> =>
  waitFor(
    () => dev.text().includes(words),
    () => `"${words}" in: ${dev.text()}`,
  );

const modeOf = async (id: string): Promise<string> => (await json<{ run_on: string }>("get", id)).run_on;
const notes = (): string[] => readdirSync(join(here.env["IOT_CONFIG_DIR"] ?? "", "state", "analysis-dev"));

function processesWith(mark: string): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return readFileSync(`/proc/${name}/environ`, "utf8").includes(mark) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

describe("analysis dev", () => {
  it("runs the script for triggers, with the token, and without anything of this program", {
    tags: ["posix"],
  }, async () => {
    const { id, file } = await prepared(
      listens(`console.log("rows", scope.length, process.env.SECRET_OF_SHELL, Object.keys(process.env).filter((name) =>
        name.startsWith("IOT_")).length, process.env.MORE, context.token === process.env.T_ANALYSIS_TOKEN);`),
    );
    const envFile = join(temporaryFolder(), "dev.env");
    writeFileSync(envFile, "MORE=from-file\n");
    const dev = await startDev(id, file, "--trigger", '[{"variable":"a"},{"variable":"b"}]', "--vars-file", envFile);
    await saying(dev, "rows 2 seen 0 from-file true");
    expect(await modeOf(id)).toBe("external");
    const token = await json<string>("token", id);
    for (const name of notes()) {
      expect(readFileSync(join(here.env["IOT_CONFIG_DIR"] ?? "", "state", "analysis-dev", name), "utf8")).not.toContain(
        token,
      );
    }
    expect(dev.text()).not.toContain(token);
    dev.child.kill("SIGINT");
    expect(await dev.ended).toBe(130);
    expect(await modeOf(id)).toBe("tago");
    expect(notes()).toEqual([]);
  });

  it("opens the debugger with --inspect, and prints what the script prints but for its token", {
    tags: ["slow", "posix"],
  }, async () => {
    const other = "11111111-2222-4333-8444-555555555555";
    const { id, file } = await prepared(
      `${listens("")}console.log("other ${other}", "own", process.env.T_ANALYSIS_TOKEN);`,
    );
    const dev = await startDev(id, file, "--inspect");
    await saying(dev, "own ");
    expect(dev.text()).toMatch(/own [0-9a-f]{4}…[0-9a-f]{4}/);
    expect(dev.text()).toContain(`other ${other}`);
    await waitFor(
      () => /(Debugger listening on ws:\/\/127\.0\.0\.1:\d+\/[0-9a-f-]{36}|address already in use)/.test(dev.text()),
      "it",
    );
    dev.child.kill("SIGTERM");
    expect(await dev.ended).toBe(143);
  });

  it("restarts after a change, keeps the old script while the new one has a mistake, and survives its errors", {
    tags: ["slow", "posix"],
  }, async () => {
    const { id, file } = await prepared(listens('throw new Error("thrown in a run");'));
    const dev = await startDev(id, file);
    await saying(dev, "Waiting for triggers");
    await iot("run", id);
    await saying(dev, "thrown in a run");
    writeFileSync(file, "const x: = 1;\n");
    await saying(dev, "could not be bundled");
    expect(await modeOf(id)).toBe("external");
    writeFileSync(file, listens('console.log("second version");'));
    await saying(dev, "restarting the script");
    await waitFor(() => dev.text().split("Waiting for triggers").length > 2, "the second start");
    await iot("run", id);
    await saying(dev, "second version");
    dev.child.kill("SIGTERM");
    expect(await dev.ended).toBe(143);
    expect(await modeOf(id)).toBe("tago");
  });

  it("restarts a script that crashed and shows the source line", { tags: ["slow", "posix"] }, async () => {
    const { id, file } = await prepared(
      'interface A { a: number }\n\nprocess.exitCode = 1;\nthrow new Error("fell over");\n',
    );
    const dev = await startDev(id, file);
    await saying(dev, "restarting in 2 s");
    expect(dev.text()).toContain("script.ts:4");
    dev.child.kill("SIGHUP");
    expect(await dev.ended).toBe(143);
    expect(await modeOf(id)).toBe("tago");
  });

  it("gives the mode back when Ctrl-C is pressed twice", { tags: ["slow", "posix"] }, async () => {
    const { id, file } = await prepared(`${listens("")}process.on("SIGTERM", () => undefined);`);
    const dev = await startDev(id, file);
    await saying(dev, "Waiting for triggers");
    dev.child.kill("SIGINT");
    await saying(dev, "Stopping");
    dev.child.kill("SIGINT");
    expect(await dev.ended).toBe(130);
    expect(await modeOf(id)).toBe("tago");
  });

  it.each(["mode", "dev"] as const)(
    "puts back with the next %s what a kill left, and ends the script",
    {
      tags: ["slow", "posix"],
    },
    async (verb) => {
      const { id, file } = await prepared(`${listens("")}// ${verb}\n`);
      const dev = await startDev(id, file);
      await saying(dev, "Waiting for triggers");
      const script = processesWith(`T_ANALYSIS_ID=${id}`);
      expect(script).toHaveLength(1);
      dev.child.kill("SIGKILL");
      await dev.ended;
      await waitFor(() => processesWith(`T_ANALYSIS_ID=${id}`).length === 0, "the end of the script");
      expect(await modeOf(id)).toBe("external");
      expect(notes()).toEqual([`${id}.json`]);
      const other = await prepared(listens(""));
      const line = verb === "mode" ? ["mode", other.id] : ["dev", other.id, "--file", other.file, "--for", "200ms"];
      const { stderr } = await iot(...line);
      expect(stderr).toContain("runs on tago again");
      expect(await modeOf(id)).toBe("tago");
      expect(notes()).toEqual([]);
    },
  );

  it("runs one analysis once at a time, and leaves an external one external", { tags: ["slow", "posix"] }, async () => {
    const { id, file } = await prepared(listens(""));
    const dev = await startDev(id, file);
    await saying(dev, "Waiting for triggers");
    expect(await iot("dev", id, "--file", file, "--for", "1s")).toMatchObject({ code: 7 });
    expect(await modeOf(id)).toBe("external");
    dev.child.kill("SIGTERM");
    await dev.ended;
    await iot("mode", id, "external");
    expect(await iot("dev", id, "--file", file, "--for", "200ms")).toMatchObject({ code: 0 });
    expect(await modeOf(id)).toBe("external");
  });

  it("gives the output as one JSON document when asked, and sends nothing with --dry-run", async () => {
    const { id, file } = await prepared('console.log("one");\nconsole.error("two");\n');
    const lines = await json<{ stream: string; message: string }[]>("dev", id, "--file", file, "--no-watch");
    expect(lines).toEqual([
      { time: expect.any(String), stream: "stdout", message: "one" },
      { time: expect.any(String), stream: "stderr", message: "two" },
    ]);
    const dry = await json<{ method: string; body: unknown }[]>("dev", id, "--file", file, "--dry-run");
    expect(dry).toEqual([{ method: "PUT", path: `/analysis/${id}`, body: { run_on: "external" } }]);
    expect(await modeOf(id)).toBe("tago");
  });

  it("leaves nothing behind when the token may not change the mode", async () => {
    const { id, file } = await prepared(listens(""));
    const env = { ...here.env, IOT_TOKEN: here.sandbox.tokens.read };
    const refused = await runHere(["analysis", "dev", id, "--file", file, "--for", "1s"], { env });
    expect(refused).toMatchObject({ code: 5 });
    expect(refused.stderr).not.toContain("still runs");
    expect(notes()).toEqual([]);
    expect(await modeOf(id)).toBe("tago");
  });

  it("leaves the mode alone when the source cannot be read, is no script, or belongs to nothing", async () => {
    const { id, file } = await prepared("const x: = 1;\n");
    expect(await iot("dev", id, "--file", `${file}.gone`)).toMatchObject({ code: 3 });
    expect(await iot("dev", id, "--file", file, "--no-watch")).toMatchObject({ code: 3 });
    expect(await iot("dev", file)).toMatchObject({ code: 2, stderr: expect.stringContaining("--id") });
    expect(await iot("dev", "name:hello (python-legacy)", "--file", file)).toMatchObject({ code: 2 });
    expect(await modeOf(id)).toBe("tago");
  });
});
