import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { programFolder } from "../../src/commands/sandbox/child.ts";
import { type CliResult, cliEnvironment, cliPath, startCli, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { shell } from "../helpers/shell.ts";
import { waitFor } from "../helpers/wait-for.ts";

const freezer = "name:Freezer 1";
const explained = /^error: [^\n]+\n( {2}why: [^\n]+\n)?( {2}next: [^\n]+\n)?$/;

let here: SandboxUnderTest;
let folder: string;
beforeAll(async () => {
  here = await sandboxUnderTest();
  folder = temporaryFolder();
});
afterAll(() => here.close());
afterEach(() => here.sandbox.faults.set([]));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** The failure is explained without filler, nothing was printed as data, and the JSON form says the same. */
async function expectFailure(run: (...flags: string[]) => Promise<CliResult>, exit: number): Promise<string> {
  const plain = await run();
  expect({ code: plain.code, stdout: plain.stdout, stderr: plain.stderr }).toEqual({
    code: exit,
    stdout: "",
    stderr: expect.stringMatching(explained),
  });
  const json = await run("-o", "json");
  expect(json.code).toBe(exit);
  expect(JSON.parse(json.stderr)).toMatchObject({ error: { exit, code: expect.stringMatching(/^[a-z_.]+$/) } });
  return plain.stderr;
}

describe("what the user typed", () => {
  it.each<[string, string[], string]>([
    ["a widget type", ["widget", "create", "--dashboard", "x", "--label", "X", "--type", "cardd"], '"card"'],
    ["the resource of a trigger", ["action", "create", "--name", "X", "--resource", "devise:create"], '"device"'],
    [
      "the service of a usage",
      ["action", "create", "--name", "X", "--notify", "--subject", "S", "--message", "M", "--usage", "smss>9"],
      '"sms"',
    ],
    ["an end in the past", ["device", "token", "create", freezer, "--name", "X", "--expire", "soon"], "30d"],
    ["a decimal comma", ["device", "data", "send", freezer, "temperature=-18,5"], "Write -18.5"],
    [
      "an area off the earth",
      ["action", "create", "--name", "X", "--notify", "--subject", "S", "--message", "M", "--inside", "200,95,1"],
      "9.18,45.46,10",
    ],
    [
      "a range that holds nothing",
      ["action", "create", "--name", "X", "--notify", "--subject", "S", "--message", "M", "--condition", "t><8,2"],
      "level><2,8",
    ],
    ["an address to post to", ["action", "create", "--name", "X", "--condition", "t>8", "--post", "hook"], "https://"],
    ["a flag that is required", ["job", "report", "x", "--queue", "redis://127.0.0.1:1/0"], "--out report.csv"],
  ])("says what to write instead for %s", async (_, line, next) => {
    const action = line.includes("--resource") ? ["--notify", "--subject", "S", "--message", "M"] : [];
    expect(await expectFailure((...flags) => here.iot([...line, ...action, ...flags]), 2)).toContain(next);
  });

  it("does not call a record changed that the device does not have", async () => {
    const line = ["device", "data", "update", freezer, "65a100000000000000000000", "--value", "1"];
    const { code, stderr } = await here.iot(line);
    expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining("The record was not found") });
  });

  it("names the nearest flag for an unknown one", async () => {
    const message = await expectFailure((...flags) => here.iot(["device", "list", "--ofline-for", "7d", ...flags]), 2);
    expect(message).toContain("--offline-for");
  });

  it.each([
    [
      "the language",
      ["dictionary", "lang", "get", "name:TEST", "klingon"],
      'Invalid language "klingon" for <language>.',
    ],
    ["the setting", ["config", "set", "output", "xml"], 'Invalid value "xml" for "output".'],
    ["the argument that is empty", ["device", "get", ""], "<id> has no value."],
  ])("names %s in a sentence", async (_, args, sentence) => {
    const message = await expectFailure((...flags) => here.iot([...args, ...flags]), 2);
    expect(message).toContain(sentence);
    expect(message).not.toContain("remove the flag");
  });

  it.each([
    ["an id of the wrong form", ["device", "get", "65a1"]],
    ["an id with a path in it", ["device", "get", "../profile"]],
    ["a tag without a value", ["device", "get", "tag:site"]],
    ["a duration nobody knows", ["device", "list", "--offline-for", "a while"]],
    ["a number that is none", ["device", "list", "--limit", "many"]],
    ["a missing argument", ["device", "param", "set", freezer]],
    ["a place that is none", ["device", "data", "send", freezer, "a=1", "--location", "91,0"]],
    ["a time zone nobody knows", ["account", "update", "--timezone", "Nowhere/City"]],
    ["the time zone of a portal user", ["run", "user", "update", "name:Oda Operator", "--timezone", "Mars/Base"]],
    ["an email address that is none", ["run", "user", "create", "--name", "Jo", "--email", "jo at example"]],
    ["both of two opposites", ["device", "list", "--active", "--inactive"]],
  ])("ends with 2 for %s, without a request", async (_, args) => {
    const before = here.requests().length;
    await expectFailure((...flags) => here.iot([...args, ...flags]), 2);
    expect(here.requests().length).toBe(before);
  });
});

describe("a body that cannot be used", () => {
  it.each([
    ["text", "{ not json"],
    ["a list instead of an object", "[1]"],
    ["nothing at all", ""],
    ["half a file", '{"name": "Pum'],
  ])("ends with 3 for %s, and creates nothing", async (_, text) => {
    const path = file("body.json", text);
    const before = here.requests().length;
    await expectFailure((...flags) => here.iot(["device", "create", "--name", "Pump", "--input", path, ...flags]), 3);
    expect(
      here
        .requests()
        .slice(before)
        .filter((request) => request.startsWith("POST")),
    ).toEqual([]);
  });

  it("ends with 3 and names the line of a broken ndjson file", async () => {
    const path = file("rows.ndjson", '{"variable":"a","value":1}\n{"variable":\n');
    const message = await expectFailure(
      (...flags) => here.iot(["device", "data", "send", freezer, "--input", path, ...flags]),
      3,
    );
    expect(message).toContain("Line 2");
  });

  it("ends with 3 for a file that is not there, and for a folder", async () => {
    for (const path of [join(folder, "missing.json"), folder]) {
      await expectFailure((...flags) => here.iot(["device", "data", "send", freezer, "--input", path, ...flags]), 3);
    }
  });

  it.each([
    ["device", "import"],
    ["device", "data", "import", freezer, "--input"],
  ])("names the folder that is no file of rows: iot %s %s", async (...args) => {
    const message = await expectFailure((...flags) => here.iot([...args, folder, ...flags]), 3);
    expect(message).toContain(`${JSON.stringify(folder)} is a folder.`);
  });

  it("says that files beside each other are no dashboard", async () => {
    file("fleet.csv", "name\nPump 3\n");
    const message = await expectFailure((...flags) => here.iot(["dashboard", "apply", folder, ...flags]), 3);
    expect(message).toContain("No dashboard found in");
  });

  it("passes on what the platform says of a value it refuses", async () => {
    const message = await expectFailure(
      (...flags) => here.iot(["device", "create", "--name", "X".repeat(300), ...flags]),
      1,
    );
    expect(message).toContain("POST /device returned 400");
  });
});

describe("tokens", () => {
  it("ends with 5 when the token may not do it, and changes nothing", async () => {
    const env = { IOT_TOKEN: here.sandbox.tokens.read };
    await expectFailure((...flags) => here.iot(["device", "update", freezer, "--name", "Mine", ...flags], { env }), 5);
    expect((await here.iot(["device", "get", freezer], { env })).code).toBe(0);
  });

  it("fails for an expired and an unknown token without showing either", async () => {
    for (const token of [here.sandbox.tokens.expired, "p-5eed9999-0000-4000-8000-00000000ffff"]) {
      const { code, stdout, stderr } = await here.iot(["device", "list", "--debug"], { env: { IOT_TOKEN: token } });
      expect([4, 5]).toContain(code);
      expect(stdout).toBe("");
      expect(stderr).not.toContain(token);
      expect(stderr).not.toContain(token.slice(2));
    }
  });

  it("ends with 4 when there is none", async () => {
    const env = { ...here.env, IOT_TOKEN: "" };
    await expectFailure((...flags) => runHere(["device", "list", ...flags], { env }), 4);
  });
});

describe("a server that misbehaves", () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
    server = undefined;
  });

  async function answering(listener: RequestListener): Promise<Record<string, string>> {
    const own = createServer(listener);
    server = own;
    await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
    const { port } = own.address() as AddressInfo;
    return { ...here.env, IOT_API_URL: `http://127.0.0.1:${port}`, IOT_EVENTS_URL: `http://127.0.0.1:${port}/events` };
  }

  it("ends with 10 when nothing listens", async () => {
    const env = await answering(() => undefined);
    server?.close();
    const message = await expectFailure((...flags) => runHere(["device", "list", ...flags], { env }), 10);
    expect(message).toContain(env["IOT_API_URL"]);
  });

  it("ends with 10 when the answer breaks off", async () => {
    const env = await answering((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"status":true,"result":[{"id":"65a1');
      setImmediate(() => response.destroy());
    });
    await expectFailure((...flags) => runHere(["device", "list", ...flags], { env }), 10);
  });

  it.each([
    [200, "text/html", "<html><body>Sign in to the guest network</body></html>"],
    [502, "text/html", "<html><body>Bad gateway</body></html>"],
    [200, "application/json", '{"status":true,"result":[{"id":"65a1'],
    [200, "application/json", '{"status":false,"message":"No"}'],
    [200, "application/json", ""],
  ])("ends with 1 for an answer of %i %s %j", async (status, type, body) => {
    const env = await answering((_, response) => response.writeHead(status, { "content-type": type }).end(body));
    await expectFailure((...flags) => runHere(["device", "list", ...flags], { env }), 1);
  });

  it("shows control characters of an answer as marks", async () => {
    const body = JSON.stringify({ status: false, message: "\u001b[2J\u001b]0;owned\u0007 \u202egnp" });
    const env = await answering((_, response) =>
      response.writeHead(400, { "content-type": "application/json" }).end(body),
    );
    const { stderr } = await runHere(["device", "list"], { env });
    for (const mark of ["\u001b", "\u0007", "\u202e"]) expect(stderr).not.toContain(mark);
  });

  it("ends with 10 when no answer comes in time", async () => {
    const env = await answering(() => undefined);
    await expectFailure((...flags) => runHere(["device", "list", "--timeout", "50ms", ...flags], { env }), 10);
  });

  it("does not take a page that fails half-way for the end of the list", async () => {
    here.sandbox.faults.set([{ route: "GET /device/*/data", kind: "status", status: 500 }]);
    const { code, stderr } = await here.iot([
      "device",
      "data",
      "list",
      "name:Vibration logger",
      "--all",
      "--yes",
      "-o",
      "ndjson",
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain("500");
  });
});

describe("a disk that is full", { tags: ["posix"] }, () => {
  let env: Record<string, string>;
  beforeAll(async () => {
    env = cliEnvironment({ ...here.env, PATH: `${programFolder(await cliPath()).path}:${process.env["PATH"] ?? ""}` });
  });

  it.runIf(existsSync("/dev/full"))("ends with 1 when the result cannot be written", async () => {
    const { code, stderr } = await shell("iot device list > /dev/full", { env, cwd: folder });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(explained) });
    expect(stderr).toContain("disk is full");
  });

  it.runIf(existsSync("/dev/full"))(
    "ends with 1 and three parts where the version or the help cannot be written",
    async () => {
      for (const line of ["iot --version", "iot --help"]) {
        const { code, stderr } = await shell(`${line} > /dev/full`, { env, cwd: folder });
        expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(explained) });
        expect(stderr).toContain("stdout could not be written: the disk is full");
      }
    },
  );

  it.each([
    ["iot config set tz UTC", "config.json"],
    ['iot entity data export "name:sites" --out got.csv', "got.csv"],
    // The journal is written before the result.
    ["iot widget convert w.json --out new", ".jsonl"],
    ["iot widget convert w.json --stdout > got.json", "stdout"],
  ])("names the file that could not be written: %s", async (line, file) => {
    const place = temporaryFolder();
    const widget = { label: "Wind", type: "gauge", display: { gauge_type: "angular", vars_labels: {} }, data: [] };
    writeFileSync(join(place, "w.json"), JSON.stringify([widget]));
    const { code, stderr } = await shell(`ulimit -f 0; ${line}`, { env, cwd: place });
    const first = stderr.split("\n").find((one) => one.startsWith("error: ")) ?? stderr;
    expect(first).toMatch(/^error: \S+ could not be written: the file would be too large\.$/);
    expect(first).toContain(`${file} could`);
    expect(code).toBe(1);
  });

  it("leaves a file as it was, and nothing half-written beside it, when the new one does not fit", {
    tags: ["slow"],
  }, async () => {
    const place = temporaryFolder();
    const widget = { label: "Wind", type: "gauge", display: { gauge_type: "angular", vars_labels: {} }, data: [] };
    const text = JSON.stringify(Array.from({ length: 200 }, () => widget));
    writeFileSync(join(place, "w.json"), text);
    const { code, stdout } = await shell("ulimit -f 8; iot widget convert w.json --out new", { env, cwd: place });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(readdirSync(join(place, "new"))).toEqual([]);
    const inPlace = await shell("ulimit -f 60; iot widget convert w.json --in-place --yes", { env, cwd: place });
    expect(inPlace.code).toBe(1);
    expect(readFileSync(join(place, "w.json"), "utf8")).toBe(text);
    expect(readdirSync(place).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});

describe("Ctrl-C in the middle of a batch", { tags: ["posix"] }, () => {
  it("finishes the running request, says how far it came, and ends with 130", { tags: ["slow"] }, async () => {
    const id = (await here.iot(["device", "create", "--name", "Batch", "-o", "id"])).stdout.trim();
    const path = file(
      "many.json",
      JSON.stringify(Array.from({ length: 5_000 }, (_, i) => ({ variable: "n", value: i }))),
    );
    here.sandbox.faults.set([{ route: "POST /data", kind: "latency", delayMs: 100 }]);
    const before = here.requests().length;
    const posts = (): number =>
      here
        .requests()
        .slice(before)
        .filter((request) => request.startsWith("POST /data")).length;
    const child = await startCli(["device", "data", "send", id, "--input", path], { env: here.env });
    let stderr = "";
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      stderr += chunk;
    });
    const ended = new Promise((resolve) => child.once("close", resolve));
    await waitFor(() => posts() === 1, "the first request");
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    here.sandbox.faults.set([]);
    const stored = Number((await here.iot(["device", "data", "count", id])).stdout);
    expect(stored).toBe(posts() * 1_000);
    expect(stored).toBeLessThan(5_000);
    expect(stderr).toContain(`Stopped: ${stored.toLocaleString("en-US")} of 5,000 records sent`);
    expect(stderr).toContain(`Continue with record ${(stored + 1).toLocaleString("en-US")}.`);
  });

  it("deletes no further device", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 10; n += 1)
      ids.push((await here.iot(["device", "create", "--name", `Batch ${n}`, "-o", "id"])).stdout.trim());
    here.sandbox.faults.set([{ route: "DELETE /device/*", kind: "latency", delayMs: 50 }]);
    const deletes = (): number => here.requests().filter((request) => request.startsWith("DELETE /device/")).length;
    const before = deletes();
    const child = await startCli(["device", "delete", ...ids, "--confirm", "devices", "-o", "id"], { env: here.env });
    let stdout = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      stdout += chunk;
    });
    const ended = new Promise((resolve) => child.once("close", resolve));
    await waitFor(() => deletes() > before, "the first deletion");
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    const gone = deletes() - before;
    expect(gone).toBeLessThan(ids.length);
    expect(stdout.trimEnd().split("\n")).toEqual(ids.slice(0, gone));
  });
});
