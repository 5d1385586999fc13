import { describe, expect, it } from "vitest";
import {
  buildAck,
  buildBody,
  buildFrame,
  buildInner,
  fromRecords,
  parseAck,
  parseBody,
  parseFrame,
  parseInner,
  parsePayload,
  readFrameHead,
  type TipBodyInput,
  TipError,
  type TipFrameInput,
  type TipRecordInput,
  toRecords,
} from "../../../src/lib/tip/codec.ts";
import { growthOf, IN_PROPORTION } from "../../helpers/growth.ts";

const sender = "4deedd7bab8817ec|sensor-01";

function failureOf(work: () => unknown): TipError {
  try {
    work();
  } catch (error) {
    if (error instanceof TipError) return error;
    throw error;
  }
  throw new Error("Nothing was thrown");
}

const variablesOf = (text: string) => {
  const body = parseBody(text);
  if (body.kind !== "variables") throw new Error(`${text} is a raw payload`);
  return body.variables;
};

describe("limits", () => {
  const list = (count: number, one: (index: number) => string, separator = ";") =>
    Array.from({ length: count }, (_, index) => one(index)).join(separator);
  const name = (length: number) => "n".repeat(length);

  it.each([
    ["variables", (by: number) => `PUSH|${sender}|[${list(100 + by, (n) => `v${n}:=1`)}]`],
    ["names of a PULL", (by: number) => `PULL|${sender}|[${list(100 + by, (n) => `v${n}`)}]`],
    ["pairs of metadata", (by: number) => `PUSH|${sender}|[a:=1{${list(32 + by, (n) => `k${n}=1`, ",")}}]`],
    ["characters of a variable", (by: number) => `PUSH|${sender}|[${name(100 + by)}:=1]`],
    ["characters of a group", (by: number) => `PUSH|${sender}|^${name(100 + by)}[a:=1]`],
    ["characters of a key", (by: number) => `PUSH|${sender}|[a:=1{${name(100 + by)}=1}]`],
    ["characters of a serial", (by: number) => `PING|4deedd7bab8817ec|${name(100 + by)}`],
    ["bytes of a unit", (by: number) => `PUSH|${sender}|[a:=1#°${name(23 + by)}]`],
    ["the counter", (by: number) => `PING|!${4_294_967_295 + by}|${sender}`],
    ["the time", (by: number) => `PUSH|${sender}|[a:=1@${8_640_000_000_000_000 + by}]`],
  ])("of %s hold for what is read", (_, frame) => {
    expect(() => parseFrame(frame(0))).not.toThrow();
    expect(failureOf(() => parseFrame(frame(1))).code).toBe("invalid_payload");
  });

  it("of bytes count UTF-8, without one final line feed", () => {
    const frame = (bytes: number) => {
      const start = `PUSH|${sender}|[a=`;
      return `${start}${"é".repeat(8_000)}${"x".repeat(bytes - start.length - 16_001)}]`;
    };
    const largest = frame(16_384);
    expect(Buffer.byteLength(largest)).toBe(16_384);
    for (const input of [largest, `${largest}\n`, Buffer.from(largest), Buffer.from(`${largest}\n`)])
      expect(() => parseFrame(input)).not.toThrow();
    for (const input of [frame(16_385), Buffer.from(frame(16_385)), "x".repeat(1_000_000)])
      expect(failureOf(() => parseFrame(input)).code).toBe("payload_too_large");
    expect(failureOf(() => parseBody("x".repeat(16_385))).code).toBe("payload_too_large");
    expect(failureOf(() => parsePayload("pull", "x".repeat(16_385))).code).toBe("payload_too_large");
    expect(failureOf(() => parseInner("PUSH", "x".repeat(16_385))).code).toBe("payload_too_large");
    expect(parseAck(`ACK|CMD|${"x".repeat(65_499)}`).detail).toHaveLength(65_499);
    expect(failureOf(() => parseAck(`ACK|CMD|${"x".repeat(65_500)}`)).code).toBe("payload_too_large");
  });

  it("of numbers are those of a double, and -0 is 0", () => {
    expect(failureOf(() => parseBody(`[a:=1${"0".repeat(400)}]`)).code).toBe("invalid_payload");
    expect(Object.is(variablesOf("[a:=-0]")[0]?.value, 0)).toBe(true);
    expect(variablesOf("[a:=1@0001754000000000]")[0]?.time).toBe(1_754_000_000_000);
  });
});

describe("a frame that is rejected", () => {
  it.each([
    ["", "invalid_payload", undefined],
    ["\n", "invalid_payload", undefined],
    [`PING|${sender}\n\n`, "invalid_payload", undefined],
    [`PING|!1|${sender}\nPING|!2|${sender}`, "invalid_payload", undefined],
    [`POST|!1|${sender}|[a:=1\0]`, "invalid_payload", undefined],
    [`PUSH/2|!1|${sender}|[a:=1]`, "invalid_method", undefined],
    [`\ufeffPING|${sender}`, "invalid_method", undefined],
    [`PING|!1|${sender}\r`, "invalid_payload", 1],
    [`PING|!1|${sender}|`, "invalid_payload", 1],
    [`PING|!1|${sender}|[a:=1]`, "invalid_payload", 1],
    [`PUSH|!1|xyz|sensor-01|[a=b|c]`, "invalid_payload", 1],
    [`PUSH|!01|xyz|sensor-01|[a:=1]`, "invalid_payload", undefined],
    [`PUSH|!1|xyz|a.b|[a:=]`, "invalid_token", 1],
    [`PUSH|!1|4deedd7bab8817ec|a.b|[a:=]`, "invalid_payload", 1],
    [`PUSH|!1|${sender}|[a:=]`, "invalid_payload", 1],
    [`PULL|!1|${sender}|a`, "invalid_payload", 1],
    [`PULL|!1|${sender}|[a;]`, "invalid_payload", 1],
    [`PUSH|!1`, "invalid_payload", 1],
  ])("%j has the code %s and the counter %s", (text, code, seq) => {
    const { code: own, seq: counter } = failureOf(() => parseFrame(text));
    expect([own, counter]).toEqual([code, seq]);
  });

  it("is one whose bytes are not UTF-8", () => {
    const bytes = Buffer.concat([Buffer.from(`PUSH|${sender}|[a=`), Buffer.of(0xff), Buffer.from("]")]);
    expect(failureOf(() => parseFrame(bytes)).code).toBe("invalid_payload");
    expect(failureOf(() => parseFrame(`PUSH|${sender}|[a=\ud800]`)).code).toBe("invalid_payload");
    expect(failureOf(() => parseFrame(3 as never)).code).toBe("invalid_input");
  });

  it("says where and what was expected", () => {
    for (const [text, at, message] of [
      ["[a:=1;b:=x]", 9, "Expected a number"],
      ["[a:=1^g@5]", 7, "in this order"],
      ["^g@1[a:=1]", 2, "in this order"],
      ["[A:=1]", 1, "Expected a variable"],
      ["[a?=yes]", 4, "Expected true or false"],
      ["[a=]", 3, "Expected a string"],
      ["[a=b\\x]", 4, "An escape that does not exist"],
      ["[a~1]", 2, "Expected one of"],
      ["[p@=1,2#m]", 7, "in this order"],
      ["[a:=1#]", 6, "Expected a unit"],
      ["[a:=1{}]", 6, "Expected pairs"],
      ["[a:=1@=1]", 7, "Expected a location"],
      ["[a:=1@x]", 6, "Expected milliseconds"],
      ["[a:=1]]", 6, "Something follows"],
      ["a:=1", 0, "Expected ["],
    ] as const) {
      const failure = failureOf(() => parseBody(text));
      expect([text, failure.at, failure.message]).toEqual([text, at, expect.stringContaining(message)]);
    }
    expect(failureOf(() => parseFrame(`PUSH|${sender}|[a:=x]`)).at).toBe(36);
  });

  it("has a head that is read all the same, unless that is wrong", () => {
    const head = { method: "PUSH", auth: "4deedd7bab8817ec", serial: "sensor-01" };
    expect(readFrameHead(`PUSH|!7|${sender.toUpperCase().replace("SENSOR", "sensor")}|[a:=`)).toEqual({
      ...head,
      seq: 7,
      body: "[a:=",
    });
    expect(readFrameHead(`PUSH|${sender}|`)).toEqual({ ...head, body: "" });
    expect(readFrameHead(`PING|${sender}\n`)).toEqual({ ...head, method: "PING" });
    expect(failureOf(() => readFrameHead(`PUSH|!7|${sender}|a|b`))).toMatchObject({ code: "invalid_payload", seq: 7 });
    expect(readFrameHead(`PUSH|${sender}|[a=\\|]`).body).toBe("[a=\\|]");
    expect(failureOf(() => readFrameHead(`PUSH|${sender}|[a=\\\\|]`)).code).toBe("invalid_payload");
  });
});

describe("a body", () => {
  it("keeps names that objects have, of variables and in metadata, where the last of equal keys counts", () => {
    const [one, two] = variablesOf("[__proto__:=1{__proto__=a,constructor=b,k=1,k=2};constructor=x]");
    expect(one?.variable).toBe("__proto__");
    expect(Object.entries(one?.metadata ?? {})).toEqual([
      ["__proto__", "a"],
      ["constructor", "b"],
      ["k", "2"],
    ]);
    expect(Object.getPrototypeOf(one?.metadata)).toBe(Object.prototype);
    expect(two).toEqual({ variable: "constructor", type: "string", value: "x" });
    const [record] = toRecords(parseBody("{__proto__=d}[a:=1{toString=x}]".replace("toString", "to_string")));
    expect(Object.entries(record?.metadata ?? {})).toEqual([
      ["__proto__", "d"],
      ["to_string", "x"],
    ]);
  });

  it.each([">x0", ">xg0", ">x", ">b", ">b=", ">b====", ">bAA===", ">b A", ">y00", ">"])("is not %s", (text) => {
    expect(failureOf(() => parseBody(text)).code).toBe("invalid_payload");
  });

  it("has a default location, time, group and metadata, and a location of its own for each variable that is one", () => {
    const [a, b] = toRecords(parseBody("@=39.74,-104.99@1694567890000[a:=1@=39.75,-105@1694567891000;b@=1,2]"));
    expect(a).toMatchObject({ location: { lat: 39.75, lng: -105 }, time: "2023-09-13T01:18:11.000Z" });
    expect(b).toMatchObject({ location: { lat: 1, lng: 2 }, time: "2023-09-13T01:18:10.000Z", value: "1,2" });
  });

  it("takes time in proportion to its length, whatever it is", async () => {
    const hostile: readonly ((size: number) => string)[] = [
      (size) => `[a=${"\\\\".repeat(size / 2)}`,
      (size) => `[a=${"x".repeat(size)}`,
      (size) => `[a:=1{${"a=1,".repeat(size / 4)}`,
      (size) => `[a:=1{${"\\,".repeat(size / 2)}`,
      (size) => `[a:=${"1".repeat(size)}`,
      (size) => `@=1.${"1".repeat(size)}`,
      (size) => "|".repeat(size),
    ];
    for (const make of hostile) {
      const growth = await growthOf((size) => {
        const text = `PUSH|${sender}|${make(size)}`;
        for (let times = 0; times < 20; times += 1) failureOf(() => parseFrame(text));
      }, 2_000);
      expect(growth).toBeLessThan(IN_PROPORTION);
    }
  });
});

describe("a payload over MQTT", () => {
  it("has a counter or none", () => {
    expect(parsePayload("pull", "!4294967295|a,b\n")).toEqual({ seq: 4_294_967_295, names: ["a", "b"] });
    expect(parsePayload("push", "[a=\\|]")).toMatchObject({ body: { variables: [{ value: "|" }] } });
  });

  it.each([
    ["push", "!1|[a:=]", 1],
    ["push", "!1|", 1],
    ["push", "!1", undefined],
    ["push", "!x|[a:=1]", undefined],
    ["pull", "!2|a,,b", 2],
    ["pull", "!2|A", 2],
    ["pull", "[a]", undefined],
  ] as const)("of a %s is not %s; the error has the counter %s", (kind, text, seq) => {
    const failure = failureOf(() => parsePayload(kind, text));
    expect([failure.code, failure.seq]).toEqual(["invalid_payload", seq]);
  });
});

describe("a response", () => {
  it.each([
    ["ACK|OK", { status: "OK" }],
    ["ACK|OK|0", { status: "OK", detail: "0", count: 0 }],
    ["ACK|OK|12a", { status: "OK", detail: "12a" }],
    ["ACK|!7|CMD", { status: "CMD", seq: 7 }],
    ["ACK|CMD|12", { status: "CMD", detail: "12" }],
    ["ACK|CMD|[a:=1", { status: "CMD", detail: "[a:=1" }],
    ["ACK|ERR|something_new", { status: "ERR", detail: "something_new" }],
    ["ACK|OK|[a=\\|]", { status: "OK", detail: "[a=\\|]", variables: [{ variable: "a", type: "string", value: "|" }] }],
  ])("is read: %s", (text, ack) => {
    expect(parseAck(text)).toEqual(ack);
    expect(parseAck(buildAck(parseAck(text)))).toEqual(ack);
    if (!text.includes("!")) expect(parseInner("ACK", text.slice(4))).toEqual(ack);
  });

  it.each([
    ["PONG", "invalid_method"],
    ["ACKN|OK", "invalid_method"],
    ["ACK", "invalid_payload"],
    ["ACK|", "invalid_payload"],
    ["ACK|ok", "invalid_payload"],
    ["ACK|OK|", "invalid_payload"],
    ["ACK|!x|OK", "invalid_payload"],
    ["ACK|!1", "invalid_payload"],
    ["ACK|OK|[a:=]", "invalid_payload"],
    ["ACK|CMD|a|b", "invalid_payload"],
    ["ACK|CMD|a\\|b", "invalid_payload"],
    ["ACK|CMD|a\tb", "invalid_payload"],
  ])("is not %j: %s", (text, code) => {
    expect(failureOf(() => parseAck(text)).code).toBe(code);
  });

  it("is built with what a command cannot forge", () => {
    expect(buildAck({ status: "OK", variables: [{ variable: "a", value: "|" }], count: 3 })).toBe("ACK|OK|[a=\\|]");
    for (const detail of ["a|b", "a\nACK|OK", "", "\ud800", "a\u007f"])
      expect(failureOf(() => buildAck({ status: "CMD", detail })).code, detail).toBe("invalid_input");
    expect(failureOf(() => buildAck({ status: "OK", count: -1 })).code).toBe("invalid_input");
    expect(failureOf(() => buildAck({ status: "YES" as "OK" })).code).toBe("invalid_input");
    expect(failureOf(() => buildAck({ status: "OK", seq: 2 ** 32 })).code).toBe("invalid_input");
    expect(failureOf(() => buildAck({ status: "CMD", detail: "x".repeat(16_384) })).code).toBe("invalid_input");
  });
});

describe("building", () => {
  const line = (body: TipBodyInput) => buildBody(body);
  const one = (variable: object) => line({ kind: "variables", variables: [{ variable: "a", value: 1, ...variable }] });

  it("writes numbers in full, dates as milliseconds, and escapes what the grammar demands", () => {
    const values = [0, -0, 1e21, -1.5e-7, 1.7976931348623157e308, 5e-324, 123456789012345680000, 0.1];
    for (const value of values) {
      expect(one({ value })).not.toContain("e");
      expect(variablesOf(one({ value }))[0]?.value).toBe(value === 0 ? 0 : value);
    }
    expect(one({ time: new Date(1_754_000_000_000) })).toBe("[a:=1@1754000000000]");
    const text = '#;@[\\]^{|}\n,=:?>! "é😀';
    expect(one({ value: text, metadata: { k: text, n: 1e-7, b: false } })).toBe(
      '[a=\\#\\;\\@\\[\\\\\\]\\^\\{\\|\\}\\n,=:?>! "é😀{k=\\#\\;\\@\\[\\\\\\]\\^\\{\\|\\}\\n\\,=:?>! "é😀,n=0.0000001,b=false}]',
    );
    expect(variablesOf(one({ value: text }))[0]?.value).toBe(text);
    expect(one({ value: { lat: 1, lng: -2, alt: 3.5 }, metadata: {} })).toBe("[a@=1,-2,3.5]");
  });

  it.each([
    [{ variable: "Temp" }],
    [{ variable: "" }],
    [{ value: "" }],
    [{ value: "a\tb" }],
    [{ value: "\udc00" }],
    [{ value: Number.NaN }],
    [{ value: Number.POSITIVE_INFINITY }],
    [{ value: null }],
    [{ value: { lat: 1 } }],
    [{ value: { lat: 1, lng: 2 }, unit: "m" }],
    [{ value: { lat: 1, lng: 2 }, location: { lat: 1, lng: 2 } }],
    [{ unit: "" }],
    [{ unit: "m;s" }],
    [{ unit: "x".repeat(26) }],
    [{ time: -1 }],
    [{ time: 1.5 }],
    [{ time: 8_640_000_000_000_001 }],
    [{ time: new Date(Number.NaN) }],
    [{ group: "G" }],
    [{ metadata: { K: "a" } }],
    [{ metadata: { k: "" } }],
    [{ metadata: { k: null } }],
    [{ metadata: Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`k${n}`, "1"])) }],
  ])("rejects the variable %j", (variable) => {
    expect(failureOf(() => one(variable)).code).toBe("invalid_input");
  });

  it.each([
    [{ method: "PUSH", body: { kind: "variables", variables: [] } }],
    [
      {
        method: "PUSH",
        body: { kind: "variables", variables: Array.from({ length: 101 }, () => ({ variable: "a", value: 1 })) },
      },
    ],
    [{ method: "PUSH", body: { kind: "variables", variables: [{ variable: "a", value: "x".repeat(16_384) }] } }],
    [{ method: "PUSH", body: { kind: "hex", data: "0" } }],
    [{ method: "PUSH", body: { kind: "base64", data: "a|b" } }],
    [{ method: "PUSH", body: { kind: "yaml", data: "a" } }],
    [{ method: "PUSH" }],
    [{ method: "PULL", names: [] }],
    [{ method: "PULL", names: ["A"] }],
    [{ method: "POST" }],
    [{ method: "PING", auth: "xyz" }],
    [{ method: "PING", serial: "a b" }],
    [{ method: "PING", serial: "" }],
    [{ method: "PING", seq: -1 }],
  ])("rejects the frame %j", (frame) => {
    const whole = { auth: "4deedd7bab8817ec", serial: "sensor-01", ...frame };
    expect(failureOf(() => buildFrame(whole as TipFrameInput)).code).toBe("invalid_input");
  });

  it("writes the text of envelopes without method, hash and counter", () => {
    expect(buildInner({ method: "PING", serial: "s" })).toBe("s");
    expect(buildInner({ method: "PULL", serial: "s", names: ["a", "b"] })).toBe("s|[a;b]");
    expect(buildInner({ status: "OK", count: 3, seq: 9 })).toBe("OK|3");
    expect(parseInner("PING", "s")).toEqual({ method: "PING", serial: "s" });
    expect(parseInner("PULL", "s|[a;b]")).toEqual({ method: "PULL", serial: "s", names: ["a", "b"] });
    for (const [method, text] of [
      ["PING", "s|"],
      ["PUSH", "s"],
      ["PUSH", "a.b|[a:=1]"],
      ["PULL", "s|[a]|"],
    ] as const)
      expect(failureOf(() => parseInner(method, text)).code, text).toBe("invalid_payload");
  });
});

describe("records", () => {
  const written = (...records: readonly TipRecordInput[]): string => {
    const variables = fromRecords(records);
    return variables.length === 0 ? "" : buildBody({ kind: "variables", variables });
  };

  it("have the given time if the variable and the body have none", () => {
    const now = new Date("2026-11-23T12:00:00.000Z");
    expect(toRecords(parseBody("[a:=1]"), { now })).toEqual([{ variable: "a", value: 1, time: now.toISOString() }]);
    expect(failureOf(() => toRecords(parseBody(">x00"))).code).toBe("invalid_input");
  });

  it("become variables, without what cannot be sent", () => {
    const time = new Date(5);
    expect(written({ variable: "a", value: "x\ty\nz\ud800", time })).toBe("[a=xy\\nz@5]");
    expect(written({ variable: "a", value: "", time })).toBe("");
    expect(written({ variable: "a", time: "1970-01-01T00:00:00.007Z", value: true })).toBe("[a?=true@7]");
    expect(written({ variable: "A b", value: 1 }, { variable: "b", value: { x: 1 } })).toBe("");
    expect(written({ variable: "a", value: 1, unit: "m;s", group: "Big", metadata: { K: 1, k: "", n: null } })).toBe(
      "[a:=1]",
    );
    const metadata = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`k${n}`, n === 1 ? {} : n]));
    expect(fromRecords([{ variable: "a", value: 1, metadata }])[0]?.metadata).toMatchObject({ k0: "0", k32: "32" });
    expect(Object.keys(fromRecords([{ variable: "a", value: 1, metadata }])[0]?.metadata ?? {})).toHaveLength(32);
  });

  it("with a location are one where the value says nothing else", () => {
    const location = { type: "Point", coordinates: [-2, 1, 30] } as const;
    expect(written({ variable: "a", location })).toBe("[a@=1,-2,30]");
    expect(written({ variable: "a", value: "1,-2,30", location, unit: "m" })).toBe("[a@=1,-2,30]");
    expect(written({ variable: "a", value: "here", location })).toBe("[a=here@=1,-2,30]");
    expect(written({ variable: "a", value: 3, location: { lat: 1, lng: -2 } })).toBe("[a:=3@=1,-2]");
    expect(written({ variable: "a", value: 3, location: null })).toBe("[a:=3]");
  });

  it("are the same after both conversions", () => {
    const body = "@=1,2@5^g{k=v}[a:=1#C;b=x{j=\\,};c?=false;d@=3,4,5]";
    const records = toRecords(parseBody(body));
    expect(toRecords(parseBody(written(...records)))).toEqual(records);
  });
});
