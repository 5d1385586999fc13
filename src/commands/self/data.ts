import type { Device } from "../../index.ts";
import { announceReading, BILLING_NOTICE } from "../device/cost.ts";
import { deleteDetails, deletedRecords, deleteOptions, deleteRecords } from "../device/data-delete.ts";
import {
  type DataSelection,
  queryOptions,
  questionFrom,
  selectionFrom,
  selectionOptions,
} from "../device/data-query.ts";
import { type DataRow, dataColumns } from "../device/data-read.ts";
import { chunkColumns, type RecordTarget, writeRecords } from "../device/data-write.ts";
import { recordChanges, recordOptions, recordsFrom } from "../device/records.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Input } from "../kit/command/options.ts";
import { count as counted, rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { about, deviceOption, selfDevice } from "./place.ts";

const DEFAULT_LIMIT = 20;
const MAX_QTY = 10_000;

type DataQueryInput = Parameters<Device["getData"]>[0];

const readSelf = async (device: Device, query: object): Promise<readonly DataRow[]> =>
  (await device.getData(query as DataQueryInput)) as readonly DataRow[];

async function countSelf(device: Device, selection: DataSelection): Promise<number> {
  const [row] = await readSelf(device, { ...selection, query: "count" });
  return Number(row?.value ?? 0);
}

const listData = defineCommand({
  path: ["data", "list"],
  aliases: ["ls"],
  result: rows(dataColumns),
  effect: "reads",
  summary: "List the data of the device, newest first",
  details: `${about} --all reads every record, oldest first, page by page.`,
  options: [
    ...selectionOptions,
    ...queryOptions,
    { name: "limit", kind: "integer", summary: "maximum number of records (20)" },
    { name: "all", summary: "all records, oldest first", conflicts: ["limit"] },
    {
      name: "max-records",
      kind: "integer",
      summary: "stop after this many records; skips the cost confirmation",
    },
    deviceOption,
  ],
  groups: ["confirm"],
  examples: [
    'iot self data list --device "name:Freezer 1" --variable temperature --limit 5',
    'IOT_TOKEN=$(iot device token list "name:Freezer 1" --filter permission=full -o id | head -n 1) iot self data list --query last',
  ],
  exitCodes: { only: [4, 5, 6, 9, 10] },
  related: ["iot self data send", "iot device data list"],
  async run(ctx, input) {
    const selection = selectionFrom(ctx, input);
    const question = questionFrom(input, selection);
    const max = input.options.maxRecords ?? Number.POSITIVE_INFINITY;
    const isAll = input.options.all;
    const limit = Math.min(max, isAll ? Number.POSITIVE_INFINITY : (input.options.limit ?? DEFAULT_LIMIT));
    const device = await selfDevice(ctx, input);
    const output = { columns: dataColumns, empty: "No matching data." };
    if (question !== undefined) {
      const found = await readSelf(device, { ...selection, ...question.parameters });
      if (question.isNumber) return ctx.out.value(found[0]?.value ?? 0);
      await ctx.out.list(found.slice(0, limit), output);
      return;
    }
    if (limit > BILLING_NOTICE) {
      const records = Math.min(limit, await countSelf(device, selection));
      await announceReading(ctx, await ctx.client(), records, Number.isFinite(max));
    }
    if (limit >= MAX_QTY) {
      await ctx.out.list(allRecords(device, selection, limit), output);
      return;
    }
    const several = (selection.variables?.length ?? 0) > 1;
    const found = await readSelf(device, { ...selection, qty: limit + 1 });
    const sorted = several ? [...found].sort((a, b) => momentOf(b) - momentOf(a)) : found;
    await ctx.out.list(sorted.slice(0, limit), { ...output, more: () => sorted.length > limit });
  },
});

const momentOf = ({ time }: DataRow): number => (time === undefined ? 0 : new Date(time).getTime());

async function* allRecords(device: Device, selection: DataSelection, limit: number): AsyncGenerator<DataRow> {
  let left = limit;
  const options = { poolingRecordQty: MAX_QTY, poolingTime: 0, window: "time" } as const;
  for await (const page of device.getDataStreaming(selection as DataQueryInput, options)) {
    yield* page.slice(0, left);
    left -= page.length;
    if (left <= 0) return;
  }
}

const countData = defineCommand({
  path: ["data", "count"],
  result: counted,
  effect: "reads",
  summary: "Count the records of the device",
  details: about,
  options: [...selectionOptions, deviceOption],
  examples: [
    'iot self data count --device "name:Freezer 1"',
    'iot self data count --device "name:Freezer 1" --variable temperature --last 24h',
  ],
  exitCodes: [6],
  related: ["iot self data list"],
  async run(ctx, input) {
    const selection = selectionFrom(ctx, input);
    await ctx.out.value(await countSelf(await selfDevice(ctx, input), selection));
  },
});

const recordTarget = (
  ctx: CommandContext,
  input: Input<[], [typeof deviceOption]>,
  mode: "send" | "edit",
): RecordTarget => ({
  async writer() {
    const device = await selfDevice(ctx, input);
    return (part) =>
      mode === "send"
        ? device.sendData([...part] as unknown as Parameters<Device["sendData"]>[0])
        : device.editData([...part] as unknown as Parameters<Device["editData"]>[0]);
  },
  of: async () => "",
});

const sendData = defineCommand({
  path: ["data", "send"],
  result: rows(chunkColumns),
  effect: "changes",
  summary: "Send data as the device",
  details: `${about} Values are typed: 21.5 is a number, true a boolean, everything else a string.`,
  args: [{ name: "values", summary: "one or more variable=value pairs", variadic: true }],
  options: [...recordOptions, deviceOption],
  examples: [
    'iot self data send temperature=-18.5 --unit C --device "name:Freezer 1"',
    'IOT_TOKEN=$(iot device token list "name:Freezer 1" --filter permission=full -o id | head -n 1) iot self data send door=closed',
  ],
  exitCodes: [3, 6, 8, 130],
  related: ["iot self data list", "iot device data send"],
  async run(ctx, input) {
    await writeRecords(ctx, await recordsFrom(ctx, input), "send", recordTarget(ctx, input, "send"));
  },
});

const updateData = defineCommand({
  path: ["data", "update"],
  aliases: ["edit"],
  result: rows(chunkColumns),
  effect: "changes",
  summary: "Update stored records as the device",
  details: `${about} Only records in mutable storage can be updated. Fields not given keep their values.`,
  args: [{ name: "record", summary: "id of the record to update" }],
  options: [
    ...recordOptions.filter(({ name }) => name !== "raw-field"),
    { name: "value", value: "v", summary: "new value of the record", allowEmpty: true },
    deviceOption,
  ],
  examples: [
    'iot self data update 000000000000000000000000 --value -18.2 --device "name:Freezer 1" --dry-run',
    'iot self data update 000000000000000000000000 --unit K --device "name:Freezer 1" --dry-run',
  ],
  exitCodes: [3, 6, 8, 130],
  related: ["iot self data list"],
  async run(ctx, input) {
    const changes = await recordChanges(ctx, input, "iot self data list");
    await writeRecords(ctx, changes, "edit", recordTarget(ctx, input, "edit"));
  },
});

const deleteData = defineCommand({
  path: ["data", "delete"],
  aliases: ["rm"],
  result: deletedRecords,
  effect: "deletes",
  summary: "Delete records as the device",
  details: `${about} ${deleteDetails}`,
  options: [...deleteOptions, deviceOption],
  examples: [
    'iot self data delete --variable temperature --limit 1 --device "name:Freezer 1" --dry-run',
    'iot self data delete --variable temperature --limit 1 --device "name:Freezer 1" --confirm "Freezer 1"',
  ],
  exitCodes: [6, 8],
  related: ["iot self data count", "iot self data list"],
  run: (ctx, input) =>
    deleteRecords(ctx, input, async () => {
      const device = await selfDevice(ctx, input);
      return {
        path: "/data",
        about: () => device.info(),
        count: (selection) => countSelf(device, selection),
        remove: (query) => device.deleteData(query as Parameters<Device["deleteData"]>[0]),
      };
    }),
});

export const dataCommands: readonly Command[] = [listData, sendData, updateData, deleteData, countData];
