import { type DataRow, dataColumns } from "./device/data-read.ts";
import { eventSource } from "./device/event-source.ts";
import { deviceFinder } from "./device/finder.ts";
import { argumentList, option, optionList, optionNumber } from "./kit/arguments.ts";
import { cleanLine } from "./kit/clean.ts";
import type { CommandContext } from "./kit/context.ts";
import { type Command, defineCommand } from "./kit/define.ts";
import { parseDuration } from "./kit/options.ts";
import { resolveIds, resolveOrPick, type Target } from "./kit/resolve-id.ts";

const watchDevices = defineCommand({
  path: ["watch"],
  summary: "Follow the data of devices as it arrives",
  details:
    "Prints one line per record: readable on a terminal, ndjson into a pipe, or the format of -o. Connects again by itself " +
    "and says when it did. Ends after --for, after --count records, or with Ctrl-C.",
  args: [{ name: "ids", summary: "devices: full ids, or unique name:…, tag:key=value, serial:…", variadic: true }],
  options: [
    { name: "variable", value: "name", summary: "only this variable", repeat: true },
    { name: "for", value: "duration", summary: "stop after this time" },
    { name: "count", value: "n", summary: "stop after this many records" },
  ],
  examples: [
    'iot device watch "name:Freezer 1" --for 2s',
    'iot device watch "name:Freezer 1" "name:Weather station" --variable temperature --for 2s -o csv',
  ],
  exitCodes: [4, 5, 6, 10, 130, 143],
  related: ["iot device data list"],
  async run(ctx, input) {
    const given = argumentList(input, "ids");
    const forText = option(input, "for");
    const forMs = forText === undefined ? undefined : parseDuration(forText, "--for");
    const count = optionNumber(input, "count", 1) ?? Number.POSITIVE_INFINITY;
    const targets =
      given.length === 0
        ? [await resolveOrPick(ctx, deviceFinder, undefined)]
        : await resolveIds(ctx, deviceFinder, given);
    const names = new Map(await Promise.all(targets.map(async (target) => [target.id, await target.name()] as const)));
    const source = await eventSource(ctx, { names, variables: optionList(input, "variable"), count, forMs });
    const printed = await print(ctx, source.rows, names, targets);
    ctx.say.info(
      `${printed} ${printed === 1 ? "record" : "records"} received${source.gaps() > 0 ? `; ${source.gaps()} gaps in the connection` : ""}.`,
    );
  },
});

/** Lines for people on a terminal, ndjson elsewhere, unless a format was asked for. */
async function print(
  ctx: CommandContext,
  rows: AsyncIterable<DataRow>,
  names: ReadonlyMap<string, string>,
  targets: readonly Target[],
): Promise<number> {
  const isChosen = ctx.user.settings.get("output")?.origin !== "default";
  const isAsked = isChosen || ctx.flags.fields !== undefined || ctx.flags.jq !== undefined;
  if (isAsked) return ctx.out.list(rows, { columns: dataColumns, empty: "No data arrived." });
  let count = 0;
  for await (const row of rows) {
    count += 1;
    await ctx.out.raw(
      ctx.io.stdoutIsTerminal ? readable(ctx, row, names, targets.length > 1) : `${JSON.stringify(row)}\n`,
    );
  }
  return count;
}

/** `14:03:12  Pump 3  pressure  4.21 bar`, cleaned: every part of it came from a device. */
function readable(
  ctx: CommandContext,
  row: DataRow & { readonly unit?: unknown },
  names: ReadonlyMap<string, string>,
  withDevice: boolean,
): string {
  const time = row.time === undefined ? new Date(ctx.clock.now()) : new Date(row.time);
  const clock = Number.isNaN(time.getTime())
    ? "--:--:--"
    : time.toLocaleTimeString("en-GB", ctx.flags.tz === undefined ? {} : { timeZone: ctx.flags.tz });
  const device = withDevice ? [names.get(row.device ?? "") ?? row.device ?? "?"] : [];
  const value = typeof row.value === "object" ? JSON.stringify(row.value) : String(row.value ?? "");
  const unit = typeof row.unit === "string" ? ` ${row.unit}` : "";
  return `${[clock, ...device, row.variable ?? "?", `${value}${unit}`].map((text) => cleanLine(text, 200)).join("  ")}\n`;
}

export const commands: readonly Command[] = [watchDevices];
