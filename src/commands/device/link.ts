import { cleanLine } from "../../text/clean.ts";
import { argument, option, optionFlag } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { one, rows } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { isObject, type JsonObject } from "../kit/files/files.ts";
import { resolveId, resolveOrPick } from "../kit/resource/resolve-id.ts";
import type { Arrival } from "../stream/follow.ts";
import { printArrivals } from "../stream/lines.ts";
import { liveFlags, liveOptionSpecs } from "../stream/options.ts";
import { deviceFinder } from "./finder.ts";
import { pollFor, waitOptions } from "./poll.ts";

const noteColumns: readonly Column<JsonObject>[] = [
  { key: "timestamp", kind: "time", exact: true },
  { key: "title", rank: 1 },
  { key: "content", rank: 1 },
  { key: "connection_id", kind: "id", hidden: true },
  { key: "device_id", kind: "id", hidden: true },
];

const inspectDevice = defineCommand({
  path: ["inspect"],
  result: rows(noteColumns),
  effect: "reads",
  summary: "Follow what the platform notes about the requests of a device",
  details:
    "Shows each request, its payload and what the payload parser made of it, as it happens. Prints lines on a terminal, " +
    "ndjson into a pipe, or the format of -o. Ends after --for, after --count events, or with Ctrl-C.",
  args: [{ name: "id", summary: "Full id, or a unique name:…, tag:key=value, serial:…" }],
  options: liveOptionSpecs.filter(({ name }) => name !== "since"),
  groups: ["confirm"],
  examples: ['iot device inspect "name:Freezer 1" --for 1s', 'iot device inspect "name:Freezer 1" --for 1s -o ndjson'],
  exitCodes: [3, 143],
  related: ["iot device watch", "iot stream device_inspector"],
  async run(ctx, input) {
    const flags = liveFlags(ctx, input);
    const device =
      flags.replay === undefined ? await resolveOrPick(ctx, deviceFinder, argument(input, "id")) : undefined;
    const names = new Map(device === undefined ? [] : [[device.id, await device.name()] as const]);
    const { followStream } = await import("../stream/follow.ts");
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
            empty: "The device was not heard of.",
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

interface DownlinkRow {
  readonly device: string;
  readonly payload: string;
  readonly port: number;
  readonly confirmed: boolean;
  readonly message: string;
}

const downlinkColumns: readonly Column<DownlinkRow>[] = [
  { key: "device", kind: "id" },
  { key: "payload" },
  { key: "port", kind: "number" },
  { key: "confirmed", kind: "flag" },
  { key: "message" },
];

const sendDownlink = defineCommand({
  path: ["downlink"],
  result: one(downlinkColumns),
  effect: "changes",
  summary: "Send a message to a device by way of its network",
  details:
    "The device needs a serial number and at least one uplink before. Its parameters downlink and port are set first, as " +
    "the network expects. --wait looks until the parameter downlink is marked as taken.",
  args: [{ name: "id", summary: "device: full id, or a unique name:…, tag:key=value, serial:…", required: true }],
  options: [
    { name: "payload", value: "hex", summary: "bytes, two hexadecimal digits each: 01FF" },
    { name: "port", value: "n", summary: "port of the device (LoRaWAN: FPort, 1 to 223)", default: "1" },
    { name: "confirmed", summary: "have the device acknowledge" },
    ...waitOptions.map((spec) => (spec.name === "wait-timeout" ? { ...spec, default: "1m" } : spec)),
  ],
  groups: ["dryRun"],
  examples: [
    'iot device downlink "name:Soil probe" --payload 0109 --port 5',
    'iot device downlink "name:Soil probe" --payload 01FF --confirmed --dry-run',
  ],
  exitCodes: [1, 130],
  related: ["iot device param list", "iot device inspect"],
  async run(ctx, input) {
    const payload = payloadOf(option(input, "payload"));
    const port = portOf(option(input, "port") ?? "1");
    const confirmed = optionFlag(input, "confirmed");
    const device = await resolveId(ctx, deviceFinder, argument(input, "id") ?? "");
    const params = [
      { key: "downlink", value: payload, sent: false },
      { key: "port", value: String(port), sent: false },
    ];
    if (ctx.flags.dryRun) {
      await ctx.dryRun({ method: "POST", path: `/device/${device.id}/params`, body: params });
      await ctx.dryRun({ method: "POST", path: "/downlink", body: { device: device.id, payload, port, confirmed } });
      return;
    }
    const { sendDownlink } = await import("../../lib/utils/send-downlink.ts");
    const client = await ctx.client();
    const message = await sendDownlink(client, device.id, { payload, port, confirmed });
    if (optionFlag(input, "wait")) {
      await pollFor(ctx, input, "the device's taking of the message", async () => {
        const now = await client.devices.paramList(device.id);
        return now.find(({ key, value }) => key === "downlink" && value === payload)?.sent === true ? true : undefined;
      });
    }
    await ctx.out.item(
      { device: device.id, payload, port, confirmed, message },
      { columns: downlinkColumns, idKey: "device" },
    );
    ctx.say.info(`${message} for device "${await device.name()}" in ${(await ctx.connection()).label}.`);
  },
});

function payloadOf(text: string | undefined): string {
  const hex = text?.replace(/[\s:]/g, "").replace(/^0x/i, "") ?? "";
  if (/^([0-9a-f]{2})+$/i.test(hex)) return hex;
  throw usageError(text === undefined ? "No payload was given." : `--payload ${quote(text)} is not hexadecimal.`, {
    next: "Write two digits for each byte: --payload 01FF.",
  });
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 255) return port;
  throw usageError(`--port needs a whole number up to 255, not ${quote(text)}.`);
}

export const commands: readonly Command[] = [inspectDevice, sendDownlink];
