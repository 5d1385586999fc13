import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { defineCommand } from "../../kit/command/define.ts";
import type { Options, OptionsOf } from "../../kit/command/options.ts";
import type { CommandContext } from "../../kit/context.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import { writeWhole } from "../../kit/files/files.ts";
import { confirmOutFile } from "../../kit/files/out-file.ts";
import { codesArgument, isEui, parseCode, plainEui, readCodes } from "../codes.ts";
import { drawCode, svgCode } from "../draw.ts";

const options = [
  { name: "join-eui", value: "hex", summary: "join EUI, 16 digits" },
  { name: "dev-eui", value: "hex", summary: "device EUI, 16 digits" },
  { name: "vendor", value: "hex", summary: "profile of the device: vendor and product (00000000)" },
  { name: "sn", value: "text", summary: "serial number of the manufacturer" },
  { name: "proprietary", value: "text", summary: "proprietary part of the manufacturer" },
  { name: "svg", opposite: "terminal", summary: "write SVG" },
  { name: "terminal", summary: "draw on the terminal (default)" },
  { name: "invert", summary: "draw for a light terminal without colours" },
  { name: "out", file: "out", value: "file", summary: "SVG file; a folder for several codes", needs: ["svg"] },
] as const satisfies Options;

/** The text of a code from its parts. What proves the ownership is a secret, so it is only taken with a whole text. */
function builtText(parts: OptionsOf<typeof options>): string | undefined {
  const { joinEui: join, devEui: device, vendor, sn, proprietary } = parts;
  if (join === undefined && device === undefined) {
    if (vendor === undefined && sn === undefined && proprietary === undefined) return undefined;
    throw usageError("A code needs both EUIs.", { next: "Add --join-eui and --dev-eui." });
  }
  for (const [flag, eui] of [
    ["--join-eui", join],
    ["--dev-eui", device],
  ] as const) {
    if (eui === undefined || !isEui(plainEui(eui)))
      throw usageError(`${flag} must have 16 hexadecimal digits.`, { next: `Example: ${flag} 1122334455667788.` });
  }
  if ([vendor, sn, proprietary].some((part) => part !== undefined && /[:\r\n]/.test(part)))
    throw usageError("A part of a code must not contain a colon or a line break.");
  const head = ["LW", "D0", plainEui(join ?? ""), plainEui(device ?? ""), vendor ?? "00000000"];
  if (sn === undefined && proprietary === undefined) return head.join(":");
  return [...head, "", sn ?? "", proprietary ?? "", ""].join(":");
}

async function save(ctx: CommandContext, path: string, text: string): Promise<void> {
  if (existsSync(path)) await confirmOutFile(ctx, path);
  writeWhole(path, text, { file: 0o644, folder: 0o755 });
  ctx.say.info(`Wrote ${path}.`, path);
}

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

export const createCommand = defineCommand({
  path: ["qr", "create"],
  asks: "nothing",
  summary: "Create LoRaWAN QR codes",
  details:
    "Takes the text of a code, or builds it from its parts. Draws on the terminal, or writes SVG; several SVG codes go to " +
    "a folder, one file per EUI. Without colours the light modules are drawn, for a dark terminal; use --invert on a light one.",
  args: [codesArgument],
  options,
  groups: ["confirm"],
  effect: "local",
  result: { shape: "text" },
  examples: [
    'iot lorawan qr create "LW:D0:1122334455667788:AABBCCDDEEFF0011:AABB1122"',
    "iot lorawan qr create --join-eui 1122334455667788 --dev-eui AABBCCDDEEFF0011 --svg --out probe.svg",
  ],
  exitCodes: [3],
  related: ["iot lorawan qr parse"],
  async run(ctx, input) {
    const { svg: isSvg, out } = input.options;
    const built = builtText(input.options);
    const words = input.args.codes;
    const given = built === undefined || words.length > 0 ? await readCodes(ctx, words) : [];
    const { parseLorawanQRCode } = await import("../../../lib/utils/lorawan-qr-code.ts");
    const texts = [...given, ...(built === undefined ? [] : [{ text: built }])];
    const codes = texts.map((text) => parseCode(text, parseLorawanQRCode));
    if (!isSvg) {
      const drawings: string[] = [];
      for (const { text, dev_eui } of codes)
        drawings.push(`${codes.length > 1 ? `${dev_eui}\n` : ""}${await drawCode(ctx, text, input.options.invert)}`);
      await ctx.out.raw(drawings.join("\n"));
      return;
    }
    const path = out === undefined || out === "-" ? undefined : ctx.path(out);
    if (codes.length > 1 && (path === undefined || (existsSync(path) && !isFolder(path))))
      throw usageError("Several SVG codes need a folder.", { next: "Add --out <folder>." });
    for (const { text, dev_eui } of codes) {
      const svg = await svgCode(text);
      if (path === undefined) await ctx.out.raw(svg);
      else await save(ctx, codes.length > 1 || isFolder(path) ? join(path, `${dev_eui}.svg`) : path, svg);
    }
  },
});
