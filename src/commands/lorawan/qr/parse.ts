import { argumentList, option, optionFlag, optionList } from "../../kit/command/arguments.ts";
import type { Column } from "../../kit/command/columns.ts";
import { defineCommand, type OptionSpec } from "../../kit/command/define.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import { importOptions } from "../../kit/rows/import-flags.ts";
import { type CodeRow, codesArgument, parseCode, readCodes } from "../codes.ts";
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

/** Flags about the new devices. */
const deviceOptions: readonly OptionSpec[] = [
  { name: "connector", value: "id", summary: 'connector of the devices, as an id or "name:…"' },
  { name: "network", value: "id", summary: "network of the devices (the connector's first)" },
  {
    name: "name",
    value: "text",
    summary: "name of rows without one; {dev_eui} and other parts are filled in",
  },
  { name: "tag", value: "k=v", summary: "tag for every device", repeat: true },
  ...importOptions("map a column to a field: qr, dev_eui, name, description or tag:<key>"),
];

export const parseCommand = defineCommand({
  path: ["qr", "parse"],
  asks: "nothing",
  effect: { most: "changes", of: (input) => (optionFlag(input, "create-device") ? "changes" : "reads") },
  summary: "Read LoRaWAN QR codes, and create the devices",
  details:
    "Shows the parts of each code. With --create-device it creates a device for each code, with the EUI as serial number. " +
    "A CSV file can then have columns qr or dev_eui, name, description and tag:<key>; --map maps other names. Devices with " +
    "an existing serial number are left unchanged. --resume continues an interrupted run of the same file.",
  args: [codesArgument],
  options: [{ name: "create-device", summary: "create a device for each code" }, ...deviceOptions],
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
    const named = option(input, "input");
    const words = [...argumentList(input, "codes"), ...(named === undefined ? [] : [named])];
    if (words.length > 0 && optionFlag(input, "create-device")) return onboard(ctx, input, words);
    const given = deviceOptions.find(
      ({ name }) => name !== "input" && (optionList(input, name).length > 0 || optionFlag(input, name)),
    );
    if (given !== undefined && !optionFlag(input, "create-device"))
      throw usageError(`--${given.name} needs --create-device.`, { next: "Add --create-device, or leave it out." });
    const { parseLorawanQRCode } = await import("../../../lib/utils/lorawan-qr-code.ts");
    const codes = await readCodes(ctx, words);
    const parsed = codes.map((code) => parseCode(code, parseLorawanQRCode));
    await ctx.out.list(parsed, { columns: codeColumns, empty: "No codes found.", idKey: "dev_eui" });
    return 0;
  },
});
