import { defined } from "../../lib/core/defined.ts";
import type { Channel } from "../../lib/realtime/channels.ts";
import { countOf } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Arguments, Input, Options } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { dataColumns } from "../kit/devices/data-read.ts";
import { fleetOf, taggedOption } from "../kit/devices/fleet.ts";
import type { JsonObject } from "../kit/files/files.ts";
import { printArrivals } from "../kit/streams/lines.ts";
import { liveFlags, liveOptionSpecs } from "../kit/streams/options.ts";
import type { RecordFilter } from "../kit/streams/records.ts";
import { parseWhere } from "../kit/streams/where.ts";

const args = [
  { name: "ids", summary: "devices: full ids, or unique name:…, tag:key=value, serial:…", variadic: true },
] as const satisfies Arguments;

const options = [
  { name: "variable", value: "name", summary: "only this variable", repeat: true },
  { ...taggedOption, conflicts: ["<ids>"] },
  { name: "where", value: "expr", summary: "only records that match: temperature>8", repeat: true },
  { name: "exec", value: "command", summary: "run this shell command for each record", leadsAway: true },
  { name: "exit-on-match", summary: "stop at the first record, with exit code 11" },
  { name: "inspect", summary: "also follow the connection logs of the devices" },
  ...liveOptionSpecs,
] as const satisfies Options;

type Given = Input<typeof args, typeof options>;

const watchDevices = defineCommand({
  path: ["watch"],
  result: rows(dataColumns),
  effect: "reads",
  summary: "Follow the data of devices live",
  details:
    "Opens a live table with trends and a chart on a terminal. Prints one line per record with --accessible, ndjson to a " +
    "pipe, or the format of -o. Reconnects automatically and reports gaps. Stops after --for, --count records, " +
    "q or Ctrl-C. --tag watches the devices that have the tag at the start, up to 2,000. " +
    "--where compares a variable (temperature>8) or a field (device_name=Pump*, unit, group, metadata.x, variable, value) with = != < <= > " +
    ">=, joined by and / or; only matching records are shown and counted. --exec runs a command for each of them, up to " +
    "4 at a time, with the record on stdin and IOT_DEVICE, IOT_VARIABLE and IOT_VALUE set, but without IOT_TOKEN; its " +
    "output goes to stderr and its failure is a warning. --exit-on-match exits with 11 at the first of them; --count then counts " +
    "all records. " +
    "--exec and --exit-on-match print lines, also on a terminal. See docs/live-view.md.",
  args,
  options,
  groups: ["confirm"],
  examples: [
    'iot device watch "name:Freezer 1" --for 2s',
    'iot device watch "name:Freezer 1" "name:Weather station" --variable temperature --for 2s -o csv',
    'iot device watch --tag device_type=freezer --where "temperature>8" --exec "cat >> alarms.ndjson" --for 2s',
    'iot device watch "name:Freezer 1" --where "temperature>8 or door=open" --exit-on-match --for 2s',
  ],
  exitCodes: [3, 6, 11, 143],
  related: ["iot stream device_data", "iot device data list"],
  async run(ctx, input) {
    const given = liveFlags(ctx, input);
    const { exitOnMatch: exitsOnMatch, inspect, exec: command } = input.options;
    const flags = exitsOnMatch ? { ...given, count: 1 } : given;
    const wanted = wantedOf(ctx, input);
    const names = flags.replay === undefined ? await chosenDevices(ctx, input) : new Map();
    const kinds = inspect ? (["device_data", "device_inspector"] as const) : (["device_data"] as const);
    const [{ followStream }, { createRunner }] = await Promise.all([
      import("../kit/streams/follow.ts"),
      import("../kit/streams/exec.ts"),
    ]);
    const runner = command === undefined ? undefined : createRunner(ctx, command);
    const looked = exitsOnMatch ? lookAt(wanted, given.count) : undefined;
    try {
      const { received } = await followStream(ctx, {
        channels: [...names.keys()].flatMap((id) => kinds.map((channel): Channel => ({ channel, resource_id: id }))),
        channelNames: kinds,
        wanted: { ...(looked?.wanted ?? wanted), names },
        flags,
        counts: "records",
        isPlain: exitsOnMatch || runner !== undefined,
        ...defined({ act: runner?.add, hasEnough: looked?.hasEnough }),
        print: (arrivals, shown) =>
          printArrivals(ctx, arrivals, shown, {
            machine: ({ entry, records }) =>
              records.map(({ channel, record }) =>
                channel === "device_data" ? record : { channel: entry.channel, ...record },
              ),
            // Records come as JSON here: times are text, which the columns take as well.
            columns: dataColumns as readonly Column<JsonObject>[],
            empty: "No data received.",
          }),
      });
      return exitsOnMatch && received > 0 ? 11 : 0;
    } finally {
      await runner?.settle();
    }
  },
});

function wantedOf(ctx: CommandContext, input: Given): Omit<RecordFilter, "names"> {
  const { variable: variables, where: whereTexts } = input.options;
  if (whereTexts.length === 0) return { variables };
  return { variables, whereTexts, where: parseWhere(whereTexts, ctx.clock.now) };
}

/** As `wanted`, but no record after the first `most` is looked at. */
function lookAt(wanted: Omit<RecordFilter, "names">, most: number) {
  let looked = 0;
  const where: RecordFilter["where"] = (record, name) => {
    looked += 1;
    return looked <= most && (wanted.where?.(record, name) ?? true);
  };
  return { wanted: { ...wanted, where }, hasEnough: () => looked >= most };
}

/** Ids and names of the devices to watch. */
async function chosenDevices(ctx: CommandContext, input: Given): Promise<Map<string, string>> {
  const devices = await fleetOf(ctx, input.args.ids, input.options.tag);
  if (input.options.tag.length > 0)
    ctx.say.info(`${countOf(devices.length, "device")} found. Devices that get the tag later are not watched.`);
  return new Map(devices.map(({ id, name }) => [id, name]));
}

export const commands: readonly Command[] = [watchDevices];
