import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  authHash,
  buildFrame,
  deriveKey,
  isEnvelope,
  openEnvelope,
  parseAck,
  parseInner,
  readHeader,
  sealEnvelope,
} from "../../../src/lib/tip/index.ts";
import { migrations } from "../../../src/sandbox/migrations.ts";
import { OpenDatabase } from "../../../src/sandbox/store/database.ts";
import { migrate } from "../../../src/sandbox/store/migrations.ts";
import { Commands } from "../../../src/sandbox/tip/commands.ts";
import { UdpListener } from "../../../src/sandbox/tip/listeners/udp.ts";
import type { Messages } from "../../../src/sandbox/tip/messages.ts";
import { ResponseCounters } from "../../../src/sandbox/tip/sequences.ts";
import { Strikes } from "../../../src/sandbox/tip/strikes.ts";
import {
  deviceId,
  hostAndPort,
  serial,
  type TipSandbox,
  tcp,
  tipSandbox,
  udp,
  udpText,
} from "../../helpers/tip-sandbox.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { call, ok } from "../client.ts";

let here: TipSandbox;
let last = 1_000;

/** A counter above all before. */
function rising(): number {
  last += 1;
  return last;
}

beforeAll(async () => {
  here = await tipSandbox();
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => here.sandbox.close());

const push = (body: string, seq?: number): string =>
  `PUSH|${seq === undefined ? "" : `!${seq}|`}${here.tip.hash}|${serial}|${body}`;

const amount = (): Promise<number> =>
  ok<number>(here.sandbox, "GET", `/device/${deviceId}/data_amount`, { token: here.sandbox.tokens.profile });

function envelope(inner: string, counter: number, key = deriveKey(here.tip.authorization, serial)): Uint8Array {
  return sealEnvelope({ method: "PUSH", counter, authHash: here.tip.hash, serial, key, inner });
}

const opened = (bytes: Uint8Array): unknown => {
  if (!isEnvelope(bytes)) return parseAck(bytes).detail;
  return parseInner("ACK", openEnvelope(bytes, deriveKey(here.tip.authorization, serial), { serial }).inner).detail;
};

describe("before it is known who sends", () => {
  it("nothing is read and stored: unknown hashes, serials, and bodies that are never looked at", async () => {
    const before = await amount();
    expect(
      await udpText(
        here.tip.udp,
        `PUSH|0000000000000000|${serial}|[x:=1]`,
        `PUSH|0000000000000000|${serial}|not a body`,
        `PUSH|${here.tip.hash}|sensor-99|not a body`,
        push("not a body"),
      ),
    ).toEqual([
      "ACK|ERR|invalid_token",
      "ACK|ERR|invalid_token",
      "ACK|ERR|device_not_found",
      "ACK|ERR|invalid_payload",
    ]);
    expect(await amount()).toBe(before);
  });

  it("authorizations that have expired, were deleted or may only read are unknown", async () => {
    const { sandbox, tip } = here;
    const token = sandbox.tokens.profile;
    const made = async (body: object): Promise<string> =>
      (await ok<{ token: string }>(sandbox, "POST", "/serviceauth", { token, body })).token;
    const reader = await made({ name: "Reader", permission: "read" });
    const writer = await made({ name: "Writer", permission: "write" });
    const past = await made({ name: "Past", permission: "full", expire_time: "2020-01-01T00:00:00Z" });
    const frames = (auth: string): string[] => [
      `PUSH|${authHash(auth)}|${serial}|[perm:=1]`,
      `PULL|${authHash(auth)}|${serial}|[perm]`,
    ];
    expect(await udpText(tip.udp, ...frames(reader))).toEqual(["ACK|ERR|invalid_token", "ACK|ERR|variable_not_found"]);
    expect(await udpText(tip.udp, ...frames(writer))).toEqual(["ACK|OK|1", "ACK|ERR|invalid_token"]);
    expect(await udpText(tip.udp, ...frames(past))).toEqual(["ACK|ERR|invalid_token", "ACK|ERR|invalid_token"]);
    await ok(sandbox, "DELETE", `/serviceauth/${writer}`, { token });
    expect(await udpText(tip.udp, ...frames(writer))).toEqual(["ACK|ERR|invalid_token", "ACK|ERR|invalid_token"]);
  });

  it("devices of another profile are not found, and inactive ones neither", async () => {
    const { sandbox, tip } = here;
    const other = sandbox.tokens.profile;
    const profiles = await ok<{ id: string; name: string }[]>(sandbox, "GET", "/profile", { token: other });
    expect(profiles.length).toBeGreaterThan(1);
    const token = "p-5eed0000-0000-4000-8000-0000000006";
    const made = await ok<{ token: string }>(sandbox, "POST", "/serviceauth", {
      token,
      body: { name: "Other", permission: "full" },
    });
    expect(await udpText(tip.udp, `PUSH|${authHash(made.token)}|${serial}|[x:=1]`)).toEqual([
      "ACK|ERR|device_not_found",
    ]);
    const edit = (active: boolean) =>
      ok(sandbox, "PUT", `/device/${deviceId}`, { token: sandbox.tokens.profile, body: { active } });
    await edit(false);
    expect(await udpText(tip.udp, push("[x:=1]"))).toEqual(["ACK|ERR|device_not_found"]);
    await edit(true);
    expect(await udpText(tip.udp, push("[x:=1]"))).toEqual(["ACK|OK|1"]);
  });

  it("compares hashes with timingSafeEqual", { tags: ["slow"] }, async () => {
    // One that differs in its last digit alone is as unknown as any other.
    const near = here.tip.hash.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
    expect(
      await udpText(here.tip.udp, `PING|${near}|${serial}`, `PING|${here.tip.hash.toUpperCase()}|${serial}`),
    ).toEqual(["ACK|ERR|invalid_token", "ACK|PONG"]);
  });
});

describe("counters", () => {
  it("are accepted once, over all transports, also if the body was bad", async () => {
    const { tip } = here;
    const [a, b, c] = [rising(), rising(), rising()];
    const before = await amount();
    expect(await udpText(tip.udp, push("[n:=1]", b), push("[n:=1]", b), push("[n:=1]", a))).toEqual([
      `ACK|!${b}|OK|1`,
      `ACK|!${b}|ERR|invalid_seq`,
      `ACK|!${a}|ERR|invalid_seq`,
    ]);
    expect(await amount()).toBe(before + 1);
    const line = tcp(tip.tcp);
    line.socket.write(`${push("bad", c)}\n${push("[n:=1]", c)}\n`);
    expect(await line.lines(2)).toEqual([`ACK|!${c}|ERR|invalid_payload`, `ACK|!${c}|ERR|invalid_seq`]);
    const sealed = await udp(tip.udps, envelope(`${serial}|[n:=1]`, c), envelope(`${serial}|[n:=1]`, rising()));
    expect(sealed.map(opened)).toEqual(["invalid_seq", "1"]);
  });

  it("can be left unchecked", { tags: ["slow"] }, async () => {
    const other = await tipSandbox({ tip: { lives: false, sequence: false } });
    const frame = `PUSH|!7|${other.tip.hash}|${serial}|[n:=1]`;
    expect(await udpText(other.tip.udp, frame, frame)).toEqual(["ACK|!7|OK|1", "ACK|!7|OK|1"]);
    await other.sandbox.close();
  });

  it("of responses are never used twice, whatever happens to the database", () => {
    const open = (): OpenDatabase => {
      const db = new OpenDatabase({ path: ":memory:" });
      migrate(db, migrations, 0);
      return db;
    };
    const db = open();
    const first = new ResponseCounters(db);
    const used = [first.next(), first.next()];
    // As after a crash: another process, the same database.
    const second = new ResponseCounters(db);
    used.push(second.next());
    // As after a reset: the same process, an empty database, then another process.
    db.run("DELETE FROM setting");
    second.reserveAgain();
    used.push(second.next(), new ResponseCounters(db).next());
    expect(new Set(used).size).toBe(used.length);
    expect([...used].sort((a, b) => a - b)).toEqual(used);
    db.close();
  });
});

describe("envelopes", () => {
  it("with a wrong key, a changed byte or another serial inside are rejected in plain text", async () => {
    const good = envelope(`${serial}|[sealed:=1]`, rising());
    const changed = Uint8Array.from(good);
    changed[30] = (changed[30] ?? 0) ^ 1;
    const foreign = envelope(`${serial}|[sealed:=1]`, rising(), new Uint8Array(16));
    const inside = envelope("sensor-02|[sealed:=1]", rising());
    const answers = await udp(here.tip.udps, changed, foreign, inside, Buffer.from("PUSH|x"), good.subarray(0, 25));
    expect(answers.map(String)).toEqual([
      "ACK|ERR|auth_failed",
      "ACK|ERR|auth_failed",
      "ACK|ERR|auth_failed",
      "ACK|ERR|unsupported_version",
      "ACK|ERR|auth_failed",
    ]);
    // What was rejected has used no counter.
    expect((await udp(here.tip.udps, good, good)).map(opened)).toEqual(["1", "invalid_seq"]);
    const [ok] = await udp(here.tip.udps, envelope(`${serial}|[sealed:=1]`, rising()));
    expect(ok && readHeader(ok)).toMatchObject({ method: "ACK", authHash: here.tip.hash });
  });

  it("are not opened any more for an address that has failed often in one second", () => {
    const strikes = new Strikes(3);
    let nowMs = 5_000;
    vi.spyOn(performance, "now").mockImplementation(() => nowMs);
    for (let n = 0; n < 3; n += 1) {
      expect(strikes.isOut("a")).toBe(false);
      strikes.add("a");
    }
    expect([strikes.isOut("a"), strikes.isOut("b")]).toEqual([true, false]);
    nowMs += 1_000;
    expect(strikes.isOut("a")).toBe(false);
  });
});

describe("sizes", () => {
  it("are looked at first: too long a line is dropped to its end, and costs one response", async () => {
    const line = tcp(here.tip.tcp);
    line.socket.write(`PUSH|${"x".repeat(200_000)}`);
    expect(await line.lines(1)).toEqual(["ACK|ERR|payload_too_large"]);
    line.socket.write(`${"x".repeat(50_000)}\n${push("[after:=1]")}\n`);
    expect(await line.lines(2)).toEqual(["ACK|ERR|payload_too_large", "ACK|OK|1"]);
    expect(await udpText(here.tip.udp, push(`[a=${"x".repeat(16_384)}]`))).toEqual(["ACK|ERR|payload_too_large"]);
    const sealed = tcp(here.tip.tcp);
    const good = envelope(`${serial}|[after:=1]`, rising());
    sealed.socket.write(Buffer.of(0x40, 0xff));
    sealed.socket.write(Buffer.concat([Buffer.alloc(0x40ff), Buffer.of(0, good.length), good]));
    await waitFor(() => sealed.received().length > 27 + 2, "both responses");
    expect(sealed.received().subarray(2, 28).toString()).toBe("ACK|ERR|envelope_too_large");
  });

  it("of frames do not matter to how they are cut: at every byte, and many in one write", {
    tags: ["slow"],
  }, async () => {
    const frame = `${push("[cut:=1]")}\n`;
    for (let at = 1; at < frame.length; at += 1) {
      const line = tcp(here.tip.tcp);
      line.socket.setNoDelay(true);
      line.socket.write(frame.slice(0, at));
      await new Promise((resolve) => setImmediate(resolve));
      line.socket.write(frame.slice(at));
      expect(await line.lines(1), `cut at ${at}`).toEqual(["ACK|OK|1"]);
      line.socket.destroy();
    }
    const line = tcp(here.tip.tcp);
    line.socket.write(frame.repeat(1_000));
    expect(await line.lines(1_000)).toEqual(Array(1_000).fill("ACK|OK|1"));
  });

  it("of queues are limited: the oldest command goes", () => {
    const db = new OpenDatabase({ path: ":memory:" });
    migrate(db, migrations, 0);
    const commands = new Commands(db);
    for (let n = 0; n < 105; n += 1) commands.add("d", "udp", String(n));
    expect(commands.take("d")).toBe("5");
    db.close();
  });
});

describe("a page in a browser", () => {
  it("cannot send frames by a form: a line of HTTP ends the connection", async () => {
    const line = tcp(here.tip.tcp);
    line.socket.write(`POST / HTTP/1.1\r\nHost: x\r\n\r\n${push("[form:=1]")}\n`);
    await line.closed();
    expect(line.received().toString()).toBe("ACK|ERR|invalid_method\n");
    const { hash, http } = here.tip;
    const headers = { authorization: `TagoTiP ${hash}`, origin: "http://evil.example" };
    expect((await call({ url: http }, "POST", `/v1/tip/${serial}`, { headers, raw: "[a:=1]" })).status).toBe(403);
  });
});

describe("floods", () => {
  it("of garbage over each transport get nothing but ACKs, and keep nobody else waiting", {
    tags: ["slow"],
  }, async () => {
    const { sandbox, tip } = here;
    const socket = createSocket("udp4");
    const { host, port } = hostAndPort(tip.udp);
    const answers: string[] = [];
    socket.on("message", (message) => answers.push(message.toString()));
    const noises = Array.from({ length: 300 }, (_, length) => randomBytes(length));
    const noise = (n: number): Buffer => noises[n % noises.length] ?? Buffer.alloc(1);
    const streams = Array.from({ length: 20 }, () => tcp(tip.tcp));
    for (let n = 0; n < 3_000; n += 1) {
      socket.send(n % 2 === 0 ? noise(n) : push(`[a${n}=`), port, host);
      streams[n % streams.length]?.socket.write(noise(n + 1));
      if (n % 500 !== 0) continue;
      const { status } = await call(sandbox, "GET", "/info", { token: sandbox.tokens.profile });
      expect(status).toBe(200);
      expect(await udpText(tip.udps, "x")).toEqual(["ACK|ERR|unsupported_version"]);
    }
    const line = tcp(tip.tcp);
    line.socket.write(`${push("[calm:=1]")}\n`);
    expect(await line.lines(1)).toEqual(["ACK|OK|1"]);
    await waitFor(() => answers.length > 50, "answers");
    expect(answers.filter((text) => !/^ACK\|ERR\|[a-z_]+$/.test(text))).toEqual([]);
    socket.close();
  });

  it("of connections are limited", { tags: ["slow"] }, async () => {
    const limited = await tipSandbox({ rateLimits: true, plan: "free" });
    const lines = Array.from({ length: 4 }, () => tcp(limited.tip.tcp));
    await waitFor(() => lines.some((line) => line.isClosed), "the end of one");
    expect(lines.filter((line) => line.received().toString() === "ACK|ERR|rate_limited\n")).toHaveLength(1);
    const frames = Array.from({ length: 61 }, () => `PUSH|${limited.tip.hash}|${serial}|[a:=1]`);
    const answers = await udpText(limited.tip.udp, ...frames, `PING|${limited.tip.hash}|${serial}`);
    expect(answers.filter((text) => text === "ACK|ERR|rate_limited").length).toBeLessThanOrEqual(1);
    expect(answers.at(-1)).toBe("ACK|PONG");
    await limited.sandbox.close();
  });
});

describe("where it listens", () => {
  it("is this machine alone, unless another address is chosen", () => {
    const { tip } = here;
    for (const address of [tip.udp, tip.udps, tip.tcp, tip.mqtt]) expect(address).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  it("strangers from elsewhere get no response that is longer than their datagram, and few", async () => {
    const answer = { bytes: Buffer.from("ACK|ERR|invalid_token"), ack: undefined };
    const device = { ...answer, bytes: Buffer.alloc(1_000), sender: {} };
    const frame = async (message: Uint8Array) => (message[0] === 0x44 ? device : answer);
    const messages = { frame } as unknown as Messages;
    const listener = new UdpListener({ port: 0, host: "127.0.0.1", isSealed: false, messages, isNear: () => false });
    const port = await listener.listen();
    const second = vi.spyOn(performance, "now").mockReturnValue(5_000);
    const socket = createSocket("udp4");
    const answers: number[] = [];
    socket.on("message", (message) => answers.push(message.length));
    const send = (text: string): Promise<void> =>
      new Promise((resolve) => {
        socket.send(text, port, "127.0.0.1", () => resolve());
      });
    for (let n = 0; n < 30; n += 1) await send("x".repeat(n % 2 === 0 ? 20 : 21));
    await send("Device");
    await waitFor(() => answers.includes(1_000), "the response to the device");
    // Ten of the fifteen that are long enough.
    expect(answers).toEqual([...Array(10).fill(21), 1_000]);
    second.mockReturnValue(6_000);
    await send("x".repeat(21));
    await waitFor(() => answers.length === 12, "a response in the next second");
    socket.close();
    await listener.close();
  });

  it("stays as it is when a port that was asked for is taken", { tags: ["slow"] }, async () => {
    const { port } = hostAndPort(here.tip.tcp);
    await expect(tipSandbox({ tip: { ports: { tcp: port } } })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });
});

describe("a data folder", () => {
  it("keeps counters and commands over a restart", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "iot-tip-"));
    const first = await tipSandbox({ dataDir });
    const frame = buildFrame({ method: "PING", seq: 5, auth: first.tip.hash, serial });
    expect(await udpText(first.tip.udp, frame)).toEqual(["ACK|!5|PONG"]);
    await call(first.sandbox, "POST", "/tip/cmd", {
      token: first.tip.authorization,
      body: { serial, protocol: "udp", body: "later" },
    });
    await first.sandbox.close();
    const second = await tipSandbox({ dataDir });
    const next = buildFrame({ method: "PING", seq: 6, auth: second.tip.hash, serial });
    expect(await udpText(second.tip.udp, frame, next)).toEqual(["ACK|!5|ERR|invalid_seq", "ACK|!6|CMD|later"]);
    second.sandbox.reset();
    expect(await udpText(second.tip.udp, frame)).toEqual(["ACK|!5|PONG"]);
    await second.sandbox.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
});
