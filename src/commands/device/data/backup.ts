import { defineCommand } from "../../kit/command/define.ts";
import { one } from "../../kit/command/result.ts";
import { namedDevice, namedDeviceArgument } from "../place.ts";
import { jobDetails, runServerJob, serverJobColumns, serverJobOptions } from "../server-job.ts";

export const backupData = defineCommand({
  path: ["data", "backup"],
  result: one(serverJobColumns),
  effect: "changes",
  summary: "Back up all data of a device to a CSV file in Files",
  details: jobDetails,
  args: [namedDeviceArgument],
  options: serverJobOptions("/backups/$DEVICE$/$TIMESTAMP$"),
  groups: ["confirm", "dryRun"],
  examples: [
    'iot device data backup "name:Weather station" --header --wait --yes',
    "iot device data backup \"name:Weather station\" --path '/backups/$DEVICE$/$FROM$' --dry-run",
  ],
  related: ["iot device data restore", "iot device chunk backup", "iot device data export"],
  async run(ctx, input) {
    const device = await namedDevice(ctx, input);
    const records = ctx.flags.dryRun ? 0 : await (await ctx.client()).devices.amount(device.id);
    await runServerJob(ctx, input, {
      device,
      records,
      route: "data/backup",
      order: (client, body) => client.devices.dataBackup(body),
    });
  },
});
