import { resolve } from "node:path";
import type { Resources } from "../../index.ts";
import { countOf } from "../../text/count.ts";
import { option, optionFlag, optionList, optionPair } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type CommandInput, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { parseTagFilter } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { writeWhole } from "../kit/files/files.ts";
import { confirmOutFile, formatOfEnding, shownPath } from "../kit/files/out-file.ts";
import { mapLanes } from "../kit/lanes.ts";
import { createProgress } from "../kit/say/progress.ts";
import { withinLimits } from "../kit/say/rate-limit.ts";
import { steadyClient } from "../kit/steady-client.ts";
import type { Tag } from "./fleet/fleet-row.ts";

/** A device as the file has it. */
interface FleetDevice {
  readonly id: string;
  readonly name: string;
  readonly serial?: string;
  readonly tags: readonly Tag[];
  readonly params?: readonly Tag[];
  readonly [member: string]: unknown;
}

const members = [
  "type",
  "active",
  "visible",
  "description",
  "network",
  "connector",
  "chunk_period",
  "chunk_retention",
] as const;

const fileColumns: readonly Column<{ readonly file: string; readonly devices: number }>[] = [
  { key: "file" },
  { key: "devices", kind: "number" },
];

export const exportDevices = defineCommand({
  path: ["export"],
  result: rows(fileColumns),
  effect: "local",
  summary: "Write devices to a fleet file that import reads",
  details:
    "CSV has a column for each tag (tag.site) and, with --params, for each parameter (param.interval); JSON has lists. " +
    "The file holds no data of the devices and no tokens; their serial numbers are in it.",
  options: [
    { name: "out", value: "file", summary: "file to write; - is stdout (the default)" },
    {
      name: "format",
      value: "format",
      summary: "format; the ending of --out decides otherwise",
      choices: ["csv", "json"],
    },
    { name: "tag", value: "k=v", summary: "only devices with this tag", repeat: true },
    { name: "name", value: "text", summary: "only devices with this name; * stands for any text" },
    { name: "active", summary: "only devices that may send and receive" },
    { name: "inactive", summary: "only devices that are switched off" },
    { name: "params", summary: "write the parameters of each device too" },
  ],
  groups: ["confirm"],
  examples: [
    "iot device export --out fleet.csv --yes",
    "iot device export --tag device_type=freezer --format json --params",
  ],
  exitCodes: [9],
  related: ["iot device import", "iot device data export"],
  async run(ctx, input) {
    const given = option(input, "out");
    const out = given === undefined || given === "-" ? undefined : resolve(ctx.cwd, given);
    const isJson = formatOf(ctx, input, out) === "json";
    if (out !== undefined) await confirmOutFile(ctx, out);
    const fleet = await readFleet(ctx, input);
    const text = isJson ? `${JSON.stringify(fleet, null, 2)}\n` : fleetCsv(fleet);
    if (out === undefined) {
      await ctx.io.write(text);
      return;
    }
    writeWhole(out, text, { file: 0o644, folder: 0o777 });
    await ctx.out.list([{ file: shownPath(ctx, out), devices: fleet.length }], {
      columns: fileColumns,
      empty: "",
      idKey: "file",
    });
    ctx.say.info(`Exported ${countOf(fleet.length, "device")} from ${(await ctx.connection()).label}.`);
  },
});

function formatOf(ctx: CommandContext, input: CommandInput, out: string | undefined): string {
  const ending = out === undefined ? undefined : formatOfEnding(out, { csv: "csv", json: "json" });
  const asked = option(input, "format") ?? ending;
  if (asked !== undefined) return asked;
  if (out !== undefined)
    throw usageError("The format of the file is not known.", {
      next: "Name it fleet.csv or fleet.json, or give --format.",
    });
  return ctx.out.format === "json" ? "json" : "csv";
}

const PAGE_DEVICES = 1_000;

async function readFleet(ctx: CommandContext, input: CommandInput): Promise<FleetDevice[]> {
  const client = await steadyClient(ctx);
  const tags = optionList(input, "tag").map(parseTagFilter);
  const name = option(input, "name");
  const active = optionPair(input, "active", "inactive");
  const filter = {
    ...(tags.length === 0 ? {} : { tags }),
    ...(name === undefined ? {} : { name }),
    ...(active === undefined ? {} : { active }),
  };
  const progress = createProgress(ctx, ["Exporting", "devices"]);
  const found: FleetDevice[] = [];
  try {
    for (let page = 1; ; page += 1) {
      const listed = await withinLimits(ctx, () => listPage(client, filter, page));
      found.push(
        ...(await mapLanes(listed, ctx.flags.concurrency ?? 4, async (row) => {
          ctx.signal.throwIfAborted();
          const whole = await wholeDevice(ctx, client, row, optionFlag(input, "params"));
          progress.at(found.length);
          return whole;
        })),
      );
      if (listed.length < PAGE_DEVICES) return found;
    }
  } finally {
    progress.end();
  }
}

type ListedDevice = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly Tag[];
};

async function listPage(client: Resources, filter: object, page: number): Promise<readonly ListedDevice[]> {
  const query = {
    page,
    amount: PAGE_DEVICES,
    fields: ["id", "name", "tags", ...members],
    filter,
    orderBy: ["created_at", "asc"] as ["created_at", "asc"],
  };
  const listed = await client.devices.list(query as Parameters<typeof client.devices.list>[0]);
  return listed as unknown as readonly ListedDevice[];
}

async function wholeDevice(
  ctx: CommandContext,
  client: Resources,
  row: ListedDevice,
  withParams: boolean,
): Promise<FleetDevice> {
  const tokens = await withinLimits(ctx, () =>
    client.devices.tokenList(row.id, { fields: ["name", "serie_number"], amount: 100 }),
  );
  const serial = tokens.map(({ serie_number: text }) => text).find((text) => typeof text === "string" && text !== "");
  const params = withParams ? await withinLimits(ctx, () => client.devices.paramList(row.id)) : undefined;
  const kept = members.filter((member) => row[member] !== undefined && row[member] !== null);
  return {
    id: row.id,
    name: row.name,
    ...(serial === undefined || serial === null ? {} : { serial }),
    ...Object.fromEntries(kept.map((member) => [member, row[member]])),
    tags: row.tags.map(({ key, value }) => ({ key, value })),
    ...(params === undefined ? {} : { params: params.map(({ key, value }) => ({ key, value })) }),
  };
}

/** One column per tag and parameter. A device with a tag twice has all its tags in a column of their own. */
function fleetCsv(fleet: readonly FleetDevice[]): string {
  const keysOf = (list: (device: FleetDevice) => readonly Tag[]): string[] =>
    [...new Set(fleet.flatMap((device) => list(device).map(({ key }) => key)))].sort();
  const hasTwice = ({ tags }: FleetDevice): boolean => new Set(tags.map(({ key }) => key)).size < tags.length;
  const tagKeys = keysOf((device) => (hasTwice(device) ? [] : device.tags));
  const paramKeys = keysOf(({ params }) => params ?? []);
  const isTwice = fleet.some(hasTwice);
  const head = ["id", "name", "serial", ...members, ...(isTwice ? ["tags"] : [])];
  const lines = fleet.map((device) => [
    ...["id", "name", "serial", ...members].map((member) => device[member]),
    ...(isTwice ? [hasTwice(device) ? JSON.stringify(device.tags) : ""] : []),
    ...tagKeys.map((key) => (hasTwice(device) ? undefined : valueOfKey(device.tags, key))),
    ...paramKeys.map((key) => valueOfKey(device.params ?? [], key)),
  ]);
  const header = [...head, ...tagKeys.map((key) => `tag.${key}`), ...paramKeys.map((key) => `param.${key}`)];
  return [header, ...lines].map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("");
}

const valueOfKey = (list: readonly Tag[], key: string): string | undefined =>
  list.find((tag) => tag.key === key)?.value;

function csvCell(value: unknown): string {
  const text = value === undefined || value === null ? "" : String(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
