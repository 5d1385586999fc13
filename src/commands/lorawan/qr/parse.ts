import type { Column } from "../../kit/command/columns.ts";
import { defineCommand } from "../../kit/command/define.ts";
import type { Options } from "../../kit/command/options.ts";
import { type CodeRow, codesArgument, parseCode, readCodes } from "../codes.ts";
import { deviceOptions, onboard, onboardColumns } from "../onboard.ts";

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

const options = [
  { name: "create-device", summary: "create a device for each code", needs: ["connector"] },
  ...deviceOptions,
] as const satisfies Options;

export const parseCommand = defineCommand({
  path: ["qr", "parse"],
  asks: "nothing",
  effect: { most: "changes", of: (input) => (input.options.createDevice ? "changes" : "reads") },
  summary: "Read LoRaWAN QR codes, and create the devices",
  details:
    "Shows the parts of each code. With --create-device it creates a device for each code, with the EUI as serial number. " +
    "A CSV file can then have columns qr or dev_eui, name, description and tag:<key>; --map maps other names. Devices with " +
    "an existing serial number are left unchanged. --resume continues an interrupted run of the same file.",
  args: [codesArgument],
  options,
  groups: ["dryRun"],
  result: { shape: "list", columns: [...codeColumns, ...onboardColumns] },
  examples: [
    'iot lorawan qr parse "LW:D0:1122334455667788:AABBCCDDEEFF0011:AABB1122"',
    'printf "eui,Site\\nAABBCCDDEEFF0021,North\\nAABBCCDDEEFF0022,South\\n" | iot lorawan qr parse - --create-device --connector "name:Soil Probe S2" --map Site=tag:site --dry-run',
    'iot lorawan qr parse "LW:D0:1122334455667788:AABBCCDDEEFF0033:AABB1122" --create-device --connector "name:Soil Probe S2" --name "Probe {dev_eui}"',
  ],
  exitCodes: [3, 4, 5, 6, 7, 8, 9, 10, 130],
  related: ["iot lorawan qr create", "iot device import", "iot connector list"],
  async run(ctx, input) {
    const { input: named, createDevice, connector } = input.options;
    const words = [...input.args.codes, ...(named === undefined ? [] : [named])];
    if (words.length > 0 && createDevice && connector !== undefined) return onboard(ctx, input, words, connector);
    const { parseLorawanQRCode } = await import("../../../lib/utils/lorawan-qr-code.ts");
    const codes = await readCodes(ctx, words);
    const parsed = codes.map((code) => parseCode(code, parseLorawanQRCode));
    await ctx.out.list(parsed, { columns: codeColumns, empty: "No codes found.", idKey: "dev_eui" });
    return 0;
  },
});
