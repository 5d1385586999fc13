import { existsSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { argumentList, keyValue, option, optionFlag, optionList } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, type CommandInput, defineCommand } from "../kit/command/define.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { writeWhole } from "../kit/files/files.ts";
import { tagsOf } from "../kit/resource/body.ts";
import { resumeOptions } from "../kit/state/journal.ts";
import { type CodeRow, isEui, parseCode, plainEui, readCodes } from "./codes.ts";
import { drawCode, svgCode } from "./draw.ts";
import { type Candidate, columnMap, readFleet } from "./fleet.ts";
import { onboard, onboardColumns } from "./onboard.ts";

const codeColumns: readonly Column<CodeRow>[] = [
  { key: "dev_eui" },
  { key: "join_eui" },
  { key: "profile_id" },
  { key: "schema_id" },
  { key: "sn_number" },
  { key: "owner_token", hidden: true },
  { key: "proprietary", hidden: true },
  { key: "checksum", hidden: true },
  { key: "type", hidden: true },
  { key: "row", kind: "number", hidden: true },
  { key: "text", hidden: true },
];

const codesArgument = {
  name: "codes",
  summary: "text of a code (LW:…), a file with one on each line, or - for stdin",
  variadic: true,
} as const;

/** Devices of the words: codes of the command line, and the rows of a CSV file. */
async function candidates(ctx: CommandContext, input: CommandInput): Promise<{ list: Candidate[]; source: string }> {
  const { parseLorawanQRCode } = await import("../../lib/utils/lorawan-qr-code.ts");
  const options = {
    map: columnMap(optionList(input, "map").map((text) => keyValue(text, "--map"))),
    namePattern: option(input, "name") ?? "{dev_eui}",
    tags: tagsOf(input),
    parse: parseLorawanQRCode,
  };
  const words = argumentList(input, "codes");
  if (words.length === 0) await readCodes(ctx, words);
  const list: Candidate[] = [];
  for (const word of words) {
    const isText = /^lw:/i.test(word) || isEui(plainEui(word));
    list.push(...(await readFleet(isText ? word : await ctx.readInput(word, "the QR codes"), options)));
  }
  return {
    list,
    source: words.map((word) => (existsSync(resolve(ctx.cwd, word)) ? resolve(ctx.cwd, word) : word)).join("\n"),
  };
}

const batchOptions = ["connector", "network", "map", "name", "tag", "report", "resume", "again"];

const parseCommand = defineCommand({
  path: ["qr", "parse"],
  asks: "nothing",
  effect: { most: "changes", of: (input) => (optionFlag(input, "create-device") ? "changes" : "reads") },
  summary: "Read QR codes of LoRaWAN devices, and create the devices",
  details:
    "Shows what each code says. With --create-device a device is created for each code, with its EUI as the serial number. " +
    "A CSV file then may have columns qr or dev_eui, name, description and tag:<key>; --map names others. A device that has " +
    "the serial number already is left as it is. --resume continues where an interrupted run of the same file ended.",
  args: [codesArgument],
  options: [
    { name: "create-device", summary: "create a device for each code" },
    { name: "connector", value: "id", summary: 'connector of the devices, as an id or "name:…"' },
    { name: "network", value: "id", summary: "network of the devices; the first one of the connector unless given" },
    {
      name: "name",
      value: "text",
      summary: "name of devices whose row has none; {dev_eui} and other parts are filled in",
    },
    { name: "tag", value: "k=v", summary: "tag of every device", repeat: true },
    {
      name: "map",
      value: "col=field",
      summary: "column of the file: qr, dev_eui, name, description or tag:<key>",
      repeat: true,
    },
    { name: "report", value: "file", summary: "every row with its result and reason, as .csv or .json" },
    ...resumeOptions,
  ],
  groups: ["dryRun"],
  result: { shape: "list", columns: [...codeColumns, ...onboardColumns] },
  examples: [
    'iot lorawan qr parse "LW:D0:1122334455667788:AABBCCDDEEFF0011:AABB1122"',
    'printf "eui,Site\\nAABBCCDDEEFF0021,North\\nAABBCCDDEEFF0022,South\\n" | iot lorawan qr parse - --create-device --connector "name:Soil Probe S2" --map Site=tag:site --dry-run',
    'iot lorawan qr parse "LW:D0:1122334455667788:AABBCCDDEEFF0033:AABB1122" --create-device --connector "name:Soil Probe S2" --name "Probe {dev_eui}"',
  ],
  exitCodes: [3, 4, 5, 6, 8, 10, 130],
  related: ["iot lorawan qr create", "iot device import", "iot connector list"],
  async run(ctx, input) {
    if (optionFlag(input, "create-device")) {
      const { list, source } = await candidates(ctx, input);
      return onboard(ctx, input, list, source);
    }
    const given = batchOptions.find((name) => optionList(input, name).length > 0 || optionFlag(input, name));
    if (given !== undefined)
      throw usageError(`--${given} is about new devices.`, { next: "Add --create-device, or leave it out." });
    const { parseLorawanQRCode } = await import("../../lib/utils/lorawan-qr-code.ts");
    const codes = await readCodes(ctx, argumentList(input, "codes"));
    const parsed = codes.map((code) => parseCode(code, parseLorawanQRCode));
    await ctx.out.list(parsed, { columns: codeColumns, empty: "There are no codes.", idKey: "dev_eui" });
    return 0;
  },
});

/** The text of a code from its parts. What proves the ownership is a secret, so it is only taken with a whole text. */
function builtText(input: CommandInput): string | undefined {
  const [join, device, vendor, sn, proprietary] = ["join-eui", "dev-eui", "vendor", "sn", "proprietary"].map((name) =>
    option(input, name),
  );
  if (join === undefined && device === undefined) {
    if (vendor === undefined && sn === undefined && proprietary === undefined) return undefined;
    throw usageError("A code needs both EUIs.", { next: "Add --join-eui and --dev-eui." });
  }
  for (const [flag, eui] of [
    ["--join-eui", join],
    ["--dev-eui", device],
  ] as const) {
    if (eui === undefined || !isEui(plainEui(eui)))
      throw usageError(`${flag} needs 16 hexadecimal digits.`, { next: `Write it like ${flag} 1122334455667788.` });
  }
  if ([vendor, sn, proprietary].some((part) => part !== undefined && /[:\r\n]/.test(part)))
    throw usageError("A part of a code holds no colon and no line break.");
  const head = ["LW", "D0", plainEui(join ?? ""), plainEui(device ?? ""), vendor ?? "00000000"];
  if (sn === undefined && proprietary === undefined) return head.join(":");
  return [...head, "", sn ?? "", proprietary ?? "", ""].join(":");
}

async function save(ctx: CommandContext, path: string, text: string): Promise<void> {
  if (existsSync(path))
    await ctx.confirm({ level: 1, action: `Overwrite ${path}`, where: "on this machine", name: basename(path) });
  writeWhole(path, text, { file: 0o644, folder: 0o755 });
  ctx.say.info(`Wrote ${path}.`);
}

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

const createCommand = defineCommand({
  path: ["qr", "create"],
  asks: "nothing",
  summary: "Draw QR codes of LoRaWAN devices",
  details:
    "Takes the text of a code, or makes it from its parts. Draws on the terminal, or writes SVG; several codes as SVG go to " +
    "a folder, one file for each EUI. Without colours light modules are drawn, for a dark terminal; --invert is for a light one.",
  args: [codesArgument],
  options: [
    { name: "join-eui", value: "hex", summary: "join EUI, 16 digits" },
    { name: "dev-eui", value: "hex", summary: "device EUI, 16 digits" },
    { name: "vendor", value: "hex", summary: "profile of the device: vendor and product (00000000)" },
    { name: "sn", value: "text", summary: "serial number of the maker" },
    { name: "proprietary", value: "text", summary: "the maker's own part" },
    { name: "svg", summary: "SVG instead of a drawing" },
    { name: "terminal", summary: "a drawing; what is done unless --svg is given" },
    { name: "invert", summary: "drawing for a light terminal without colours" },
    { name: "out", value: "file", summary: "file of the SVG; a folder for several" },
  ],
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
    const isSvg = optionFlag(input, "svg");
    const out = option(input, "out");
    if (isSvg && optionFlag(input, "terminal"))
      throw usageError("--svg and --terminal exclude each other.", { next: "Give one of the two." });
    if (out !== undefined && !isSvg) throw usageError("--out is about --svg.", { next: "Add --svg." });
    const built = builtText(input);
    const words = argumentList(input, "codes");
    const given = built === undefined || words.length > 0 ? await readCodes(ctx, words) : [];
    const { parseLorawanQRCode } = await import("../../lib/utils/lorawan-qr-code.ts");
    const texts = [...given, ...(built === undefined ? [] : [{ text: built }])];
    const codes = texts.map((text) => parseCode(text, parseLorawanQRCode));
    if (!isSvg) {
      const drawings: string[] = [];
      for (const { text, dev_eui } of codes)
        drawings.push(
          `${codes.length > 1 ? `${dev_eui}\n` : ""}${await drawCode(ctx, text, optionFlag(input, "invert"))}`,
        );
      await ctx.out.raw(drawings.join("\n"));
      return;
    }
    const path = out === undefined || out === "-" ? undefined : resolve(ctx.cwd, out);
    if (codes.length > 1 && (path === undefined || (existsSync(path) && !isFolder(path))))
      throw usageError("Several codes as SVG need a folder.", { next: "Add --out <folder>." });
    for (const { text, dev_eui } of codes) {
      const svg = await svgCode(text);
      if (path === undefined) await ctx.out.raw(svg);
      else await save(ctx, codes.length > 1 || isFolder(path) ? join(path, `${dev_eui}.svg`) : path, svg);
    }
  },
});

export const commands: readonly Command[] = [parseCommand, createCommand];
