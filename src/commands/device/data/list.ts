import { defineCommand } from "../../kit/command/define.ts";
import { either, rows, value } from "../../kit/command/result.ts";
import type { CommandContext } from "../../kit/context.ts";
import { dataColumns, planRead, readData } from "../../kit/devices/data-read.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import { queryOptions, questionFrom, selectionFrom, selectionOptions } from "../data-query.ts";
import { deviceArgument, deviceOf } from "../place.ts";
import { asDevice, isSelf, selfCalls, selfDetails } from "../self.ts";

export const listData = defineCommand({
  path: ["data", "list"],
  result: either(rows(dataColumns), value({ type: ["number", "string", "boolean", "null"] })),
  aliases: ["ls"],
  effect: "reads",
  summary: "List the records of a device, newest first",
  details:
    "--query runs one query instead: last and first return one record per variable, min and max the record with the " +
    "smallest or largest value, avg, sum and count one number. --all reads every record, oldest first, page by page. " +
    selfDetails,
  args: [deviceArgument],
  options: [
    ...selectionOptions,
    ...queryOptions,
    { name: "details", summary: "add the time each record was stored" },
    { name: "max-records", kind: "integer", summary: "stop after this many records; skips the cost confirmation" },
  ],
  groups: ["list", "confirm"],
  examples: [
    'iot device data list "name:Freezer 1" --variable temperature --last 24h',
    'iot device data list "name:Freezer 1" --query last',
    'iot device data list "name:Freezer 1" --variable temperature --query avg --last 7d',
    asDevice("iot device data list self --query last"),
  ],
  exitCodes: { only: [4, 5, 6, 9, 10] },
  related: ["iot device data count", "iot device watch"],
  async run(ctx, input) {
    refuseListFlags(ctx);
    const selection = selectionFrom(ctx, input);
    const question = questionFrom(input, selection);
    const { id } = await deviceOf(ctx, input);
    const client = await (isSelf(input) ? selfCalls(ctx) : ctx.client());
    const { details, maxRecords = Number.POSITIVE_INFINITY } = input.options;
    const query = details ? { ...selection, details } : selection;
    if (question === undefined) {
      const plan = await planRead(ctx, maxRecords, client, id, query);
      await ctx.out.list(plan.rows, { columns: dataColumns, empty: "No records match.", more: plan.more });
      return;
    }
    const rows = await readData(client, id, { ...query, ...question.parameters });
    if (question.isNumber) return ctx.out.value(rows[0]?.value ?? 0);
    const limit = ctx.flags.limit ?? rows.length;
    await ctx.out.list(rows.slice(0, limit), {
      columns: dataColumns,
      empty: "No records match.",
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
