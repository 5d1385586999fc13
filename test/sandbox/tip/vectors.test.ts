import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseFrame, TipError, type TipFrame } from "../../../src/lib/tip/index.ts";
import { serial, subscriber, type TipSandbox, tcp, tipSandbox, udp } from "../../helpers/tip-sandbox.ts";
import { call } from "../client.ts";

type Text = string | readonly (string | readonly [string, number, string?])[];

interface Vector {
  readonly id: string;
  readonly op: string;
  readonly in: { readonly text?: Text; readonly hex?: string };
}

const repeat = ([text, times, separator = ""]: readonly [string, number, string?]): string =>
  Array.from({ length: times }, (_, index) => text.replaceAll("%d", String(index))).join(separator);
const textOf = (text: Text): string =>
  typeof text === "string" ? text : text.map((part) => (typeof part === "string" ? part : repeat(part))).join("");

const { vectors } = JSON.parse(readFileSync(new URL("../../fixtures/tip/vectors.json", import.meta.url), "utf8")) as {
  readonly vectors: readonly Vector[];
};

let here: TipSandbox;
let frames: { readonly id: string; readonly bytes: Buffer; readonly frame: TipFrame | TipError }[] = [];

beforeAll(async () => {
  // The vectors repeat their counters.
  here = await tipSandbox({ tip: { lives: false, sequence: false } });
  frames = vectors
    .filter(({ op }) => op === "parseFrame")
    .map(({ id, in: { text = "", hex } }) => {
      const given = hex === undefined ? textOf(text) : Buffer.from(hex, "hex").toString("latin1");
      const own = given.replaceAll(/a3f81c09be7724d5/gi, here.tip.hash).replaceAll("boiler-7", serial);
      return { id, ...asOwn(parsed(Buffer.from(own, hex === undefined ? "utf8" : "latin1"))) };
    });
});
afterAll(() => here.sandbox.close());

/** A frame of another sender, from the device of the test. */
function asOwn(one: ReturnType<typeof parsed>): ReturnType<typeof parsed> {
  const { bytes, frame } = one;
  if (frame instanceof TipError) return one;
  const own = bytes.toString("latin1").replace(/\|[0-9a-f]{16}\|[\w-]+/i, `|${here.tip.hash}|${serial}`);
  return parsed(Buffer.from(own, "latin1"));
}

function parsed(bytes: Buffer): { readonly bytes: Buffer; readonly frame: TipFrame | TipError } {
  try {
    return { bytes, frame: parseFrame(bytes) };
  } catch (error) {
    if (error instanceof TipError) return { bytes, frame: error };
    throw error;
  }
}

/** What the protocol says of a frame; of values that the store does not take, that they are not taken. */
function expected(frame: TipFrame | TipError): RegExp {
  const counter = frame.seq === undefined ? "" : `!${frame.seq}\\|`;
  const start = `^ACK\\|${counter}`;
  if (frame instanceof TipError) return new RegExp(`${start}ERR\\|${frame.code}$`);
  if (frame.method === "PING") return new RegExp(`${start}PONG$`);
  if (frame.method === "PULL") return new RegExp(`${start}(?:OK\\|\\[.*\\]|ERR\\|variable_not_found)$`, "s");
  const count = frame.body.kind === "variables" ? frame.body.variables.length : 1;
  return new RegExp(`${start}OK\\|${count}$`);
}

/** Longer than what the store takes as one value. */
const STORED_BYTES = 6_144;
const isStored = ({ frame, bytes }: (typeof frames)[number]): boolean =>
  frame instanceof TipError || frame.method !== "PUSH" || bytes.length < STORED_BYTES;

it("are answered over UDP as the library reads them", async () => {
  expect(frames.length).toBeGreaterThan(40);
  for (const one of frames.filter(isStored)) {
    // An empty datagram has nothing that could be answered.
    const [answer] = one.bytes.length === 0 ? [] : await udp(here.tip.udp, one.bytes);
    if (answer !== undefined) expect(answer.toString(), one.id).toMatch(expected(one.frame));
  }
});

it("are answered over TCP, all in one stream and in their order", { tags: ["slow"] }, async () => {
  const lines = frames.filter((one) => isStored(one) && !one.bytes.includes(10) && one.bytes.length <= 16_384);
  const line = tcp(here.tip.tcp);
  // The first byte says that these are lines: an empty one first would not.
  line.socket.write(Buffer.concat(lines.flatMap(({ bytes }) => [bytes, Buffer.from("\n")])));
  const answers = await line.lines(lines.length);
  for (const [index, one] of lines.entries()) expect(answers[index], one.id).toMatch(expected(one.frame));
});

/** Those whose head is read, which stands in other places over HTTP and MQTT. */
const bodies = () =>
  frames.filter(isStored).flatMap((one) => {
    const [, method, body] =
      /^(PUSH|PULL)\|(?:!\d+\|)?[0-9a-f]{16}\|sensor-01\|(.*)$/s.exec(one.bytes.toString()) ?? [];
    return method === undefined || body === undefined || body.includes("\n") ? [] : [{ ...one, method, body }];
  });

it("have bodies that are answered the same over HTTP", { tags: ["slow"] }, async () => {
  const { hash, http } = here.tip;
  const headers = { authorization: `TagoTiP ${hash}` };
  const pushes = bodies().filter(
    ({ method, frame }) => method === "PUSH" && !(frame instanceof TipError && /fields/.test(frame.message)),
  );
  expect(pushes.length).toBeGreaterThan(30);
  for (const { id, body, frame } of pushes) {
    const { text } = await call({ url: http }, "POST", `/v1/tip/${serial}`, { headers, raw: body });
    const wanted =
      frame instanceof TipError
        ? frame.code
        : String(frame.method === "PUSH" && frame.body.kind === "variables" ? frame.body.variables.length : 1);
    expect(text, id).toBe(wanted);
  }
});

it("have bodies that are answered the same over MQTT", { tags: ["slow"] }, async () => {
  const pushes = bodies().filter(({ method }) => method === "PUSH");
  const { client, messages } = await subscriber(here, [`$tip/${serial}/ack`]);
  for (const [index, { id, body, frame }] of pushes.entries()) {
    await client.publishAsync(`$tip/${serial}/push`, body, { qos: 1 });
    const answer = (await messages(index + 1))[index]?.replace(`$tip/${serial}/ack `, "");
    const wanted = expected(frame).source.replace(/^\^ACK\\\|(!\d+\\\|)?/, "^");
    expect(answer, id).toMatch(new RegExp(wanted));
  }
});
