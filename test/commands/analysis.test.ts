import { cpSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type CliResult, cliEnvironment, cliPath, startCli, temporaryFolder } from "../helpers/cli.ts";
import { type HereOptions, runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { SEED_ANALYSES, SEED_ANALYSIS_TOKENS } from "../helpers/seed.ts";
import { shell } from "../helpers/shell.ts";
import { waitFor } from "../helpers/wait-for.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const iot = (args: readonly string[], more: HereOptions = {}): Promise<CliResult> =>
  runHere(["analysis", ...args], { ...more, env: { ...here.env, ...more.env } });

async function json<T>(args: readonly string[], more: HereOptions = {}): Promise<T> {
  const { code, stdout, stderr } = await iot([...args, "-o", "json"], more);
  if (code !== 0) throw new Error(`iot analysis ${args.join(" ")} ended with ${code}:\n${stderr}`);
  return JSON.parse(stdout) as T;
}

async function create(name: string, ...flags: readonly string[]): Promise<string> {
  return (await json<{ id: string }>(["create", "--name", name, ...flags])).id;
}

/** A project folder with these files. */
function project(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const config = (analyses: unknown): string => JSON.stringify({ analyses });

interface Deployed {
  readonly id: string;
  readonly name: string;
  readonly file_name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly state: string;
}

describe("analysis list, get, create, update, delete", () => {
  it("filters by where analyses run, whether they are on, and tags", async () => {
    const names = async (...flags: readonly string[]) =>
      (await json<{ name: string }[]>(["list", ...flags])).map(({ name }) => name);
    expect(await names("--run-on", "external")).toEqual(["alert"]);
    expect(await names("--filter", "run_on=external")).toEqual(["alert"]);
    expect(await names("--inactive")).toEqual(["retired"]);
    expect(await names("--tag", "purpose=report")).toEqual(["report"]);
    expect(await names("--name", "hello*")).toHaveLength(2);
  });

  it("shows an analysis without its token", async () => {
    const { stdout } = await iot(["get", "name:report", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ id: SEED_ANALYSES.report, runtime: "node-rt2025" });
    expect(stdout).not.toContain(SEED_ANALYSIS_TOKENS.report);
  });

  it("creates, changes and deletes one", async () => {
    const id = await create("night shift", "--run-on", "external", "--tag", "team=plant");
    const changed = await json<object>(["update", id, "--inactive", "--remove-tag", "team", "--tag", "shift=night"]);
    expect(changed).toMatchObject({ active: false, run_on: "external", tags: [{ key: "shift", value: "night" }] });
    expect(await iot(["delete", id])).toMatchObject({ code: 2 });
    expect(await json(["delete", id, "--yes"])).toEqual([{ id, name: "night shift" }]);
    expect(await iot(["get", id])).toMatchObject({ code: 6 });
  });

  it("copies an analysis with its script and variables, switched off", async () => {
    const copy = await json<{ id: string }>(["duplicate", "name:report", "--name", "second report"]);
    expect(copy).toMatchObject({ active: false, runtime: "node-rt2025" });
    const { stdout } = await iot(["download", copy.id, "--out", "-"]);
    expect(stdout).toContain("The freezer is at");
    expect(await json(["env", "list", copy.id])).toHaveLength(1);
    const other = ["duplicate", "name:report", "--name", "third", "--run-on", "external", "--tag", "purpose=copy"];
    expect(await json(other)).toMatchObject({ run_on: "external", tags: [{ key: "purpose", value: "copy" }] });
  });
});

describe("analysis deploy", () => {
  const sources = {
    "src/main.ts": 'import { greeting } from "./text.ts";\nconst who: string = "world";\nconsole.log(greeting(who));\n',
    "src/text.ts": "export const greeting = (who: string): string => 'Hello ' + who;\n",
  };

  it("bundles TypeScript with what it imports; the platform runs it", { tags: ["slow"] }, async () => {
    const id = await create("bundled");
    const cwd = project({ ...sources, "iot.config.json": config({ bundled: { file: "src/main.ts" } }) });
    const [row] = await json<Deployed[]>(["deploy", "bundled", "--yes"], { cwd });
    expect(row).toMatchObject({ id, name: "bundled", file_name: "main.js", state: "deployed" });
    expect(row?.sha256).toMatch(/^[0-9a-f]{64}$/);
    const { code, stdout } = await iot(["run", "bundled", "--wait"], { cwd });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("Hello world") });
  });

  it("sends only what has changed with --changed, also when somebody else deployed in between", async () => {
    const id = await create("twice");
    const cwd = project({ ...sources, "iot.config.json": config({ twice: "src/main.ts" }) });
    const states = async () =>
      (await json<Deployed[]>(["deploy", "--all", "--changed", "--yes"], { cwd })).map(({ state }) => state);
    expect(await states()).toEqual(["deployed"]);
    expect(await states()).toEqual(["unchanged"]);
    writeFileSync(join(cwd, "src", "text.ts"), "export const greeting = (who: string): string => 'Bye ' + who;\n");
    expect(await states()).toEqual(["deployed"]);
    const other = { cwd, env: { IOT_CONFIG_DIR: temporaryFolder() } };
    await json(["deploy", id, "--file", "src/text.ts", "--yes"], other);
    expect(await states()).toEqual(["deployed"]);
  });

  it("needs a yes, and sends nothing with --dry-run", async () => {
    const id = await create("careful");
    const cwd = project({ "src/a.js": "console.log(1);\n" });
    const before = here.requests().length;
    const refused = await iot(["deploy", id, "--file", "src/a.js"], { cwd });
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("--yes");
    const [request] = await json<{ method: string; path: string; body: { file_name: string } }[]>(
      ["deploy", id, "--file", "src/a.js", "--dry-run"],
      { cwd },
    );
    expect(request).toMatchObject({ method: "POST", path: `/analysis/${id}/upload`, body: { file_name: "a.js" } });
    expect(here.requests().slice(before)).not.toContainEqual(expect.stringContaining("POST"));
  });

  it("uploads nothing at all when one of the sources has a mistake", async () => {
    await create("good");
    await create("bad");
    const cwd = project({
      "src/good.ts": "console.log(1);\n",
      "src/bad.ts": "const x: number = ;\n",
      "iot.config.json": config({ good: "src/good.ts", bad: "src/bad.ts" }),
    });
    const { code, stderr } = await iot(["deploy", "--all", "--yes"], { cwd });
    expect(code).toBe(3);
    expect(stderr).toContain("bad.ts:1:19");
    expect(await json<object>(["get", "name:good"])).toMatchObject({ file_name: null });
  });

  it("leaves imports with an address to Deno, and looks up npm: packages for Node", async () => {
    const id = await create("addressed");
    const source =
      'import { a } from "npm:some-package@^1.2/inner.js";\nimport b from "npm:@some/other";\n' +
      'import c from "npm:@tago-io/sdk";\nconsole.log(a, b, c);\n';
    const cwd = project({
      "deno.ts": `import d from "jsr:@std/path";\nimport e from "https://deno.test/x.ts";\n${source}console.log(d, e);\n`,
      "node.ts": source,
      "jsr.ts": 'import "jsr:@std/path";\n',
      "node_modules/some-package/inner.js": 'export const a = "inner file";\n',
      "node_modules/@some/other/index.js": 'export default "other package";\n',
    });
    const deploy = (file: string, language: string) =>
      iot(["deploy", id, "--file", file, "--language", language, "--yes"], { cwd });
    const script = async () => (await iot(["download", id, "--out", "-"])).stdout;
    expect(await deploy("deno.ts", "deno-rt2025")).toMatchObject({ code: 0 });
    for (const path of ["jsr:@std/path", "https://deno.test/x.ts", "npm:some-package@^1.2/inner.js", "npm:@some/other"])
      expect(await script()).toContain(`from "${path}"`);
    const advice = expect.stringContaining("node-rt2025 includes no packages");
    expect(await deploy("node.ts", "node-rt2025")).toMatchObject({ code: 0, stderr: advice });
    expect(await script()).toMatch(/inner file.*other package/s);
    expect(await script()).toContain('require("@tago-io/sdk")');
    expect(await deploy("jsr.ts", "node-rt2025")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Only the runtime deno-rt2025 can load "jsr:@std/path"'),
    });
  });

  it("bundles for Deno by the imports of deno.json", async () => {
    const id = await create("mapped");
    const imports = {
      "@tago-io/sdk": "npm:@tago-io/sdk@^12",
      "async/": "npm:/async@3/",
      "~/": "./lib/",
      "~/other/": "./other/",
    };
    const cwd = project({
      "deno.json": JSON.stringify({ imports }),
      "src/main.ts":
        'import { Analysis } from "@tago-io/sdk";\nimport queue from "async/queue.js";\n' +
        'import { a } from "~/a.ts";\nimport { b } from "~/other/b.ts";\nconsole.log(Analysis, queue, a, b);\n',
      "lib/a.ts": 'export const a: string = "from lib";\n',
      "other/b.ts": 'export const b: string = "from other";\n',
    });
    const deploy = ["deploy", id, "--file", "src/main.ts", "--language", "deno-rt2025", "--yes"];
    expect(await iot(deploy, { cwd })).toMatchObject({ code: 0, stderr: expect.not.stringContaining("warning") });
    const { stdout } = await iot(["download", id, "--out", "-"]);
    for (const path of ["npm:@tago-io/sdk@^12", "npm:/async@3/queue.js"]) expect(stdout).toContain(`from "${path}"`);
    expect(stdout).toMatch(/from lib.*from other/s);
    writeFileSync(join(cwd, "deno.json"), "{ // comment");
    expect(await iot(deploy, { cwd })).toMatchObject({ code: 3, stderr: expect.stringContaining("deno.json is not") });
  });

  it("uploads a file byte for byte with --no-bundle, and Python always", async () => {
    const text = "print('x')\n";
    const id = await create("snake", "--runtime", "python-rt2025");
    const cwd = project({ "src/snake.py": text });
    const [row] = await json<Deployed[]>(["deploy", id, "--file", "src/snake.py", "--yes"], { cwd });
    expect(row).toMatchObject({ file_name: "snake.py", bytes: text.length });
    expect(await iot(["download", id, "--out", "-"])).toMatchObject({ code: 0, stdout: text });
  });

  it("names lines of the source in errors with --sourcemap", async () => {
    const id = await create("mapped");
    const cwd = project({ "src/fails.ts": "interface A {\n  x: number;\n}\nthrow new Error('on line four');\n" });
    await json(["deploy", id, "--file", "src/fails.ts", "--sourcemap", "--yes"], { cwd });
    const { code, stdout, stderr } = await iot(["run", id, "--wait"], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain("fails.ts:4");
    expect(stderr).toContain("exit code 1");
  });

  it.each([
    [["deploy"], "No analysis given", 2],
    [["deploy", "--all"], "The project file has no analyses", 2],
    [["deploy", "nowhere"], "neither an analysis id nor a name in the project", 2],
    [["deploy", "name:report", "--yes"], "No source file given", 2],
    [["deploy", "name:report", "--file", "no-such.ts"], "does not exist", 3],
    [["deploy", "name:report", "name:alert", "--file", "x.ts"], "--file works with one analysis only", 2],
  ] as const)("explains %j", async (args, says, code) => {
    expect(await iot(args)).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(says) });
  });

  it.each([
    [{ report: 7 }, "has no file"],
    [
      { report: { file: "a.ts", token: "x" } },
      'Unknown property "token"; valid properties are file, id, language, bundle',
    ],
    [[], "is not an object"],
  ])("refuses the project file %j", async (analyses, says) => {
    const cwd = project({ "iot.config.json": config(analyses) });
    expect(await iot(["deploy", "--all"], { cwd })).toMatchObject({ code: 3, stderr: expect.stringContaining(says) });
  });
});

describe("a machine without the bundler", () => {
  it("is told how to install it; a file that needs no bundling is uploaded nevertheless", {
    tags: ["slow", "posix"],
  }, async () => {
    const folder = temporaryFolder();
    const program = await cliPath();
    const isShipped = process.env["IOT_TEST_CLI"] !== undefined;
    const home = isShipped ? dirname(dirname(program)) : dirname(program);
    for (const name of isShipped ? ["bin", "dist", "package.json"] : [""])
      cpSync(join(home, name), join(folder, name), { recursive: true });
    if (!isShipped) {
      writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
      mkdirSync(join(folder, "node_modules"));
      for (const name of ["eventsource-parser", "undici"]) {
        const own = fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url));
        symlinkSync(own, join(folder, "node_modules", name));
      }
    }
    writeFileSync(join(folder, "script.js"), "console.log(1);\n");
    const run = (...args: readonly string[]) =>
      shell(`node ${relative(home, program)} analysis ${args.join(" ")}`, {
        env: cliEnvironment(here.env),
        cwd: folder,
      });
    for (const verb of ["deploy", "dev"]) {
      const { code, stderr } = await run(verb, "name:report", "--file", "script.js");
      expect({ verb, code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("npm install esbuild") });
    }
    expect(await json<object>(["get", "name:report"])).toMatchObject({ run_on: "tago" });
    expect(await run("deploy", "name:report", "--file", "script.js", "--no-bundle", "--yes")).toMatchObject({
      code: 0,
    });
  });
});

describe("analysis init", () => {
  it("writes a script that can be deployed and run as it is", async () => {
    const cwd = temporaryFolder();
    const row = await json<{ file: string; project: string }>(["init", "starter"], { cwd });
    expect(JSON.parse(readFileSync(row.project, "utf8"))).toEqual({
      $schema: "./iot.config.schema.json",
      analyses: { starter: { file: "analyses/starter.ts" } },
    });
    await create("starter");
    await json(["deploy", "starter", "--yes"], { cwd });
    const { stdout, code } = await iot(["run", "starter", "--wait", "--scope", '[{"variable":"level"}]'], { cwd });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("Rows in the scope: 1") });
    expect(stdout).toContain("Device:");
  });

  it("writes the schema for editors, and with --with-package what npm and the editor need", async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "tsconfig.json"), "{}");
    expect((await iot(["init", "starter", "--with-package"], { cwd })).code).toBe(0);
    expect(JSON.parse(readFileSync(join(cwd, "iot.config.schema.json"), "utf8"))).toHaveProperty("properties.analyses");
    const { type, dependencies } = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"));
    expect({ type, names: Object.keys(dependencies) }).toEqual({ type: "module", names: ["iotdeck"] });
    expect(readFileSync(join(cwd, "tsconfig.json"), "utf8")).toBe("{}");
  });

  it("keeps what the project file and the folder hold, and refuses a name twice", async () => {
    const cwd = project({
      "src/mine.js": "// mine\n",
      "iot.config.json": '{"env":"prod","analyses":{"old":"src/old.ts"}}',
    });
    await json(["init", "mine", "--file", "src/mine.js"], { cwd, env: { IOT_API_URL: here.sandbox.url } });
    expect(readFileSync(join(cwd, "src", "mine.js"), "utf8")).toBe("// mine\n");
    expect(JSON.parse(readFileSync(join(cwd, "iot.config.json"), "utf8"))).toEqual({
      env: "prod",
      analyses: { old: "src/old.ts", mine: { file: "src/mine.js" } },
    });
    expect(await iot(["init", "mine"], { cwd })).toMatchObject({ code: 7 });
    expect(await iot(["init", "../up"], { cwd })).toMatchObject({ code: 2 });
  });
});

describe("analysis download", () => {
  it("writes the newest script or an earlier one, and overwrites only with --yes", { tags: ["posix"] }, async () => {
    const cwd = project({ "src/v.js": "console.log(1);\n" });
    const id = await create("versions");
    await json(["deploy", id, "--file", "src/v.js", "--no-bundle", "--yes"], { cwd });
    writeFileSync(join(cwd, "src", "v.js"), "console.log(2);\n");
    await json(["deploy", id, "--file", "src/v.js", "--no-bundle", "--yes"], { cwd });
    const row = await json<{ file: string; bytes: number }>(["download", id], { cwd });
    expect(readFileSync(row.file, "utf8")).toBe("console.log(2);\n");
    expect(statSync(row.file).mode & 0o777).toBe(0o644);
    expect(await iot(["download", id, "--version", "1"], { cwd })).toMatchObject({ code: 2 });
    expect(readFileSync(row.file, "utf8")).toBe("console.log(2);\n");
    await json(["download", id, "--version", "1", "--yes"], { cwd });
    expect(readFileSync(row.file, "utf8")).toBe("console.log(1);\n");
    expect(await iot(["download", id, "--version", "9", "--out", "x.js"], { cwd })).toMatchObject({ code: 6 });
    expect(existsSync(join(cwd, "x.js"))).toBe(false);
  });

  it("keeps a file name of the server inside the folder", async () => {
    const id = await create("sly");
    const body = { file: Buffer.from("x").toString("base64"), file_name: "../../sly\u001b[2J.js", language: "node" };
    const args = ["api", "POST", `/analysis/${id}/upload`, "--input", "-"];
    expect(await runHere(args, { env: here.env, stdin: JSON.stringify(body) })).toMatchObject({ code: 0 });
    const cwd = temporaryFolder();
    const { file } = await json<{ file: string }>(["download", id], { cwd });
    expect(file.startsWith(`${cwd}/`)).toBe(true);
    expect(file).not.toContain("\u001b");
  });

  it("says so when there is no script", async () => {
    const id = await create("empty one");
    expect(await iot(["download", id])).toMatchObject({ code: 6, stderr: expect.stringContaining("has no script") });
  });
});

describe("analysis run and console", () => {
  it("answers at once without --wait", async () => {
    expect(await json(["run", "name:report"])).toMatchObject({
      id: SEED_ANALYSES.report,
      name: "report",
      run_on: "tago",
    });
  });

  it("prints the console of the run as one JSON document with --wait", async () => {
    const lines = await json<{ time: string; message: string }[]>(["run", "name:hello (node-legacy)", "--wait"]);
    expect(lines.map(({ message }) => message)).toContain("Hello from the sandbox");
    expect(new Date(lines[0]?.time ?? "").getTime()).toBeGreaterThan(0);
    const kept = await json<{ message: string }[]>(["console", "name:hello (node-legacy)", "--lines", "2"]);
    expect(kept).toHaveLength(2);
  });

  it.each(["name:retired", "name:hello (python-legacy)", "name:alert"])(
    "ends with 1 when %s cannot run",
    async (name) => {
      // Whatever is installed here, the sandbox finds no Python.
      vi.stubEnv("PATH", temporaryFolder());
      expect(await iot(["run", name, "--wait"])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("console shows"),
      });
    },
  );

  it("takes the scope from a file, stdin or as it stands, and refuses what is none", async () => {
    const cwd = project({ "scope.json": '[{"variable":"level","value":3}]' });
    for (const [place, stdin] of [[join(cwd, "scope.json")], ["-", '{"a":1}'], ['[{"a":1}]']] as const)
      expect(
        await iot(["run", "name:report", "--scope", place], stdin === undefined ? { cwd } : { cwd, stdin }),
      ).toMatchObject({ code: 0 });
    expect(await iot(["run", "name:report", "--scope", "-"], { stdin: "7" })).toMatchObject({ code: 3 });
    expect(await iot(["run", "name:report", "--scope", "[{"])).toMatchObject({ code: 3 });
  });

  it("cleans what a script printed before it reaches a terminal", { tags: ["slow"] }, async () => {
    const id = await create("hostile");
    const cwd = project({ "src/h.js": 'console.log("\\u001b]0;owned\\u0007 \\u202e");\n' });
    await json(["deploy", id, "--file", "src/h.js", "--yes"], { cwd });
    const { stdout } = await iot(["run", id, "--wait"], { terminal: 80 });
    expect(stdout).toContain("␛]0;owned␇ U+202E");
    const { stdout: kept } = await iot(["console", id], { terminal: 80 });
    for (const mark of ["\u001b]", "\u202e"]) expect(kept).not.toContain(mark);
  });

  it("ends the document of --follow when it is stopped", { tags: ["posix"] }, async () => {
    // One that no other test runs: its last line stands, and none arrives.
    const id = await create("followed");
    await iot(["run", id, "--wait"]);
    const child = await startCli(["analysis", "console", id, "--follow", "--lines", "1", "-o", "json"], {
      env: here.env,
    });
    let stdout = "";
    let talk = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      talk += chunk.toString();
    });
    const ended = new Promise((resolve) => child.on("close", resolve));
    await waitFor(() => talk.includes("Following"), "the stream");
    child.kill("SIGTERM");
    expect(await ended).toBe(143);
    expect(JSON.parse(stdout)).toHaveLength(1);
  });

  it("counts the time of --follow --for from when lines can arrive", async () => {
    const { code, stderr } = await iot(["console", "name:report", "--follow", "--for", "1ms"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("Following") });
  });

  it("follows the console until enough lines came", async () => {
    const followed = iot(["console", "name:report", "--follow", "--count", "1", "--json"]);
    let isDone = false;
    void followed.then(() => {
      isDone = true;
    });
    await waitFor(() => here.requests().some((line) => line.includes("analysis_console")), "the stream");
    while (!isDone) await iot(["run", "name:report"]);
    const { code, stdout } = await followed;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(1);
  });
});

describe("analysis env", () => {
  it("sets, changes and deletes variables, and keeps the others", async () => {
    const id = await create("settings");
    await json(["env", "set", id, "limit=8", "unit=C"]);
    await json(["env", "set", id, "unit=F"]);
    expect(await json(["env", "list", id])).toEqual([
      { key: "limit", value: "8" },
      { key: "unit", value: "F" },
    ]);
    expect(await iot(["env", "delete", id, "limit"])).toMatchObject({ code: 2 });
    expect(await json(["env", "delete", id, "limit", "--yes"])).toEqual([{ key: "unit", value: "F" }]);
    expect(await iot(["env", "delete", id, "limit", "--yes"])).toMatchObject({ code: 6 });
  });

  it("takes secrets from stdin or a file only, and hides them in every format and in dry runs without --reveal", async () => {
    const id = await create("secretive");
    const token = "5eed0001-0000-4000-8000-0000000000ff";
    for (const pair of ["PASSWORD=hunter2hunter2", `where=${token}`]) {
      const { code, stdout, stderr } = await iot(["env", "set", id, pair]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).not.toContain("hunter2");
    }
    const dry = await iot(["env", "set", id, "PASSWORD=-", "--dry-run"], { stdin: "hunter2hunter2\n" });
    expect(dry).toMatchObject({ code: 0 });
    expect(dry.stdout).not.toContain("hunter2");
    const shown = await iot(["env", "set", id, "PASSWORD=-"], { stdin: "hunter2hunter2\n" });
    expect(shown.stdout).toContain("…");
    expect(shown.stdout).not.toContain("hunter2");
    expect(await json(["env", "list", id])).toEqual([{ key: "PASSWORD", value: "…" }]);
    expect(await json(["env", "list", id, "--reveal"])).toEqual([{ key: "PASSWORD", value: "hunter2hunter2" }]);
  });

  it("refuses more than the platform takes", async () => {
    const id = await create("full");
    const pairs = Array.from({ length: 21 }, (_, index) => `v${index}=1`);
    expect(await iot(["env", "set", id, ...pairs])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("at most 20"),
    });
  });
});

describe("analysis mode and token", () => {
  it("switches the mode, which makes a new token", async () => {
    const id = await create("moving", "--run-on", "external");
    const before = await json<string>(["token", id]);
    expect(await json(["mode", id, "tago"])).toMatchObject({ run_on: "tago" });
    expect(await iot(["token", id])).toMatchObject({
      code: 5,
      stdout: "",
      stderr: expect.stringContaining(`"iot analysis mode ${id} external"`),
    });
    expect(await json(["mode", id, "external"])).toMatchObject({ run_on: "external" });
    expect(await json<string>(["token", id])).not.toBe(before);
    expect(await json(["mode", id])).toMatchObject({ run_on: "external" });
    expect(await iot(["mode", id, "extern"])).toMatchObject({ code: 2, stderr: expect.stringContaining("external") });
  });

  it("renews a token only when told so twice", async () => {
    const id = await create("renewed", "--run-on", "external");
    const before = await json<string>(["token", id]);
    expect(await iot(["token", id, "--renew"])).toMatchObject({ code: 2, stdout: "" });
    expect(await json(["token", id])).toBe(before);
    expect(await json<string>(["token", id, "--renew", "--yes"])).not.toBe(before);
  });
});
