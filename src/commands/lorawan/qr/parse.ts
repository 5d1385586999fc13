import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { argumentList, keyValue, option, optionFlag, optionList } from "../../kit/command/arguments.ts";
import type { Column } from "../../kit/command/columns.ts";
import { type CommandInput, defineCommand } from "../../kit/command/define.ts";
import type { CommandContext } from "../../kit/context.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import { tagsOf } from "../../kit/resource/body.ts";
import { resumeOptions } from "../../kit/state/journal.ts";
import { type CodeRow, codesArgument, isEui, parseCode, plainEui, readCodes } from "../codes.ts";
import { type Candidate, columnMap, readFleet } from "../fleet.ts";
import { onboard, onboardColumns } from "../onboard.ts";

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

/** Devices of the words: codes of the command line, and the rows of a CSV file. */
async function candidates(ctx: CommandContext, input: CommandInput): Promise<{ list: Candidate[]; source: string }> {
  const { parseLorawanQRCode } = await import("../../../lib/utils/lorawan-qr-code.ts");
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

export const parseCommand = defineCommand({
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
    const { parseLorawanQRCode } = await import("../../../lib/utils/lorawan-qr-code.ts");
    const codes = await readCodes(ctx, argumentList(input, "codes"));
    const parsed = codes.map((code) => parseCode(code, parseLorawanQRCode));
    await ctx.out.list(parsed, { columns: codeColumns, empty: "There are no codes.", idKey: "dev_eui" });
    return 0;
  },
});
