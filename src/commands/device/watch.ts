import type { Channel } from "../../lib/realtime/channels.ts";
import { argumentList, optionFlag, optionList } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import type { JsonObject } from "../kit/files/files.ts";
import { resolveSeveral } from "../kit/resource/resolve-id.ts";
import { printArrivals } from "../stream/lines.ts";
import { liveFlags, liveOptionSpecs } from "../stream/options.ts";
import { dataColumns } from "./data-read.ts";
import { deviceFinder } from "./finder.ts";

const watchDevices = defineCommand({
  path: ["watch"],
  result: rows(dataColumns),
  effect: "reads",
  summary: "Follow the data of devices live",
  details:
    "Opens a live table with trends and a chart on a terminal. Prints one line per record with --accessible, ndjson to a " +
    "pipe, or the format of -o. Reconnects automatically and reports gaps. Stops after --for, --count records, " +
    "q or Ctrl-C.",
  args: [{ name: "ids", summary: "devices: full ids, or unique name:…, tag:key=value, serial:…", variadic: true }],
  options: [
    { name: "variable", value: "name", summary: "only this variable", repeat: true },
    { name: "inspect", summary: "also follow the connection logs of the devices" },
    ...liveOptionSpecs,
  ],
  groups: ["confirm"],
  examples: [
    'iot device watch "name:Freezer 1" --for 2s',
    'iot device watch "name:Freezer 1" "name:Weather station" --variable temperature --for 2s -o csv',
  ],
  exitCodes: [3, 6, 143],
  related: ["iot stream device_data", "iot device data list"],
  async run(ctx, input) {
    const flags = liveFlags(ctx, input);
    const names = flags.replay === undefined ? await chosenDevices(ctx, argumentList(input, "ids")) : new Map();
    const kinds = optionFlag(input, "inspect")
      ? (["device_data", "device_inspector"] as const)
      : (["device_data"] as const);
    const { followStream } = await import("../stream/follow.ts");
    await followStream(ctx, {
      channels: [...names.keys()].flatMap((id) => kinds.map((channel): Channel => ({ channel, resource_id: id }))),
      channelNames: kinds,
      wanted: { names, variables: optionList(input, "variable") },
      flags,
      counts: "records",
      print: (arrivals, wanted) =>
        printArrivals(ctx, arrivals, wanted, {
          machine: ({ entry, records }) =>
            records.map(({ channel, record }) =>
              channel === "device_data" ? record : { channel: entry.channel, ...record },
            ),
          // Records come as JSON here: times are text, which the columns take as well.
          columns: dataColumns as readonly Column<JsonObject>[],
          empty: "No data received.",
        }),
    });
  },
});

/** Ids and names of the devices to watch. */
async function chosenDevices(ctx: CommandContext, given: readonly string[]): Promise<Map<string, string>> {
  const targets = await resolveSeveral(ctx, deviceFinder, given);
  return new Map(await Promise.all(targets.map(async (target) => [target.id, await target.name()] as const)));
}

export const commands: readonly Command[] = [watchDevices];
