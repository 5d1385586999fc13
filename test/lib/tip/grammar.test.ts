import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { buildFrame, parseFrame, readFrameHead, TipError, type TipFrame } from "../../../src/lib/tip/codec.ts";

/** The grammar of a request as one expression, written apart from the library's. */
const isFrame = ((): ((text: string) => boolean) => {
  const number = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?`;
  const place = `@=${number},${number}(?:,${number})?`;
  const name = "[a-z0-9_]{1,100}";
  const escaped = String.raw`\\[|[\];,{}#@^n\\]`;
  // Of the control characters the range of Latin 1 is allowed.
  const printable = String.raw`(?:[^\p{Cc}#,;@[\\\]^{|}]|[\x80-\x9f])`;
  const text = `(?:${printable}|,|${escaped})+`;
  const pair = `${name}=(?:${printable}|${escaped})+`;
  const marks = String.raw`(?:@\d+)?(?:\^${name})?(?:\{${pair}(?:,${pair}){0,31}\})?`;
  const plain = String.raw`(?::=${number}|=${text}|\?=(?:true|false))(?:#(?:${printable}|,)+)?(?:${place})?`;
  const variable = `${name}(?:${plain}|${place})${marks}`;
  const variables = String.raw`(?:${place})?${marks}\[${variable}(?:;${variable}){0,99}\]`;
  const raw = ">x(?:[0-9A-Fa-f]{2})+|>b[A-Za-z0-9+/]+={0,2}";
  const head = String.raw`(?:!(?:0|[1-9]\d*)\|)?[0-9A-Fa-f]{16}\|[A-Za-z0-9_-]{1,100}`;
  const names = String.raw`\[${name}(?:;${name}){0,99}\]`;
  const frame = new RegExp(
    String.raw`^(?:PUSH\|${head}\|(?:${raw}|${variables})|PULL\|${head}\|${names}|PING\|${head})\n?$`,
    "u",
  );
  // What an expression cannot say: the size of numbers, and bytes.
  const isLarge = (given: string): boolean =>
    Number(/^[A-Z]+\|!(\d+)/.exec(given)?.[1] ?? 0) > 4_294_967_295 ||
    [...given.matchAll(/@(\d{16,})/g)].some(([, digits]) => Number(digits) > 8_640_000_000_000_000) ||
    [...given.matchAll(/(?<!\\)#([^#@^{;\]]+)/g)].some(([, unit = ""]) => Buffer.byteLength(unit) > 25);
  return (given) => Buffer.from(given).toString() === given && frame.test(given) && !isLarge(given);
})();

const { vectors } = JSON.parse(readFileSync(new URL("../../fixtures/tip/vectors.json", import.meta.url), "utf8")) as {
  readonly vectors: readonly { readonly op: string; readonly in: { readonly text?: unknown } }[];
};
const frames = vectors.flatMap(({ op, in: { text } }) =>
  op === "parseFrame" && typeof text === "string" ? [text] : [],
);
const valid = frames.filter(isFrame);
const pieces = [
  ..."#,;@[\\]^{|}:=?>!-._+/ \n\u0085é€😀09aZ",
  ..."|| ;; @= := ?= \\| \\n \\x >x >b {a=b} ^g #C @1 @=1,2 [a:=1] !1| true PUSH| PULL| PING| \0 \x1f \x7f 1e3 01".split(
    " ",
  ),
];

/** The same numbers for every run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function mutate(frame: string, pick: (below: number) => number): string {
  const at = pick(frame.length + 1);
  const length = pick(3);
  const piece = pieces[pick(pieces.length)] ?? "";
  const other = frames[pick(frames.length)] ?? "";
  const from = pick(other.length);
  switch (pick(4)) {
    case 0:
      return frame.slice(0, at) + frame.slice(at + length + 1);
    case 1:
      return frame.slice(0, at) + piece + frame.slice(at);
    case 2:
      return frame.slice(0, at) + piece + frame.slice(at + length);
    default:
      return frame.slice(0, at) + other.slice(from, from + 1 + pick(20)) + frame.slice(at + length);
  }
}

function parsed(text: string): TipFrame | undefined {
  try {
    return parseFrame(text);
  } catch (error) {
    if (error instanceof TipError && error.code !== "invalid_input") return undefined;
    throw error;
  }
}

/** Why the library is wrong about a text; undefined if it is right. */
function faultOf(text: string): string | undefined {
  const frame = parsed(text);
  if ((frame !== undefined) !== isFrame(text)) return `${frame === undefined ? "rejected" : "accepted"}: ${text}`;
  if (frame === undefined) return undefined;
  const { method, seq, auth, serial } = readFrameHead(text);
  const isSame = method === frame.method && seq === frame.seq && auth === frame.auth && serial === frame.serial;
  if (!isSame) return `read otherwise by readFrameHead: ${text}`;
  const built = buildFrame(frame);
  return built === buildFrame(parseFrame(built)) ? undefined : `not stable: ${text}`;
}

function faultsAmong(count: number, seed: number): { readonly accepted: number; readonly faults: string[] } {
  const pick = random(seed);
  const faults: string[] = [];
  let accepted = 0;
  for (let made = 0; made < count; made += 1) {
    const bases = made % 4 === 0 ? frames : valid;
    let text = bases[pick(bases.length)] ?? "";
    for (let changes = 1 + pick(6) / 4; changes >= 1; changes -= 1) text = mutate(text, pick);
    const fault = faultOf(text);
    if (fault !== undefined) faults.push(fault);
    if (isFrame(text)) accepted += 1;
  }
  return { accepted, faults };
}

describe("mutated frames", () => {
  it("have examples of both kinds", () => {
    expect(frames.length).toBeGreaterThan(40);
    expect(valid.length).toBeGreaterThan(20);
    expect(frames.flatMap((text) => faultOf(text) ?? [])).toEqual([]);
  });

  it("are accepted and rejected as the grammar says, and written as they were read: 20,000", () => {
    const { accepted, faults } = faultsAmong(20_000, 1);
    expect(faults).toEqual([]);
    expect(accepted).toBeGreaterThan(1_500);
    expect(accepted).toBeLessThan(18_000);
  });

  it("are accepted and rejected as the grammar says: 1,000,000", { tags: ["slow"] }, () => {
    expect(faultsAmong(1_000_000, 2).faults).toEqual([]);
  });
});
