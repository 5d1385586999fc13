import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../../src/sandbox/index.ts";
import { holdTimers } from "../../helpers/held-timers.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { call, ok } from "../client.ts";
import { analysisOf, consoleOf, newAnalysis, ranToEnd, run, upload } from "./helpers.ts";

let sandbox: Sandbox;
let folder: string;

/** A package that scripts find because the sandbox was started where it is installed. */
function makePackage(name: string): void {
  const place = join(folder, "node_modules", name);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "package.json"), JSON.stringify({ name, version: "1.0.0", main: "index.js" }));
  writeFileSync(join(place, "index.js"), "module.exports = { word: 'found' };");
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "iot-test-"));
  makePackage("some-package");
  sandbox = await createSandbox({ seed: "empty", analyses: { folder } });
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

const profile = () => ({ token: sandbox.tokens.profile });
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe("the record of an analysis", () => {
  it("is created with a token that opens it, and read with both", async () => {
    const { id, token } = await newAnalysis(sandbox, {
      run_on: "external",
      variables: [{ key: "limit", value: 8 }],
    });
    expect(token).toMatch(/^a-/);
    expect(await analysisOf(sandbox, id)).toMatchObject({
      id,
      token,
      name: "Test",
      active: true,
      run_on: "external",
      runtime: "node-legacy",
      variables: [{ key: "limit", value: 8 }],
      console: [],
      secrets: [],
      timeout: 120,
      last_run: "never",
      tags: [],
    });
    expect(await ok(sandbox, "GET", "/info", { token })).toMatchObject({ id, name: "Test", run_on: "external" });
  });

  it("shows no token while it runs on the platform", async () => {
    const { id, token } = await newAnalysis(sandbox);
    expect(token).toBe("");
    expect(await analysisOf(sandbox, id)).toMatchObject({ run_on: "tago", token: "" });
  });

  it("may have the name of another one, no description, and no variables any more", async () => {
    const { id } = await newAnalysis(sandbox, {
      active: false,
      description: "x",
      variables: [{ key: "a", value: "1" }],
    });
    await newAnalysis(sandbox);
    const body = { description: null, variables: [] };
    await ok(sandbox, "PUT", `/analysis/${id}`, { ...profile(), body });
    expect(await analysisOf(sandbox, id)).toMatchObject(body);
    const inactive = await ok<{ id: string }[]>(sandbox, "GET", "/analysis?filter[active]=false", profile());
    expect(inactive.map((row) => row.id)).toContain(id);
  });

  it("takes the runtime of its creation, then that of each upload, and none by an edit", async () => {
    const runtimeOf = async (id: string) => (await analysisOf(sandbox, id))["runtime"];
    const names = ["node", "python", "node-legacy", "python-legacy", "node-rt2025", "python-rt2025", "deno-rt2025"];
    const stored: unknown[] = [];
    for (const runtime of [...names, "other"])
      stored.push(await runtimeOf((await newAnalysis(sandbox, { runtime })).id));
    expect(stored).toEqual(["node-legacy", "python-legacy", ...names.slice(2), "other"]);
    const { id } = await newAnalysis(sandbox, { runtime: "node-rt2025" });
    await ok(sandbox, "PUT", `/analysis/${id}`, { ...profile(), body: { runtime: "deno-rt2025" } });
    expect(await runtimeOf(id)).toBe("node-rt2025");
    await upload(sandbox, id, "print(1)", "script.py", "python");
    expect(await runtimeOf(id)).toBe("python-legacy");
    await ok(sandbox, "PUT", `/analysis/${id}`, { ...profile(), body: { runtime: "node-rt2025" } });
    expect(await runtimeOf(id)).toBe("python-legacy");
  });

  it("gets a new token when it is asked for, and when it moves; the old one is refused", async () => {
    const { id, token } = await newAnalysis(sandbox, { run_on: "external" });
    const { analysis_token: second } = await ok<{ analysis_token: string }>(
      sandbox,
      "GET",
      `/analysis/${id}/token`,
      profile(),
    );
    expect((await call(sandbox, "GET", "/info", { token })).status).toBe(401);
    expect((await call(sandbox, "GET", "/info", { token: second })).status).toBe(200);
    await ok(sandbox, "PUT", `/analysis/${id}`, { ...profile(), body: { description: "Same place" } });
    expect((await call(sandbox, "GET", "/info", { token: second })).status).toBe(200);
    for (const run_on of ["tago", "external"]) {
      await ok(sandbox, "PUT", `/analysis/${id}`, { ...profile(), body: { run_on } });
      expect((await call(sandbox, "GET", "/info", { token: second })).status).toBe(401);
    }
    const { token: third } = await analysisOf(sandbox, id);
    expect((await call(sandbox, "GET", "/info", { token: third })).status).toBe(200);
  });

  it("refuses what the platform refuses", async () => {
    const { id } = await newAnalysis(sandbox);
    const put = async (body: object) => {
      const answer = await call(sandbox, "PUT", `/analysis/${id}`, { ...profile(), body });
      return [answer.status, ...Object.keys(answer.body.field_errors ?? {})];
    };
    const variable = { key: "a", value: 1 };
    expect(await put({ variables: variable })).toEqual([400, "variables"]);
    expect(await put({ variables: [{ key: "a", value: true }] })).toEqual([400, "variables.0.value"]);
    expect(await put({ variables: [variable, variable] })).toEqual([400, "variables"]);
    expect(await put({ variables: Array.from({ length: 21 }, (_, n) => ({ key: `k${n}`, value: 1 })) })).toEqual([
      400,
      "variables",
    ]);
    expect(await put({ run_on: "nowhere" })).toEqual([400, "run_on"]);
    const create = await call(sandbox, "POST", "/analysis", { ...profile(), body: { name: "Test", runtime: "php" } });
    expect(create.status).toBe(400);
    const script = { file: "A".repeat(7 * 1024 * 1024), file_name: "big.js", language: "node-rt2025" };
    const tooLarge = await call(sandbox, "POST", `/analysis/${id}/upload`, { ...profile(), body: script });
    expect(tooLarge.body).toMatchObject({ field_errors: { file: ["At most 5 MB"] } });
    const unknown = await call(sandbox, "GET", "/analysis/65a1000000000000000a9999", profile());
    expect([unknown.status, unknown.body.message]).toEqual([400, "Analysis can't be found"]);
  });

  it("ignores an interval, whatever it says", async () => {
    const { id } = await newAnalysis(sandbox, { interval: "ten minutes" });
    await ok(sandbox, "PUT", `/analysis/${id}`, { ...profile(), body: { interval: "1 minute" } });
    expect(await analysisOf(sandbox, id)).toMatchObject({ interval: null });
  });

  it("keeps every script that was uploaded, to be downloaded as gzip without a token for a while", async () => {
    const { id } = await newAnalysis(sandbox);
    expect(await call(sandbox, "GET", `/analysis/${id}/download`, profile())).toMatchObject({
      status: 400,
      body: { message: "Analysis file can't be found" },
    });
    await upload(sandbox, id, "// first ü", "first.js");
    await upload(sandbox, id, "// second", "second.js");
    expect(await analysisOf(sandbox, id)).toMatchObject({
      version: 2,
      file_name: "second.js",
      versions: { 1: { file_name: "first.js", created_by: "Dana Demo (demo@example.test)" }, 2: {} },
    });
    const text = async (version: string) => {
      const query = version === "" ? "" : `?version=${version}`;
      const link = await ok<{ url: string; size: number }>(
        sandbox,
        "GET",
        `/analysis/${id}/download${query}`,
        profile(),
      );
      const reply = await fetch(link.url);
      expect(reply.headers.get("content-encoding")).toBeNull();
      return [link.size, gunzipSync(await reply.arrayBuffer()).toString()];
    };
    expect(await text("")).toEqual([9, "// second"]);
    expect(await text("1")).toEqual([11, "// first ü"]);
    const { url } = await ok<{ url: string }>(sandbox, "GET", `/analysis/${id}/download`, profile());
    expect((await fetch(url.replace(/signature=..../, "signature=0000"))).status).toBe(401);
    expect((await fetch(url.replace("/2?", "/1?"))).status).toBe(401);
  });

  it("is deleted with its token and scripts", async () => {
    const { id, token } = await newAnalysis(sandbox, { run_on: "external" });
    expect(await ok(sandbox, "DELETE", `/analysis/${id}`, profile())).toBe("Successfully Removed");
    expect((await call(sandbox, "GET", "/info", { token })).status).toBe(401);
    expect((await call(sandbox, "POST", `/analysis/${id}/run`, profile())).status).toBe(400);
  });
});

describe("a script in the sandbox", () => {
  it("is run with the platform's variables, and its lines are kept", async () => {
    const source = `
      const { T_ANALYSIS_CONTEXT, T_ANALYSIS_ID, T_ANALYSIS_TOKEN, T_ANALYSIS_ENV, T_ANALYSIS_DATA } = process.env;
      console.log(T_ANALYSIS_CONTEXT, T_ANALYSIS_ID);
      console.log(T_ANALYSIS_ENV);
      console.log(T_ANALYSIS_DATA);
      console.error(process.env.TAGOIO_SSE);
      fetch(process.env.TAGOIO_API + "/info", { headers: { token: T_ANALYSIS_TOKEN } })
        .then((reply) => reply.json())
        .then(({ result }) => console.log("I am", result.name));
    `;
    const { id } = await newAnalysis(sandbox, { variables: [{ key: "limit", value: "8" }] }, source);
    const { analysis_token } = await run(sandbox, id, [{ variable: "t", value: 1 }]);
    expect(analysis_token).toMatch(/^a-/);
    const lines = await consoleOf(sandbox, id, ranToEnd, "the end of the run");
    expect(lines).toContain(`tago-io ${id}`);
    expect(lines).toContain('[{"key":"limit","value":"8"}]');
    expect(lines).toContain('[{"variable":"t","value":1}]');
    expect(lines).toContain(`${sandbox.url}/events`);
    expect(lines).toContain("I am Test");
    expect(lines[0]).toBe("Analysis started");
    expect(lines.at(-1)).toMatch(/^Analysis ended after \d+\.\d s$/);
    const { last_run } = await analysisOf(sandbox, id);
    expect(Date.parse(String(last_run))).toBeGreaterThan(0);
  });

  it("takes its scope as a list, an object, or the JSON text of one", async () => {
    const { id } = await newAnalysis(sandbox, {}, "console.log(process.env.T_ANALYSIS_DATA)");
    await run(sandbox, id, '[{"a":1}]');
    expect(await consoleOf(sandbox, id, ranToEnd, "the end of the run")).toContain('[{"a":1}]');
    for (const scope of ["{", "7"]) {
      const refused = await call(sandbox, "POST", `/analysis/${id}/run`, { ...profile(), body: { scope } });
      expect([refused.status, Object.keys(refused.body.field_errors ?? {})]).toEqual([400, ["scope"]]);
    }
  });

  it("finds the secrets it may read among its variables, which win over a secret of the same name", async () => {
    const own = await createSandbox({ seed: "empty" });
    const token = own.tokens.profile;
    for (const [key, value] of [
      ["TAKEN", "secret"],
      ["ADDED", "secret"],
    ]) {
      await ok(own, "POST", "/secrets", { token, body: { key, value } });
    }
    const variables = [{ key: "TAKEN", value: "variable" }];
    const { id } = await newAnalysis(own, { variables }, "console.log(process.env.T_ANALYSIS_ENV)");
    expect((await analysisOf(own, id))["secrets"]).toHaveLength(2);
    await run(own, id);
    expect(await consoleOf(own, id, ranToEnd, "the end of the run")).toContain(
      '[{"key":"TAKEN","value":"variable"},{"key":"ADDED","value":"secret"}]',
    );
    await own.close();
  });

  it("finds packages of the folder the sandbox was started in, by require and by import", async () => {
    const required = await newAnalysis(sandbox, {}, 'console.log(require("some-package").word)');
    const imported = await newAnalysis(sandbox, {}, 'import it from "some-package"; console.log(it.word)');
    await upload(sandbox, imported.id, 'import it from "some-package"; console.log(it.word)', "script.mjs");
    for (const { id } of [required, imported]) {
      await run(sandbox, id);
      expect(await consoleOf(sandbox, id, ranToEnd, "the end of the run")).toContain("found");
    }
  });

  it("finds the platform's library without an installation, as in its legacy runtimes", async () => {
    const source = `const { Analysis, Services } = require("@tago-io/sdk");
      Analysis.use(async (context) => {
        context.log("from the library");
        await new Services({ token: context.token }).email.send({ to: "a@example.test", subject: "library", message: "m" });
      });`;
    const { id } = await newAnalysis(sandbox, {}, source);
    await run(sandbox, id);
    expect(await consoleOf(sandbox, id, ranToEnd, "the end of the run")).toContain("from the library");
    expect(sandbox.outbox({ analysis: id })).toMatchObject([{ subject: "library" }]);
  });

  it("sees nothing of the sandbox's own environment", async () => {
    process.env["IOT_TEST_SECRET"] = "do not tell";
    const { id } = await newAnalysis(sandbox, {}, "console.log(Object.keys(process.env).join())");
    await run(sandbox, id);
    const lines = await consoleOf(sandbox, id, ranToEnd, "the end of the run");
    delete process.env["IOT_TEST_SECRET"];
    expect(lines.join()).toContain("T_ANALYSIS_ID");
    expect(lines.join()).not.toContain("IOT_TEST_SECRET");
  });

  it("fails with its error on the console", async () => {
    const { id } = await newAnalysis(sandbox, {}, 'throw new Error("no such tank")');
    await run(sandbox, id);
    const lines = await consoleOf(sandbox, id, ranToEnd, "the end of the run");
    expect(lines.join("\n")).toContain("Error: no such tank");
    expect(lines.at(-1)).toMatch(/^Analysis failed with exit code 1/);
  });

  it("is stopped after its time", async () => {
    const short = await createSandbox({ seed: "empty", analyses: { timeoutMs: 100 } });
    const { id } = await newAnalysis(short, {}, "setInterval(() => {}, 1000)");
    await run(short, id);
    const lines = await consoleOf(short, id, ranToEnd, "the end of the run");
    expect(lines.at(-1)).toBe("The analysis was stopped: it ran longer than 0.1 seconds");
    await short.close();
  });

  it("is stopped after its time, with all it started, even when it never comes back", { tags: ["slow"] }, async () => {
    const source = `
      const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
      require("node:fs").writeSync(1, "pids " + process.pid + " " + child.pid + "\\n");
      for (;;);
    `;
    const limit = holdTimers(2_500);
    const short = await createSandbox({ seed: "empty", analyses: { timeoutMs: 2_500 } });
    const { id } = await newAnalysis(short, {}, source);
    await run(short, id);
    await consoleOf(short, id, (lines) => lines.some((line) => line.startsWith("pids ")), "the processes");
    limit.elapse();
    const lines = await consoleOf(short, id, ranToEnd, "the end of the run");
    expect(lines.at(-1)).toBe("The analysis was stopped: it ran longer than 2.5 seconds");
    const pids =
      lines
        .find((line) => line.startsWith("pids "))
        ?.split(" ")
        .slice(1)
        .map(Number) ?? [];
    expect(pids).toHaveLength(2);
    await waitFor(() => !pids.some(isAlive), "the processes to be gone");
    await short.close();
  });

  it("may print as much as it likes: the console keeps the last 200 lines", { tags: ["slow"] }, async () => {
    const source = 'for (let n = 0; n < 60000; n++) console.log("line " + n + " " + "x".repeat(20))';
    const roomy = await createSandbox({ seed: "empty" });
    const { id } = await newAnalysis(roomy);
    await upload(roomy, id, source);
    await run(roomy, id);
    const lines = await consoleOf(roomy, id, ranToEnd, "the end of the run");
    await roomy.close();
    expect(lines).toHaveLength(200);
    expect(lines.join("\n")).toContain("The output is longer than 1 MiB: the rest is left out");
  });

  it("is not run while it is inactive, without a script, or for another runtime", async () => {
    const inactive = await newAnalysis(sandbox, { active: false }, "console.log('ran')");
    const empty = await newAnalysis(sandbox);
    const other = await newAnalysis(sandbox);
    await upload(sandbox, other.id, "print('ran')", "script.rb", "other");
    for (const { id } of [inactive, empty, other]) await run(sandbox, id);
    const said = (id: string) => consoleOf(sandbox, id, (lines) => lines.length > 0, "a line");
    expect(await said(inactive.id)).toEqual(["The analysis is not active"]);
    expect(await said(empty.id)).toEqual(["The analysis has no script: upload one"]);
    expect(await said(other.id)).toEqual(["The sandbox runs Node, Deno and Python scripts, not other"]);
  });
});

describe("the end of a sandbox", () => {
  const sleeper = `require("node:fs").writeSync(1, "pid " + process.pid + "\\n"); setInterval(() => {}, 1000);`;
  const hasPid = (lines: readonly string[]) => lines.some((line) => line.startsWith("pid "));
  const pidOf = (lines: readonly string[]) => Number(lines.find((line) => line.startsWith("pid "))?.slice(4));

  it("ends the runs, and leaves no folder behind", async () => {
    const other = await createSandbox({ seed: "empty" });
    const { id } = await newAnalysis(other, {}, `console.log("in " + __filename);\n${sleeper}`);
    await run(other, id);
    const lines = await consoleOf(other, id, hasPid, "the first line");
    const file = lines.find((line) => line.startsWith("in "))?.slice(3) ?? "";
    const folder = join(tmpdir(), relative(tmpdir(), file).split(sep)[0] ?? "");
    expect(folder).toContain("iot-sandbox-analysis-");
    expect(existsSync(folder)).toBe(true);
    const pid = pidOf(lines);
    await other.close();
    await waitFor(() => !isAlive(pid), "the process to be gone");
    expect(existsSync(folder)).toBe(false);
  });

  it("as well as a reset", { tags: ["slow"] }, async () => {
    const other = await createSandbox({ seed: "empty" });
    const { id } = await newAnalysis(other, {}, sleeper);
    await run(other, id);
    const pid = pidOf(await consoleOf(other, id, hasPid, "the first line"));
    other.reset();
    await waitFor(() => !isAlive(pid), "the process to be gone");
    expect((await call(other, "GET", `/analysis/${id}`, { token: other.tokens.profile })).status).toBe(400);
    await other.close();
  });
});
