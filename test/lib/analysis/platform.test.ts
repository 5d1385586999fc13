import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isFull } from "../../helpers/amount.ts";
import {
  eventStream,
  type FaultServer,
  ok,
  type Reaction,
  refuse,
  startFaultServer,
} from "../../helpers/fault-server.ts";
import { HANG_MS } from "../../helpers/wait-for.ts";

const child = fileURLToPath(new URL("../../helpers/analysis-child.mjs", import.meta.url));
/** They hold the same code: a process is tried with one, with both in the nightly run. */
const libraries = (isFull ? ["index.js", "index.cjs"] : ["index.cjs"]).map((name) => ({
  name,
  url: new URL(`../../../dist/${name}`, import.meta.url),
}));

const payload = {
  analysis_id: "a1",
  environment: [{ key: "k", value: "v" }],
  data: [{ variable: "t" }],
  token: "a-run",
};
const trigger = `data: ${JSON.stringify({ payload })}\n\n`;
const external = { name: "Pump", active: true, run_on: "external" };

const platform: Reaction = (exchange) => {
  const { path } = exchange.request;
  if (path === "/info") return ok(external)(exchange);
  if (path.startsWith("/events")) return eventStream([trigger, trigger])(exchange);
  return ok("done")(exchange);
};

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly reports: unknown[];
}

function run(
  scenario: string,
  library: URL,
  server: FaultServer,
  variables: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(T_ANALYSIS|TAGOIO)_/.test(name));
  const env = { ...Object.fromEntries(kept), ...variables };
  const proc = spawn(process.execPath, [child, scenario, library.href, server.url], { env });
  let stdout = "";
  let stderr = "";
  proc.stdout.on("data", (chunk) => {
    stdout += String(chunk);
  });
  proc.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  // A process that hangs must not hang the tests as well.
  const guard = setTimeout(() => proc.kill("SIGKILL"), HANG_MS);
  return new Promise((resolve, reject) => {
    proc.on("error", reject);
    proc.on("close", (code) => {
      clearTimeout(guard);
      const reports = stdout
        .split("\n")
        .filter((line) => line.startsWith("REPORT "))
        .map((line): unknown => JSON.parse(line.slice("REPORT ".length)));
      resolve({ code, stdout, stderr, reports });
    });
  });
}

const onPlatform = {
  T_ANALYSIS_CONTEXT: "tago-io",
  T_ANALYSIS_TOKEN: "a-platform",
  T_ANALYSIS_ID: "aid",
  T_ANALYSIS_ENV: '[{"key":"a","value":"b"}]',
  T_ANALYSIS_DATA: '[{"variable":"x"}]',
};

describe.each(libraries)("an analysis in a process with $name", ({ url: library }) => {
  let server: FaultServer;

  beforeAll(() => {
    if (!existsSync(library)) throw new Error("dist is missing: run `npm run build` first");
  });

  beforeEach(async () => {
    server = await startFaultServer(platform);
  });

  afterEach(() => server.close());

  it("runs once on the platform from the environment variables, without a request", async () => {
    const { code, reports, stderr } = await run("plain", library, server, onPlatform);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(reports).toEqual([
      {
        log: "function",
        context: { token: "a-platform", environment: [{ key: "a", value: "b" }], analysis_id: "aid" },
        data: [{ variable: "x" }],
      },
    ]);
    expect(server.requests).toEqual([]);
  });

  async function expectEmptyLists(_what: string, settings: string, data: string): Promise<void> {
    const variables = { ...onPlatform, T_ANALYSIS_ENV: settings, T_ANALYSIS_DATA: data };
    const { code, reports } = await run("plain", library, server, variables);
    expect(code).toBe(0);
    expect(reports).toMatchObject([{ context: { environment: [] }, data: [] }]);
  }

  const EMPTY_LISTS = "takes settings and data that are %s for empty lists";
  it.each([["unreadable text", "[{", "{"]])(EMPTY_LISTS, expectEmptyLists);
  it.each([
    ["no list and no object", "5", '"text"'],
    ["null", "null", "null"],
    ["empty", "", ""],
  ])(EMPTY_LISTS, { tags: ["slow"] }, expectEmptyLists);

  it("passes an object scope unchanged", { tags: ["slow"] }, async () => {
    const { reports } = await run("plain", library, server, { ...onPlatform, T_ANALYSIS_DATA: '{"a":1}' });
    expect(reports).toMatchObject([{ data: { a: 1 } }]);
  });

  it("writes log lines to the output, which the platform reads, and sends none", { tags: ["slow"] }, async () => {
    const { code, stdout } = await run("with a log", library, server, { ...onPlatform, T_ANALYSIS_AUTO_RUN: "1" });
    expect(code).toBe(0);
    expect(stdout).toBe("line { a: 1 }\n");
    expect(server.requests).toEqual([]);
  });

  async function expectFailure(scenario: string): Promise<void> {
    const { code, stderr } = await run(scenario, library, server, onPlatform);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Error: boom\n\s+at /);
  }

  const FAILURE = "counts a run %s as failed and shows the stack";
  it.each(["that fails"])(FAILURE, expectFailure);
  it.each(["async that fails"])(FAILURE, { tags: ["slow"] }, expectFailure);

  it("starts once", async () => {
    const { code, reports } = await run("started twice", library, server, onPlatform);
    expect(code).toBe(0);
    expect(reports).toMatchObject([{ started: false }, { context: { token: "a-platform" } }, { started: true }]);
  });

  it("requires a token outside the platform", async () => {
    const { code, stderr } = await run("plain", library, server);
    expect(code).toBe(1);
    expect(stderr).toContain("To run analysis locally, you needs a token");
  });

  it("makes token and region of Analysis.use the defaults of later calls", { tags: ["slow"] }, async () => {
    const { code, reports } = await run("with use", library, server, { T_ANALYSIS_CONTEXT: "x" });
    expect(code).toBe(0);
    expect(reports).toEqual(["done"]);
    expect(server.requests.map(({ method, path, headers }) => [method, path, headers["token"]])).toEqual([
      ["DELETE", "/device/d1", "a-given-token"],
    ]);
  });

  it("does not overwrite a token that is set in Analysis.use", { tags: ["slow"] }, async () => {
    await run("with use", library, server, onPlatform);
    expect(server.requests.map(({ headers }) => headers["token"])).toEqual(["a-platform"]);
  });

  it("runs for a trigger outside the platform, and exits once it is stopped", async () => {
    const { code, reports, stderr } = await run("external", library, server);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(reports[0]).toEqual({
      log: "function",
      context: { token: "a-run", environment: payload.environment, analysis_id: "a1" },
      data: payload.data,
    });
    const lines = server.requests.filter(({ path }) => path === "/analysis/services/console/send");
    expect(lines.length).toBeGreaterThan(0);
    for (const { headers } of lines) expect(headers["token"]).toBe("a-run");
  });

  it("survives failing runs outside the platform", { tags: ["slow"] }, async () => {
    const { code, stderr } = await run("external that fails", library, server);
    expect(code).toBe(0);
    expect(stderr).toMatch(/Error: boom 1\n\s+at [\s\S]*Error: boom 2\n\s+at /);
  });

  it("prints that the analysis is not active, and exits", { tags: ["slow"] }, async () => {
    server.react(refuse(401, "Authorization Denied"));
    const { code, stderr } = await run("external that is unknown", library, server);
    expect(code).toBe(0);
    expect(stderr).toBe("Analysis not found or not active.\n");
  });
});
