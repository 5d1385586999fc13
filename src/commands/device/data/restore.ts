import type { Resources } from "../../../index.ts";
import { countOf } from "../../../text/count.ts";
import type { Column } from "../../kit/command/columns.ts";
import { defineCommand } from "../../kit/command/define.ts";
import { one } from "../../kit/command/result.ts";
import type { CommandContext } from "../../kit/context.ts";
import { namedDevice, namedDeviceArgument } from "../place.ts";
import { pollFor, type WaitInput, waitOptions } from "../poll.ts";

interface RestoreRow {
  readonly device: string;
  readonly file_address: string;
  readonly message: string;
  readonly records?: number;
}

const restoreColumns: readonly Column<RestoreRow>[] = [
  { key: "device", kind: "id" },
  { key: "file_address" },
  { key: "message" },
  { key: "records", kind: "number" },
];

export const restoreData = defineCommand({
  path: ["data", "restore"],
  result: one(restoreColumns),
  effect: "changes",
  summary: "Import a CSV file from Files into a device",
  details:
    "The file needs a header row and must be below 200 MB and one million rows. The records are added to the existing ones. " +
    "The platform does not report when it is done: --wait waits until the number of records has risen and no longer changes.",
  args: [namedDeviceArgument],
  options: [
    {
      name: "path",
      value: "path",
      required: "--path with a CSV file in Files",
      summary: "path of the CSV file in Files",
    },
    ...waitOptions(),
  ],
  groups: ["confirm", "dryRun"],
  examples: [
    'iot device data restore "name:Freezer 1" --path /backups/freezer.csv --dry-run',
    'iot device data backup "name:Freezer 1" --path /backups/freezer --header --wait --yes && iot device data restore "name:Freezer 1" --path /backups/freezer.csv --confirm \'Freezer 1\'',
  ],
  related: ["iot device data backup", "iot device data import"],
  async run(ctx, input) {
    const { path, wait } = input.options;
    const device = await namedDevice(ctx, input);
    const file = path.replace(/^\//, "");
    const body = { file_address: file };
    if (await ctx.dryRun({ method: "POST", path: `/device/${device.id}/data/restore`, body })) return;
    const name = await device.name();
    const client = await ctx.client();
    const before = await client.devices.amount(device.id);
    await ctx.confirm({ level: 2, action: `Add the records of ${file} to device "${name}"`, name });
    const message = await client.devices.dataRestore({ deviceID: device.id, ...body });
    const row = { device: device.id, file_address: file, message };
    const records = wait ? await restedAmount(ctx, input, client, device.id, before) : undefined;
    await ctx.out.item(records === undefined ? row : { ...row, records }, { columns: restoreColumns, idKey: "device" });
    const { label } = await ctx.connection();
    ctx.say.info(
      records === undefined
        ? `The platform is importing ${file} into device "${name}" in ${label}.`
        : `Device "${name}" in ${label} has ${countOf(records - before, "more record")}.`,
    );
  },
});

/** The number of records once it has changed and is the same twice. */
function restedAmount(ctx: CommandContext, input: WaitInput, client: Resources, id: string, before: number) {
  let last = before;
  return pollFor(ctx, input, "the import to finish", async () => {
    const now = await client.devices.amount(id);
    const hasRested = now !== before && now === last;
    last = now;
    return hasRested ? now : undefined;
  });
}
