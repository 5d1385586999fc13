import { countOf } from "../../text/count.ts";
import { argument, option, optionFlag } from "../kit/command/arguments.ts";
import { type ArgumentSpec, type Command, type CommandInput, defineCommand } from "../kit/command/define.ts";
import { count, either, rows, value } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { resolveOrPick, type Target } from "../kit/resource/resolve-id.ts";
import { isNarrowed, queryOptions, questionFrom, selectionFrom, selectionOptions, wantsDetails } from "./data-query.ts";
import { countRecords, dataColumns, planRead, readData } from "./data-read.ts";
import { chunkColumns, type RecordTarget, writeRecords } from "./data-write.ts";
import { deviceFinder } from "./finder.ts";
import { recordChanges, recordOptions, recordsFrom } from "./records.ts";
import { deviceWriter } from "./writer.ts";

const idArgument: ArgumentSpec = { name: "id", summary: "Full id, or a unique name:…, tag:key=value, serial:…" };

const target = (ctx: CommandContext, input: CommandInput): Promise<Target> =>
  resolveOrPick(ctx, deviceFinder, argument(input, "id"));

const listData = defineCommand({
  path: ["data", "list"],
  result: either(rows(dataColumns), value({ type: ["number", "string", "boolean", "null"] })),
  aliases: ["ls"],
  effect: "reads",
  summary: "Show what a device has sent, newest first",
  details:
    "--query asks the platform one question instead: last and first give one record per variable, min and max the " +
    "record with the smallest or largest value, avg, sum and count one number. --all reads every record, oldest first, page by page.",
  args: [idArgument],
  options: [
    ...selectionOptions,
    ...queryOptions,
    { name: "details", summary: "add the moment each record was stored" },
    {
      name: "max-records",
      value: "n",
      summary: "read at most this many records; also answers the question about cost",
    },
  ],
  groups: ["list", "confirm"],
  examples: [
    'iot device data list "name:Freezer 1" --variable temperature --last 24h',
    'iot device data list "name:Freezer 1" --query last',
    'iot device data list "name:Freezer 1" --variable temperature --query avg --last 7d',
  ],
  exitCodes: { only: [4, 5, 6, 9, 10] },
  related: ["iot device data count", "iot device watch"],
  async run(ctx, input) {
    refuseListFlags(ctx);
    const selection = selectionFrom(ctx, input);
    const question = questionFrom(input, selection);
    const { id } = await target(ctx, input);
    const query = wantsDetails(input) ? { ...selection, details: true } : selection;
    if (question === undefined) {
      const plan = await planRead(ctx, input, id, query);
      await ctx.out.list(plan.rows, { columns: dataColumns, empty: "No data matches.", more: plan.more });
      return;
    }
    const rows = await readData(await ctx.client(), id, { ...query, ...question.parameters });
    if (question.isNumber) return ctx.out.value(rows[0]?.value ?? 0);
    const limit = ctx.flags.limit ?? rows.length;
    await ctx.out.list(rows.slice(0, limit), {
      columns: dataColumns,
      empty: "No data matches.",
      more: () => rows.length > limit,
    });
  },
});

/** These shared flags of lists have no meaning for records; leaving them out silently would show too much. */
function refuseListFlags(ctx: CommandContext): void {
  const flag = ctx.flags.tag.length > 0 ? "--tag" : ctx.flags.filter.length > 0 ? "--filter" : undefined;
  if (flag !== undefined)
    throw usageError(`${flag} does not apply to data.`, { next: "Use --variable, --group, --from and --to." });
}

const countData = defineCommand({
  path: ["data", "count"],
  result: count,
  effect: "reads",
  summary: "Count the records of a device",
  args: [idArgument],
  options: [...selectionOptions],
  examples: [
    'iot device data count "name:Freezer 1"',
    'iot device data count "name:Freezer 1" --variable temperature --last 7d',
  ],
  related: ["iot device data list"],
  async run(ctx, input) {
    const selection = selectionFrom(ctx, input);
    const { id } = await target(ctx, input);
    await ctx.out.value(await countRecords(await ctx.client(), id, selection));
  },
});

const recordTarget = (ctx: CommandContext, device: Target, mode: "send" | "edit"): RecordTarget => ({
  async writer() {
    const writer = await deviceWriter(ctx, device.id);
    return (part) => writer[mode](part);
  },
  of: async () => ` of device "${await device.name()}"`,
});

const sendData = defineCommand({
  path: ["data", "send"],
  result: rows(chunkColumns),
  effect: "changes",
  summary: "Send data in the name of a device",
  details:
    "Values are typed: 21.5 is a number, true a truth value, everything else text; --raw-field keeps text as it is. " +
    "The platform takes data with a token of the device only, so one of its tokens is found and used.",
  args: [idArgument, { name: "values", summary: "variable=value, any number of them", variadic: true }],
  options: recordOptions,
  groups: ["dryRun"],
  examples: [
    'iot device data send "name:Freezer 1" temperature=-18.5 --unit C',
    `echo '[{"variable":"temperature","value":-18}]' | iot device data send "name:Freezer 1" --input -`,
  ],
  exitCodes: [3, 8, 130],
  related: ["iot device token create", "iot device data list"],
  async run(ctx, input) {
    const records = await recordsFrom(ctx, input);
    await writeRecords(ctx, records, "send", recordTarget(ctx, await target(ctx, input), "send"));
  },
});

const updateData = defineCommand({
  path: ["data", "update"],
  result: rows(chunkColumns),
  aliases: ["edit"],
  effect: "changes",
  summary: "Change stored records of a device",
  details: "Only mutable storage can be changed. Members that are not named stay as they are.",
  args: [idArgument, { name: "record", summary: "id of one record to change" }],
  options: [
    ...recordOptions.filter(({ name }) => name !== "raw-field"),
    { name: "value", value: "v", summary: "new value of the record", allowEmpty: true },
  ],
  groups: ["dryRun"],
  examples: [
    'iot device data update "name:Freezer 1" 000000000000000000000000 --value -18.2 --dry-run',
    `echo '[{"id":"000000000000000000000000","value":-18.2}]' | iot device data update "name:Freezer 1" --input - --dry-run`,
  ],
  exitCodes: [3, 8, 130],
  related: ["iot device data list"],
  async run(ctx, input) {
    const changes = await recordChanges(ctx, input, "iot device data list");
    await writeRecords(ctx, changes, "edit", recordTarget(ctx, await target(ctx, input), "edit"));
  },
});

const deleteData = defineCommand({
  path: ["data", "delete"],
  result: count,
  aliases: ["rm"],
  effect: "deletes",
  summary: "Delete records of a device",
  details:
    "Deletes the newest records that match, 15 per variable unless --limit or --all says more. Only mutable storage can be deleted from.",
  args: [idArgument],
  options: [
    ...selectionOptions,
    { name: "limit", value: "n", summary: "at most this many records per variable (15)" },
    { name: "all", summary: "every record that matches" },
  ],
  groups: ["confirm", "dryRun"],
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
    throw usageError("Choose the records to delete.", {
      next: 'Add --variable, --group, --id, --from or --last; "iot device data empty" takes all.',
    });
  }
  const all = optionFlag(input, "all");
  const limit = Math.min(Number(option(input, "limit") ?? selection.ids?.length ?? 15), MAX_DELETE);
  if (!Number.isInteger(limit) || limit < 1) throw usageError("--limit needs a whole number of at least 1.");
  const device = await target(ctx, input);
  const query = { ...selection, qty: all ? MAX_DELETE : limit };
  if (await ctx.dryRun({ method: "DELETE", path: `/device/${device.id}/data`, body: query })) return;
  const client = await ctx.client();
  const name = await device.name();
  const matching = await countRecords(client, device.id, selection);
  const isOne = selection.ids?.length === 1;
  const amount = all ? `all ${matching}` : `up to ${limit}`;
  const action = isOne
    ? `Delete one record of device "${name}"`
    : `Delete ${amount} matching records of device "${name}"`;
  const { label } = await ctx.connection();
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
  ctx.say.info(`Deleted ${countOf(removed, "record")} of device "${name}" in ${label}.`);
}

const emptyData = defineCommand({
  path: ["data", "empty"],
  result: count,
  effect: "deletes",
  summary: "Delete every record of a device",
  args: [idArgument],
  groups: ["confirm", "dryRun"],
  examples: [
    'iot device data empty "name:Freezer 1" --dry-run',
    'iot device data empty "name:Plant settings" --dry-run',
  ],
  related: ["iot device data delete"],
  async run(ctx, input) {
    const device = await target(ctx, input);
    if (await ctx.dryRun({ method: "POST", path: `/device/${device.id}/empty` })) return;
    const client = await ctx.client();
    const name = await device.name();
    const count = await client.devices.amount(device.id);
    const { label } = await ctx.connection();
    await ctx.confirm({ level: 2, action: `Delete all ${countOf(count, "record")} of device "${name}"`, name });
    await client.devices.emptyDeviceData(device.id);
    await ctx.out.value(count);
    ctx.say.info(`Deleted ${countOf(count, "record")} of device "${name}" in ${label}.`);
  },
});

export const commands: readonly Command[] = [listData, sendData, updateData, deleteData, countData, emptyData];
