import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Device } from "../../src/index.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { sendJson, smallServer } from "../helpers/small-server.ts";
import { startTerminal, type TerminalOptions, type TerminalRun } from "../helpers/terminal.ts";
import { waitFor } from "../helpers/wait-for.ts";

const freezer = "name:Freezer 1";
const ctrlC = "\u0003";
const enterScreen = "\u001b[?1049h";
const leaveScreen = "\u001b[?1049l";
let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const start = (args: readonly string[], options: TerminalOptions = {}): Promise<TerminalRun> =>
  startTerminal(args, { ...options, env: { ...here.env, ...options.env } });
const send = (variable: string, value: unknown, unit?: string): Promise<unknown> =>
  new Device({
    token: here.sandbox.tokens.device,
    region: { api: here.sandbox.url, sse: here.sandbox.eventsUrl },
  }).sendData({ variable, value: value as number, ...(unit === undefined ? {} : { unit }) });
const dead = { IOT_API_URL: "http://127.0.0.1:9", IOT_EVENTS_URL: "http://127.0.0.1:9", IOT_TOKEN: "" };

describe("the live view in a terminal", { tags: ["posix"] }, () => {
  it("says of a device that can send nothing why that is", { tags: ["slow"] }, async () => {
    const at = `${here.sandbox.url}/device`;
    const call = async (
      path: string,
      method: string,
      body: object,
    ): Promise<{ result: { device_id: string; token: string } }> => {
      const headers = { token: here.sandbox.tokens.profile, "content-type": "application/json" };
      const answer = await fetch(`${at}${path}`, { method, headers, body: JSON.stringify(body) });
      return (await answer.json()) as { result: { device_id: string; token: string } };
    };
    const { result: made } = await call("", "POST", { name: "Quiet", type: "mutable" });
    await call(`/${made.device_id}`, "PUT", { active: false });
    await call(`/token/${made.token}`, "DELETE", {});
    const run = await start(["device", "watch", made.device_id]);
    await run.waitFor(/The device is inactive: its data is rejected/);
    await run.waitFor(/The device has no token, so nothing can send for it/);
    run.type("q");
    expect(await run.ended).toBe(0);
  });

  it("shows records as they arrive, answers keys, and leaves the terminal as it was", { tags: ["slow"] }, async () => {
    const run = await start(["device", "watch", freezer]);
    await run.waitFor(/LIVE/);
    await send("temperature", -18.25, "°C");
    await run.waitFor(/temperature +-18\.25 {2}°C/);
    run.type("p");
    await run.waitFor(/PAUSED \(0 waiting\)/);
    await send("temperature", -17, "°C");
    await run.waitFor(/PAUSED \(1 waiting\)/);
    expect((await run.lines()).join("\n")).not.toContain("-17 ");
    run.type("p");
    await run.waitFor(/-17 {2}°C/);
    run.type("/door\r");
    await run.waitFor(/No record matches "door"/);
    run.type("\u001b");
    await run.waitFor(/-17 {2}°C/);
    run.type("?");
    await run.waitFor(/redraw the screen/);
    run.type("\u001b");
    await run.waitFor(/max -17/);
    run.type("q");
    expect(await run.ended).toBe(0);
    const lines = await run.lines();
    expect(lines.at(-1)).toBe("info: 2 records received.");
    const raw = run.raw();
    expect(raw.lastIndexOf(leaveScreen)).toBeGreaterThan(raw.lastIndexOf(enterScreen));
    expect(raw.slice(raw.lastIndexOf(enterScreen))).toContain("\u001b[?25h");
  });

  it("is left with Ctrl-C at any moment: 130, and the terminal is as it was", { tags: ["slow"] }, async () => {
    const run = await start(["stream", "notification"]);
    await run.waitFor(/LIVE|CONNECTING/);
    run.type("/text");
    run.type(ctrlC);
    expect(await run.ended).toBe(130);
    expect(run.raw()).toContain(leaveScreen);
    expect((await run.lines()).at(-1)).toBe("info: 0 records received.");
  });

  it("takes pasted text for text, never for keys", { tags: ["slow"] }, async () => {
    const run = await start(["device", "watch", freezer]);
    await run.waitFor(/LIVE/);
    run.type("\u001b[200~qqq\u0003\r\u001b[201~");
    run.type("/\u001b[200~q\u0003q\r\u001b[201~");
    await run.waitFor(/Filter: q␃q/);
    run.type(ctrlC);
    expect(await run.ended).toBe(130);
  });

  it("fits every window it is given while it runs, and never writes the last row", { tags: ["slow"] }, async () => {
    const run = await start(["device", "watch", freezer]);
    await run.waitFor(/LIVE/);
    await send("temperature", 4);
    for (const [columns, rows] of [
      [50, 15],
      [300, 60],
      [40, 10],
      [120, 40],
    ] as const) {
      run.resize(columns, rows);
      await expect
        .poll(async () => {
          const lines = await run.lines();
          const fits = lines.every((line) => line.length <= columns);
          return fits && lines.length === rows - 1 && (lines.at(-1) ?? "").includes("q quit");
        })
        .toBe(true);
    }
    run.type("q");
    expect(await run.ended).toBe(0);
  });

  it("has colours only when it may, and only signs any terminal has with --ascii", { tags: ["slow"] }, async () => {
    const styled = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[1-9][0-9;]*m`);
    for (const [args, env, hasColor] of [
      [[], {}, true],
      [["--ascii"], { NO_COLOR: "1" }, false],
    ] as const) {
      const run = await start(["device", "watch", freezer, ...args], { env });
      await run.waitFor(/LIVE/);
      await send("temperature", 3);
      await run.waitFor(/temperature/);
      run.type("q");
      expect(await run.ended).toBe(0);
      expect(styled.test(run.raw())).toBe(hasColor);
      // What a device or the seed says may be any character; here it is ASCII.
      if (!hasColor) expect([...run.raw()].filter((char) => char > "\u007f")).toEqual([]);
    }
  });

  it("obeys nothing that a device says", async () => {
    const run = await start(["device", "watch", freezer]);
    await run.waitFor(/LIVE/);
    await send("label", "\u001b]0;owned\u0007\u202eevil");
    await run.waitFor(/␛\]0;owned␇U\+202Eevil/);
    for (const control of ["\u001b]", "\u202e"]) expect(run.raw()).not.toContain(control);
    run.type("q");
    expect(await run.ended).toBe(0);
  });

  it("says in words when the connection is lost, and marks the gap", { tags: ["slow"] }, async () => {
    let connections = 0;
    const server = await smallServer((request, response) => {
      if (!request.url?.startsWith("/events")) return sendJson(response, 200, { status: true, result: { name: "P" } });
      connections += 1;
      const payload = [{ variable: "n", value: connections }];
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${JSON.stringify({ channel: "device_data.65a1000000000000000d0001", payload })}\n\n`);
      if (connections === 1) setTimeout(() => response.destroy(), 200);
    });
    const env = { IOT_API_URL: server.url, IOT_EVENTS_URL: server.url, IOT_TOKEN: here.sandbox.tokens.profile };
    const run = await startTerminal(["device", "watch", "65a1000000000000000d0001"], { env });
    // It stands on the screen for a second: what was written stays.
    const written = () => stripVTControlCharacters(run.raw());
    await waitFor(() => /RETRY in \d s \(1st attempt\)/.test(written()), "the loss");
    run.type("g");
    await run.waitFor(/gap \d\d:\d\d:\d\d to \d\d:\d\d:\d\d: records may be missing/);
    await run.waitFor(/gaps 1/);
    run.type("q");
    expect(await run.ended).toBe(0);
    expect((await run.lines()).at(-1)).toBe("info: 2 records received; 1 gap in the connection.");
    await server.close();
  });

  it("loses nothing of 1,000 events per second, and answers keys meanwhile", { tags: ["slow"] }, async () => {
    let sent = 0;
    let isEnough = false;
    const server = await smallServer((request, response) => {
      if (!request.url?.startsWith("/events")) return sendJson(response, 200, { status: true, result: { name: "P" } });
      response.writeHead(200, { "content-type": "text/event-stream" });
      const timer = setInterval(() => {
        if (isEnough) return clearInterval(timer);
        for (let i = 0; i < 20; i += 1) {
          sent += 1;
          const payload = [{ variable: "n", value: sent, time: new Date().toISOString() }];
          response.write(`data: ${JSON.stringify({ channel: "device_data.65a1000000000000000d0001", payload })}\n\n`);
        }
      }, 20);
    });
    const env = { IOT_API_URL: server.url, IOT_EVENTS_URL: server.url, IOT_TOKEN: here.sandbox.tokens.profile };
    const run = await startTerminal(["device", "watch", "65a1000000000000000d0001"], { env });
    await run.waitFor(/LIVE/);
    run.type("p");
    await run.waitFor(/PAUSED \([\d,]+ waiting\)/);
    isEnough = true;
    run.type("p");
    const all = sent.toLocaleString("en-US");
    await run.waitFor(new RegExp(`received ${all} `));
    run.type("q");
    expect(await run.ended).toBe(0);
    expect((await run.lines()).at(-1)).toBe(`info: ${all} records received.`);
    await server.close();
  });

  it("is a log of lines with --accessible", async () => {
    const run = await start(["device", "watch", freezer, "--accessible", "--count", "1"]);
    await run.waitFor(/Watching/);
    await send("temperature", 5.5, "°C");
    expect(await run.ended).toBe(0);
    expect(run.raw()).not.toContain(enterScreen);
    expect((await run.lines()).some((line) => /^\d\d:\d\d:\d\d {2}temperature {2}5\.5 °C$/.test(line))).toBe(true);
  });
});

describe("recordings", () => {
  it("are played back without a network, on a screen and as lines, and saved in part", {
    tags: ["slow", "posix"],
  }, async () => {
    const folder = temporaryFolder();
    const file = join(folder, "pump.ndjson");
    const before = here.requests().length;
    const recording = runHere(["device", "watch", freezer, "--count", "3", "--save", file], { env: here.env });
    await waitFor(
      () =>
        here
          .requests()
          .slice(before)
          .some((line) => line.includes("/events")),
      "the connection",
    );
    for (const value of [1, 2, 3]) await send("temperature", value);
    expect((await recording).code).toBe(0);
    expect(readFileSync(file, "utf8")).not.toContain(here.sandbox.tokens.device);

    const lines = await runHere(["device", "watch", "--replay", file, "--speed", "0"], { env: dead });
    expect(lines.code).toBe(0);
    const values = lines.stdout
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { value: number }).value);
    expect(values).toEqual([1, 2, 3]);

    const run = await startTerminal(["stream", "--replay", file, "--speed", "100"], { env: dead, cwd: folder });
    await run.waitFor(/STOPPED/);
    run.type("w\u0015shown.csv\r");
    await run.waitFor(/Saved 3 records to shown\.csv/);
    run.type("q");
    expect(await run.ended).toBe(0);
    const [header = "", first = ""] = readFileSync(join(folder, "shown.csv"), "utf8").split("\n");
    expect(header).toMatch(/^time,device,variable,value,/);
    expect(first).toContain(",temperature,1,");
  });

  it("keep their timing, scaled as asked", async () => {
    const file = join(temporaryFolder(), "timed.ndjson");
    const startMs = Date.parse("2026-01-02T03:04:05Z");
    const event = (afterMs: number) => ({
      type: "event",
      atMs: startMs + afterMs,
      channel: "notification",
      payload: { afterMs },
    });
    const head = {
      recording: "iotdeck-stream",
      version: 1,
      channels: ["notification"],
      names: {},
      startedAt: new Date(startMs).toISOString(),
    };
    writeFileSync(file, [head, event(0), event(400)].map((one) => JSON.stringify(one)).join("\n"));
    const begin = performance.now();
    const { code, stdout } = await runHere(["stream", "--replay", file, "--speed", "4"], { env: dead });
    expect(code).toBe(0);
    expect(performance.now() - begin).toBeGreaterThanOrEqual(100);
    expect(stdout.trimEnd().split("\n")).toHaveLength(2);
  });

  it.each([
    ["a file that is none", '{"a":1}\n', 3],
    ["a line that is no entry", "", 3],
  ])("refuse %s", async (_, text, code) => {
    const file = join(temporaryFolder(), "broken.ndjson");
    const head = {
      recording: "iotdeck-stream",
      version: 1,
      channels: [],
      names: {},
      startedAt: "2026-01-02T03:04:05Z",
    };
    writeFileSync(file, text || `${JSON.stringify(head)}\n{"type":"event"}\n`);
    const result = await runHere(["stream", "--replay", file], { env: dead });
    expect(result.code).toBe(code);
    expect(result.stderr).toContain("next:");
  });
});

describe("streams as lines", () => {
  it("print one event per line, with its channel", async () => {
    const run = runHere(["stream", `device_data:${freezer}`, "--count", "1"], { env: here.env });
    const timer = setInterval(() => void send("temperature", 8), 200);
    const { code, stdout } = await run;
    clearInterval(timer);
    expect(code).toBe(0);
    const [line = ""] = stdout.split("\n");
    expect(JSON.parse(line)).toMatchObject({
      channel: expect.stringMatching(/^device_data\.[0-9a-f]{24}$/),
      payload: [{ variable: "temperature", value: 8 }],
    });
  });

  it.each([
    [[]],
    [["nix"]],
    [["device_data"]],
    [["ui:5f1c"]],
    [["notification", "--speed", "2"]],
    [["notification", "--save", "a", "--replay", "b"]],
  ])("refuse %j with what to do", async (args) => {
    const { code, stderr } = await runHere(["stream", ...args], { env: here.env });
    expect(code).toBe(2);
    expect(stderr).toContain("next:");
  });
});
