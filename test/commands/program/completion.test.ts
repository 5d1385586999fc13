import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { complete } from "../../../src/commands/program/complete/complete.ts";
import { nouns } from "../../../src/commands/registry.ts";
import { type Bash, startBash } from "../../helpers/bash.ts";
import { cliEnvironment, cliPath, runCli, temporaryFolder } from "../../helpers/cli.ts";
import { holdTimers } from "../../helpers/held-timers.ts";
import { runHere } from "../../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../../helpers/sandbox.ts";
import { sendJson, smallServer } from "../../helpers/small-server.ts";
import { HANG_MS, waitFor } from "../../helpers/wait-for.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

/** Candidates for the last word; the machine the tests run on may be slow. */
async function offered(words: readonly string[], env: Readonly<Record<string, string>> = here.env): Promise<string[]> {
  const text = await complete(["--", ...words], cliEnvironment(env), temporaryFolder(), HANG_MS);
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t")[0] ?? "");
}

const apart = () => ({ ...here.env, IOT_CONFIG_DIR: temporaryFolder() });

describe("completion of what iot knows by itself", () => {
  it("offers nouns, verbs, sub-nouns, topics and flags", async () => {
    expect(await offered([""])).toEqual([...nouns.map(({ name }) => name), "help"]);
    expect(await offered(["dev"])).toEqual(["device"]);
    expect(await offered(["device", ""])).toEqual(expect.arrayContaining(["list", "data", "token", "watch"]));
    expect(await offered(["devices", "data", "s"])).toEqual(["send"]);
    expect(await offered(["-o", "json", "dev"])).toEqual(["device"]);
    expect(await offered(["run", "domain", "--json", "reg"])).toEqual(["regenerate"]);
    expect(await offered(["help", "runs", "domains", "reg"])).toEqual(["regenerate"]);
    expect(await offered(["help", "exit"])).toEqual(["exit-codes"]);
    expect(await offered(["help", "device", "tok"])).toEqual(["token"]);
    expect(await offered(["help", "schema", "device", "li"])).toEqual(["list"]);
    expect(await offered(["--ver"])).toEqual(["--verbose", "--version"]);
    expect(await offered(["device", "list", "--off"])).toEqual(["--offline-for"]);
    expect(await offered(["device", "list", "--dry"])).toEqual([]);
    expect(await offered(["device", "list", "--col"])).toEqual(["--color"]);
    expect(await offered(["device", "list", "--no-c"])).toEqual(["--no-color"]);
  });

  it("offers closed values, in every spelling", async () => {
    expect(await offered(["status", "-o", "j"])).toEqual(["json"]);
    expect(await offered(["-o", "nd"])).toEqual(["ndjson"]);
    expect(await offered(["device", "list", "--output=y"])).toEqual(["--output=yaml"]);
    expect(await offered(["env", "add", "x", "--region", ""])).toEqual(["us-e1", "usa-1", "eu-w1"]);
    expect(await offered(["completion", ""])).toEqual(["install", "bash", "zsh", "fish", "powershell"]);
    expect(await offered(["config", "get", "acc"])).toEqual(["accessible"]);
    expect(await offered(["device", "list", "--tz", "Europe/Lis"])).toEqual(["Europe/Lisbon"]);
    expect(await offered(["--tz", "Europe/Lis"])).toEqual(["Europe/Lisbon"]);
    expect(await offered(["--output=y"])).toEqual(["--output=yaml"]);
  });

  it("offers columns, also behind a comma", async () => {
    expect(await offered(["device", "list", "--fields", "la"])).toEqual(["last_input"]);
    expect(await offered(["device", "list", "--fields", "id,na"])).toEqual(["id,name"]);
    expect(await offered(["device", "list", "--sort", "last"])).toEqual(["last_input", "last_input:desc"]);
  });

  it("offers environments where one is named", async () => {
    const env = { IOT_CONFIG_DIR: join(temporaryFolder(), "config") };
    await runHere(["env", "add", "prod"], { env });
    for (const words of [["device", "list", "--env"], ["-e"], ["env", "use"], ["--quiet", "device", "list", "-e"]])
      expect(await offered([...words, "p"], env)).toEqual(["prod"]);
  });

  it("leaves files to the shell", async () => {
    for (const words of [
      ["widget", "convert"],
      ["device", "create", "--input"],
      ["device", "list", "--ca-file"],
    ])
      expect(await offered([...words, "some"])).toEqual([":files"]);
    expect(await offered(["sandbox", "exec", "--", "./some"])).toEqual([":files"]);
  });

  it("never fails, whatever the words and the settings", async () => {
    const broken = temporaryFolder();
    writeFileSync(join(broken, "config.json"), "{ broken");
    for (const words of [
      ["nosuch", "x", ""],
      ["--", "--", ""],
      ["device", "nosuch", ""],
      ["\u001b[2J"],
      [],
      ["-e", "device", "get", ""],
    ]) {
      const result = await runHere(["__complete", "--", ...words], { env: { IOT_CONFIG_DIR: broken } });
      expect(result).toMatchObject({ code: 0, stderr: "" });
    }
    expect(await offered(["device", "get", ""], { IOT_CONFIG_DIR: broken })).toEqual([]);
    expect(await offered(["device", "get", ""], { IOT_CONFIG_DIR: temporaryFolder() })).toEqual([]);
  });
});

describe("completion of what the platform holds", () => {
  it("offers names where an id stands, ids where one was begun", async () => {
    const names = await offered(["device", "get", "name:Silo"]);
    expect([...names].sort()).toEqual(["name:Silo east", "name:Silo north", "name:Silo west"]);
    expect(await offered(["device", "get", ""])).toEqual(expect.arrayContaining(names));
    const ids = await offered(["device", "get", "65a"]);
    expect(ids.length).toBeGreaterThan(5);
    for (const id of ids) expect(id).toMatch(/^65a[0-9a-f]{21}$/);
  });

  it("knows the resource of commands below, of later arguments and of flags", async () => {
    const [device] = await offered(["device", "get", "name:Freezer 1"]);
    expect(device).toBe("name:Freezer 1");
    expect(await offered(["device", "data", "list", "name:Freezer 1"])).toEqual([device]);
    expect(await offered(["device", "token", "list", "--quiet", "name:Freezer 1"])).toEqual([device]);
    expect(await offered(["device", "delete", "name:Truck 7", "name:Freezer 1"])).toEqual([device]);
    expect(await offered(["device", "list", "--connector", "name:Custom HTTPS"])).toEqual(["name:Custom HTTPS"]);
    expect(await offered(["device", "list", "--connector=name:Custom HTTPS"])).toEqual([
      "--connector=name:Custom HTTPS",
    ]);
    expect(await offered(["dashboard", "get", "name:"])).not.toEqual([]);
  });

  it("offers the keys of tags in use, and the values of a key", async () => {
    expect(await offered(["device", "list", "--tag", ""])).toEqual(expect.arrayContaining(["site=", "device_type="]));
    expect(await offered(["device", "list", "--tag", "site="])).toEqual(expect.arrayContaining(["site=plant"]));
    expect(await offered(["device", "list", "--tag", "site=pl"])).toEqual(["site=plant"]);
    expect(await offered(["device", "list", "--tag=site=pl"])).toEqual(["--tag=site=plant"]);
    expect(await offered(["device", "update", "--set-tag", "si"])).toEqual(["site="]);
    expect(await offered(["device", "update", "--remove-tag", "si"])).toEqual(["site"]);
    expect(await offered(["device", "watch", "--tag", "site=pl"])).toEqual(["site=plant"]);
    expect(await offered(["analysis", "list", "--tag", "purp"])).toEqual(["purpose="]);
    expect(await offered(["analysis", "list", "--tag", "purpose=rep"])).toEqual(["purpose=report"]);
    expect(await offered(["run", "user", "list", "--tag", "nosuch="])).toEqual([]);
  });

  it("asks once a minute, and keeps the answer to the user alone", { tags: ["posix"] }, async () => {
    const env = apart();
    const asked = () => here.requests().filter((line) => line.startsWith("GET /device?")).length;
    const before = asked();
    await offered(["device", "get", "name:F"], env);
    await offered(["device", "watch", "name:T"], env);
    expect(asked() - before).toBe(1);
    const folder = join(env.IOT_CONFIG_DIR, "cache", "completion");
    const [name = ""] = readdirSync(folder);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(folder, name), "utf8") + name).not.toContain(here.sandbox.tokens.profile);
  });

  it("works where nothing can be kept", { tags: ["posix"] }, async () => {
    const env = apart();
    mkdirSync(join(env.IOT_CONFIG_DIR, "cache"));
    writeFileSync(join(env.IOT_CONFIG_DIR, "cache", "completion"), "a file in the way");
    chmodSync(join(env.IOT_CONFIG_DIR, "cache"), 0o500);
    expect(await offered(["device", "get", "name:Freezer 1"], env)).toEqual(["name:Freezer 1"]);
  });

  it("offers hostile and doubled names by their ids", async () => {
    const rows = [
      { id: "a".repeat(24), name: "evil\u001b[2J\tname" },
      { id: "b".repeat(24), name: "twin" },
      { id: "c".repeat(24), name: "twin" },
      { id: "d".repeat(24), name: "$(touch x) `y`" },
    ];
    const server = await smallServer((_, response) => sendJson(response, 200, { status: true, result: rows }));
    const env = { ...apart(), IOT_API_URL: server.url };
    try {
      const text = await complete(["--", "device", "get", ""], cliEnvironment(env), temporaryFolder(), HANG_MS);
      expect(text).not.toContain("\u001b");
      expect(text.split("\n").map((line) => line.split("\t")[0])).toEqual([
        "a".repeat(24),
        "b".repeat(24),
        "c".repeat(24),
        "name:$(touch x) `y`",
        "",
      ]);
    } finally {
      await server.close();
    }
  });

  it("gives up on a platform that does not answer in its time, and ends", { tags: ["slow"] }, async () => {
    const server = await smallServer(() => undefined);
    const env = { ...apart(), IOT_API_URL: server.url };
    const words = ["--", "device", "get", ""];
    try {
      expect(await runCli(["__complete", ...words], { env })).toEqual({ code: 0, stdout: "", stderr: "" });
      // So long that nothing else ends it.
      const limitMs = 3_600_000;
      const patience = holdTimers(limitMs);
      const own = cliEnvironment({ ...apart(), IOT_API_URL: server.url });
      const offers = complete(words, own, temporaryFolder(), limitMs);
      await waitFor(() => patience.waiting === 1, "the question");
      patience.elapse();
      expect(await offers).toBe("");
    } finally {
      await server.close();
    }
  });

  it("has the answer of a platform far away at the next Tab", { tags: ["slow"] }, async () => {
    const rows = [{ id: "a".repeat(24), name: "Far away" }];
    let arrive = (): void => undefined;
    const arrival = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const server = await smallServer((_, response) => {
      void arrival.then(() => sendJson(response, 200, { status: true, result: rows }));
    });
    const env = { ...apart(), IOT_API_URL: server.url };
    const folder = join(env.IOT_CONFIG_DIR, "cache", "completion");
    const isKept = () => existsSync(folder) && readdirSync(folder).some((name) => name.endsWith(".json"));
    const words = ["--", "device", "get", "name:"];
    try {
      expect((await runCli(["__complete", ...words], { env })).stdout).toBe("");
      arrive();
      await waitFor(isKept, "the answer in the cache");
      const asked = server.seen.length;
      // In this process, whose patience outlasts a busy machine.
      const next = await complete(words, cliEnvironment(env), temporaryFolder(), HANG_MS);
      expect(next).toBe(`name:Far away\t${"a".repeat(24)}\n`);
      expect(server.seen).toHaveLength(asked);
    } finally {
      await server.close();
    }
  });
});

describe("completion in bash", { tags: ["posix"] }, () => {
  let bash: Bash;
  const folder = temporaryFolder();
  beforeAll(async () => {
    writeFileSync(join(folder, "old widget.json"), "{}");
    // The answer is kept, so that no Tab has to wait for it.
    await offered(["device", "get", "name:"]);
    bash = await startBash(here.env, folder);
  });
  afterAll(() => bash.close());

  it.each([
    ["iot dev", "iot device "],
    ["iot device token l", "iot device token list "],
    ["iot device list --output y", "iot device list --output yaml "],
    ["iot device list --output=y", "iot device list --output=yaml "],
    ["iot device list --fields id,na", "iot device list --fields id,name "],
    ["iot device get name:Truc", "iot device get name:Truck\\ 7 "],
    ["iot device get name:Truck\\ ", "iot device get name:Truck\\ 7 "],
    ['iot device get "name:Truc', 'iot device get "name:Truck 7" '],
    ["iot device get 'name:Truck ", "iot device get 'name:Truck 7' "],
    ["iot device get name:Si", "iot device get name:Silo\\ "],
    ["iot widget convert old", "iot widget convert old\\ widget.json "],
  ])("%s", async (typed, line) => {
    // Where the machine is busy the program may give up, as it does for a platform far away: then Tab again.
    await expect.poll(() => bash.complete(typed)).toBe(line);
  });

  it("takes words from bash alone too", async () => {
    const script = (await runHere(["completion", "bash"])).stdout;
    const programs = temporaryFolder();
    writeFileSync(join(programs, "iot"), `#!/bin/sh\nexec ${process.execPath} ${await cliPath()} "$@"\n`, {
      mode: 0o755,
    });
    const variables = cliEnvironment();
    const line = `${script}\nCOMP_WORDS=(iot env ""); COMP_CWORD=2; _iot_complete; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const output = execFileSync("bash", ["--norc", "-c", line], {
      env: { ...variables, PATH: `${programs}:${variables["PATH"] ?? ""}` },
      encoding: "utf8",
    });
    expect(output.trimEnd().split("\n")).toEqual(["list", "current", "use", "add", "update", "remove"]);
  });
});

it.each([
  ["zsh", ["compdef _iot iot", "_files", "(@Q)words"]],
  ["fish", ["complete -c iot -f", "__fish_complete_path"]],
  ["powershell", ["Register-ArgumentCompleter -Native -CommandName iot", "CompleteFilename"]],
])("the script for %s calls the program and leaves files to the shell", async (shell, parts) => {
  const result = await runHere(["completion", shell]);
  expect(result.code).toBe(0);
  for (const part of [...parts, "iot __complete --", ":files"]) expect(result.stdout).toContain(part);
});
