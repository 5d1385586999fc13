import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Arguments, Input, Options } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { inputError, stoppedError, usageError } from "../kit/failures/command-error.ts";
import type { JsonObject } from "../kit/files/files.ts";
import { fileScript, formatOption, type ParserScript, textScript, withFunction } from "../kit/parsers/script.ts";
import { openDecoder, problemText } from "./decoder.ts";
import { contextOf, type Owner, ownerFrom, ownerOptions, parserOf } from "./stored.ts";
import { type Uplink, uplinksOf } from "./uplink.ts";

const columns: readonly Column<JsonObject>[] = [
  { key: "variable", rank: 1 },
  { key: "value", rank: 1, schema: { type: ["string", "number", "boolean", "null"] } },
  { key: "unit" },
  { key: "group", rank: 3, schema: { type: ["string", "number"] } },
  { key: "time", rank: 3, schema: { type: ["string", "number"] } },
  { key: "location", kind: "json" },
  { key: "metadata", kind: "json" },
];

const args = [{ name: "file", file: "in", summary: "script of the parser; - is stdin" }] as const satisfies Arguments;

const options = [
  {
    name: "payload",
    file: "@",
    value: "bytes",
    summary: "payload: hexadecimal, JSON, @file or - for stdin; a file may hold a line per payload",
    repeat: true,
  },
  { name: "port", kind: "integer", least: 0, summary: "port of the payloads (LoRaWAN: FPort)" },
  ...ownerOptions,
  formatOption,
] as const satisfies Options;

type Given = Input<typeof args, typeof options>;

async function uplinksFrom(ctx: CommandContext, input: Given): Promise<Uplink[]> {
  const port = input.options.port;
  const found: Uplink[] = [];
  for (const place of input.options.payload) {
    const isFile = place === "-" || place.startsWith("@");
    const text = isFile ? await ctx.readInput(place, "--payload") : place;
    found.push(...uplinksOf(text, isFile ? place.replace(/^@/, "") : "--payload", port));
  }
  if (found.length > 0) return found;
  throw usageError("No payload given.", { next: "Add --payload with hexadecimal bytes, JSON, @file or - for stdin." });
}

async function scriptFrom(
  ctx: CommandContext,
  input: Given,
  file: string | undefined,
  owner: Owner | undefined,
): Promise<ParserScript> {
  if (file !== undefined) return fileScript(ctx, input, file);
  if (owner === undefined)
    throw usageError("No parser given.", {
      code: "usage.missing_argument",
      next: "Give a file, or --device or --connector for the stored one.",
    });
  const { title, source } = await parserOf(ctx, owner);
  return withFunction(ctx, await textScript(`parser of ${title}`, source, input.options.format));
}

async function run(ctx: CommandContext, input: Given): Promise<void> {
  const file = input.args.file;
  if (file === "-" && input.options.payload.some((place) => place === "-" || place === "@-"))
    throw usageError("The parser and --payload cannot both be read from stdin.", { next: "Use a file for one." });
  const uplinks = await uplinksFrom(ctx, input);
  const owner = await ownerFrom(ctx, input);
  const script = await scriptFrom(ctx, input, file, owner);
  const known = owner === undefined ? {} : await contextOf(ctx, owner);
  const decoder = await openDecoder(ctx);
  async function* records(): AsyncGenerator<JsonObject> {
    for (const [index, uplink] of uplinks.entries()) {
      if (ctx.signal.aborted) throw stoppedError("Stopped.");
      const decoding = await decoder.decode(script, { ...known, ...uplink });
      for (const line of decoding.lines) ctx.say.info(`console: ${line}`);
      if (decoding.problem !== undefined) throw failure(problemText(decoding), index, uplinks.length);
      yield* decoding.records;
    }
  }
  try {
    await ctx.out.list(records(), { columns, empty: "The parser left no records.", idKey: "variable" });
  } finally {
    await decoder.close();
  }
}

function failure(problem: string, index: number, count: number): Error {
  return inputError(count === 1 ? "The payload could not be decoded." : `Payload ${index + 1} could not be decoded.`, {
    code: "parser.failed",
    why: `${problem}.`,
    next: "Fix the parser; the platform would reject this payload.",
  });
}

export const runParser: Command = defineCommand({
  path: ["run"],
  asks: "nothing",
  // It runs code on this machine: no tool for a read-only assistant.
  effect: "local",
  summary: "Decode payloads on this machine with a payload parser",
  details:
    "Runs the parser as the sandbox does: in a process of its own, for at most 1 s and 64 MB per payload, with the globals of " +
    "the platform. Hexadecimal bytes become a record payload, and --port a record fport; JSON is passed as it is. " +
    "The parser's console goes to stderr.\n\n" +
    "--device and --connector use the stored parser. Together with a file, the file runs with the tags and parameters of the " +
    "device. A script that only defines decodeUplink, Decoder or Decode is called with the bytes. TypeScript needs the " +
    "optional package esbuild.",
  args,
  options,
  result: rows(columns),
  examples: [
    "iot parser run examples/parser/parser.js --payload 0100d72d0b5e --port 2",
    "iot parser run examples/parser/parser.js --payload @examples/parser/doors/open.payload.json --json",
    'iot parser run --connector "name:Plant meter" --payload 0109c4',
  ],
  exitCodes: [3, 4, 5, 6, 10],
  related: ["iot parser test", "iot parser set"],
  run,
});
