import { countOf } from "../../../text/count.ts";
import { option, optionFlag } from "../../kit/command/arguments.ts";
import { type CommandInput, defineCommand } from "../../kit/command/define.ts";
import { count } from "../../kit/command/result.ts";
import type { CommandContext } from "../../kit/context.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import { isNarrowed, selectionFrom, selectionOptions } from "../data-query.ts";
import { countRecords } from "../data-read.ts";
import { deviceArgument, deviceOf } from "../place.ts";

export const deleteData = defineCommand({
  path: ["data", "delete"],
  result: count,
  aliases: ["rm"],
  effect: "deletes",
  summary: "Delete records of a device",
  details:
    "Deletes the newest matching records, 15 per variable unless --limit or --all is set. Only mutable storage supports this.",
  args: [deviceArgument],
  options: [
    ...selectionOptions,
    { name: "limit", value: "n", summary: "at most this many records per variable (15)" },
    { name: "all", summary: "delete every matching record" },
  ],
  examples: [
    'iot device data delete "name:Freezer 1" --variable temperature --limit 1 --dry-run',
    'iot device data delete "name:Freezer 1" --last 1h --all --dry-run',
  ],
  related: ["iot device data empty"],
  run: deleteRecords,
});

const MAX_DELETE = 10_000;

async function deleteRecords(ctx: CommandContext, input: CommandInput): Promise<void> {
  const selection = selectionFrom(ctx, input);
  if (!isNarrowed(selection)) {
    throw usageError("No records selected.", {
      next: 'Add --variable, --group, --id, --from or --last; "iot device data empty" deletes all records.',
    });
  }
  const all = optionFlag(input, "all");
  const limit = Math.min(Number(option(input, "limit") ?? selection.ids?.length ?? 15), MAX_DELETE);
  if (!Number.isInteger(limit) || limit < 1) throw usageError("--limit needs a whole number of at least 1.");
  const device = await deviceOf(ctx, input);
  const query = { ...selection, qty: all ? MAX_DELETE : limit };
  if (await ctx.dryRun({ method: "DELETE", path: `/device/${device.id}/data`, body: query })) return;
  const client = await ctx.client();
  const name = await device.name();
  const matching = await countRecords(client, device.id, selection);
  const isOne = selection.ids?.length === 1;
  const amount = all ? `all ${matching}` : `up to ${limit}`;
  const action = isOne
    ? `Delete 1 record of device "${name}"`
    : `Delete ${amount} matching records of device "${name}"`;
  await ctx.confirm({ level: isOne ? 1 : 2, action, name });
  let removed = 0;
  do {
    const answer = await client.devices.deleteDeviceData(
      device.id,
      query as Parameters<typeof client.devices.deleteDeviceData>[1],
    );
    const count = Number.parseInt(String(answer), 10) || 0;
    removed += count;
    if (count === 0) break;
  } while (all && removed < matching && !ctx.signal.aborted);
  await ctx.out.value(removed);
  await ctx.done(`Deleted ${countOf(removed, "record")} of device "${name}"`);
}
