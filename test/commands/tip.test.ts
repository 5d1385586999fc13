import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { deviceId, parsedSerial, serial } from "../helpers/tip-sandbox.ts";
import { waitFor } from "../helpers/wait-for.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest({ tip: { lives: false } });
});
afterAll(() => here.close());

const tip = (...args: string[]) => here.iot(["tip", ...args]);
const stored = async (variable: string) =>
  (
    await here.json<{ value: unknown; unit?: string; group: string; time: string; metadata?: object }[]>([
      "device",
      "data",
      "list",
      deviceId,
      "--variable",
      variable,
    ])
  )[0];

describe("tip send", () => {
  it.each(["http", "udp", "tcp", "mqtt"])(
    "stores what a device would send over %s",
    { tags: ["slow"] },
    async (over) => {
      const flags = ["--at", "2026-01-31T08:00:00Z", "--group", "visit_7", "--meta", "fw=3.0"];
      const result = await tip(
        "send",
        `serial:${serial}`,
        `t_${over}:=-18.2#C`,
        "door?=false",
        "--over",
        over,
        ...flags,
        "--json",
      );
      expect(result.stderr).toContain(`Sent 2 records as ${serial}`);
      expect(JSON.parse(result.stdout)).toEqual({ serial, over, stored: 2 });
      expect(await stored(`t_${over}`)).toMatchObject({
        value: -18.2,
        unit: "C",
        group: "visit_7",
        metadata: { fw: "3.0" },
        time: "2026-01-31T08:00:00.000Z",
      });
    },
  );

  it("finds the serial number of a device, its authorization, and sends envelopes with rising counters", async () => {
    const { IOT_TIP_AUTHORIZATION: _, ...env } = here.env;
    const first = await here.iot(
      ["tip", "send", deviceId, "sealed:=1", "--secure", "--authorization", "name:TagoTiP"],
      { env: { ...env, IOT_TIP_AUTHORIZATION: "" } },
    );
    expect(first).toMatchObject({ code: 0 });
    expect(await tip("send", deviceId, "sealed:=2", "--secure", "--over", "udp")).toMatchObject({ code: 0 });
    expect(await stored("sealed")).toMatchObject({ value: 2 });
  });

  it("prints the frame and its envelope with --dry-run, and asks nobody with --hash", async () => {
    const before = here.requests().length;
    const plain = await tip(
      "send",
      serial,
      "a:=1",
      "--hash",
      "4deedd7bab8817ec",
      "--seq",
      "7",
      "--over",
      "udp",
      "--dry-run",
      "--json",
    );
    expect(JSON.parse(plain.stdout)).toEqual({ frame: `PUSH|!7|4deedd7bab8817ec|${serial}|[a:=1]` });
    expect(here.requests().length).toBe(before);
    const token = { IOT_TIP_AUTHORIZATION: "ate2bd319014b24e0a8aca9f00aea4c0d0" };
    const sealed = await here.iot(
      ["tip", "send", `serial:${serial}`, "temp:=32", "--secure", "--seq", "42", "--dry-run", "--json"],
      { env: token },
    );
    const { envelope } = JSON.parse(sealed.stdout);
    expect(envelope).toMatch(/^000000002a4deedd7bab8817ec/);
    const opened = await here.iot(["tip", "decode", envelope, "--hex", "--serial", serial, "--json"], { env: token });
    expect(JSON.parse(opened.stdout)).toMatchObject({
      kind: "envelope",
      seq: 42,
      inner: `${serial}|[temp:=32]`,
      records: [{ variable: "temp", value: 32 }],
    });
  });

  it("sends bytes as digits and as base64, which the parser gets as text", async () => {
    const id = `serial:${parsedSerial}`;
    expect(await tip("send", id, "--hex", "09C45A", "--dry-run", "--json")).toMatchObject({
      stdout: expect.stringContaining(`|${parsedSerial}|>x09C45A`),
    });
    expect(await tip("send", id, "--base64", "CcRa", "--dry-run", "--json")).toMatchObject({
      stdout: expect.stringContaining(`|${parsedSerial}|>bCcRa`),
    });
    expect(await tip("send", `serial:${serial}`, "--base64", "CcRa", "--over", "udp")).toMatchObject({ code: 0 });
    expect(await stored("payload")).toMatchObject({ value: "CcRa" });
  });

  it("sends a frame as it stands, and shows what came back", async () => {
    const raw = (frame: string, over = "tcp") => tip("send", "--raw", frame, "--json", "--over", over);
    const auth = here.sandbox.tip?.hash;
    const sent = await raw(`PUSH|!4000000000|${auth}|${serial}|[raw_frame:=3;b:=4]`);
    expect(JSON.parse(sent.stdout)).toEqual({ status: "OK", seq: 4_000_000_000, detail: "2", count: 2 });
    expect(await stored("raw_frame")).toMatchObject({ value: 3 });
    expect(JSON.parse((await raw(`PING|${auth}|${serial}`, "udp")).stdout)).toEqual({ status: "PONG" });
    const refused = await raw(`PUSH|${auth}|${serial}|[a:=`);
    expect(refused).toMatchObject({ code: 3, stdout: "" });
    expect(refused.stderr).toContain("The server returned invalid_payload");
    expect(await raw("HELLO")).toMatchObject({ code: 3, stderr: expect.stringContaining("invalid_method") });
  });

  it("says what is wrong, with an exit code for each", async () => {
    const cases: [number, string, string[]][] = [
      [2, "No device given", ["send"]],
      [2, "--raw and a device cannot", ["send", serial, "--raw", "PING|4deedd7bab8817ec|sensor-01", "--over", "udp"]],
      [2, "HTTP and MQTT carry no frames", ["send", "--raw", "PING|4deedd7bab8817ec|sensor-01"]],
      [2, "A frame says all of it", ["send", "--raw", "PING", "--over", "udp", "--secure"]],
      [2, "one line of text", ["send", "--raw", "PING\nPING", "--over", "udp"]],
      [2, "is not base64", ["send", `serial:${serial}`, "--base64", "CcR"]],
      [2, "is not hexadecimal", ["send", `serial:${serial}`, "--hex", "CcR"]],
      [2, "is not a variable", ["send", `serial:${serial}`, "a:=x"]],
      [2, "Nothing to send", ["send", `serial:${serial}`]],
      [2, "Plain requests over HTTP have no counter", ["send", `serial:${serial}`, "a:=1", "--seq", "1"]],
      [5, "invalid_token", ["send", serial, "a:=1", "--hash", "0000000000000000"]],
      [6, "device_not_found", ["send", "serial:sensor-99", "a:=1"]],
      [6, "variable_not_found", ["pull", `serial:${serial}`, "nothing"]],
      [6, "no serial number", ["send", "name:Freezer 1", "a:=1"]],
    ];
    for (const [code, text, args] of cases) {
      const result = await tip(...args);
      expect(result.stderr).toContain(text);
      expect(result.code, args.join(" ")).toBe(code);
    }
  });
});

describe("tip pull, ping, command and listen", () => {
  it("read values, and take commands", async () => {
    await tip("send", `serial:${serial}`, "level:=5#%");
    const pulled = await tip("pull", `serial:${serial}`, "level", "--json");
    expect(JSON.parse(pulled.stdout)).toMatchObject([{ variable: "level", value: 5, unit: "%" }]);
    expect(await tip("command", `serial:${serial}`, "valve=open", "--over", "udp")).toMatchObject({ code: 0 });
    const pinged = JSON.parse((await tip("ping", `serial:${serial}`, "--over", "udp", "--json")).stdout);
    expect(pinged).toMatchObject({ serial, over: "udp", command: "valve=open" });
    expect(pinged.round_trip_ms).toBeGreaterThanOrEqual(0);
  });

  it("print a command that comes while they listen", { tags: ["slow"] }, async () => {
    const listening = tip("listen", `serial:${serial}`, "--once", "-o", "ndjson");
    const { requestLog } = here.sandbox;
    await waitFor(
      () => requestLog().some(({ url, method }) => method === "PING" && url.startsWith("tip:tcp/")),
      "a sign of life",
    );
    await tip("command", `serial:${serial}`, "reboot now");
    const { stdout, code } = await listening;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ command: "reboot now" });
  });
});

describe("tip decode", () => {
  it("shows the fields of a frame, and its records with the defaults", async () => {
    const frame = `PUSH|!7|4deedd7bab8817ec|${serial}|@1754000000000^visit_7[a:=1;b=x@1754000000001]`;
    const { stdout } = await tip("decode", frame, "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      kind: "frame",
      method: "PUSH",
      seq: 7,
      records: [
        { variable: "a", value: 1, group: "visit_7", time: new Date(1_754_000_000_000).toISOString() },
        { variable: "b", value: "x", group: "visit_7", time: new Date(1_754_000_000_001).toISOString() },
      ],
    });
  });

  it("marks the place that cannot be read, and cleans what a device has sent", async () => {
    const result = await tip("decode", `PUSH|4deedd7bab8817ec|${serial}|[a:=\u001b[31m]`);
    expect(result.code).toBe(3);
    expect(result.stderr).toContain("[a:=␛[31m]\n");
    expect(result.stderr).toMatch(/^info: -{36}\^$/m);
    expect(result.stderr).not.toContain("\u001b[31m");
    const order = await tip("decode", `PUSH|4deedd7bab8817ec|${serial}|^g@1754000000000[a:=1]`);
    expect(order.stderr).toContain("The time stands before the group");
  });
});

describe("tip decode --bytes", () => {
  it("shows what each byte of an envelope is, and what is in it with the authorization", async () => {
    const env = { IOT_TIP_AUTHORIZATION: "ate2bd319014b24e0a8aca9f00aea4c0d0" };
    const sending = ["tip", "send", `serial:${serial}`, "temp:=32", "--secure", "--seq", "42", "--dry-run", "--json"];
    for (const [cipher, tagBytes] of [
      ["aes-128-ccm", 8],
      ["chacha20-poly1305", 16],
    ] as const) {
      const { envelope } = JSON.parse((await here.iot([...sending, "--cipher", cipher], { env })).stdout);
      const args = ["tip", "decode", envelope, "--hex", "--bytes", "--json"];
      const pieces = JSON.parse((await here.iot([...args, "--serial", serial], { env })).stdout);
      const tagAt = envelope.length / 2 - tagBytes;
      expect(pieces.map(({ bytes, value }: { bytes: string; value: unknown }) => [bytes, value])).toEqual([
        ["0", `${cipher}, PUSH`],
        ["1-4", 42],
        ["5-12", "4deedd7bab8817ec"],
        ["13-20", "ab7788d22eb7372f"],
        [`21-${tagAt - 1}`, `${serial}|[temp:=32]`],
        [`${tagAt}-${tagAt + tagBytes - 1}`, undefined],
      ]);
      expect(pieces.map(({ hex }: { hex: string }) => hex).join("")).toBe(envelope);
      expect((await here.iot(args)).stdout).not.toContain("temp");
    }
    expect(await tip("decode", "50494e47", "--hex", "--bytes")).toMatchObject({ code: 3 });
    expect((await tip("decode", "18", "--hex", "--bytes")).stderr).toContain("unsupported_version");
  });
});

describe("tip hash", () => {
  it("computes what the protocol needs, and takes the authorization from stdin alone", async () => {
    const run = (...args: string[]) =>
      here.iot(["tip", "hash", ...args, "--authorization-stdin", "--json"], {
        stdin: "ate2bd319014b24e0a8aca9f00aea4c0d0\n",
      });
    expect(JSON.parse((await run()).stdout)).toEqual({ hash: "4deedd7bab8817ec" });
    const { stdout } = await run(serial, "--key", "--cipher", "aes-256-gcm", "--reveal");
    expect(JSON.parse(stdout)).toEqual({
      hash: "4deedd7bab8817ec",
      device_hash: "ab7788d22eb7372f",
      key: "e505f03cc9e93fdbcc382844cca3e17fdf0bb31318585395ceaaa39a5d141964",
    });
    expect((await run(serial, "--key")).stdout).not.toContain("e505f03cc9e93fdbcc382844cca3e17f");
  });
});

describe("device simulate --over tip", () => {
  it("sends its readings as frames", { tags: ["slow"] }, async () => {
    const args = [
      "device",
      "simulate",
      deviceId,
      "simulated[°C]=21.5",
      "--over",
      "tip:udp",
      "--rate",
      "50/s",
      "--count",
      "3",
    ];
    expect(await here.json(args)).toMatchObject({ failed: 0 });
    const pushes = here.sandbox
      .requestLog()
      .filter(({ method, url }) => method === "PUSH" && url === `tip:udp/${serial}`);
    // A busy machine may skip some.
    expect(pushes.length).toBeGreaterThan(0);
    expect(await stored("simulated")).toMatchObject({ value: 21.5, unit: "°C" });
  });
});
