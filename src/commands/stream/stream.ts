import type { Channel } from "../../lib/realtime/channels.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Arguments, Input, Options } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { fleetOf } from "../kit/devices/fleet.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { unknownWord } from "../kit/failures/unknown-word.ts";
import type { JsonObject } from "../kit/files/files.ts";
import { deviceFinder } from "../kit/finders/device.ts";
import { resolveId, resolveOrPick } from "../kit/resource/resolve-id.ts";
import { printArrivals } from "../kit/streams/lines.ts";
import { liveFlags, liveOptionSpecs } from "../kit/streams/options.ts";

const columns: readonly Column<JsonObject>[] = [
  { key: "timestamp", schema: { type: ["string", "number"] } },
  { key: "channel" },
  { key: "payload", kind: "json", rank: 1 },
];

const args = [
  { name: "channels", summary: "channel, channel:id, or channel and id as two words", variadic: true },
] as const satisfies Arguments;

const options = [
  { name: "variable", value: "name", summary: "only this variable of data channels", repeat: true },
  { name: "tag", kind: "tag", summary: "with device_data: all devices with this tag", repeat: true },
  {
    name: "to",
    value: "address",
    summary: "send the records to Kafka, NATS, MQTT or https instead of printing them",
    conflicts: ["save"],
    leadsAway: true,
  },
  {
    name: "dead-letter",
    file: "out",
    value: "file",
    summary: "with --to, file for records that the engine rejects",
    needs: ["to"],
  },
  {
    name: "cursor",
    file: "out",
    value: "file",
    summary: "with --to, file of how far the records were delivered",
    needs: ["to"],
    conflicts: ["replay"],
  },
  {
    name: "lookback",
    kind: "duration",
    summary: "with --to, how late the records of devices may arrive",
    default: "1m",
  },
  ...liveOptionSpecs,
] as const satisfies Options;

type Given = Input<typeof args, typeof options>;

export const stream = defineCommand({
  path: [],
  result: rows(columns),
  effect: "reads",
  summary: "Follow live event channels",
  details:
    "Channels: device_data, device_inspector, entity_data, analysis_console and ui_dashboard need an id after a colon or as " +
    "the next word; analysis_trigger, notification and ui take none. Opens a live table on a terminal; prints one event per " +
    "line as ndjson to a pipe, or the format of -o. Stops after --for, --count events, q or Ctrl-C. " +
    "--since starts with the records that devices have stored since then, each once, and continues live. " +
    "--to sends each record to kafka://host:9092/topic, nats://host:4222/subject, mqtt://host:1883/topic or https://host/path " +
    "(kafkas, natss and mqtts use TLS) until the engine acknowledges it, with its id as the key. The same command later " +
    "continues where this one ended. User and password come from IOT_SINK_USER and IOT_SINK_PASSWORD, or IOT_SINK_TOKEN, " +
    "or from files that these variables with _FILE at the end name. See docs/streams-out.md.",
  args,
  options,
  groups: ["confirm"],
  examples: [
    "iot stream notification --for 2s",
    'iot stream "device_data:name:Freezer 1" ui --for 2s -o ndjson',
    'iot stream "device_data:name:Freezer 1" --since -1h --for 2s',
  ],
  exitCodes: [3, 5, 6, 10, 143],
  related: ["iot device watch"],
  async run(ctx, input) {
    const flags = liveFlags(ctx, input);
    const { channels, names } =
      flags.replay === undefined ? await chosenChannels(ctx, input) : { channels: [], names: new Map() };
    const variables = input.options.variable;
    const follow = {
      channels,
      channelNames: channels.map(({ channel }) => channel),
      wanted: { names, variables },
      flags,
      counts: "events",
    } as const;
    const { to, deadLetter, cursor, lookback: lookbackMs, tag: tags } = input.options;
    if (to !== undefined) {
      const { streamTo } = await import("./to.ts");
      const scope = { words: input.args.channels, tags, variables };
      return streamTo(ctx, follow, { to, deadLetter, cursor, lookbackMs }, scope);
    }
    const { followStream } = await import("../kit/streams/follow.ts");
    await followStream(ctx, {
      ...follow,
      print: (arrivals, wanted) =>
        printArrivals(ctx, arrivals, wanted, {
          machine: ({ entry, records }) => [
            {
              channel: entry.channel,
              timestamp: entry.timestamp,
              payload: variables.length > 0 ? records.map(({ record }) => record) : entry.payload,
            },
          ],
          columns,
          empty: "No events received.",
        }),
    });
  },
});

const withoutId = ["analysis_trigger", "notification", "ui"] as const;
const withId = ["device_data", "device_inspector", "entity_data", "analysis_console", "ui_dashboard"] as const;
const isWithId = (word: string): word is (typeof withId)[number] => withId.some((name) => name === word);
const isWithoutId = (word: string): word is (typeof withoutId)[number] => withoutId.some((name) => name === word);

interface Chosen {
  readonly channels: Channel[];
  /** Resources by id. */
  readonly names: Map<string, string>;
}

/** `channel`, `channel:id`, or a channel and its id as two words. Devices may be named in every form. */
async function chosenChannels(ctx: CommandContext, input: Given): Promise<Chosen> {
  const words = input.args.channels;
  if (input.options.tag.length > 0) return taggedChannels(ctx, input, words);
  const chosen: Chosen = { channels: [], names: new Map() };
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? "";
    const colon = word.indexOf(":");
    const name = colon < 0 ? word : word.slice(0, colon);
    if (isWithoutId(name)) {
      if (colon >= 0) throw usageError(`The channel ${name} takes no id.`, { next: `Use ${name} alone.` });
      chosen.channels.push({ channel: name });
      continue;
    }
    if (!isWithId(name)) throw unknownChannel(name);
    let id = colon < 0 ? "" : word.slice(colon + 1);
    if (colon < 0) {
      i += 1;
      id = words[i] ?? "";
    }
    if (name.startsWith("device_") && ctx.canPrompt && colon < 0 && i >= words.length) {
      const device = await resolveOrPick(ctx, deviceFinder, undefined);
      id = device.id;
    }
    if (id === "" || isWithId(id) || isWithoutId(id)) {
      throw usageError(`The channel ${name} needs an id.`, { next: `Use ${name}:<id>.` });
    }
    const resource = await resourceOf(ctx, name, id);
    chosen.names.set(resource.id, resource.name);
    chosen.channels.push({ channel: name, resource_id: resource.id });
  }
  if (chosen.channels.length > 0) return chosen;
  throw usageError("No channel given.", {
    why: "stream needs at least one channel, or --replay.",
    next: `Use one of ${[...withId.map((name) => `${name}:<id>`), ...withoutId].join(", ")}.`,
  });
}

async function taggedChannels(ctx: CommandContext, input: Given, words: readonly string[]): Promise<Chosen> {
  if (words.join() !== "device_data")
    throw usageError("--tag needs the channel device_data, without an id.", {
      next: "Use iot stream device_data --tag key=value.",
    });
  const devices = await fleetOf(ctx, [], input.options.tag);
  return {
    channels: devices.map(({ id }) => ({ channel: "device_data", resource_id: id })),
    names: new Map(devices.map(({ id, name }) => [id, name])),
  };
}

async function resourceOf(ctx: CommandContext, channel: string, id: string) {
  if (channel.startsWith("device_")) {
    const target = await resolveId(ctx, deviceFinder, id);
    return { id: target.id, name: await target.name() };
  }
  if (/^[0-9a-f]{24}$/i.test(id)) return { id, name: id };
  throw usageError(`${quote(id)} is not a full id.`, {
    why: `The channel ${channel} takes ids of 24 characters.`,
    next: `Use ${channel}:<id>.`,
  });
}

function unknownChannel(word: string): Error {
  const known = [...withId, ...withoutId];
  return unknownWord("channel", word, known, {
    code: "usage.invalid",
    why: `The channels are ${known.join(", ")}.`,
    next: 'Use one of them, such as "iot stream notification".',
  });
}
