import { defined } from "../../lib/core/defined.ts";
import type { TipAck, TipBodyInput, TipMarksInput, TipVariable } from "../../lib/tip/index.ts";
import { countOf } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Arguments, Input, Options } from "../kit/command/options.ts";
import { either, one } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import {
  openTip,
  senderOf,
  serverOf,
  type TipSender,
  tipDeviceArgument,
  tipOptions,
  withTip,
} from "../kit/tip/connect.ts";
import { tipFailure } from "../kit/tip/failures.ts";

interface Sent {
  readonly serial: string;
  readonly over: string;
  readonly stored: number;
}

const columns: readonly Column<Sent>[] = [{ key: "serial" }, { key: "over" }, { key: "stored", kind: "number" }];

interface Planned {
  readonly frame: string;
  readonly envelope?: string;
}

const plannedColumns: readonly Column<Planned>[] = [{ key: "frame" }, { key: "envelope" }];

const rawColumns: readonly Column<TipAck>[] = [
  { key: "status" },
  { key: "seq", kind: "number" },
  { key: "detail" },
  { key: "count", kind: "number" },
];

const args = [
  { ...tipDeviceArgument, required: false },
  {
    name: "variable",
    summary: "variables as in a frame: temperature:=-18.2#C, state=idle, door?=true, place@=48.2,16.4",
    variadic: true,
  },
] as const satisfies Arguments;

const options = [
  { name: "at", kind: "instant", summary: "time of all variables without their own" },
  { name: "group", value: "name", summary: "group of all variables without their own" },
  { name: "meta", kind: "pair", summary: "metadata of all variables", repeat: true },
  {
    name: "location",
    value: "lat,lng",
    summary: "location of all variables without their own; lat,lng,alt with an altitude",
  },
  { name: "hex", value: "digits", summary: "bytes for the payload parser, instead of variables" },
  {
    name: "base64",
    value: "text",
    summary: "the same as base64, which a parser gets as text",
    conflicts: ["hex"],
  },
  {
    name: "raw",
    value: "frame",
    summary: "a whole frame, sent unchecked over udp or tcp, to see the response",
    conflicts: {
      flags: [
        ...["at", "group", "meta", "location", "hex", "base64"],
        ...["secure", "cipher", "seq", "authorization", "hash"],
      ],
      why: "A frame says all of it.",
    },
  },
  ...tipOptions,
] as const satisfies Options;

type Given = Input<typeof args, typeof options>;
type Named = Input<[typeof tipDeviceArgument, (typeof args)[1]], typeof options>;

export const send = defineCommand({
  path: ["send"],
  result: either(one(columns), one(plannedColumns), one(rawColumns)),
  effect: "changes",
  summary: "Send data as a device, by TagoTiP",
  details:
    "Variables are written as the protocol has them: := before numbers, = before strings, ?= before true and false, @= before locations; " +
    "then #unit, @=location, @time in milliseconds, ^group and {key=value}, in this order. --dry-run prints the frame, with --secure its " +
    "envelope as hexadecimal digits. Over HTTP, which is the default, a plain request has no counter.",
  args,
  options,
  examples: [
    "iot tip send serial:sensor-01 temperature:=21.5#C door?=false",
    "iot tip send serial:sensor-01 temperature:=21.5#C --secure --at -5m --group visit_7",
    "iot tip send serial:sensor-02 --hex 09c45a",
    'iot tip send --raw "PUSH|4deedd7bab8817ec|sensor-01|[temperature:=21.5#C]" --over udp --dry-run',
    "iot tip send sensor-01 temperature:=21.5#C --hash 4deedd7bab8817ec --dry-run",
  ],
  exitCodes: [2, 3, 6, 7, 9],
  related: ["iot tip pull", "iot tip decode", "iot device data send"],
  async run(ctx, input) {
    const { id, variable } = input.args;
    if (input.options.raw !== undefined) return sendRaw(ctx, input, input.options.raw);
    if (id === undefined) throw usageError("No device given.", { next: "Name one, as in serial:sensor-01." });
    const named = { args: { id, variable }, options: input.options };
    const defaults = defaultsOf(input);
    const body = await bodyOf(input, defaults);
    if (ctx.flags.dryRun) return showFrame(ctx, named, body);
    const opened = await openTip(ctx, named);
    const stored = await withTip(opened, (client) =>
      body.kind === "variables"
        ? client.push(body.variables, defaults)
        : client.pushRaw(Buffer.from(body.data, body.kind), body.kind),
    );
    const { serial } = opened.sender;
    await ctx.out.item({ serial, over: opened.over, stored }, { columns, idKey: "serial" });
    await ctx.done(`Sent ${countOf(stored, "record")} as ${serial}`);
  },
});

function defaultsOf({ options: { at, group, meta, location } }: Given): TipMarksInput {
  const metadata = meta.length === 0 ? undefined : Object.fromEntries(meta.map(({ key, value }) => [key, value]));
  return defined({ time: at, group, metadata, location: location === undefined ? undefined : locationOf(location) });
}

function locationOf(text: string): { lat: number; lng: number; alt?: number } {
  const numbers = text.split(",").map(Number);
  const [lat, lng, alt] = numbers;
  if (lat !== undefined && lng !== undefined && numbers.length <= 3 && numbers.every(Number.isFinite))
    return { lat, lng, ...defined({ alt }) };
  throw usageError(`Invalid --location ${quote(text)}.`, { next: "Use latitude and longitude: 48.21,16.37." });
}

async function bodyOf(
  { args: { variable: words }, options: { hex, base64 } }: Given,
  defaults: TipMarksInput,
): Promise<TipBodyInput> {
  const variables = await variablesOf(words);
  const data = hex ?? base64;
  if (data === undefined && variables.length === 0)
    throw usageError("Nothing to send.", { next: "Add variables such as temperature:=21.5#C, --hex or --base64." });
  if (data === undefined) return { ...defaults, kind: "variables", variables };
  const kind = hex === undefined ? "base64" : "hex";
  if (variables.length > 0 || Object.keys(defaults).length > 0)
    throw usageError(`--${kind} has neither variables nor what belongs to them.`, { next: "Remove one of them." });
  const bytes = Buffer.from(data, kind);
  if (bytes.toString(kind) === (kind === "hex" ? data.toLowerCase() : data)) return { kind, data };
  throw usageError(`--${kind} ${quote(data)} is not ${kind === "hex" ? "hexadecimal" : "base64"}.`, {
    next: kind === "hex" ? "Use two digits per byte: --hex 01FF." : "Use it with its padding: --base64 Af8=.",
  });
}

/** Sends a frame as it was given. An error of the server fails the command, so that scripts see it. */
async function sendRaw(ctx: CommandContext, { args: { id }, options }: Given, frame: string): Promise<void> {
  const { over, tls = false } = options;
  if (id !== undefined)
    throw usageError("--raw and a device cannot be used together.", { why: "The frame names its device." });
  if (over !== "udp" && over !== "tcp")
    throw usageError("--raw needs --over udp or --over tcp.", { why: "HTTP and MQTT carry no frames." });
  if (await ctx.dryRun({ method: "SEND", path: `tip:${over}`, body: frame })) return;
  const { sendFrame, TipError } = await import("../../lib/tip/index.ts");
  const { timeoutMs } = ctx.clientOptions();
  try {
    const ack = await sendFrame(frame, defined({ ...(await serverOf(ctx, over, false, tls)), over, timeoutMs }));
    if (ack.status === "ERR")
      throw new TipError(ack.detail ?? "server_error", `The server returned ${ack.detail}`, defined({ seq: ack.seq }));
    await ctx.out.item(ack, { columns: rawColumns, idKey: "status" });
  } catch (error) {
    throw tipFailure(error);
  }
}

async function variablesOf(words: readonly string[]): Promise<TipVariable[]> {
  const { parseBody } = await import("../../lib/tip/index.ts");
  return words.flatMap((word) => {
    try {
      const body = parseBody(`[${word}]`);
      return body.kind === "variables" ? body.variables : [];
    } catch (error) {
      throw usageError(`${quote(word)} is not a variable.`, {
        why: error instanceof Error ? `${error.message.replace(/, at \d+$/, "")}.` : "",
        next: "Write it like temperature:=21.5#C, state=idle, door?=true or place@=48.2,16.4.",
      });
    }
  });
}

/** Prints what would be sent. A counter that would come from the file is shown as 0. */
async function showFrame(ctx: CommandContext, input: Named, body: TipBodyInput): Promise<void> {
  const tip = await import("../../lib/tip/index.ts");
  const sender = await senderOf(ctx, input);
  const { secure: isSecure, cipher, seq, over = "http" } = input.options;
  const counter = seq === undefined && !isSecure ? undefined : Number(seq === "auto" ? 0 : (seq ?? 0));
  try {
    const auth = hashOf(tip, sender);
    const numbered = counter === undefined || (over === "http" && !isSecure) ? {} : { seq: counter };
    const frame = tip.buildFrame({ method: "PUSH", ...numbered, auth, serial: sender.serial, body });
    const { authorization, serial } = sender;
    if (!isSecure) return await ctx.out.item({ frame }, { columns: plannedColumns, idKey: "frame" });
    const key = tip.deriveKey(authorization ?? "", serial, cipher);
    const inner = tip.buildInner({ method: "PUSH", serial, body });
    const sealed = {
      method: "PUSH",
      authHash: auth,
      serial,
      key,
      inner,
      counter: counter ?? 0,
      ...defined({ cipher }),
    } as const;
    const envelope = Buffer.from(tip.sealEnvelope(sealed)).toString("hex");
    await ctx.out.item({ frame, envelope }, { columns: plannedColumns, idKey: "frame" });
  } catch (error) {
    throw tipFailure(error);
  }
}

const hashOf = ({ authHash }: typeof import("../../lib/tip/index.ts"), { hash, authorization }: TipSender): string =>
  hash ?? authHash(authorization ?? "");
