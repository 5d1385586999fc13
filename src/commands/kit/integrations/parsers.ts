import type { OptionSpec } from "../command/define.ts";
import type { Input } from "../command/options.ts";
import type { CommandContext } from "../context.ts";

/** Flags of the code that reads and writes payloads. */
export const parserOptions = [
  {
    name: "decoder",
    file: "in",
    value: "file",
    conflicts: ["remove-decoder"],
    summary: "JavaScript file that decodes uplink payloads; - is stdin",
  },
  { name: "remove-decoder", summary: "remove the decoder" },
  {
    name: "encoder",
    file: "in",
    value: "file",
    conflicts: ["remove-encoder"],
    summary: "JavaScript file that encodes downlink payloads",
  },
  { name: "remove-encoder", summary: "remove the encoder" },
] as const satisfies readonly OptionSpec[];

/** The parsers as the platform takes them: base64, or null for none. */
export async function parsersFrom(
  ctx: CommandContext,
  input: Input<[], typeof parserOptions>,
): Promise<Record<string, string | null>> {
  const found: Record<string, string | null> = {};
  const { removeDecoder, removeEncoder } = input.options;
  for (const [kind, isRemoved] of [
    ["decoder", removeDecoder],
    ["encoder", removeEncoder],
  ] as const) {
    const file = input.options[kind];
    if (isRemoved) found[`payload_${kind}`] = null;
    if (file === undefined) continue;
    found[`payload_${kind}`] = Buffer.from(await ctx.readInput(file, `--${kind}`), "utf8").toString("base64");
  }
  return found;
}
