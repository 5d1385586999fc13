import { cleanLine } from "../../text/clean.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { either, one, rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { inputError, usageError } from "../kit/failures/command-error.ts";
import type { JsonObject } from "../kit/files/files.ts";
import { rememberSecret } from "../kit/say/redact.ts";

type Tip = typeof import("../../lib/tip/index.ts");

const columns: readonly Column<JsonObject>[] = [
  { key: "kind" },
  { key: "method" },
  { key: "status" },
  { key: "seq", kind: "number" },
  { key: "auth" },
  { key: "serial" },
  { key: "detail" },
  { key: "cipher" },
  { key: "device_hash" },
  { key: "inner" },
  { key: "names", kind: "json" },
  { key: "payload" },
  { key: "records", kind: "json" },
];

interface Piece {
  readonly bytes: string;
  readonly hex: string;
  readonly is: string;
  readonly value?: string | number;
}

const pieceColumns: readonly Column<Piece>[] = [
  { key: "bytes" },
  { key: "hex" },
  { key: "is" },
  { key: "value", schema: { type: ["string", "integer"] } },
];

const args = [
  { name: "frame", summary: "frame, response, or envelope with --hex; - is stdin", required: true },
] as const;

const options = [
  { name: "hex", summary: "the input is hexadecimal digits: an envelope, or the bytes of a frame" },
  {
    name: "serial",
    value: "number",
    summary: "serial number of the device, to open an envelope with IOT_TIP_AUTHORIZATION",
  },
  { name: "bytes", summary: "show which bytes of an envelope say what", needs: ["hex"] },
] as const satisfies Options;

type Given = Input<typeof args, typeof options>;

export const decode = defineCommand({
  path: ["decode"],
  asks: "nothing",
  result: either(one(columns), rows(pieceColumns)),
  effect: "local",
  summary: "Show what a frame or an envelope of TagoTiP says",
  details:
    "Prints its fields, and the records after the defaults of the frame were applied. What cannot be read is shown with a mark under the position, and " +
    "the command exits with 3. An envelope is opened with --serial and the authorization in IOT_TIP_AUTHORIZATION.",
  args,
  options,
  examples: [
    'iot tip decode "PUSH|!7|4deedd7bab8817ec|sensor-01|^visit_7[temperature:=21.5#C;door?=false]"',
    'iot tip decode "ACK|!7|OK|2" --json',
    "echo 000000002a4deedd7bab8817ecab7788d22eb7372f000000000000000000000000 | iot tip decode - --hex",
    "iot tip decode 000000002a4deedd7bab8817ecab7788d22eb7372f000000000000000000000000 --hex --bytes",
  ],
  exitCodes: [3],
  related: ["iot tip send", "iot tip hash"],
  async run(ctx, input) {
    const { frame } = input.args;
    const text = (frame === "-" ? await ctx.readInput("-", "<frame>") : frame).replace(/\r?\n$/, "");
    if (text === "") throw usageError("No frame given.", { next: "Give it as an argument, or pipe it in with -." });
    const tip = await import("../../lib/tip/index.ts");
    if (!input.options.bytes) return ctx.out.item(read(ctx, input, tip, text), { columns, idKey: "kind" });
    const bytes = bytesOf(text);
    if (isText(bytes))
      throw inputError("The input is text, not an envelope.", { next: "Remove --bytes to see its fields." });
    const { traitsOf } = await import("../../lib/tip/crypto.ts");
    const pieces = explained(ctx, "", () => {
      const { tagBytes } = traitsOf(tip.readHeader(bytes).cipher);
      return [...piecesOf(bytes, readSealed(ctx, input, tip, bytes), tagBytes)];
    });
    await ctx.out.list(pieces, { columns: pieceColumns, empty: "There are no bytes.", idKey: "bytes" });
  },
});

function bytesOf(text: string): Buffer {
  const digits = text.replaceAll(/\s/g, "");
  if (/^([0-9a-f]{2})+$/i.test(digits)) return Buffer.from(digits, "hex");
  throw inputError("The input is not hexadecimal.", { next: "Use two digits per byte." });
}

const isText = (bytes: Buffer): boolean => /^(PUSH|PULL|PING|ACK)/.test(bytes.toString("latin1"));

/** The parts of an envelope, in their order: docs/internals/platform/tip.md, Envelopes. */
function* piecesOf(bytes: Buffer, read: JsonObject, tagBytes: number): Generator<Piece> {
  const { cipher, method, seq, auth, device_hash: device, inner } = read;
  const parts: readonly [from: number, is: string, value?: unknown][] = [
    [0, "cipher, version 0 and method", `${cipher}, ${method}`],
    [1, "counter", seq],
    [5, "hash of the authorization", auth],
    [13, "hash of the serial number", device],
    [21, "ciphertext", inner],
    [bytes.length - tagBytes, "tag"],
  ];
  for (const [index, [from, is, value]] of parts.entries()) {
    const end = parts[index + 1]?.[0] ?? bytes.length;
    const hex = bytes.toString("hex", from, end);
    const said = typeof value === "number" || typeof value === "string" ? { value } : {};
    yield { bytes: end - from === 1 ? `${from}` : `${from}-${end - 1}`, hex, is, ...said };
  }
}

function read(ctx: CommandContext, input: Given, tip: Tip, text: string): JsonObject {
  if (!input.options.hex) return explained(ctx, text, () => readText(tip, text));
  const bytes = bytesOf(text);
  if (isText(bytes)) return explained(ctx, bytes.toString(), () => readText(tip, bytes));
  return explained(ctx, "", () => readSealed(ctx, input, tip, bytes));
}

function readText(tip: Tip, text: string | Uint8Array): JsonObject {
  const isAck = (typeof text === "string" ? text : Buffer.from(text).toString("latin1")).startsWith("ACK");
  if (isAck) return { kind: "response", ...tip.parseAck(text) };
  return { kind: "frame", ...contentOf(tip, tip.parseFrame(text)) };
}

type Request = ReturnType<Tip["parseFrame"]> | ReturnType<typeof import("../../lib/tip/index.ts")["parseInner"]>;

/** The fields of a request, with records instead of its body. */
function contentOf(tip: Tip, request: object & Partial<Request>): JsonObject {
  if (!("body" in request) || request.body === undefined) return { ...request };
  const { body, ...rest } = request;
  if (body.kind !== "variables") return { ...rest, payload: `${body.kind} ${body.data}` };
  return { ...rest, records: tip.toRecords(body) };
}

function readSealed({ env }: CommandContext, { options }: Given, tip: Tip, bytes: Uint8Array): JsonObject {
  const { cipher, method, counter, authHash, deviceHash } = tip.readHeader(bytes);
  const header = { kind: "envelope", method, seq: counter, auth: authHash, cipher, device_hash: deviceHash };
  const { serial } = options;
  const token = env["IOT_TIP_AUTHORIZATION"];
  if (serial === undefined || token === undefined || token === "") return header;
  rememberSecret(token);
  const { inner } = tip.openEnvelope(bytes, tip.deriveKey(token, serial, cipher), { serial });
  return { ...header, inner, ...contentOf(tip, tip.parseInner(method, inner) as object) };
}

/** Runs a reader; what it cannot read is shown with a mark under the position. */
function explained<T>(ctx: CommandContext, text: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "TipError" || !("code" in error)) throw error;
    const at = "at" in error && typeof error.at === "number" ? error.at : undefined;
    if (at !== undefined && text !== "") for (const line of marked(text, at)) ctx.say.info(line);
    throw inputError("The input cannot be read.", {
      code: "tip.malformed",
      why: `${error.message} (${String(error.code)}).`,
      next: /\^[a-z0-9_]+@\d/.test(text)
        ? "The time stands before the group: @1754000000000^name."
        : 'See "iot tip send --help" for the form.',
      cause: error,
    });
  }
}

const AROUND = 60;

/** The text around an index, and a mark below it. */
function marked(text: string, at: number): readonly string[] {
  const from = Math.max(0, at - AROUND);
  const before = cleanLine(text.slice(from, at));
  return [before + cleanLine(text.slice(at, at + AROUND)), `${"-".repeat(before.length)}^`];
}
