import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { basename, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callTool } from "../../src/commands/mcp/call.ts";
import { folderLimit } from "../../src/commands/mcp/files.ts";
import { commandTools } from "../../src/commands/mcp/tools.ts";
import { run } from "../../src/commands/program/run.ts";
import { nouns } from "../../src/commands/registry.ts";
import { cliEnvironment, cliPath, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { SEED_DEVICES } from "../helpers/seed.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

/** The folder of `--files`, and one beside it that calls must not reach. */
let folder: string;
let outside: string;
let secret: string;
beforeEach(() => {
  [folder, outside] = [realpathSync(temporaryFolder()), realpathSync(temporaryFolder())];
  secret = join(outside, "credentials.json");
  writeFileSync(secret, '{"token":"hunter2"}');
});

interface Place {
  readonly env?: Readonly<Record<string, string>>;
  /** False for a server without `--files`. */
  readonly hasFiles?: boolean;
}

/** A call of a server with every tool. */
async function call(name: string, args: object, { env = here.env, hasFiles = true }: Place = {}) {
  const tool = (await commandTools(nouns, { allowWrite: true, hasFiles })).find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  const own = cliEnvironment(env);
  const limit = hasFiles ? { allowFile: folderLimit(folder, own) } : {};
  const setup = { env: own, cwd: folder, flags: [], allowWrite: true, run, ...limit };
  const { isError, texts } = await callTool(tool, args, setup, new AbortController().signal);
  const { error } = JSON.parse(texts[0] ?? "null") ?? {};
  return { isError, code: error?.code as string | undefined, next: error?.next as string | undefined, texts };
}

const refused = { isError: true, code: "mcp.outside_files" };

/** Calls that are rejected before anything is sent. */
async function expectRefused(name: string, args: object, place?: Place): Promise<void> {
  const before = here.requests().length;
  expect({ name, args, ...(await call(name, args, place)) }).toMatchObject({ name, args, ...refused });
  expect(here.requests().slice(before)).toEqual([]);
}

describe("iot mcp --files", { tags: ["posix"] }, () => {
  it("works with files of the folder", async () => {
    writeFileSync(join(folder, "a.csv"), "variable,value\nlevel,1\n");
    mkdirSync(join(folder, "in"));
    symlinkSync(join(folder, "a.csv"), join(folder, "in", "link.csv"));
    for (const file of ["a.csv", join(folder, "a.csv"), "in/link.csv", "in/../a.csv"])
      expect(await call("file_upload", { file: [file], path: "x/", confirm: "yes" })).toMatchObject({ isError: false });
    const out = { path: ["x/a.csv"], out: "new/b.csv" };
    expect(await call("file_download", out)).toMatchObject({ isError: false });
    expect(readFileSync(join(folder, "new/b.csv"), "utf8")).toContain("level,1");
    expect(await call("file_download", { path: ["x/link.csv"] })).toMatchObject({ isError: false });
    expect(existsSync(join(folder, "link.csv"))).toBe(true);
  });

  it("asks before it overwrites one, as before", async () => {
    writeFileSync(join(folder, "types.ts"), "old");
    const args = { out: "types.ts" };
    expect(await call("generate_types", args)).toMatchObject({ isError: true, code: "confirm.needed" });
    expect(await call("generate_types", { ...args, confirm: "yes" })).toMatchObject({ isError: false });
  });

  it("reads no file outside, however it is named", async () => {
    symlinkSync(secret, join(folder, "link.json"));
    symlinkSync(outside, join(folder, "linked"));
    const back = join("..", basename(outside), "credentials.json");
    for (const file of [secret, back, `./${back}`, "link.json", "linked/credentials.json", "/dev/stdin", "/"])
      await expectRefused("file_upload", { file: [file], path: "x/cred", public: true });
    for (const form of [`@${secret}`, "@link.json"]) {
      await expectRefused("device_create", { name: "x", type: "mutable", description: form });
      await expectRefused("device_create", { input: form });
      await expectRefused("analysis_env_set", { name: "name:report", pairs: [`A=${form}`] });
    }
    await expectRefused("device_data_send", { id: SEED_DEVICES.freezer, input: secret });
    await expectRefused("device_simulate", { id: [SEED_DEVICES.freezer, `temperature=file:${secret}`], count: 1 });
    await expectRefused("device_simulate", { id: [SEED_DEVICES.freezer, `file:${secret}`], count: 1 });
    await expectRefused("analysis_run", { name: "name:report", scope: secret });
    await expectRefused("widget_convert", { files: [`${outside}/*.json`], stdout: true });
  });

  it("writes no file outside, however it is named", async () => {
    symlinkSync(outside, join(folder, "linked"));
    symlinkSync(join(outside, "new.txt"), join(folder, "dangling"));
    for (const out of [join(outside, "x"), "../x", "linked/x", "linked/new/x", "dangling", `${outside}/`]) {
      await expectRefused("file_download", { path: ["reports/open.txt"], out, confirm: "yes" });
      await expectRefused("generate_types", { out, confirm: "yes" });
      await expectRefused("device_data_export", { id: [SEED_DEVICES.freezer], out, confirm: "yes" });
      await expectRefused("analysis_download", { name: "name:report", out, confirm: "yes" });
    }
    expect(readdirSync(outside)).toEqual(["credentials.json"]);
  });

  it("writes to no address, for which it would use the credentials of this machine", async () => {
    for (const out of ["s3://lake/fleet", "@s3://lake/fleet", "S3://lake/fleet"])
      await expectRefused("device_data_export", { id: [SEED_DEVICES.freezer], dataset: true, out, confirm: "yes" });
  });

  it("follows no link out of a folder that a command walks", async () => {
    mkdirSync(join(folder, "site/deep"), { recursive: true });
    writeFileSync(join(folder, "site/a.json"), "{}");
    const link = join(folder, "site/deep/link.json");
    symlinkSync(secret, link);
    await expectRefused("file_sync", { from: "site", to: "files:/site" });
    await expectRefused("widget_convert", { files: ["site"], stdout: true });
    await expectRefused("parser_test", { folder: "site", update: true });
    await expectRefused("dashboard_import", { folder: ["site"] });
    await expectRefused("dictionary_apply", { file: ["site"], language: "en-US" });
    // A pattern names the folder in front of it: the command asks for that.
    const pattern = await call("widget_detect", { files: ["site/**/*.json"] });
    expect(pattern.texts.join("\n")).toContain("is outside the folder of this server");
    // By a link inside to a folder that has one.
    symlinkSync(join(folder, "site/deep"), join(folder, "inner"));
    await expectRefused("widget_detect", { files: ["inner"] });
  });

  it("never reaches the settings, tokens and state of the program, wherever they are", async () => {
    const env = { ...here.env, IOT_CONFIG_DIR: join(folder, ".config/iotdeck") };
    mkdirSync(join(folder, ".config/iotdeck/state"), { recursive: true });
    mkdirSync(join(folder, "dotfiles"));
    writeFileSync(join(folder, "dotfiles/creds.json"), "{}");
    symlinkSync(join(folder, "dotfiles/creds.json"), join(folder, ".config/iotdeck/credentials.json"));
    symlinkSync(join(folder, ".config/iotdeck"), join(folder, "alias"));
    for (const file of [
      ".config/iotdeck/credentials.json",
      "alias/config.json",
      "dotfiles/creds.json",
      "iot.config.json",
      "deep/IOT.config.json",
    ]) {
      await expectRefused("file_upload", { file: [file] }, { env });
      await expectRefused("generate_types", { out: file, confirm: "yes" }, { env });
    }
    for (const from of [".", ".config", "dotfiles"])
      await expectRefused("file_sync", { from, to: "files:/all" }, { env });
  });

  it("bundles no file from outside into an analysis", async () => {
    const script = join(folder, "report.ts");
    const args = { names: ["name:report"], file: "report.ts", confirm: "yes", dry_run: true };
    writeFileSync(join(folder, "inner.json"), '{"a":1}');
    writeFileSync(script, 'import a from "./inner.json"; console.log(a);');
    expect(await call("analysis_deploy", args)).toMatchObject({ isError: false });
    symlinkSync(secret, join(folder, "link.json"));
    for (const from of [secret, "./link.json"]) {
      writeFileSync(script, `import a from ${JSON.stringify(from)}; console.log(a);`);
      const result = await call("analysis_deploy", args);
      expect(result).toMatchObject({ isError: true, code: "bundle.failed" });
      expect(result.texts.join("")).toContain("outside the folder");
      expect(result.texts.join("")).not.toContain("hunter2");
    }
  });

  it("takes no script from outside that the project file names", async () => {
    const config = { analyses: { report: { file: `../${basename(outside)}/credentials.json`, id: "name:report" } } };
    writeFileSync(join(folder, "iot.config.json"), JSON.stringify(config));
    const args = { names: ["report"], bundle: false, confirm: "yes", dry_run: true };
    expect(await call("analysis_deploy", args)).toMatchObject(refused);
  });

  it("starts only in a folder that exists", async () => {
    const flags = ["mcp", "--files", join(folder, "none")];
    const { code, stderr } = await runHere(flags, { env: here.env });
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining("does not exist") });
  });
});

describe("iot mcp without --files", { tags: ["posix"] }, () => {
  const place = { hasFiles: false };

  it("reads and writes no file, and says how to give it some", async () => {
    writeFileSync(join(folder, "a.csv"), "variable,value\nlevel,1\n");
    const before = readdirSync(folder);
    for (const [name, args] of [
      ["file_upload", { file: ["a.csv"] }],
      ["device_data_send", { id: SEED_DEVICES.freezer, input: "a.csv" }],
      ["device_create", { name: "x", type: "mutable", description: "@a.csv" }],
      ["file_download", { path: ["reports/open.txt"] }],
      ["file_download", { path: ["reports/open.txt"], out: "b.txt" }],
      ["analysis_download", { name: "name:report" }],
      ["dashboard_export", { all: true }],
      ["dashboard_apply", {}],
      ["profile_export", {}],
      ["dictionary_pull", {}],
      ["parser_test", { folder: "." }],
    ] as const) {
      const result = await call(name, args, place);
      expect({ name, args, ...result }).toMatchObject({ name, args, isError: true, code: "mcp.no_files" });
      expect(result.next).toContain("--files");
    }
    expect(readdirSync(folder)).toEqual(before);
  });

  it("takes content as stdin, and words that name no file", { tags: ["slow"] }, async () => {
    const body = { input: "-", stdin: '[{"variable":"level","value":3}]' };
    expect(await call("device_data_send", { id: SEED_DEVICES.freezer, ...body }, place)).toMatchObject({
      isError: false,
    });
    const scope = { name: "name:report", scope: '[{"variable":"x","value":"/../../etc"}]', dry_run: true };
    expect(await call("analysis_run", scope, place)).toMatchObject({ isError: false });
    const code = "LW:D0:1122334455667788:AABBCCDDEEFF0011:AABB1122";
    expect(await call("lorawan_qr_parse", { codes: [code] }, place)).toMatchObject({ isError: false });
    const both = { folder: ["name:Plant overview"], dashboard: "name:Plant, old widgets" };
    expect(await call("dashboard_diff", both, place)).toMatchObject({ code: undefined });
    const file = { file: ["-"], path: "x/stdin.txt", stdin: "hello" };
    expect(await call("file_upload", file, place)).toMatchObject({ isError: false });
    const parser = { file: "-", stdin: "payload = [{ variable: 'a', value: 1 }];", payload: ["01"] };
    expect(await call("parser_run", parser, place)).toMatchObject({ isError: false });
  });
});

describe("iot mcp and queues", { tags: ["posix"] }, () => {
  it("offers no queue, no job and no worker in any toolset", async () => {
    for (const serving of [
      { allowWrite: false, hasFiles: true },
      { allowWrite: true, hasFiles: true },
    ]) {
      const tools = await commandTools(nouns, serving);
      expect(tools.map(({ name }) => name).filter((name) => /^(job|worker)(_|$)/.test(name))).toEqual([]);
      const offered = tools.filter(({ inputSchema }) =>
        ["queue", "exec"].some((name) => name in (inputSchema["properties"] as object)),
      );
      expect(offered.map(({ name }) => name)).toEqual([]);
    }
  });

  it("connects to no Redis, whoever names it", async () => {
    let connections = 0;
    const redis = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((done) => redis.listen(0, "127.0.0.1", done));
    const address = redis.address();
    const queue = `redis://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    try {
      const watched = { tag: ["site=plant"], for: "100ms" };
      expect(await call("device_watch", { ...watched, queue })).toMatchObject({ code: "usage.unknown_flag" });
      const env = { ...here.env, IOT_QUEUE: queue };
      expect(await call("device_watch", watched, { env })).toMatchObject({ isError: false });
      const many = { tag: ["device_type=silo"], set_tag: ["floor=2"], confirm: "yes" };
      expect(await call("device_update", many, { env })).toMatchObject({ isError: false });
      expect(connections).toBe(0);
    } finally {
      redis.close();
    }
  });
});

describe("iot mcp --files, the process", { tags: ["slow", "posix"] }, () => {
  it("keeps calls below the folder, whatever the working folder is", async () => {
    writeFileSync(join(folder, "a.txt"), "inside");
    const client = new Client({ name: "test", version: "1" });
    const args = [await cliPath(), "mcp", "--allow-write", "--toolset", "file", "--files", folder];
    const env = cliEnvironment(here.env);
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env, cwd: outside, stderr: "ignore" }),
    );
    try {
      expect(client.getInstructions()).toContain(folder);
      const upload = (file: string) =>
        client.callTool({ name: "file_upload", arguments: { file: [file], path: "p/", confirm: "yes" } });
      expect(await upload("a.txt")).not.toMatchObject({ isError: true });
      expect(await upload("credentials.json")).toMatchObject({ isError: true });
      expect(JSON.stringify(await upload(secret))).toContain("mcp.outside_files");
    } finally {
      await client.close();
    }
  });
});
