import { readdirSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { statePath, writeNote } from "../../src/commands/kit/state/notes.ts";
import { type CliResult, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { SEED_TOKENS } from "../helpers/seed.ts";

let here: SandboxUnderTest;
let folder: string;
beforeAll(async () => {
  here = await sandboxUnderTest();
  folder = temporaryFolder();
});
afterAll(() => here.close());

const profile = (...args: string[]): Promise<CliResult> =>
  runHere(["profile", ...args], { env: here.env, cwd: folder });

/** As `profile`, in the profile Empty. */
const inEmpty = (...args: string[]): Promise<CliResult> =>
  runHere(["profile", ...args], { env: { ...here.env, IOT_TOKEN: SEED_TOKENS.empty }, cwd: folder });

const filesIn = (name: string): string[] =>
  readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

const textsIn = (name: string): string[] => filesIn(name).map((path) => readFileSync(path, "utf8"));

interface Row {
  readonly kind: string;
  readonly name: string;
  readonly result: string;
  readonly change: string;
  readonly path: string | null;
}

const rowsOf = ({ stdout }: CliResult): Row[] => JSON.parse(stdout) as Row[];
const sent = (): string[] => here.requests().filter((line) => !line.startsWith("GET "));

describe("profile export", () => {
  it("writes every resource, the same files each time, in a fixed order of keys", async () => {
    expect(await profile("export", "--out", "one")).toMatchObject({ code: 0 });
    await runHere(["device", "data", "send", "name:Freezer 1", "temperature=4"], { env: here.env });
    expect(await profile("export", "--out", "two")).toMatchObject({ code: 0 });
    expect(filesIn("one").length).toBeGreaterThan(40);
    expect(textsIn("two")).toEqual(textsIn("one"));
    const again = await profile("export", "--out", "one", "--json");
    expect(JSON.parse(again.stdout)).toContainEqual({ kind: "dictionary", resources: 1, written: 0, removed: 0 });
    expect(again.stderr).not.toContain("is gone");
  });

  it("writes no token, no secret, no time and no counter", async () => {
    const text = textsIn("one").join("\n");
    const tokens = await runHere(["device", "token", "list", "name:Freezer 1", "--json"], { env: here.env });
    const known = [
      ...Object.values(SEED_TOKENS),
      ...(JSON.parse(tokens.stdout) as { token: string }[]).map((one) => one.token),
    ];
    for (const token of known) expect(text).not.toContain(token);
    expect(text).not.toMatch(/"(created_at|updated_at|last_input|last_login|last_run|token|password|console)":/);
    expect(text).toContain('"key": "threshold"');
    expect(text).not.toMatch(/"key": "threshold",\s*"value"/);
  });

  it("asks before it replaces a file, and removes files of what is gone", async () => {
    const [file = ""] = filesIn("two").filter((path) => path.includes("freezer-1--"));
    writeFileSync(file, "{}\n");
    const stale = join(folder, "two", "device", `gone--${"0".repeat(24)}.json`);
    writeFileSync(stale, "{}\n");
    expect(await profile("export", "--out", "two")).toMatchObject({ code: 2 });
    expect(await profile("export", "--out", "two", "--yes")).toMatchObject({ code: 0 });
    expect(textsIn("two")).toEqual(textsIn("one"));
  });

  it("leaves a folder alone that holds something else, and reads nothing for it", async () => {
    const other = temporaryFolder();
    writeFileSync(join(other, "notes.txt"), "mine");
    const { code, stdout } = await profile("export", "--out", other, "--yes");
    expect({ code, stdout, files: readdirSync(other) }).toEqual({ code: 7, stdout: "", files: ["notes.txt"] });
    expect(await profile("export", "--include", "devices")).toMatchObject({ code: 2 });
  });
});

describe("a folder of a profile that somebody else prepared", () => {
  it("leads an import to no file outside of it", { tags: ["posix"] }, async () => {
    const outside = join(temporaryFolder(), "private.js");
    writeFileSync(outside, "const key = 1;");
    await profile("export", "--out", "linked", "--include", "analysis");
    const [script = ""] = filesIn("linked").filter((path) => path.endsWith(".js"));
    rmSync(script);
    symlinkSync(outside, script);
    const before = sent().length;
    const refused = await inEmpty("import", "linked");
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("It is not a plain file") });
    expect(sent().slice(before)).toEqual([]);
  });

  it("leads an export to no folder outside of it", { tags: ["posix"] }, async () => {
    await profile("export", "--out", "moved", "--include", "device");
    const outside = join(temporaryFolder(), "device");
    renameSync(join(folder, "moved", "device"), outside);
    symlinkSync(outside, join(folder, "moved", "device"));
    const refused = await profile("export", "--out", "moved", "--include", "device", "--yes");
    expect(refused).toMatchObject({ code: 7, stderr: expect.stringContaining("is in the way") });
  });

  it("is refused when a document is nested without end", async () => {
    await profile("export", "--out", "deep", "--include", "dictionary");
    const [file = ""] = filesIn("deep").filter((path) => path.includes("dictionary"));
    const id = /--([0-9a-f]{24})/.exec(file)?.[1];
    writeFileSync(file, `{"id":"${id}","name":"x","texts":${"[".repeat(5_000)}${"]".repeat(5_000)}}`);
    expect(await inEmpty("import", "deep")).toMatchObject({ code: 3, stderr: expect.stringContaining("nested") });
  });
});

describe("profile diff", () => {
  it("ends with 0 without a difference and with 11 with one, naming the place", async () => {
    expect(await profile("diff", "one")).toMatchObject({ code: 0, stdout: "" });
    await runHere(["device", "update", "name:Freezer 1", "--description", "Moved"], { env: here.env });
    await runHere(["device", "create", "--name", "Fresh"], { env: here.env });
    const found = await profile("diff", "one", "--include", "device", "--json");
    expect(found.code).toBe(11);
    expect(rowsOf(found)).toEqual([
      expect.objectContaining({ name: "Freezer 1", change: "changed", path: "description", old: "Moved" }),
      expect.objectContaining({ name: "Fresh", change: "removed", path: null }),
    ]);
    await runHere(["device", "update", "name:Freezer 1", "--description", "Cold store, left of the door"], {
      env: here.env,
    });
    await runHere(["device", "delete", "name:Fresh", "--yes"], { env: here.env });
  });
});

describe("profile import", () => {
  it("plans and sends nothing", async () => {
    const before = sent().length;
    const plan = await inEmpty("import", "one", "--preview", "--json");
    expect(plan.code).toBe(0);
    expect(rowsOf(plan).filter(({ result }) => result === "create").length).toBeGreaterThan(25);
    expect(rowsOf(plan)).toContainEqual(expect.objectContaining({ kind: "secret", result: "skipped" }));
    const dry = await inEmpty("import", "one", "--dry-run");
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining("POST /device ") });
    expect(sent().slice(before)).toEqual([]);
  });

  it("creates what is missing in the order of need, with the new ids in place of the old ones", async () => {
    const done = await inEmpty("import", "one", "--json");
    expect({ code: done.code, failed: rowsOf(done).filter(({ result }) => result === "failed") }).toEqual({
      code: 0,
      failed: [],
    });
    expect(done.stderr).toMatch(/secret "\w+" was not created: the files do not contain its value/);
    expect(await inEmpty("diff", "one")).toMatchObject({ code: 0, stdout: "" });
  });

  it("leaves differences that diff shows with --all-kinds only, as apply --check does not write these kinds", async () => {
    expect(await inEmpty("apply", "one", "--exclude", "secret", "--yes")).toMatchObject({ code: 0 });
    expect(await inEmpty("apply", "one", "--check")).toMatchObject({ code: 0, stdout: "" });
    expect(await inEmpty("diff", "one")).toMatchObject({ code: 0, stdout: "" });
    const all = await inEmpty("diff", "one", "--all-kinds", "--json");
    expect(all.code).toBe(11);
    expect(new Set(rowsOf(all).map(({ kind }) => kind))).toEqual(new Set(["secret", "core", "portal"]));
    expect(await inEmpty("diff", "one", "--include", "secret")).toMatchObject({ code: 11 });
    expect(await inEmpty("diff", "one", "--all-kinds", "--include", "secret")).toMatchObject({ code: 2 });
  });

  it("is followed by an apply whose deletions are confirmed with the name of the environment", async () => {
    const config = temporaryFolder();
    const { IOT_TOKEN: _, IOT_API_URL: __, IOT_EVENTS_URL: ___, ...rest } = here.env;
    const env = { ...rest, IOT_CONFIG_DIR: config };
    const run = (...args: string[]) => runHere(args, { env, cwd: folder, stdin: SEED_TOKENS.empty });
    await run("env", "add", "box", "--api-url", here.sandbox.url);
    await run("auth", "login", "--with-token", "--env", "box");
    await run("device", "create", "--name", "Extra", "--env", "box");
    const apply = ["profile", "apply", "one", "--include", "device", "--prune", "--env", "box"];
    expect(await run(...apply, "--yes")).toMatchObject({ code: 2 });
    expect(await run(...apply, "--confirm", "prod")).toMatchObject({ code: 2 });
    const done = await run(...apply, "--confirm", "box", "--json");
    expect(rowsOf(done).filter(({ result }) => result === "deleted")).toMatchObject([{ name: "Extra" }]);
    expect(done.code).toBe(0);
  });

  it("creates nothing a second time, and deletes nothing", async () => {
    const before = sent().length;
    const again = await inEmpty("import", "one", "--json");
    expect(again.code).toBe(0);
    expect(rowsOf(again).filter(({ result }) => result === "created")).toEqual([]);
    expect(sent().slice(before)).toEqual([]);
  });

  it("goes on after a failure in the middle of a dashboard, without a second copy of anything", async () => {
    const other = await sandboxUnderTest();
    const env = { ...other.env, IOT_TOKEN: SEED_TOKENS.empty, TAGOIO_REQUEST_ATTEMPTS: "1" };
    const run = (...args: string[]) => runHere(["profile", ...args], { env, cwd: folder });
    const only = ["--include", "network,connector,device,analysis,dashboard", "--json"];
    other.sandbox.faults.set([
      { route: "PUT /dashboard/*", kind: "status", status: 400, count: 1 },
      // The dashboard is made, and its answer is lost.
      { route: "POST /dashboard", kind: "truncate", count: 1 },
      { route: "POST /device/*/params", kind: "truncate", count: 1 },
    ]);
    const broken = await run("import", "one", ...only, "--retries", "0");
    expect(broken.code).toBe(8);
    expect(rowsOf(broken)).toContainEqual(expect.objectContaining({ kind: "dashboard", result: "failed" }));
    other.sandbox.faults.set([]);
    const second = await run("import", "one", ...only);
    expect({ code: second.code, made: rowsOf(second).filter(({ result }) => result === "created").length }).toEqual({
      code: 0,
      made: rowsOf(broken).filter(({ result }) => result === "failed").length,
    });
    const differing = await run("diff", "one", ...only);
    expect({ code: differing.code, rows: rowsOf(differing) }).toEqual({ code: 0, rows: [] });
    await other.close();
  });

  it("does not continue an import of another version, and says which file to remove", async () => {
    const config = temporaryFolder();
    const env = { ...here.env, IOT_CONFIG_DIR: config, IOT_TOKEN: SEED_TOKENS.empty };
    const run = (...args: string[]) => runHere(["profile", ...args], { env, cwd: folder });
    const { id } = JSON.parse((await run("get", "current", "--json")).stdout) as { id: string };
    const notes = statePath(env, "imports", [here.sandbox.url, id, realpathSync(join(folder, "one"))]);
    writeNote(notes, "begun 65a1000000000000000e0001");
    const refused = await run("import", "one");
    expect(refused).toMatchObject({ code: 7, stdout: "" });
    expect(refused.stderr).toContain("The interrupted import cannot be continued");
    expect(refused.stderr).toContain(`delete ${notes}`);
    rmSync(notes);
    expect(await run("import", "one", "--preview")).toMatchObject({ code: 0 });
  });

  it("refuses broken files before anything is sent", async () => {
    const [file = ""] = filesIn("two").filter((path) => path.includes("truck-7--"));
    writeFileSync(file, "{ not json");
    const before = sent().length;
    expect(await inEmpty("import", "two")).toMatchObject({ code: 3, stderr: expect.stringContaining("truck-7--") });
    expect(sent().slice(before)).toEqual([]);
    rmSync(join(folder, "two", "profile.json"));
    expect(await inEmpty("import", "two")).toMatchObject({ code: 3 });
    expect(await inEmpty("diff", "nowhere")).toMatchObject({ code: 3 });
  });
});
