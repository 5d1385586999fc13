import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CliResult, startCli, temporaryFolder } from "../helpers/cli.ts";
import { type HereOptions, runHere } from "../helpers/in-process.ts";
import { waitFor } from "../helpers/wait-for.ts";

/** Without a platform: nothing here may ask one. */
const parser = (args: readonly string[], more: HereOptions = {}): Promise<CliResult> =>
  runHere(["parser", ...args], more);

async function json<T>(args: readonly string[], more: HereOptions = {}): Promise<T> {
  const { code, stdout, stderr } = await parser([...args, "-o", "json"], more);
  if (code !== 0 && code !== 11) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}

type Records = readonly { readonly variable: string; readonly value?: unknown }[];
/** What a script makes of payloads. */
const decode = (source: string, ...flags: readonly string[]): Promise<Records> =>
  json<Records>(["run", "-", ...flags], { stdin: source });
const values = (records: Records) => Object.fromEntries(records.map(({ variable, value }) => [variable, value]));

function folderOf(files: Readonly<Record<string, string | object>>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}

const LEVEL = `
const frame = payload.find((record) => record.variable === "payload");
const bytes = Buffer.from(frame.value, "hex");
function level(kind) {
  switch (kind) {
    case 1: return { variable: "level", value: bytes[1] };
    case 2: return { variable: "battery", value: bytes[1] / 10 };
    default: throw new Error("Unknown kind " + kind);
  }
}
payload = [{ ...level(bytes[0]), group: String(Date.now()) }];
`;
const level = [{ variable: "level", value: 9 }];

describe("parser run", () => {
  const echo = "payload = payload.concat({ variable: 'raw', value: JSON.stringify(raw_payload) });";

  it("passes bytes as a network does, and JSON as it is", async () => {
    const frame = [
      { variable: "payload", value: "0109" },
      { variable: "fport", value: 7 },
    ];
    expect(await decode(echo, "--payload", "0x01 09", "--port", "7")).toEqual([
      ...frame,
      { variable: "raw", value: JSON.stringify(frame) },
    ]);
    const body = { variable: "raw_frame", value: "zz" };
    expect(await decode(echo, "--payload", JSON.stringify(body))).toEqual([
      body,
      { variable: "raw", value: JSON.stringify(body) },
    ]);
  });

  it("takes several payloads: flags, and a line each of a file", async () => {
    const folder = folderOf({ "parser.js": LEVEL, "frames.txt": "0101\n\n0202\n" });
    const flags = ["--payload", "0103", "--payload", "@frames.txt"];
    const records = await json<Records>(["run", "parser.js", ...flags], { cwd: folder });
    expect(records.map(({ variable, value }) => [variable, value])).toEqual([
      ["level", 3],
      ["level", 1],
      ["battery", 0.2],
    ]);
  });

  it("has the globals of the platform", async () => {
    const source = `payload = [
      ["day", dayjs("2026-01-31").add(1, "day").format("YYYY-MM-DD")], ["offset", timeUtils.getTimezoneOffset("2026-01-31", "Asia/Tokyo")],
      ["device", typeof device.params.find + typeof device.tags.find], ["text", atob(btoa("a"))], ["site", site],
    ].map(([variable, value]) => ({ variable, value }));`;
    const around = JSON.stringify({ payload: "01", globals: { site: "roof" } });
    expect(values(await decode(source, "--payload", around))).toEqual({
      day: "2026-02-01",
      offset: 540,
      device: "functionfunction",
      text: "a",
      site: "roof",
    });
  });

  it.each([
    ["decodeUplink", "function decodeUplink({ bytes, fPort }) { return { data: { t: bytes[0], port: fPort } }; }"],
    [
      "Decoder",
      "function Decoder(bytes, port) { var payload = {}; payload.t = bytes[0]; payload.port = port; return payload; }",
    ],
    [
      "Decode",
      "var Decode = function (fPort, bytes) { return [{ variable: 't', value: bytes[0] }, { variable: 'port', value: fPort }]; }",
    ],
  ])("calls a function %s that nothing in the script calls", async (_, source) => {
    const found = values(await decode(source, "--payload", "2a", "--port", "3"));
    expect(found).toEqual({ payload: "2a", fport: 3, t: 42, port: 3 });
  });

  it("leaves a script that writes to payload alone, unless it is told to", async () => {
    const source =
      "function Decoder(bytes) { return { t: bytes[0] }; }\npayload = payload.concat({ variable: 'own', value: 1 });";
    expect(values(await decode(source, "--payload", "2a"))).toEqual({ payload: "2a", own: 1 });
    const called = await decode(source, "--payload", "2a", "--format", "function");
    expect(values(called)).toEqual({ payload: "2a", own: 1, t: 42 });
  });

  it("flattens what a function returns, and fails with its errors", async () => {
    const nested = "function Decoder() { return { a: { b: [1, null, 2] }, 'no good': true, none: undefined }; }";
    expect(values(await decode(nested, "--payload", "00"))).toEqual({
      payload: "00",
      a_b_0: 1,
      a_b_2: 2,
      no_good: true,
    });
    const failing = "function decodeUplink() { return { errors: ['port 1 is', 'unknown'] }; }";
    const { code, stderr } = await parser(["run", "-", "--payload", "00"], { stdin: failing });
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining("why: port 1 is; unknown.") });
  });

  it("removes the types of TypeScript, and names its lines", async () => {
    const source =
      "interface Unit { name: string }\n\n\nconst unit: Unit = { name: 'V' };\nif (payload.length > 1) throw new Error('two');\npayload = [{ variable: 'u', value: unit.name as string }];";
    const folder = folderOf({ "parser.ts": source });
    expect(await json(["run", "parser.ts", "--payload", "01"], { cwd: folder })).toEqual([
      { variable: "u", value: "V" },
    ]);
    const failed = await parser(["run", "parser.ts", "--payload", "01", "--port", "1"], { cwd: folder });
    expect(failed.stderr).toContain("two (parser.ts:5)");
  });

  async function expectReason(source: string, reason: string): Promise<void> {
    const { code, stdout, stderr } = await parser(["run", "-", "--payload", "01"], { stdin: source });
    expect({ code, stdout, stderr }).toEqual({
      code: 3,
      stdout: expect.not.stringContaining("1"),
      stderr: expect.stringContaining(reason),
    });
  }

  it.each([
    ["an error", "const a = 1;\nlater();", "later is not defined (stdin:2)"],
    ["a thrown string", "throw 'x'", "Payload Parser Terminated Unexpectedly"],
    ["no list", "payload = { variable: 'a' }", "payload must be a list of records, but is an object"],
    ["nothing", "payload = undefined", "payload must be a list of records, but is null"],
    ["no records", "payload = [1]", "record"],
    ["a value that is none", "payload = [{ variable: 'a', value: {} }]", "record 1, value: value must be a string"],
    ["a name that is none", "payload = [{ variable: 'a b' }]", "record 1, variable: variable must not contain spaces"],
    ["a mistake", "payload = [\n(;", "Unexpected token ';' (stdin:2)"],
    ["an import", "import x from 'y'", "Cannot use import statement outside a module"],
  ])("ends with 3 and the reason: %s", (_, source, reason) => expectReason(source, reason));

  it("ends with 3 and the reason: a loop without end", { tags: ["slow"] }, () =>
    expectReason("for (;;);", "The parser took more than 1000 ms"),
  );

  it.each([
    [["--payload", "xyz"], 3, "is not hexadecimal"],
    [["--payload", "012"], 3, "is not hexadecimal"],
    [["--payload", "[1"], 3, "is not valid JSON"],
    [["--payload", ""], 2, "--payload"],
    [[], 2, "No payload given"],
    [["--payload", "-"], 2, "cannot both be read from stdin"],
    [["--payload", "01", "--format", "function"], 3, "defines no decoder function"],
  ])("rejects %j", async (flags, exit, reason) => {
    const { code, stderr } = await parser(["run", "-", ...flags], { stdin: "payload = []" });
    expect({ code, stderr }).toEqual({ code: exit, stderr: expect.stringContaining(reason) });
  });

  it("cleans the console of the script, on stderr", async () => {
    const source = "console.log('a\\u001b[31m', 1); payload = [];";
    const { code, stdout, stderr } = await parser(["run", "-", "--payload", "01"], { stdin: source, terminal: 80 });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toContain("info: console: a␛[31m 1\n");
  });
});

interface TestRow {
  readonly case: string;
  readonly result: string;
  readonly port?: number;
  readonly differences: readonly { readonly path: string; readonly old?: unknown; readonly new?: unknown }[];
}
interface Covered {
  readonly kind: string;
  readonly value: string;
  readonly payloads: number;
  readonly text?: string;
}
const results = (rows: readonly TestRow[]) => Object.fromEntries(rows.map((row) => [row.case, row.result]));

describe("parser test", () => {
  it("finds the cases of a folder, each with the nearest parser", async () => {
    const folder = folderOf({
      "parser.js": LEVEL,
      "full/payload.hex": "0109\n",
      "full/expected.json": level,
      "odd.payload.json": { payload: "0214", port: 4 },
      "odd.expected.json": [{ variable: "battery", value: 2 }],
      "other/parser.js": "payload = [];",
      "other/deep/payload.json": [{ variable: "a", value: 1 }],
      "other/deep/expected.json": [],
      "other/deep/package.json": {},
      "node_modules/x/payload.hex": "zz",
    });
    const rows = await json<TestRow[]>(["test", folder]);
    expect(results(rows)).toEqual({ full: "pass", odd: "pass", "other/deep": "pass" });
    expect(rows.find((row) => row.case === "odd")?.port).toBe(4);
  });

  it("shows what differs, fails or has nothing to compare with, and ends with 11", async () => {
    const folder = folderOf({
      "parser.js": LEVEL,
      "a/payload.hex": "0109",
      "a/expected.json": [{ variable: "level", value: 8, unit: "m" }],
      "b/payload.hex": "0901",
      "b/expected.json": level,
      "c/payload.hex": "0901",
      "c/expected.json": { error: "Unknown kind" },
      "d/payload.hex": "0109",
      "e/payload.hex": "0109",
      "e/expected.json": { error: "Unknown kind" },
    });
    const report = join(folder, "report.ndjson");
    const { code, stdout, stderr } = await parser(["test", folder, "--report", report, "-o", "json"]);
    const rows = JSON.parse(stdout) as TestRow[];
    expect(code).toBe(11);
    expect(results(rows)).toEqual({ a: "differs", b: "fails", c: "pass", d: "no_expected", e: "differs" });
    expect(rows[0]?.differences).toEqual([
      { path: "[0].unit", old: "m" },
      { path: "[0].value", old: 8, new: 9 },
    ]);
    expect(rows[1]?.differences[0]?.new).toMatch(/^Unknown kind 9 \(.*parser\.js:8\)$/);
    expect(stderr).toContain("1 of 5 cases as expected");
    const lines = readFileSync(report, "utf8").trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as TestRow).result)).toEqual(rows.map(({ result }) => result));
  });

  it("compares group and time only where they are expected", async () => {
    const folder = folderOf({
      "parser.js": LEVEL,
      "payload.hex": "0109",
      "expected.json": [{ variable: "level", value: 9, group: "g1" }],
    });
    const [row] = await json<TestRow[]>(["test", folder]);
    expect(row).toMatchObject({ result: "differs", differences: [{ path: "[0].group", old: "g1" }] });
  });

  it("writes what is expected with --update, but never an error, and asks before it overwrites", async () => {
    const wrong = [{ variable: "level", value: 8 }];
    const files = { "parser.js": LEVEL, "a/payload.hex": "0109", "b/payload.hex": "0109", "c/payload.hex": "0901" };
    const folder = folderOf({ ...files, "b/expected.json": wrong });
    const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name, "expected.json"), "utf8"));
    expect((await parser(["test", folder, "--update"])).code).toBe(2);
    expect([existsSync(join(folder, "a", "expected.json")), read("b")]).toEqual([false, wrong]);
    const { code } = await parser(["test", folder, "--update", "--yes"]);
    expect([code, read("a"), read("b")]).toEqual([11, level, level]);
    expect(existsSync(join(folder, "c", "expected.json"))).toBe(false);
  });

  it("keeps a group of the payload when it updates, and leaves out one that was made up", async () => {
    const source = "payload = payload.concat({ variable: 'a', value: 1, group: String(Math.random()) });";
    const record = { variable: "b", value: 2, group: "g1" };
    const folder = folderOf({ "parser.js": source, "payload.json": [record] });
    expect((await parser(["test", folder, "--update"])).code).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, "expected.json"), "utf8"))).toEqual([
      record,
      { variable: "a", value: 1 },
    ]);
  });

  it("tells the ports and bytes of the payloads, and what they did not run", { tags: ["slow"] }, async () => {
    const folder = folderOf({
      "parser.js": LEVEL,
      "a/payload.hex": "0109",
      "b/payload.json": { payload: "0108", port: 3 },
    });
    const rows = await json<Covered[]>(["test", folder, "--coverage"], { cwd: folder });
    expect(rows.filter(({ kind }) => kind !== "not_run")).toEqual([
      { kind: "port", value: "3", payloads: 1 },
      { kind: "port", value: "none", payloads: 1 },
      { kind: "first_byte", value: "01", payloads: 2 },
    ]);
    expect(rows.filter(({ kind }) => kind === "not_run")).toEqual([
      expect.objectContaining({ value: "parser.js:7", text: expect.stringMatching(/^case 2:/) }),
      expect.objectContaining({ value: "parser.js:8", text: expect.stringMatching(/^default:/) }),
    ]);
    writeFileSync(join(folder, "c.payload.hex"), "0201");
    writeFileSync(join(folder, "d.payload.hex"), "0301");
    const all = await json<Covered[]>(["test", folder, "--coverage"]);
    expect(all.filter(({ kind }) => kind === "not_run")).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, string | object>>, string]>([
    ["no payloads", { "parser.js": "", "readme.txt": "" }, "holds no payload.hex"],
    ["an expected file alone", { "parser.js": "", "a/expected.json": [] }, "has no payload.hex or payload.json"],
    ["two payloads", { "parser.js": "", "payload.hex": "01", "payload.json": [] }, "the case has another payload"],
    ["two frames", { "parser.js": "", "payload.hex": "01\n02" }, "a case has one payload"],
    ["no parser", { "payload.hex": "01" }, "There is no parser.js or parser.ts"],
    ["broken JSON", { "parser.js": "", "payload.hex": "01", "expected.json": "[" }, "not valid JSON"],
    ["no list", { "parser.js": "", "payload.hex": "01", "expected.json": { a: 1 } }, "must hold a list"],
    ["a broken parser", { "parser.js": "(", "payload.hex": "01" }, "is not a valid script"],
  ])("ends with 3 for a folder with %s", async (_, files, reason) => {
    const { code, stdout, stderr } = await parser(["test", folderOf(files)]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr.toLowerCase()).toContain(reason.toLowerCase());
  });

  it("tests again after a change with --watch, also of a file that is broken, until it is stopped", {
    tags: ["slow", "posix"],
  }, async () => {
    const folder = folderOf({ "parser.js": "payload = [", "payload.hex": "0109", "expected.json": level });
    const child = await startCli(["parser", "test", folder, "--watch"]);
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
    const ended = new Promise((resolve) => child.on("close", resolve));
    const waits = (words: string) =>
      waitFor(
        () => text.includes(words),
        () => `"${words}" in: ${text}`,
      );
    try {
      await waits("Waiting for a change");
      expect(text).toContain("is not a valid script");
      writeFileSync(join(folder, "parser.js"), LEVEL);
      await waits("1 of 1 case as expected");
      text = text.replaceAll("Waiting", "");
      writeFileSync(join(folder, "new.payload.hex"), "0109");
      await waits("1 of 2 cases as expected");
      await waits("Waiting");
    } finally {
      child.kill("SIGINT");
    }
    expect(await ended).toBe(130);
  });
});

/** Decoders in the three usual forms, and what they are to make of a payload, reckoned here. */
const CHANNELS = `
function Decoder(bytes, port) {
  var decoded = {};
  for (var i = 0; i < bytes.length; ) {
    var type = bytes[i++];
    if (type === 0x67) { decoded.temperature = ((bytes[i] << 24 >> 16) | bytes[i + 1]) / 10; i += 2; }
    else if (type === 0x68) { decoded.humidity = bytes[i++] / 2; }
    else if (type === 0x75 && port === 10) { decoded.battery = bytes[i++]; }
    else break;
  }
  return decoded;
}`;
const UPLINK = `
function decodeUplink(input) {
  if (input.fPort !== 2) return { errors: ["unknown port"] };
  var b = input.bytes;
  return { data: { counter: b[0] * 256 + b[1], voltage: b[2] / 50 }, warnings: [] };
}`;
const GLOBAL = `
const frame = payload.find((x) => x.variable === "payload");
const port = payload.find((x) => x.variable === "fport");
if (frame) {
  const buffer = Buffer.from(frame.value, "hex");
  const decoded = [{ variable: "pulses", value: buffer.readUInt32LE(0) }, { variable: "alarm", value: port.value === 9 }];
  payload = payload.concat(decoded.map((x) => ({ ...x, group: new Date().getTime() })));
}`;

it("takes all payloads of a set of decoders in one run", { tags: ["slow"] }, async () => {
  const files: Record<string, string | object> = {
    "channels/parser.js": CHANNELS,
    "uplink/parser.js": UPLINK,
    "global/parser.js": GLOBAL,
  };
  const add = (name: string, frame: Buffer, port: number, found: Readonly<Record<string, unknown>> | string): void => {
    const hex = frame.toString("hex");
    const records = Object.entries({ payload: hex, fport: port, ...(typeof found === "string" ? {} : found) });
    files[`${name}/payload.json`] = { payload: hex, port };
    files[`${name}/expected.json`] =
      typeof found === "string" ? { error: found } : records.map(([variable, value]) => ({ variable, value }));
  };
  for (let n = 0; n < 50; n += 1) {
    const climate = Buffer.from([0x67, 0, 0, 0x68, n, 0x75, n % 101]);
    climate.writeInt16BE(n * 7 - 600, 1);
    const port = n % 2 === 0 ? 10 : 11;
    const battery = port === 10 ? { battery: n % 101 } : {};
    add(`channels/${n}`, climate, port, { temperature: (n * 7 - 600) / 10, humidity: n / 2, ...battery });
    const counter = Buffer.from([n, 255 - n, n]);
    const isKnown = n % 5 !== 0;
    add(
      `uplink/${n}`,
      counter,
      isKnown ? 2 : 5,
      isKnown ? { counter: n * 256 + 255 - n, voltage: n / 50 } : "unknown port",
    );
    const pulses = Buffer.alloc(4);
    pulses.writeUInt32LE(n * 12_345_678);
    add(`global/${n}`, pulses, n % 2 === 0 ? 9 : 8, { pulses: n * 12_345_678, alarm: n % 2 === 0 });
  }
  const folder = folderOf(files);
  const { code, stdout, stderr } = await parser(["test", folder, "-o", "json"]);
  const rows = JSON.parse(stdout) as TestRow[];
  expect(rows.filter(({ result }) => result !== "pass")).toEqual([]);
  expect(rows).toHaveLength(150);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^info: 150 of 150 cases as expected, \d+\.\d s\. Payloads by port: 2 \(40\), 5 \(10\), /m);
});
