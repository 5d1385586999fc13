import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse as parseCsv } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { globalOptions } from "../../../src/commands/kit/command/shared-options.ts";
import { settingSpecs } from "../../../src/commands/kit/settings/settings.ts";
import { topicSummaries } from "../../../src/commands/program/help/top-help.ts";
import { topics } from "../../../src/commands/program/topics/topics.ts";
import { nouns, popular } from "../../../src/commands/registry.ts";
import { cliEnvironment, cliPath, runCli, startCli, temporaryFolder } from "../../helpers/cli.ts";
import { runHere } from "../../helpers/in-process.ts";
import { type SmallServer, sendJson, smallServer } from "../../helpers/small-server.ts";

const token = "p-0123abcd-4567-4cde-89ab-0123456789ab";
let server: SmallServer;

beforeAll(async () => {
  server = await smallServer((request, response) => {
    if (request.url.startsWith("/hang")) return;
    if (request.url.startsWith("/big")) {
      sendJson(response, 200, {
        status: true,
        result: Array.from({ length: 20_000 }, (_, i) => ({ id: `id-${i}`, name: "n".repeat(20) })),
      });
      return;
    }
    sendJson(response, 200, {
      status: true,
      result: [
        { id: "a", name: "=x\ty" },
        { id: "b", name: "日本" },
      ],
    });
  });
});
afterAll(() => server.close());

const env = () => ({ IOT_API_URL: server.url, IOT_TOKEN: token });

describe("help and version", () => {
  it("print the version of the package", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
    for (const flag of ["--version", "-V"])
      expect(await runCli([flag])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("iot alone prints the ten most used commands", async () => {
    const result = await runCli([]);
    expect(result.code).toBe(0);
    expect(popular).toHaveLength(10);
    for (const [line] of popular) expect(result.stdout).toContain(`iot ${line}`);
  });

  it("--help names every noun and topic", async () => {
    const result = await runCli(["--help"]);
    for (const noun of nouns) expect(result.stdout).toContain(`\n  ${noun.name} `);
    for (const [topic] of topicSummaries) expect(result.stdout).toContain(`\n  ${topic} `);
    expect((await runCli(["help"])).stdout).toBe(result.stdout);
  });

  it("are answered without settings that could be broken, and without a file", { tags: ["slow"] }, async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "config.json"), "{ broken");
    for (const args of [["--help"], ["--version"], ["help", "output"], ["status", "--help"]]) {
      expect((await runCli(args, { env: { IOT_CONFIG_DIR: folder, IOT_OUTPUT: "nonsense" } })).code).toBe(0);
    }
  });

  it.each([...topics.keys()])("the topic %s is short and complete", async (topic) => {
    const result = await runHere(["help", topic]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    // The list of codes is for looking something up in: it is as long as there are codes.
    const [about = ""] = topic === "errors" ? result.stdout.split("\nThe command line:\n") : [result.stdout];
    expect(about.split("\n").length).toBeLessThan(topic === "errors" ? 30 : 70);
    for (const line of result.stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("the topics listed at the top are those there are", () => {
    expect(topicSummaries).toEqual([...topics.values()].map(({ name, summary }) => [name, summary]));
  });

  it("a topic named like a noun leads to its commands, and more words are about those", async () => {
    expect((await runHere(["help", "auth"])).stdout).toContain('"iot auth --help" lists the commands.');
    expect((await runHere(["help", "auth", "login"])).stdout).toBe((await runHere(["auth", "login", "--help"])).stdout);
  });

  it("the environment topic names every setting", async () => {
    const { stdout } = await runHere(["help", "environment"]);
    for (const spec of settingSpecs) expect(stdout).toContain(`  ${spec.name}`);
  });

  it("of a command is the same in all its forms", async () => {
    const { stdout } = await runHere(["env", "add", "--help"]);
    for (const form of [
      ["help", "env", "add"],
      ["env", "--help", "add"],
      ["envs", "add", "-h"],
    ]) {
      expect((await runHere(form)).stdout).toBe(stdout);
    }
    for (const part of ["Usage:", "Arguments:", "Flags:", "Examples:", "Exit codes", "See also:"])
      expect(stdout).toContain(part);
  });

  it.each([["device"], ["devices"], ["device", "token"], ["run", "user"]])(
    "of %s %s is what the noun alone prints",
    async (...words) => {
      const { code, stdout, stderr } = await runHere(words);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toBe((await runHere([...words, "--help"])).stdout);
    },
  );

  it("names the defaults and choices that the settings have", () => {
    for (const { name, default: usual, choices } of globalOptions) {
      const spec = settingSpecs.find((setting) => setting.name === name);
      if (spec?.default !== undefined && usual !== undefined)
        expect({ name, usual }).toEqual({ name, usual: spec.default });
      if (spec?.choices !== undefined) expect(choices).toEqual(expect.arrayContaining([...spec.choices]));
    }
  });

  it("of a command leaves the flags of every command to a topic, unless all are asked for", async () => {
    const { stdout } = await runHere(["env", "list", "--help"]);
    expect(stdout).toContain("\nFlags of every command: iot help flags\n");
    const all = (await runHere(["env", "list", "--help", "--all"])).stdout;
    const topic = (await runHere(["help", "flags"])).stdout;
    for (const { name } of globalOptions) {
      const line = new RegExp(`^ +(-., )?--(no-)?${name}\\b`, "m");
      for (const text of [all, topic]) expect(text).toMatch(line);
      expect(stdout).not.toMatch(line);
    }
    const list = (await runHere(["device", "list", "--help"])).stdout;
    expect(list).toContain("\nList flags:\n");
    expect((await runHere(["device", "delete", "--help"])).stdout).toContain("\nFlags for changes:\n");
  });

  it("says what a flag does where the same flag filters elsewhere, or is switched off", async () => {
    expect((await runHere(["device", "create", "--help"])).stdout).toContain("allow the device to send and receive");
    expect((await runHere(["device", "list", "--help"])).stdout).toContain("only active devices");
    expect((await runHere(["file", "sync", "--help"])).stdout).toMatch(/--no-checksum +compare sizes only/);
  });

  it("of every command fits 80 columns, and has two examples of itself", { tags: ["slow"] }, async () => {
    for (const noun of nouns) {
      const { commands } = await noun.load();
      for (const command of commands) {
        const title = ["iot", noun.name, ...command.path].join(" ");
        const help = await runHere([noun.name, ...command.path, "--help"]);
        for (const line of help.stdout.split("\n")) {
          if (!command.examples.includes(line.trim())) expect(line.length, `${title}: ${line}`).toBeLessThanOrEqual(80);
        }
        expect(command.examples.length, title).toBeGreaterThanOrEqual(2);
        expect(command.examples.join("\n"), title).toContain(title);
        expect(command.summary, title).toMatch(/^[A-Z].*[^.]$/);
      }
    }
  });
});

describe("grammar", () => {
  it("takes plural nouns, other names of verbs, and flags anywhere", async () => {
    const { stdout } = await runHere(["env", "list", "--json"]);
    for (const args of [
      ["envs", "ls", "--json"],
      ["--json", "env", "list"],
      ["env", "-o", "json", "list"],
      ["-qo", "json", "env", "list"],
    ]) {
      expect((await runHere(args)).stdout).toBe(stdout);
    }
  });
});

describe("results", () => {
  const get = (...args: string[]) => runHere(["api", "GET", "/things", ...args], { env: env() });
  const rows = [
    { id: "a", name: "=x\ty" },
    { id: "b", name: "日本" },
  ];

  it("come in every format from the built program", async () => {
    expect(JSON.parse((await get("-o", "json")).stdout)).toEqual(rows);
    expect(
      (await get("-o", "ndjson")).stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(rows);
    expect(parseYaml((await get("-o", "yaml")).stdout)).toEqual(rows);
    expect(parseCsv((await get("-o", "csv")).stdout, { columns: true })).toEqual(rows);
    expect((await get("-o", "tsv")).stdout).toBe("id\tname\na\t=x\\ty\nb\t日本\n");
    expect((await get("-o", "md")).stdout).toContain("| b | 日本 |\n");
    expect((await get("-o", "id")).stdout).toBe("a\nb\n");
    expect((await get("-o", "csv", "--csv-safe", "--csv-bom", "--no-header")).stdout).toMatch(/^\ufeffa,'=x/);
    expect((await get("--jq", ".[1].name")).stdout).toBe("日本\n");
  });

  it("end quietly when the reader closes the pipe", async () => {
    const child = await startCli(["api", "GET", "/big", "-o", "ndjson"], { env: env() });
    let stderr = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      stderr += chunk.toString("utf8");
    });
    child.stdout?.once("data", () => child.stdout?.destroy());
    const [code] = await once(child, "close");
    expect(stderr).toBe("");
    expect(code).toBe(0);
  });

  it.runIf(existsSync("/dev/full"))(
    "say that the disk is full, with the exit code 1",
    { tags: ["posix"] },
    async () => {
      const full = openSync("/dev/full", "w");
      const child = spawn(process.execPath, [await cliPath(), "api", "GET", "/big", "--json"], {
        env: cliEnvironment(env()),
        stdio: ["ignore", full, "pipe"],
      });
      let stderr = "";
      child.stderr?.on("data", (chunk: Buffer) => {
        stderr += chunk.toString("utf8");
      });
      const [code] = await once(child, "close");
      closeSync(full);
      expect(code).toBe(1);
      expect(JSON.parse(stderr)).toMatchObject({ error: { code: "file.no_space" } });
    },
  );
});

describe("stopping", { tags: ["posix"] }, () => {
  async function started() {
    server.seen.length = 0;
    const child = await startCli(["api", "GET", "/hang"], { env: env() });
    await expect.poll(() => server.seen.length).toBe(1);
    return child;
  }

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s ends the request and exits with %i", async (signal, exit) => {
    const child = await started();
    let stderr = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      stderr += chunk.toString("utf8");
    });
    child.kill(signal);
    const [code] = await once(child, "close");
    expect(code).toBe(exit);
    expect(stderr).toMatch(/^info: Stopping/);
    expect(stderr).not.toContain("error:");
  });
});

describe("an internal fault", () => {
  it("exits with 70 and leaves a report without secrets", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "config"));
    // The program is made to fail where nothing can be wrong.
    const preload = join(folder, "fault.mjs");
    writeFileSync(
      preload,
      `const from = Object.entries; Object.entries = (value) => { if (value?.name === "fault") throw new TypeError("broken by the test, ${token}"); return from(value); };`,
    );
    const fault = await smallServer((_, response) =>
      sendJson(response, 200, { status: true, result: { name: "fault" } }),
    );
    const result = await runCli(["api", "GET", "/info", "-o", "md"], {
      env: {
        ...env(),
        IOT_API_URL: fault.url,
        IOT_CONFIG_DIR: join(folder, "config"),
        NODE_OPTIONS: `--import ${preload}`,
      },
    });
    await fault.close();
    expect(result.stderr).toContain("error: Internal error in iot.");
    expect(result.code).toBe(70);
    const reports = join(folder, "config", "state", "reports");
    const [report = ""] = readdirSync(reports);
    const text = readFileSync(join(reports, report), "utf8");
    expect(result.stderr).toContain(report);
    expect(text).toContain("broken by the test");
    expect(`${text}${result.stderr}`).not.toContain(token);
  });
});
