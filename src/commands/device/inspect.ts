import { cleanLine } from "../../text/clean.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { isObject, type JsonObject } from "../kit/files/files.ts";
import type { Arrival } from "../kit/streams/follow.ts";
import { printArrivals } from "../kit/streams/lines.ts";
import { liveFlags, liveOptionSpecs } from "../kit/streams/options.ts";
import { deviceArgument, deviceOf } from "./place.ts";

const noteColumns: readonly Column<JsonObject>[] = [
  { key: "timestamp", kind: "time", exact: true },
  { key: "title", rank: 1 },
  { key: "content", rank: 1 },
  { key: "connection_id", kind: "id", hidden: true },
  { key: "device_id", kind: "id", hidden: true },
];

export const inspectDevice = defineCommand({
  path: ["inspect"],
  result: rows(noteColumns),
  effect: "reads",
  summary: "Follow a device's connection log",
  details:
    "Shows each request, its payload and the result of the payload parser as it happens. Prints lines on a terminal, " +
    "ndjson to a pipe, or the format of -o. Stops after --for, --count events or Ctrl-C.",
  args: [deviceArgument],
  options: liveOptionSpecs.filter(({ name }) => name !== "since"),
  groups: ["confirm"],
  examples: ['iot device inspect "name:Freezer 1" --for 1s', 'iot device inspect "name:Freezer 1" --for 1s -o ndjson'],
  exitCodes: [3, 143],
  related: ["iot device watch", "iot stream device_inspector"],
  async run(ctx, input) {
    const flags = liveFlags(ctx, input);
    const device = flags.replay === undefined ? await deviceOf(ctx, input) : undefined;
    const names = new Map(device === undefined ? [] : [[device.id, await device.name()] as const]);
    const { followStream } = await import("../kit/streams/follow.ts");
    await followStream(ctx, {
      channels: device === undefined ? [] : [{ channel: "device_inspector", resource_id: device.id }],
      channelNames: ["device_inspector"],
      wanted: { names, variables: [] },
      flags,
      counts: "events",
      isPlain: true,
      print: (arrivals, wanted) =>
        printNotes(ctx, arrivals, () =>
          printArrivals(ctx, arrivals, wanted, {
            machine: notesOf,
            columns: noteColumns,
            empty: "No events received.",
          }),
        ),
    });
  },
});

/** The notes of an event: the platform sends one, or several at once. */
function notesOf({ entry }: Arrival): readonly JsonObject[] {
  const list: readonly unknown[] = Array.isArray(entry.payload) ? entry.payload : [entry.payload];
  return list.filter(isObject);
}

/** For people: the time and title of each note on one line, the content below it; a request starts with an empty line. */
async function printNotes(
  ctx: CommandContext,
  arrivals: AsyncIterable<Arrival>,
  asData: () => Promise<void>,
): Promise<void> {
  const isChosen = ctx.user.settings.get("output")?.origin !== "default";
  if (isChosen || ctx.flags.fields !== undefined || ctx.flags.jq !== undefined || !ctx.io.stdoutIsTerminal)
    return asData();
  for await (const arrival of arrivals) {
    const lines = notesOf(arrival).flatMap(({ timestamp, title, content }) => {
      const heading = cleanLine(String(title ?? ""), 200);
      const moment = new Date(String(timestamp ?? arrival.entry.timestamp ?? ""));
      const zone = ctx.flags.tz === undefined ? {} : { timeZone: ctx.flags.tz };
      const time = Number.isNaN(moment.getTime()) ? "" : moment.toLocaleTimeString("en-GB", zone);
      const text = typeof content === "string" ? content : JSON.stringify(content ?? "");
      return [...(/request|mqtt/i.test(heading) ? [""] : []), `${time}  ${heading}`, `    ${cleanLine(text, 2_000)}`];
    });
    await ctx.io.write(lines.map((line) => `${line}\n`).join(""));
  }
}
