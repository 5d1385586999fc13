import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../../src/sandbox/index.ts";
import { DecoderRunner } from "../../../src/sandbox/parsers/runner.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { call, newDevice, ok } from "../client.ts";

const job = { profile: "p", parser: "device", payload: "[]", raw: "[]", device: "{}", globals: "{}" } as const;
/** For parsers that end; the other one cuts off those that do not. */
const runner = new DecoderRunner({ timeLimitMs: 60_000, memoryMib: 32 });
const impatient = new DecoderRunner({ timeLimitMs: 1_000, memoryMib: 32 });
afterAll(() => Promise.all([runner.close(), impatient.close()]));

const base64 = (source: string): string => Buffer.from(source).toString("base64");

/** What a decoder leaves of a payload. */
async function decode(
  source: string,
  payload: unknown = [],
  device: object = {},
  used: DecoderRunner = runner,
): Promise<unknown> {
  const text = JSON.stringify(payload);
  const answer = await used.run({ ...job, source, payload: text, raw: text, device: JSON.stringify(device) });
  return answer.payload === undefined ? answer.error : JSON.parse(answer.payload);
}

describe("a decoder", () => {
  it("replaces the payload by what it leaves in `payload`", async () => {
    const source = `
      const hex = payload.find((item) => item.variable === "payload");
      const bytes = Buffer.from(hex.value, "hex");
      payload = payload.concat([{ variable: "temperature", value: bytes.readInt16BE(0) / 10, unit: "C" }]);`;
    expect(await decode(source, [{ variable: "payload", value: "00d7" }])).toEqual([
      { variable: "payload", value: "00d7" },
      { variable: "temperature", value: 21.5, unit: "C" },
    ]);
  });

  it("sees what was sent, and its device with tags and parameters", async () => {
    const source = `payload = [raw_payload.hex, device.id, device.params.find((p) => p.key === "depth").value]`;
    const device = { id: "65a1000000000000000d0001", params: [{ key: "depth", value: "20" }] };
    expect(await decode(source, { hex: "01" }, device)).toEqual(["01", "65a1000000000000000d0001", "20"]);
  });

  it("may be compiled for CommonJS, and may wait for its own promises", async () => {
    expect(await decode(`Object.defineProperty(exports, "__esModule", { value: true }); payload = 1;`)).toBe(1);
    expect(await decode(`payload = (async () => { await null; return [2]; })();`)).toEqual([2]);
    expect(await decode(`Promise.resolve().then(() => { payload = [3]; });`)).toEqual([3]);
  });

  it("has nothing of the decoder before it", async () => {
    await decode("globalThis.left = 1; Array.prototype.left = 1; Buffer.left = 1;");
    expect(await decode("payload = [typeof left, typeof [].left, typeof Buffer.left]")).toEqual(
      Array(3).fill("undefined"),
    );
  });

  it.each([
    ["names of Node", "payload = [typeof require, typeof process, typeof fetch, typeof setTimeout]", "undefined"],
    ["its global's constructor", "payload = [this.constructor.constructor('return typeof process')()]", "undefined"],
    ["a shared function", "payload = [typeof Buffer.from.constructor]", "undefined"],
    [
      "an error of a shared function",
      "try { Buffer.alloc(-1); } catch (error) { payload = [typeof error.constructor.constructor] }",
      "undefined",
    ],
    [
      "a refused import",
      "import('node:fs').then(() => { payload = ['in']; }, (e) => { payload = [typeof e.constructor.constructor]; })",
      "undefined",
    ],
    [
      "the frames of a stack",
      `Error.prepareStackTrace = (_, frames) => frames;
       payload = new Error("x").stack.slice(1).map((frame) => typeof (frame.getThis() ?? frame.getFunction()));`,
      "undefined",
    ],
  ])("reaches nothing outside through %s", async (_, source, expected) => {
    const found = await decode(source);
    expect(Array.isArray(found) ? [...new Set(found)] : found).toEqual([expected]);
  });

  it("that fails tells its error and line", async () => {
    expect(await decode('\nthrow new Error("no port");')).toBe("no port (device parser, line 2)");
    expect(await decode("throw 'text'")).toBe("Function Parse Error: Payload Parser Terminated Unexpectedly");
    expect(await decode("payload = temp.value")).toBe("temp is not defined (device parser, line 1)");
    expect(await decode("payload = (")).toContain("Unexpected end of input");
    expect(await decode("throw { get message() { throw 1; } }")).toBe(
      "Function Parse Error: Payload Parser Terminated Unexpectedly",
    );
    expect(await decode("payload.push(payload)")).toContain("circular");
  });

  const cutOff = (source: string): Promise<unknown> => decode(source, [], {}, impatient);

  async function expectCutOff(source: string): Promise<void> {
    expect(await cutOff(source)).toBe("The device parser took more than 1000 ms");
    expect(await cutOff("payload = ['next']")).toEqual(["next"]);
  }

  it("that does not end is cut off: a loop", () => expectCutOff("for (;;);"));

  it("that does not end is cut off: a slow toJSON", { tags: ["slow"] }, () =>
    expectCutOff("payload = { toJSON() { for (;;); } }"),
  );

  it("that makes promises without end is cut off by the limit it meets first", { tags: ["slow"] }, async () => {
    const source = "const again = () => Promise.resolve().then(again); again(); for (;;);";
    expect(await cutOff(source)).toMatch(/^The (device|payload) parser took more than (1000 ms|32 MB of memory)$/);
    expect(await cutOff("payload = ['next']")).toEqual(["next"]);
  });

  it("that takes too much memory is cut off", async () => {
    expect(await cutOff("const held = []; for (;;) held.push(new Array(100000).fill(held.length));")).toMatch(
      /took more than (32 MB of memory|1000 ms)/,
    );
    expect(await cutOff("payload = ['next']")).toEqual(["next"]);
  });

  it("writes lines for the inspector", async () => {
    const source = "console.log('a', 1, { b: 2 }); console.error(new Error('e').message)";
    const answer = await runner.run({ ...job, source });
    expect(answer.lines).toEqual(['a 1 {"b":2}', "e"]);
  });

  async function expectCoverage(runs: number): Promise<void> {
    const measuring = new DecoderRunner({ coverage: true, memoryMib: 32 });
    const source = "if (payload.length > 0) {\n  payload = 1;\n}\n";
    const run = async (payload: string) => (await measuring.run({ ...job, source, payload })).coverage ?? [];
    /** What ran, by the last range that a place is in. */
    const isRun = (ranges: Awaited<ReturnType<typeof run>>, text: string): boolean | undefined => {
      const at = source.indexOf(text);
      const range = ranges.findLast(([start, end]) => start <= at && at < end);
      return range === undefined ? undefined : range[2] > 0;
    };
    try {
      for (let i = 0; i < runs; i += 1) expect(isRun(await run("[]"), "payload = 1")).toBe(false);
      const ranges = await run("[0]");
      expect([isRun(ranges, "if"), isRun(ranges, "payload = 1")]).toEqual([true, true]);
    } finally {
      await measuring.close();
    }
  }

  it("tells what ran of it where it is asked", () => expectCoverage(20));

  it("tells what ran of it, however many there are", { tags: ["slow"] }, () => expectCoverage(400));

  it("reckons with dates", async () => {
    const source = `
      const at = dayjs("2024-02-29T13:05:09.007Z");
      payload = [
        at.format("YYYY-MM-DD HH:mm:ss.SSS A dddd Z"), at.add(1, "year").toISOString(), at.startOf("week").format("DD"),
        at.tz("America/New_York").format("HH:mm Z"), at.subtract(2, "hours").unix(), at.diff("2024-01-29", "month"),
        at.endOf("month").toISOString(), dayjs.unix(1).valueOf(), dayjs("29/02/2024 07", "DD/MM/YYYY HH").toISOString(),
        dayjs.tz("2024-07-01 12:00", "Europe/Berlin").toISOString(), at.isAfter("2024-02-28"), dayjs("x").isValid(), at,
        at.set("hour", 3).hour(), timeUtils.formatInTimezone("2024-07-01T00:00:00Z", "Europe/Paris", "%Y-%m-%d %H:%M %z"),
        timeUtils.compareTimezones("2023-01-01T12:00:00.000Z", "UTC", "2023-01-01T10:00:00.000-03:00", "America/Sao_Paulo"),
      ];`;
    expect(await decode(source)).toEqual([
      ...[
        "2024-02-29 13:05:09.007 PM Thursday +00:00",
        "2025-02-28T13:05:09.007Z",
        "25",
        "08:05 -05:00",
        1709204709,
        1,
      ],
      ...["2024-02-29T23:59:59.999Z", 1000, "2024-02-29T07:00:00.000Z", "2024-07-01T10:00:00.000Z", true, false],
      ...["2024-02-29T13:05:09.007Z", 3, "2024-07-01 02:00 +0200", -1],
    ]);
  });
});

describe("dayjs and dates of a decoder", () => {
  it("come from the real package, which leads nowhere outside", async () => {
    const source = `
      payload = [dayjs.isDayjs(dayjs()), dayjs("2024-02-30").format("YYYY-MM-DD"), dayjs.locale(),
        dayjs.constructor.constructor("return typeof process")(), dayjs.utc.constructor("return typeof require")(),
        dayjs.extend((option, type) => { type.prototype.twice = function () { return this.valueOf() * 2; }; })(4).twice()];`;
    expect(await decode(source)).toEqual([true, "2024-03-01", "en", "undefined", "undefined", 8]);
    expect(await decode("const dayjs = 5; payload = dayjs;")).toBe(5);
  });

  it("are in UTC wherever the sandbox runs", async () => {
    const zone = process.env["TZ"];
    process.env["TZ"] = "America/New_York";
    const away = new DecoderRunner();
    const source = `
      const at = new Date("2024-07-01 12:30");
      payload = [at.toISOString(), at.getHours(), new Date(2024, 6, 1).toISOString(), at.getTimezoneOffset(), String(at),
        dayjs("2024-07-01 12:30").toISOString(), dayjs("2024-07-01 12:30").format(),
        dayjs("2024-07-01T12:30:00+02:00").format("HH:mm"), Date.parse("2024-07-01T00:00"), at instanceof Date,
        dayjs.tz("2024-07-01 12:30", "Europe/Berlin").toISOString(), new Date("2024-07-01T12:30:00-03:00").getHours(),
        new Date(at).getTime() === at.getTime(), at.toLocaleTimeString("en-GB"), Number.isNaN(+new Date("no date"))];`;
    try {
      const text = JSON.stringify([]);
      const answer = await away.run({ ...job, source, payload: text, raw: text });
      expect(new Date(2024, 6, 1).toISOString()).toBe("2024-07-01T04:00:00.000Z");
      expect(answer.error ?? JSON.parse(answer.payload ?? "")).toEqual([
        ...["2024-07-01T12:30:00.000Z", 12, "2024-07-01T00:00:00.000Z", 0],
        ...["Mon Jul 01 2024 12:30:00 GMT+0000 (Coordinated Universal Time)"],
        ...["2024-07-01T12:30:00.000Z", "2024-07-01T12:30:00+00:00", "10:30", 1719792000000, true],
        ...["2024-07-01T10:30:00.000Z", 15, true, "12:30:00", true],
      ]);
    } finally {
      if (zone === undefined) delete process.env["TZ"];
      else process.env["TZ"] = zone;
      await away.close();
    }
  });
});

describe("data that arrives at a device with a decoder", () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createSandbox({ seed: "empty" });
  });
  afterAll(() => sandbox.close());

  const values = (token: string): Promise<{ variable: string; value: unknown }[]> =>
    ok(sandbox, "GET", "/data?qty=100&ordination=ascending", { token });

  it("is stored as the decoder leaves it, whatever was sent", async () => {
    const source = `payload = typeof payload === "string"
      ? payload.split(";").map((value, index) => ({ variable: "v" + index, value: Number(value) }))
      : [{ variable: "object", value: payload[0].reading + raw_payload.reading }];`;
    const { token } = await newDevice(sandbox, { payload_decoder: base64(source) });
    const text = { token, raw: "1;2", headers: { "content-type": "text/plain" } };
    expect(await ok(sandbox, "POST", "/data", text)).toBe("2 Data Added");
    expect(await ok(sandbox, "POST", "/data", { token, body: { reading: 7 } })).toBe("1 Data Added");
    expect((await values(token)).map(({ variable, value }) => [variable, value])).toEqual([
      ["v0", 1],
      ["v1", 2],
      ["object", 14],
    ]);
  });

  it("is decoded with the parameters of its connector and network as global variables", async () => {
    const token = sandbox.tokens.profile;
    const parameters = (...list: readonly object[]) => ({ name: "Parameters", device_parameters: list });
    const { network } = await ok<{ network: string }>(sandbox, "POST", "/integration/network", {
      token,
      body: parameters({ name: "offset", default: 5 }),
    });
    const { connector } = await ok<{ connector: string }>(sandbox, "POST", "/integration/connector", {
      token,
      body: {
        ...parameters({ name: "factor", default: 1 }, { name: "payload", default: "not this" }),
        networks: [network],
      },
    });
    const device = await newDevice(sandbox, {
      ...{ network, connector, configuration_params: [{ key: "factor", value: "3" }] },
      payload_decoder: base64("payload = [{ variable: 'sum', value: payload[0].value * Number(factor) + offset }];"),
    });
    await ok(sandbox, "POST", "/data", { token: device.token, body: { variable: "raw", value: 2 } });
    expect(await values(device.token)).toMatchObject([{ variable: "sum", value: 11 }]);
  });

  it("is refused with the decoder's error, stored not at all, and counts as the last input", async () => {
    const { token, device_id: id } = await newDevice(sandbox, {
      payload_decoder: base64("throw new Error('bad frame')"),
    });
    const answer = await call(sandbox, "POST", "/data", { token, body: [{ variable: "a", value: 1 }] });
    expect([answer.status, answer.body.message]).toEqual([400, "bad frame (device parser, line 1)"]);
    expect(await values(token)).toEqual([]);
    const device = await ok<{ last_input: unknown }>(sandbox, "GET", `/device/${id}`, {
      token: sandbox.tokens.profile,
    });
    expect(device.last_input).not.toBeNull();
  });

  it("may be dropped by the decoder", async () => {
    const { token } = await newDevice(sandbox, { payload_decoder: base64("payload = null") });
    expect(await ok(sandbox, "POST", "/data", { token, body: [{ variable: "a" }] })).toBe("0 Data Added");
  });

  it("goes through the parsers of its network, its connector and its own, unless the connector's is off", async () => {
    const profile = sandbox.tokens.profile;
    const adds = (letter: string): string =>
      base64(`payload = payload.map((row) => ({ ...row, value: row.value + "${letter}" }))`);
    const { network } = await ok<{ network: string }>(sandbox, "POST", "/integration/network", {
      token: profile,
      body: { name: "Gateway", payload_decoder: adds("n") },
    });
    const { connector } = await ok<{ connector: string }>(sandbox, "POST", "/integration/connector", {
      token: profile,
      body: { name: "Meter", networks: [network], payload_decoder: adds("c") },
    });
    const members = { network, connector, payload_decoder: adds("d") };
    const { token, device_id: id } = await newDevice(sandbox, members);
    await ok(sandbox, "POST", "/data", { token, body: [{ variable: "a", value: "" }] });
    await ok(sandbox, "PUT", `/device/${id}`, { token: profile, body: { connector_parse: false } });
    await ok(sandbox, "POST", "/data", { token, body: [{ variable: "a", value: "" }] });
    expect((await values(token)).map(({ value }) => value)).toEqual(["ncd", "nd"]);
    const shown = await ok<object>(sandbox, "GET", `/device/${id}`, { token: profile });
    expect(shown).not.toHaveProperty("connector_parse");
  });

  it("answers others while a decoder hangs", { tags: ["slow"] }, async () => {
    const { token } = await newDevice(sandbox, { payload_decoder: base64("for (;;);") });
    const hanging = call(sandbox, "POST", "/data", { token, body: [] });
    let isDone = false;
    const refused = hanging.then((answer) => {
      isDone = true;
      return answer;
    });
    await ok(sandbox, "GET", "/info", { token: sandbox.tokens.profile });
    expect(isDone).toBe(false);
    expect((await refused).body.message).toBe("The device parser took more than 1000 ms");
  });
});

describe("the live inspector", () => {
  it("shows what arrived, what the decoder wrote, and what became of it", async () => {
    const sandbox = await createSandbox({ seed: "empty" });
    try {
      const source = "console.log('seen'); if (payload.length > 1) throw new Error('too many');";
      const { token, device_id: id } = await newDevice(sandbox, { payload_decoder: base64(source) });
      const stream = `${sandbox.eventsUrl}?channels=device_inspector.${id}&token=${sandbox.tokens.profile}`;
      const response = await fetch(stream);
      const notes: { title: string; content: string; connection_id: string; device_id: string }[] = [];
      const reading = (async () => {
        const decoder = new TextDecoder();
        for await (const bytes of response.body ?? []) {
          for (const line of decoder.decode(bytes).split("\n")) {
            if (line.startsWith("data: ")) notes.push(JSON.parse(line.slice(6)).payload);
          }
        }
      })();
      await ok(sandbox, "POST", "/data?x=1", { token, body: [{ variable: "a" }] });
      await call(sandbox, "POST", "/data", { token, body: [{ variable: "a" }, { variable: "b" }] });
      await waitFor(() => notes.some(({ title }) => title === "Error on payload parser"), "the error");
      expect(notes.map(({ title }) => title)).toEqual([
        ...[
          "[POST] HTTP Request",
          "Query params",
          "Raw Payload",
          "Log from payload parser",
          "Result of payload parser",
        ],
        ...["[POST] HTTP Request", "Raw Payload", "Log from payload parser", "Error on payload parser"],
      ]);
      expect(notes.at(-1)).toMatchObject({ content: "too many (device parser, line 1)", device_id: id });
      expect(new Set(notes.map(({ connection_id }) => connection_id)).size).toBe(2);
      await sandbox.close();
      await reading.catch(() => {});
    } finally {
      await sandbox.close();
    }
  });
});

describe("data that comes over a network", () => {
  it("finds its device by the serial number the network's parser puts into the metadata", async () => {
    const sandbox = await createSandbox({ seed: "empty" });
    try {
      const token = sandbox.tokens.profile;
      const source = "payload = [{ variable: 'hex', value: payload[0].data, metadata: { serial: payload[0].eui } }]";
      const body = { name: "Gateway", payload_decoder: base64(source) };
      const { network } = await ok<{ network: string }>(sandbox, "POST", "/integration/network", { token, body });
      const { connector } = await ok<{ connector: string }>(sandbox, "POST", "/integration/connector", {
        token,
        body: { name: "Meter", networks: [network] },
      });
      const own = "payload.push({ variable: 'seen', value: raw_payload.eui })";
      const members = { network, connector, serie_number: "E1", payload_decoder: base64(own) };
      const device = await newDevice(sandbox, members);
      const made = await ok<{ token: string }>(sandbox, "POST", "/integration/network/token", {
        token,
        body: { network, name: "Server", permission: "full" },
      });
      const send = (eui: string) =>
        call(sandbox, "POST", "/integration/network/data", { token: made.token, body: { eui, data: "0a" } });
      expect((await send("E1")).body).toEqual({ status: true, result: "2 Data Added" });
      const rows = await ok<{ variable: string; value: unknown }[]>(sandbox, "GET", "/data", { token: device.token });
      expect(new Map(rows.map(({ variable, value }) => [variable, value]))).toEqual(
        new Map([
          ["hex", "0a"],
          ["seen", "E1"],
        ]),
      );
      expect((await send("E2")).body).toEqual({ status: false, message: "Device Not Found" });
      const stranger = { token: device.token, body: {} };
      expect((await call(sandbox, "POST", "/integration/network/data", stranger)).status).toBe(401);
    } finally {
      await sandbox.close();
    }
  });
});
