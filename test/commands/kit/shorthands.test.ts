import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../helpers/cli.ts";
import { runHere } from "../../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../../helpers/sandbox.ts";

let here: SandboxUnderTest;
let env: Record<string, string>;
beforeAll(async () => {
  here = await sandboxUnderTest();
  env = { ...here.env, IOT_CONFIG_DIR: temporaryFolder() };
});
afterAll(() => here.close());
const iot = (...words: string[]) => runHere(words, { env });

describe("aliases", () => {
  it("stand for the words of a command, with what follows them", async () => {
    expect((await iot("alias", "set", "cold", 'device get "name:Freezer 1"')).code).toBe(0);
    expect((await iot("alias", "set", "colder", "cold -o json")).code).toBe(0);
    const { code, stdout } = await iot("colder", "--fields", "name");
    expect({ code, document: JSON.parse(stdout) as unknown }).toEqual({ code: 0, document: { name: "Freezer 1" } });
    expect((await iot("cold", "--no-such-flag")).code).toBe(2);
  });

  it("never hide a command, name none that is not there, and end in no circle", async () => {
    expect((await iot("alias", "set", "device", "status")).code).toBe(2);
    expect((await iot("alias", "set", "devices", "status")).code).toBe(2);
    expect((await iot("alias", "set", "x", "no-such-command")).code).toBe(2);
    expect((await iot("alias", "set", "cold", "colder")).code).toBe(0);
    expect(await iot("cold")).toMatchObject({ code: 2, stderr: expect.stringContaining("circle") });
  });

  it("are listed and forgotten", async () => {
    const { stdout } = await iot("alias", "list", "--json");
    expect((JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)).toContain("colder");
    expect((await iot("alias", "delete", "colder")).code).toBe(0);
    expect((await iot("alias", "delete", "colder")).code).toBe(6);
    expect((await iot("colder")).code).toBe(2);
  });
});

describe("commands of the official program", () => {
  it("get a suggestion", async () => {
    const { code, stderr } = await iot("device-list");
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Run "iot device list".') });
  });
});

describe("templates", () => {
  it("write one line per row", async () => {
    const { code, stdout } = await iot(
      "device",
      "get",
      "name:Freezer 1",
      "--template",
      "{{.name}}\\t{{tags | json}} {{data_retention}}!",
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Freezer 1\t\[\{"key":.+\}\] .*!\n$/);
    const rows = await iot("device", "list", "-o", "template", "--template", "{{id}}", "--limit", "3");
    expect(rows.stdout).toMatch(/^([0-9a-f]{24}\n){3}$/);
  });

  it("that are wrong end with 2", async () => {
    for (const text of ["{{", "}}", "{{a b}}", "{{name | upper}}", "{{}}"])
      expect({ text, code: (await iot("device", "list", "--template", text)).code }).toEqual({ text, code: 2 });
    expect((await iot("device", "list", "-o", "template")).code).toBe(2);
    expect((await iot("device", "list", "--template", "{{id}}", "--jq", ".")).code).toBe(2);
  });

  it("that name an unknown field end with 2, but not after a change that was made", async () => {
    const unknown = 'Unknown field "nam" in --template';
    for (const line of [["get", "name:Freezer 1"], ["list"]]) {
      const { code, stdout, stderr } = await iot("device", ...line, "--template", "{{id}} {{nam}}");
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(unknown);
      expect(stderr).toContain('Did you mean "name"?');
    }
    const made = await iot("device", "create", "--name", "Made", "--template", "{{name}}{{nam}}");
    expect(made).toMatchObject({ code: 0, stdout: "Made\n", stderr: expect.stringContaining(unknown) });
    const other = await iot("device", "create", "--name", "Made too", "--fields", "name,nam", "-o", "csv");
    expect(other).toMatchObject({ code: 0, stdout: "name,nam\r\nMade too,\r\n" });
    expect(other.stderr).toContain('warning: Unknown field "nam" in --fields: it is empty.');
  });

  it("that are wrong are found before a change is made, and so are expressions of --jq", async () => {
    for (const wrong of [
      ["--template", "{{"],
      ["--jq", ".["],
      ["--jq", "nosuch"],
    ])
      expect((await iot("device", "create", "--name", "Not made", ...wrong)).code).toBe(2);
    expect((await iot("device", "list", "--name", "Not made", "-o", "id")).stdout).toBe("");
  });
});

describe("iot init", () => {
  it("writes a project file that names its schema, and keeps one that is there", async () => {
    const cwd = temporaryFolder();
    expect((await runHere(["init", "--env", "prod"], { env, cwd })).code).toBe(0);
    const written = JSON.parse(readFileSync(join(cwd, "iot.config.json"), "utf8")) as { $schema: string; env: string };
    expect(written).toEqual({ $schema: "./iot.config.schema.json", env: "prod" });
    expect(JSON.parse(readFileSync(join(cwd, written.$schema), "utf8"))).toMatchObject({ title: "iot.config.json" });
    expect((await runHere(["init", "--env", "dev"], { env, cwd })).code).toBe(7);
    expect((await runHere(["init", "--env", "dev", "--force"], { env, cwd })).code).toBe(0);
  });

  it("takes over the analyses of the official program, and nothing that is secret", async () => {
    const cwd = temporaryFolder();
    const id = "65a1000000000000000a0001";
    const file = {
      default: "prod",
      analysisPath: "./src/analysis",
      prod: {
        analysisList: [{ name: "report", fileName: "report.ts", id }],
        profileToken: "token-of-before",
        tagoAPIURL: "https://x",
      },
    };
    writeFileSync(join(cwd, "tagoconfig.json"), JSON.stringify(file));
    expect((await runHere(["init", "--from", "tagoconfig.json"], { env, cwd })).code).toBe(0);
    expect(JSON.parse(readFileSync(join(cwd, "iot.config.json"), "utf8"))).toEqual({
      $schema: "./iot.config.schema.json",
      env: "prod",
      analyses: { report: { file: "src/analysis/report.ts", id } },
    });
  });
});
