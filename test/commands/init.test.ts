import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { startTerminal } from "../helpers/terminal.ts";

const read = (folder: string, name: string): string => readFileSync(join(folder, name), "utf8");

describe("init", () => {
  it("writes the project, a script and a CI file, and says what comes next", { tags: ["slow"] }, async () => {
    const cwd = temporaryFolder();
    const { code, stdout, stderr } = await runHere(["init", "--analysis", "hello", "--ci", "github", "--json"], {
      cwd,
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ env: null, analyses: 1 });
    expect(JSON.parse(read(cwd, "iot.config.json"))).toMatchObject({
      analyses: { hello: { file: "analyses/hello.ts" } },
    });
    expect(read(cwd, "analyses/hello.ts")).toContain("Analysis.use");
    expect(read(cwd, ".github/workflows/iot.yml")).toContain("npx --no iot sandbox exec -- npm test");
    expect(stderr).toContain(
      'Next: npm install, then iot sandbox start --use, then iot analysis create --name "hello"',
    );
  });

  it("keeps a CI file that is there", async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, ".gitlab-ci.yml"), "mine");
    const { code, stderr } = await runHere(["init", "--ci", "gitlab"], { cwd });
    expect({ code, text: read(cwd, ".gitlab-ci.yml") }).toEqual({ code: 0, text: "mine" });
    expect(stderr).toContain(".gitlab-ci.yml already exists");
  });

  it("asks nothing where no terminal is, names each file it writes, and changes nothing in a second run", async () => {
    const cwd = temporaryFolder();
    const { code, stderr } = await runHere(["init"], { cwd });
    const names = readdirSync(cwd).sort();
    const package_ = ["package.json", "tsconfig.json"];
    expect({ code, names }).toEqual({
      code: 0,
      names: [".gitignore", "iot.config.json", "iot.config.schema.json", ...package_],
    });
    for (const name of names) expect(stderr).toContain(`Wrote ${name}.\n`);
    expect(stderr).toContain("Next: npm install, then iot sandbox start --use, then iot analysis init hello\n");
    const before = names.map((name) => read(cwd, name));
    const second = await runHere(["init", "--json"], { cwd });
    expect(JSON.parse(second.stdout)).toMatchObject({ written: [] });
    expect(second.stderr).toContain("nothing was changed");
    expect(names.map((name) => read(cwd, name))).toEqual(before);
  });

  it("leaves what a folder has, and adds the lines its .gitignore lacks", async () => {
    const cwd = temporaryFolder();
    const inner = join(cwd, "inner");
    mkdirSync(inner);
    writeFileSync(join(cwd, "package.json"), '{"name":"mine"}');
    writeFileSync(join(inner, ".gitignore"), "/node_modules\r\ndist");
    const { code, stderr } = await runHere(["init"], { cwd: inner });
    expect({ code, next: stderr.includes("Next: npm install iotdeck, then") }).toEqual({ code: 0, next: true });
    expect(existsSync(join(inner, "package.json"))).toBe(false);
    expect(read(inner, ".gitignore")).toBe("/node_modules\r\ndist\r\n.env\r\n");
  });

  it("writes nothing where one of its files could not be written", async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, ".gitignore"));
    const { code, stderr } = await runHere(["init"], { cwd });
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(".gitignore is a folder.") });
    expect(readdirSync(cwd)).toEqual([".gitignore"]);
  });

  it("asks on a terminal", { tags: ["slow", "posix"] }, async () => {
    const cwd = temporaryFolder();
    const env = { IOT_CONFIG_DIR: temporaryFolder() };
    expect((await runHere(["env", "add", "prod", "--region", "us-e1"], { env })).code).toBe(0);
    const run = await startTerminal(["init"], { cwd, env });
    await run.waitFor(/Which platform is the project for/);
    run.type("\r");
    await run.waitFor(/Name of a first analysis/);
    run.type("hello\r");
    await run.waitFor(/Which CI runs its tests/);
    run.type("\x1b[B\r");
    expect(await run.ended).toBe(0);
    expect(JSON.parse(read(cwd, "iot.config.json"))).toMatchObject({ env: "prod", analyses: { hello: {} } });
    expect(existsSync(join(cwd, ".github/workflows/iot.yml"))).toBe(true);
  });
});
