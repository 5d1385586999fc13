import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Device, Resources } from "../../src/index.ts";
import { startCli, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { waitFor } from "../helpers/wait-for.ts";

let here: SandboxUnderTest;
let region: { readonly api: string; readonly sse: string };
beforeAll(async () => {
  here = await sandboxUnderTest();
  region = { api: here.sandbox.url, sse: here.sandbox.eventsUrl };
});
afterAll(() => here.close());

const pump = "65a1000000000000000d0001";
const freezer = "65a1000000000000000d0002";
const record = (variable: string, value: unknown, more: object = {}): object => ({
  id: `${variable}-${String(value)}`,
  device: pump,
  variable,
  value,
  time: "2026-03-02T14:03:00.000Z",
  ...more,
});
const dead = { IOT_API_URL: "http://127.0.0.1:9", IOT_EVENTS_URL: "http://127.0.0.1:9", IOT_TOKEN: "secret-token" };

/** A recording of events, each with these records. */
function recorded(...events: readonly (readonly object[])[]): string {
  const file = join(temporaryFolder(), "pump.ndjson");
  const names = { [pump]: "Pump 3", [freezer]: "Freezer 1" };
  const startedAt = "2026-03-02T14:03:00.000Z";
  const head = { recording: "iotdeck-stream", version: 1, channels: ["device_data"], names, startedAt };
  const atMs = Date.parse(startedAt);
  const entries = events.map((payload) => ({ type: "event", atMs, channel: `device_data.${pump}`, payload }));
  writeFileSync(file, [head, ...entries].map((one) => JSON.stringify(one)).join("\n"));
  return file;
}

const replay = (file: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runHere(["device", "watch", "--replay", file, "--speed", "0", ...args], { env: { ...dead, ...env } });
const idsIn = (stdout: string): string[] =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { id: string }).id);

describe("device watch --where", () => {
  const file = recorded(
    [record("temperature", 7.5), record("humidity", 90), record("Temperature", 9, { unit: "C" })],
    [record("door", "open"), record("temperature", 12, { device: freezer, metadata: { place: "left" } })],
    [record("level", "9"), record("value", 3)],
  );

  it.each([
    ["temperature>8", ["Temperature-9", "temperature-12"]],
    ["temperature >= 9 and unit == C", ["Temperature-9"]],
    ["temperature<8 or door=open", ["temperature-7.5", "door-open"]],
    ["TEMPERATURE!=9", ["temperature-7.5", "temperature-12"]],
    ["device_name=Freezer* and metadata.place=left", ["temperature-12"]],
    ["variable=level and value>8", ["level-9"]],
    ["variable=value", ["value-3"]],
    ["time>2026-03-02T14:03:00Z", []],
  ])("prints the records for which %s", async (where, ids) => {
    const { code, stdout, stderr } = await replay(file, ["--where", where]);
    expect(code).toBe(0);
    expect(idsIn(stdout)).toEqual(ids);
    expect(stderr).toContain(`${ids.length} record`);
  });

  it("needs all of several conditions, and counts what is printed", async () => {
    const args = ["--where", "temperature>8", "--where", "value<10"];
    expect(idsIn((await replay(file, args)).stdout)).toEqual(["Temperature-9"]);
    expect(idsIn((await replay(file, ["--where", "temperature>1", "--count", "2"])).stdout)).toHaveLength(2);
  });

  it.each([
    ["temperature>hot", '"hot" is not a number'],
    ["temperature>8 and humidity>50", "two variables"],
    ["temperature", "Invalid filter"],
    ["time>soon", "--where time"],
    ["temperature>", "has no value"],
  ])("rejects %s", async (where, words) => {
    const { code, stderr } = await replay(file, ["--where", where]);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect(stderr).toContain("next:");
  });
});

describe("device watch --exit-on-match", () => {
  const file = recorded([record("temperature", 7), record("temperature", 9), record("temperature", 10)]);
  const watch = (...args: readonly string[]) => replay(file, ["--exit-on-match", ...args]);

  it("ends with 11 at the first match and prints it", async () => {
    const { code, stdout } = await watch("--where", "temperature>8");
    expect(code).toBe(11);
    expect(idsIn(stdout)).toEqual(["temperature-9"]);
  });

  it("ends with 0 when nothing matched, or not within --count records", async () => {
    expect((await watch("--where", "temperature>20")).code).toBe(0);
    const { code, stdout } = await watch("--where", "temperature>9.5", "--count", "2");
    expect([code, stdout]).toEqual([0, ""]);
    expect((await watch("--where", "temperature>8", "--count", "2")).code).toBe(11);
  });
});

describe("device watch --exec", { tags: ["posix"] }, () => {
  it("runs the command with each record on stdin and in variables, without tokens", async () => {
    const out = join(temporaryFolder(), "out");
    const hostile = "$(touch owned); `touch owned`";
    const file = recorded([record("temperature", 9), record("label", hostile), record("humidity", 1)]);
    const command = `{ cat; echo "$IOT_DEVICE|$IOT_VARIABLE|$IOT_VALUE|$IOT_TOKEN$T_ANALYSIS_TOKEN|"; } > ${out}-$IOT_VARIABLE; echo done`;
    const where = "temperature>8 or label!=x";
    const { code, stdout, stderr } = await replay(file, ["--where", where, "--exec", command], {
      T_ANALYSIS_TOKEN: "a-secret",
    });
    expect(code).toBe(0);
    expect(idsIn(stdout)).toHaveLength(2);
    expect(stderr.match(/^done$/gm)).toHaveLength(2);
    const [json = "", line] = readFileSync(`${out}-label`, "utf8").split("\n");
    expect(JSON.parse(json)).toMatchObject({ device: pump, value: hostile });
    expect(line).toBe(`${pump}|label|${hostile}||`);
    expect(existsSync(`${out}-humidity`)).toBe(false);
  });

  it("warns when the command fails, cleans what it says, and goes on", async () => {
    const file = recorded(Array.from({ length: 9 }, (_, i) => record("n", i)));
    const command = `printf '\\033]0;owned\\007'; exit 3`;
    const { code, stdout, stderr } = await replay(file, ["--exec", command]);
    expect(code).toBe(0);
    expect(idsIn(stdout)).toHaveLength(9);
    expect(stderr.match(/warning: --exec: the command ended with 3\./g)).toHaveLength(9);
    expect(stderr).not.toContain("\u001b]");
  });

  it("runs four at a time, lets 1,000 wait, and ends with Ctrl-C", { tags: ["slow"] }, async () => {
    const folder = temporaryFolder();
    const file = recorded(Array.from({ length: 1_010 }, (_, i) => record("n", i)));
    const command = `touch ${folder}/$$; sleep 600`;
    const args = ["device", "watch", "--replay", file, "--speed", "0", "--exec", command];
    const child = await startCli(args, { env: { ...dead } });
    onTestFinished(() => void child.kill("SIGINT"));
    let stderr = "";
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      stderr += chunk;
    });
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    await waitFor(() => readdirSync(folder).length === 4 && stderr.includes("are skipped"), "the commands");
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    expect(stderr).toContain("the command was not run for 1,006 records");
    const pids = readdirSync(folder).map(Number);
    expect(pids).toHaveLength(4);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });
});

describe("device watch --tag", () => {
  async function watch(...args: readonly string[]) {
    const child = await startCli(["device", "watch", ...args], { env: { ...here.env } });
    const texts = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name]?.setEncoding("utf8").on("data", (chunk: string) => {
        texts[name] += chunk;
      });
    }
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    await waitFor(() => texts.stderr.includes("Watching"), "the streams to open");
    return { ended, texts };
  }

  it("watches all devices with the tag, over several connections", { tags: ["slow"] }, async () => {
    const resources = new Resources({ token: here.sandbox.tokens.profile, region });
    // One more than a connection takes.
    const devices = await Promise.all(
      Array.from({ length: 101 }, async (_, i) => {
        const { device_id: id, token } = await resources.devices.create({
          name: `Fleet ${i}`,
          type: "mutable",
          connector: "65a1000000000000000c0001",
          network: "65a1000000000000000e0001",
          tags: [{ key: "fleet", value: "blue" }],
        });
        return { id, token };
      }),
    );
    const started = Date.now();
    const { ended, texts } = await watch("--tag", "fleet=blue", "--where", "n>1", "--count", "2");
    const sorted = devices.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const sending = [sorted[50], sorted[0], sorted[100]];
    for (const [i, device] of sending.entries())
      await new Device({ token: device?.token ?? "", region }).sendData({ variable: "n", value: i + 1 });
    expect(await ended).toBe(0);
    const rows = texts.stdout.trimEnd().split("\n");
    // They are on different connections, of which either may be faster.
    expect(rows.map((line) => (JSON.parse(line) as { device: string }).device).sort()).toEqual(
      sending
        .slice(1)
        .map((device) => device?.id ?? "")
        .sort(),
    );
    expect(texts.stderr).toContain("101 devices found. Devices that get the tag later are not watched.");
    expect(texts.stderr).toMatch(/"Fleet \d+", 96 more in/);
    const streams = here.requestsSince(started).filter((request) => request.startsWith("GET /events"));
    expect(streams).toHaveLength(2);
  });

  it("rejects a fleet that is too large, unknown tags, and ids beside --tag", async () => {
    const channels = Array.from({ length: 2_001 }, () => "notification");
    const many = await here.iot(["stream", ...channels, "--for", "1s"]);
    expect(many.code).toBe(2);
    expect(many.stderr).toContain("2,001 channels are too many");
    expect((await here.iot(["device", "watch", "--tag", "fleet=none", "--for", "1s"])).code).toBe(6);
    expect((await here.iot(["device", "watch", pump, "--tag", "fleet=blue", "--for", "1s"])).code).toBe(2);
  });
});
