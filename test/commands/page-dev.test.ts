import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CliResult } from "../helpers/cli.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { type ProgramHere, programHere } from "../helpers/program-here.ts";
import { quickClock } from "../helpers/quick-clock.ts";

const QUERY = "65a100000000000000500001";
const WIDGET = ["--widget", "name:Route planner", "--dashboard", "name:Plant overview"];

let program: ProgramHere;
let file: string;
beforeAll(async () => {
  program = await programHere();
  file = join(temporaryFolder(), "page.html");
  writeFileSync(file, "<p>Page</p>");
});
afterAll(() => program.close());

type Call = (body: object) => Promise<{ readonly result?: unknown; readonly error?: unknown }>;

/** Runs a command, does something with its page, and ends it. */
async function during(
  args: readonly string[],
  work: (call: Call, settings: object) => Promise<void>,
): Promise<CliResult> {
  let stop = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let found = (_: string): void => undefined;
  const url = new Promise<string>((resolve) => {
    found = resolve;
  });
  const clock = { ...quickClock(), sleep: () => until };
  const ended = program.run(args, { clock, onOutput: (bytes) => found(bytes.toString().trim()) });
  const { origin, hash } = new URL(
    await Promise.race([url, ended.then(({ stderr }) => Promise.reject(new Error(stderr)))]),
  );
  const ask = async (path: string, init: RequestInit): Promise<{ readonly [name: string]: unknown }> => {
    const response = await fetch(`${origin}/__sandbox/${path}`, init);
    return ((await response.json()) as { readonly result: { readonly [name: string]: unknown } }).result;
  };
  const { key } = await ask("enter", { method: "POST", headers: { authorization: `Bearer ${hash.slice(1)}` } });
  const headers = { authorization: `Bearer ${String(key)}`, "content-type": "application/json" };
  try {
    const settings = await ask("session", { headers });
    await work((body) => ask("call", { method: "POST", headers, body: JSON.stringify(body) }), settings);
  } finally {
    stop();
  }
  return ended;
}

describe("iot dashboard dev", () => {
  it("prints the URL, and ends after --for", async () => {
    const { code, stdout, stderr } = await program.run(["dashboard", "dev", file, "--for", "1h"], {
      clock: quickClock(),
    });
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/__sandbox\/open#[\w-]{32}\n$/),
    ]);
    expect(stderr).toContain("Showing page.html with data of ");
  });

  it("lists and runs stored queries as the profile and as the users of --as, and returns what the platform rejects", async () => {
    const { code } = await during(["dashboard", "dev", file, "--as", "name:Oda Operator"], async (call, settings) => {
      expect(settings).toMatchObject({
        kind: "dashboard",
        viewers: ["Profile", "Oda Operator"],
        viewer: 1,
        theme: "light",
      });
      expect(await call({ viewer: 0, op: "list" })).toMatchObject({ result: [{ id: QUERY, name: "Warm freezer" }] });
      expect(await call({ viewer: 1, op: "list" })).toEqual({ result: [] });
      expect(await call({ viewer: 0, op: "run", id: QUERY, params: [] })).toMatchObject({
        result: { row_count: expect.any(Number) },
      });
      const denied = { error: { status: 401, message: "Authorization Denied" } };
      expect(await call({ viewer: 1, op: "run", id: QUERY })).toEqual(denied);
    });
    expect(code).toBe(0);
  });

  it("asks once, so that a page sees the rejections of the platform", async () => {
    const startMs = Date.now();
    program.here.sandbox.faults.set([{ route: "POST /sql/*/execute", kind: "status", status: 500, message: "Broken" }]);
    await during(["dashboard", "dev", file], async (call) => {
      expect(await call({ viewer: 0, op: "run", id: QUERY })).toEqual({ error: { status: 500, message: "Broken" } });
    });
    program.here.sandbox.faults.set([]);
    expect(program.here.requestsSince(startMs).filter((request) => request.startsWith("POST /sql"))).toHaveLength(1);
  });

  it("tells the page no token", async () => {
    const { stdout, stderr } = await during(
      ["dashboard", "dev", file, "--as", "name:Oda Operator"],
      async (_, settings) => {
        expect(JSON.stringify(settings)).not.toContain(program.here.sandbox.tokens.profile);
      },
    );
    expect(stdout + stderr).not.toContain(program.here.sandbox.tokens.profile);
  });

  it("says which file is missing", async () => {
    const { code, stderr } = await program.run(["dashboard", "dev", "missing.html", "--for", "1s"], {
      clock: quickClock(),
    });
    expect([code, stderr]).toEqual([3, expect.stringContaining("missing.html")]);
  });
});

describe("iot widget dev", () => {
  it("reads the data of its widget, and changes nothing without --write", async () => {
    await during(["widget", "dev", file, ...WIDGET], async (call) => {
      const { result } = await call({ viewer: 0, op: "read" });
      expect(result).toMatchObject({ widget: { label: "Route planner" } });
      const rows = [{ variable: "speed", value: 1 }];
      const message = "Nothing was changed: the command was started without --write.";
      for (const op of ["send", "edit", "edit-resource", "delete"])
        expect(await call({ viewer: 0, op, rows, ids: ["1:2"] })).toEqual({ error: { status: 0, message } });
    });
  });

  it("sends what the page sends with --write", async () => {
    await during(["widget", "dev", file, ...WIDGET, "--write"], async (call) => {
      const origin = "65a1000000000000000d0004";
      const rows = [{ variable: "speed", value: 12, origin }];
      expect(await call({ viewer: 0, op: "send", rows })).toMatchObject({ result: expect.anything() });
      expect(await call({ viewer: 0, op: "send", rows: [] })).toMatchObject({ error: { message: expect.any(String) } });
    });
  });

  it("says what is wrong with a source that cannot be bundled", async () => {
    const broken = join(temporaryFolder(), "broken.tsx");
    writeFileSync(broken, "const = 1;");
    const { code, stderr } = await program.run(["widget", "dev", broken, ...WIDGET], { clock: quickClock() });
    expect([code, stderr]).toEqual([3, expect.stringContaining("broken.tsx:1:7")]);
  });
});
