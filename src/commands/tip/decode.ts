import { cleanLine } from "../../text/clean.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { one } from "../kit/command/result.ts";
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
] as const satisfies Options;

type Given = Input<typeof args, typeof options>;

export const decode = defineCommand({
  path: ["decode"],
  asks: "nothing",
  result: one(columns),
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
    "echo 0000002a4deedd7bab8817ecab7788d22eb7372f0000000000000000000000000000 | iot tip decode - --hex",
  ],
  exitCodes: [3],
  related: ["iot tip send", "iot tip hash"],
  async run(ctx, input) {
    const { frame } = input.args;
    const text = (frame === "-" ? await ctx.readInput("-", "<frame>") : frame).replace(/\r?\n$/, "");
    if (text === "") throw usageError("No frame given.", { next: "Give it as an argument, or pipe it in with -." });
    const tip = await import("../../lib/tip/index.ts");
    await ctx.out.item(read(ctx, input, tip, text), { columns, idKey: "kind" });
  },
});

function read(ctx: CommandContext, input: Given, tip: Tip, text: string): JsonObject {
  if (!input.options.hex) return explained(ctx, text, () => readText(tip, text));
  const digits = text.replaceAll(/\s/g, "");
  if (!/^([0-9a-f]{2})+$/i.test(digits))
    throw inputError("The input is not hexadecimal.", { next: "Use two digits per byte." });
  const bytes = Buffer.from(digits, "hex");
  const isText = /^(PUSH|PULL|PING|ACK)/.test(bytes.toString("latin1"));
  return explained(ctx, isText ? bytes.toString() : "", () =>
    isText ? readText(tip, bytes) : readSealed(ctx, input, tip, bytes),
  );
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
function explained(ctx: CommandContext, text: string, work: () => JsonObject): JsonObject {
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
