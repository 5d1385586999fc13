import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as tip from "../../../src/lib/tip/index.ts";

type Text = string | readonly (string | readonly [string, number, string?])[];

interface Vector {
  readonly id: string;
  readonly op: string;
  readonly in: Readonly<Record<string, unknown>>;
  readonly out?: unknown;
  readonly error?: string;
  readonly seq?: number;
}

const { vectors } = JSON.parse(readFileSync(new URL("../../fixtures/tip/vectors.json", import.meta.url), "utf8")) as {
  readonly vectors: readonly Vector[];
};

const repeat = ([text, times, separator = ""]: readonly [string, number, string?]): string =>
  Array.from({ length: times }, (_, index) => text.replaceAll("%d", String(index))).join(separator);

const textOf = (text: Text): string =>
  typeof text === "string" ? text : text.map((part) => (typeof part === "string" ? part : repeat(part))).join("");

const bytes = (hex: unknown): Uint8Array => Uint8Array.from(Buffer.from(String(hex), "hex"));
const hexOf = (content: Uint8Array): string => Buffer.from(content).toString("hex");

function inputOf({ text, hex }: Vector["in"]): tip.Input {
  return hex === undefined ? textOf(text as Text) : bytes(hex);
}

/** What a function of the library returns for the input of a vector, in the form of the vectors. */
function run(op: string, given: Vector["in"]): unknown {
  const options = given as never;
  switch (op) {
    case "parseFrame":
      return tip.parseFrame(inputOf(given));
    case "parseBody":
      return tip.parseBody(inputOf(given));
    case "parseAck":
      return tip.parseAck(inputOf(given));
    case "parsePayload":
      return tip.parsePayload(given["kind"] as "push", inputOf(given));
    case "parseInner":
      return tip.parseInner(given["method"] as "PUSH", inputOf(given));
    case "buildFrame":
      return { text: tip.buildFrame(given["frame"] as tip.TipFrameInput) };
    case "buildAck":
      return { text: tip.buildAck(given["ack"] as tip.TipAckInput) };
    case "toRecords":
      return { records: tip.toRecords(tip.parseBody(inputOf(given)), { now: new Date(String(given["now"])) }) };
    case "fromRecords":
      return { text: tip.buildBody({ kind: "variables", variables: tip.fromRecords(given["records"] as []) }) };
    case "authHash":
      return { hash: tip.authHash(String(given["token"])) };
    case "deviceHash":
      return { hash: tip.deviceHash(String(given["serial"])) };
    case "deriveKey":
      return {
        key: hexOf(tip.deriveKey(String(given["token"]), String(given["serial"]), given["cipher"] as "aes-128-ccm")),
      };
    case "sealEnvelope":
      return { hex: hexOf(tip.sealEnvelope({ ...(options as tip.EnvelopeContent), key: bytes(given["key"]) })) };
    case "openEnvelope":
      return tip.openEnvelope(bytes(given["hex"]), bytes(given["key"]), options);
    default:
      throw new Error(`No such function: ${op}`);
  }
}

function outcomeOf({ op, in: given }: Vector): unknown {
  try {
    return run(op, given);
  } catch (error) {
    if (!(error instanceof tip.TipError)) throw error;
    return { error: error.code, seq: error.seq };
  }
}

describe("a vector", () => {
  it.each(vectors.map((vector) => [vector.op, vector.id, vector] as const))("of %s: %s", (_op, _id, vector) => {
    const outcome = outcomeOf(vector);
    if (vector.out === true) expect(outcome).not.toHaveProperty("error");
    else expect(outcome).toEqual(vector.out ?? { error: vector.error, seq: vector.seq });
  });
});
