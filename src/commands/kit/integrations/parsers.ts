import { option, optionFlag } from "../command/arguments.ts";
import type { CommandInput, OptionSpec } from "../command/define.ts";
import type { CommandContext } from "../context.ts";
import { usageError } from "../failures/command-error.ts";

/** Flags of the code that reads and writes payloads. */
export const parserOptions: readonly OptionSpec[] = [
  { name: "decoder", file: "in", value: "file", summary: "JavaScript file that decodes uplink payloads; - is stdin" },
  { name: "remove-decoder", summary: "remove the decoder" },
  { name: "encoder", file: "in", value: "file", summary: "JavaScript file that encodes downlink payloads" },
  { name: "remove-encoder", summary: "remove the encoder" },
];

/** The parsers as the platform takes them: base64, or null for none. */
export async function parsersFrom(ctx: CommandContext, input: CommandInput): Promise<Record<string, string | null>> {
  const found: Record<string, string | null> = {};
  for (const kind of ["decoder", "encoder"] as const) {
    const file = option(input, kind);
    const isRemoved = optionFlag(input, `remove-${kind}`);
    if (file !== undefined && isRemoved) {
      throw usageError(`--${kind} and --remove-${kind} cannot be used together.`, { next: "Use one of them." });
    }
    if (isRemoved) found[`payload_${kind}`] = null;
    if (file === undefined) continue;
    found[`payload_${kind}`] = Buffer.from(await ctx.readInput(file, `--${kind}`), "utf8").toString("base64");
  }
  return found;
}
