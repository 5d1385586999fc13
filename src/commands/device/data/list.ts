import type { Column } from "../../kit/command/columns.ts";
import { defineCommand } from "../../kit/command/define.ts";
import type { OptionSpec } from "../../kit/command/options.ts";
import { either, rows, value } from "../../kit/command/result.ts";
import type { CommandContext } from "../../kit/context.ts";
import { type DataRow, dataColumns, dataOrders, planRead, readData } from "../../kit/devices/data-read.ts";
import { taggedOption } from "../../kit/devices/fleet.ts";
import { queryOptions, questionFrom, selectionFrom, selectionOptions } from "../data-query.ts";
import { deviceArgument, deviceOf } from "../place.ts";
import { asDevice, isSelf, selfCalls, selfDetails } from "../self.ts";
import { fleetAnswers, fleetDataColumns } from "./fleet-query.ts";

const fleetOption = {
  ...taggedOption,
  summary: "run the query on all devices with this tag",
  needs: ["query"],
  conflicts: ["<id>"],
} as const satisfies OptionSpec;

export const listData = defineCommand({
  path: ["data", "list"],
  result: either(rows(dataColumns), rows(fleetDataColumns), value({ type: ["number", "string", "boolean", "null"] })),
  aliases: ["ls"],
  effect: "reads",
  summary: "List the records of a device, newest first",
  details:
    "--query runs one query instead: last and first return one record per variable, min and max the record with the " +
    "smallest or largest value, avg, sum and count one number. With --tag, the query runs on each device with the tag: " +
    "one row per device and variable, or per device if the result is a number. --all reads every record, oldest " +
    "first, page by page. " +
    selfDetails,
  args: [deviceArgument],
  options: [
    ...selectionOptions,
    ...queryOptions,
    fleetOption,
    {
      name: "sort",
      value: "order",
      summary: "order of the records; the default is time:desc, with --all time:asc",
      choices: dataOrders,
      conflicts: ["query"],
    },
    { name: "details", summary: "add the time each record was stored" },
    { name: "max-records", kind: "integer", summary: "stop after this many records; skips the cost confirmation" },
  ],
  groups: ["pages", "confirm"],
  examples: [
    'iot device data list "name:Freezer 1" --variable temperature --last 24h',
    'iot device data list "name:Freezer 1" --query last',
    "iot device data list --tag device_type=freezer --variable temperature --query last",
    'iot device data list "name:Freezer 1" --variable temperature --query avg --last 7d',
    asDevice("iot device data list self --query last"),
  ],
  exitCodes: { only: [4, 5, 6, 9, 10] },
  related: ["iot device data count", "iot device watch"],
  async run(ctx, input) {
    const selection = selectionFrom(ctx, input);
    const question = questionFrom(input, selection);
    const { details, maxRecords = Number.POSITIVE_INFINITY, tag, sort } = input.options;
    const query = details ? { ...selection, details } : selection;
    if (question !== undefined && tag.length > 0)
      return showAnswers(ctx, await fleetAnswers(ctx, tag, query, question), fleetDataColumns);
    const { id } = await deviceOf(ctx, input);
    const client = await (isSelf(input) ? selfCalls(ctx) : ctx.client());
    if (question === undefined) {
      const plan = await planRead(ctx, { sort, maxRecords }, client, id, query);
      await ctx.out.list(plan.rows, { columns: dataColumns, empty: "No records match.", more: plan.more });
      return;
    }
    const rows = await readData(client, id, { ...query, ...question.parameters });
    if (question.isNumber) return ctx.out.value(rows[0]?.value ?? 0);
    return showAnswers(ctx, rows, dataColumns);
  },
});

/** All rows of a query, unless `--limit` is given. */
async function showAnswers<Row extends DataRow>(
  ctx: CommandContext,
  answers: readonly Row[],
  columns: readonly Column<Row>[],
): Promise<void> {
  const { limit = answers.length } = ctx.flags;
  const more = (): boolean => answers.length > limit;
  await ctx.out.list(answers.slice(0, limit), { columns, empty: "No records match.", more });
}
