import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isNewer, isUpdateCheckOff, registryAddress } from "../../../src/commands/program/update-notice.ts";
import { VERSION } from "../../../src/lib/core/version.ts";
import { runCli, temporaryFolder } from "../../helpers/cli.ts";
import { runHere } from "../../helpers/in-process.ts";
import { type SmallServer, sendJson, smallServer } from "../../helpers/small-server.ts";
import { startTerminal } from "../../helpers/terminal.ts";
import { waitFor } from "../../helpers/wait-for.ts";

const dayMs = 86_400_000;
const usual = (response: ServerResponse): void => sendJson(response, 200, { name: "iotdeck", version: "99.1.0" });
let registry: SmallServer;
let answer = usual;
let folder: string;
let closed = 0;

beforeAll(async () => {
  registry = await smallServer(({ url }, response) => {
    response.on("close", () => {
      if (url === path()) closed += 1;
    });
    answer(response);
  });
});
afterAll(() => registry.close());
beforeEach(() => {
  folder = temporaryFolder();
  answer = usual;
  closed = 0;
});

/** Each test has an address of its own: a process of the one before may still be asking. */
const path = () => `/${basename(folder)}/iotdeck/latest`;
const seen = () => registry.seen.filter(({ url }) => url === path());
const statePath = () => join(folder, "cache", "update.json");
const readState = (): unknown => JSON.parse(readFileSync(statePath(), "utf8"));
const environment = (extra: Readonly<Record<string, string>> = {}) => ({
  IOT_CONFIG_DIR: folder,
  IOT_NO_UPDATE_CHECK: "",
  npm_config_registry: `${registry.url}/${basename(folder)}/`,
  IOT_TOKEN: "p-0123abcd-4567-4cde-89ab-0123456789ab",
  ...extra,
});

function keep(state: unknown): void {
  mkdirSync(dirname(statePath()), { recursive: true });
  writeFileSync(statePath(), typeof state === "string" ? state : JSON.stringify(state));
}

/** The screen after a command has ended in a terminal. */
async function screenOf(args: readonly string[], extra: Readonly<Record<string, string>> = {}) {
  const run = await startTerminal(args, { env: environment(extra), columns: 120 });
  const code = await run.ended;
  return { code, text: (await run.lines()).join("\n") };
}

/** Variables that keep the process that asks in the background from its work until a file is there. */
function holdingBack(until: string): Record<string, string> {
  const module = join(folder, "hold.mjs");
  writeFileSync(
    module,
    `import { existsSync } from "node:fs";
    const isThere = () => existsSync(${JSON.stringify(until)}) || !existsSync(${JSON.stringify(folder)});
    const pause = new Int32Array(new SharedArrayBuffer(4));
    if (process.argv.includes("__update")) while (!isThere()) Atomics.wait(pause, 0, 0, 20);`,
  );
  return { NODE_OPTIONS: `--import=${pathToFileURL(module).href}` };
}

const list = ["env", "list"];
const notice = `info: iot 99.1.0 is available (you have ${VERSION}); npm install -g iotdeck`;

describe("the update notice", { tags: ["posix"] }, () => {
  it("asks once in the background, and tells of the answer after the next command", async () => {
    const first = await screenOf(list);
    expect(first).toMatchObject({ code: 0 });
    expect(first.text).not.toContain("is available");
    await waitFor(() => existsSync(statePath()) && readFileSync(statePath(), "utf8").includes("99.1.0"), "the answer");
    expect(statSync(statePath()).mode & 0o777).toBe(0o600);
    expect((await screenOf(list)).text.split("\n").at(-1)).toBe(notice);
    expect(seen()).toHaveLength(1);
    expect(seen()[0]).toMatchObject({ method: "GET", url: path(), body: "" });
    expect(JSON.stringify(seen()[0])).not.toMatch(/authorization|token|0123abcd/i);
  });

  it("asks the registry npm is set to, when no variable names one", { tags: ["slow"] }, async () => {
    const bin = join(folder, "bin");
    mkdirSync(bin);
    const npm = `#!/bin/sh\n[ "$*" = "config get registry" ] && echo "${registry.url}/${basename(folder)}/"\n`;
    writeFileSync(join(bin, "npm"), npm, { mode: 0o755 });
    expect(await screenOf(list, { npm_config_registry: "", PATH: `${bin}:/usr/bin:/bin` })).toMatchObject({ code: 0 });
    await waitFor(() => existsSync(statePath()) && readFileSync(statePath(), "utf8").includes("99.1.0"), "the answer");
    expect(seen()).toHaveLength(1);
  });

  it("asks again after a day", { tags: ["slow"] }, async () => {
    keep({ checkedAt: Date.now() - dayMs - 1_000, latest: "98.0.0" });
    expect((await screenOf(list)).text).toContain("info: iot 98.0.0 is available");
    await waitFor(() => readFileSync(statePath(), "utf8").includes("99.1.0"), "the new answer");
  });

  it("follows a command that failed, and leaves its exit code", async () => {
    keep({ checkedAt: Date.now(), latest: "99.1.0" });
    const { code, text } = await screenOf(["env", "use", "none-of-that-name"]);
    expect(code).toBeGreaterThan(0);
    expect(text.split("\n").at(-1)).toBe(notice);
  });

  it.each<[string, readonly string[], Record<string, string>]>([
    ["CI", list, { CI: "true" }],
    ["IOT_NO_UPDATE_CHECK", list, { IOT_NO_UPDATE_CHECK: "1" }],
    ["--quiet", [...list, "--quiet"], {}],
    ["help", ["env", "--help"], {}],
    ["a topic of help", ["help", "scripting"], {}],
    ["completion", ["__complete", "env", ""], {}],
  ])("is off with %s: nothing is said, nothing asked", async (_, args, extra) => {
    keep({ checkedAt: 0, latest: "99.1.0" });
    const { code, text } = await screenOf(args, extra);
    expect(code).toBe(0);
    expect(text).not.toContain("99.1.0");
    expect(readState()).toEqual({ checkedAt: 0, latest: "99.1.0" });
  });

  it("is off without a terminal", async () => {
    keep({ checkedAt: 0, latest: "99.1.0" });
    expect(await runCli(list, { env: environment() })).toMatchObject({ code: 0, stderr: "" });
    expect(readState()).toEqual({ checkedAt: 0, latest: "99.1.0" });
  });

  it.each([
    ["no newer version", { checkedAt: Date.now(), latest: VERSION }],
    ["a version that commands the terminal", { checkedAt: Date.now(), latest: "99.1.0\u001b[2J" }],
    ["text that is no JSON", "{"],
    ["another shape", { checkedAt: "today", latest: "99.1.0" }],
  ])("says nothing where the file holds %s", async (_, state) => {
    keep(state);
    const { code, text } = await screenOf(list);
    expect(code).toBe(0);
    expect(text).not.toContain("is available");
  });

  it("is not in the way where no file can be kept", async () => {
    writeFileSync(join(folder, "cache"), "a file in place of the folder");
    expect(await screenOf(list)).toMatchObject({ code: 0 });
    expect(seen()).toEqual([]);
  });

  it("delays no command while the registry is silent, and waits a day for the next try", {
    tags: ["slow"],
  }, async () => {
    answer = () => undefined;
    const over = join(folder, "over");
    const before = Date.now();
    expect(await screenOf(list, holdingBack(over))).toMatchObject({ code: 0 });
    // A command that waited for the one who asks would not have ended.
    expect(seen()).toEqual([]);
    writeFileSync(over, "");
    await waitFor(() => closed === 1, "the end of the one who asks");
    const { checkedAt } = readState() as { checkedAt: number };
    expect(checkedAt).toBeGreaterThanOrEqual(before);
    expect(checkedAt).toBeLessThanOrEqual(Date.now());
    await screenOf(list);
    expect(seen()).toHaveLength(1);
  });
});

describe("the look for a newer version", () => {
  it.each<[string, (response: ServerResponse) => void]>([
    ["an error", (response) => sendJson(response, 500, { version: "99.1.0" })],
    ["a redirect", (response) => response.writeHead(302, { location: "/other" }).end()],
    ["no JSON", (response) => response.end("99.1.0")],
    ["a list", (response) => sendJson(response, 200, ["99.1.0"])],
    ["a pre-release", (response) => sendJson(response, 200, { version: "99.1.0-rc.1" })],
    ["control characters", (response) => sendJson(response, 200, { version: "99.1.0\u001b]0;x\u0007" })],
    ["a line break", (response) => sendJson(response, 200, { version: "99.1.0\n" })],
    ["a number", (response) => sendJson(response, 200, { version: 99 })],
    ["too much", (response) => sendJson(response, 200, { version: "99.1.0", readme: "x".repeat(1_100_000) })],
  ])("keeps what is known when the registry answers %s", async (_, bad) => {
    keep({ checkedAt: 5, latest: "1.2.3" });
    answer = bad;
    const run = await runHere(["__update"], { env: environment() });
    expect(run).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(seen()).toHaveLength(1);
    expect(readState()).toEqual({ checkedAt: 5, latest: "1.2.3" });
  });

  it("ends after a second when the answer never ends", { tags: ["slow"] }, async () => {
    let timer: NodeJS.Timeout | undefined;
    answer = (response) => {
      response.write("{");
      timer = setInterval(() => response.write(" "), 100);
    };
    const run = await runCli(["__update"], { env: environment() });
    clearInterval(timer);
    expect(run.code).toBe(0);
    expect(existsSync(statePath())).toBe(false);
  });

  it("compares versions as numbers, a pre-release before its release", () => {
    expect(isNewer("0.10.0", "0.9.9")).toBe(true);
    expect(isNewer("0.9.9", "0.10.0")).toBe(false);
    expect(isNewer("1.0.0", "1.0.0")).toBe(false);
    expect(isNewer("1.0.0", "1.0.0-rc.1")).toBe(true);
    expect(isNewer("1.0.0", "1.0.1-rc.1")).toBe(false);
  });

  it("asks over https, or on this machine, and never with a password", () => {
    const of = registryAddress;
    expect(of("https://packages.example/npm/")).toBe("https://packages.example/npm/iotdeck/latest");
    expect(of("http://127.0.0.1:4873")).toBe("http://127.0.0.1:4873/iotdeck/latest");
    for (const refused of [
      "http://packages.example/",
      "http://127.0.0.1.example/",
      "https://user:secret@packages.example/",
      "https://packages.example/?key=secret",
      "file:///tmp/registry",
      "packages",
    ]) {
      expect(of(refused), refused).toBeUndefined();
    }
  });

  it("takes 0 as not switched off, and any other word as off", () => {
    expect(isUpdateCheckOff({})).toBe(false);
    expect(isUpdateCheckOff({ IOT_NO_UPDATE_CHECK: "0" })).toBe(false);
    expect(isUpdateCheckOff({ IOT_NO_UPDATE_CHECK: "please" })).toBe(true);
    expect(isUpdateCheckOff({ CI: "1" })).toBe(true);
  });
});
