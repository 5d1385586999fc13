import { Readable } from "node:stream";
import type { Resources } from "../../index.ts";
import { defined } from "../../lib/core/defined.ts";
import { ALL_ROWS_AMOUNT } from "../../lib/core/limits.ts";
import { countOf } from "../../text/count.ts";
import { batchClient } from "../kit/client/batch-client.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { confirmOutFile, shownPath } from "../kit/files/out-file.ts";
import { mapLanes } from "../kit/lanes.ts";
import { onOff, type Tag } from "../kit/resource/body.ts";
import { meeting } from "../kit/resource/filter.ts";
import { exportFormat, exportOptions, outFile, writeRows } from "../kit/rows/exporter.ts";
import { rowFormats } from "../kit/rows/reader.ts";
import { rowText } from "../kit/rows/row-text.ts";
import { cellsOf, tagCells, tagColumns, tagKeys } from "../kit/rows/tag-cells.ts";
import { createProgress } from "../kit/say/progress.ts";

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

const options = [
  ...exportOptions(rowFormats, "file to write; - is stdout (the default)"),
  { name: "tag", kind: "tag", summary: "only devices with this tag", repeat: true },
  { name: "name", value: "text", summary: "only devices with this name; * matches any text" },
  { name: "active", summary: "only active devices", opposite: "inactive" },
  { name: "inactive", summary: "only inactive devices" },
  { name: "params", summary: "include the parameters of each device" },
] as const satisfies Options;

export const exportDevices = defineCommand({
  path: ["export"],
  result: rows(fileColumns),
  effect: "local",
  summary: "Export devices to a fleet file",
  details:
    "CSV has a column for each tag (tag.site) and, with --params, for each parameter (param.interval); JSON has lists. " +
    "The file contains serial numbers, but no device data and no tokens.",
  options,
  groups: ["confirm"],
  examples: [
    "iot device export --out fleet.csv --yes",
    "iot device export --tag device_type=freezer --format json --params",
  ],
  exitCodes: [9],
  related: ["iot device import", "iot device data export"],
  async run(ctx, input) {
    const out = outFile(ctx, input);
    const format = exportFormat(ctx, input, out, rowFormats);
    if (out !== undefined) await confirmOutFile(ctx, out);
    const fleet = await readFleet(ctx, input);
    const rows = format === "csv" ? fleet.map(flatDevice) : fleet;
    const columns = format === "csv" ? fleetColumns(fleet) : ["id", "name", "serial", ...members, "tags", "params"];
    const text = await rowText(format, { ...ctx.flags, columns });
    const { count } = await writeRows(ctx, { out, format, text, rows: Readable.from(rows), unit: "devices" });
    if (out === undefined) return;
    await ctx.out.list([{ file: shownPath(ctx, out), devices: count }], {
      columns: fileColumns,
      empty: "",
      idKey: "file",
    });
    ctx.say.info(`Exported ${countOf(count, "device")} from ${(await ctx.connection()).label}.`);
  },
});

async function readFleet(
  ctx: CommandContext,
  { options: { tag, name, active, inactive, params } }: Input<[], typeof options>,
): Promise<FleetDevice[]> {
  const client = await batchClient(ctx);
  const filter = {
    ...(tag.length === 0 ? {} : { tags: tag }),
    ...defined({ name, active: onOff(active, inactive) }),
  };
  const isMeant = meeting(filter);
  const progress = createProgress(ctx, ["Exporting", "devices"]);
  const found: FleetDevice[] = [];
  try {
    for (let page = 1; ; page += 1) {
      const listed = await listPage(client, filter, page);
      found.push(
        ...(await mapLanes(listed.filter(isMeant), ctx.flags.concurrency ?? 4, async (row) => {
          ctx.signal.throwIfAborted();
          const whole = await wholeDevice(client, row, params);
          progress.at(found.length);
          return whole;
        })),
      );
      if (listed.length < ALL_ROWS_AMOUNT) return found;
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
    amount: ALL_ROWS_AMOUNT,
    fields: ["id", "name", "tags", ...members],
    filter,
    orderBy: ["created_at", "asc"] as ["created_at", "asc"],
  };
  const listed = await client.devices.list(query as Parameters<typeof client.devices.list>[0]);
  return listed as unknown as readonly ListedDevice[];
}

async function wholeDevice(client: Resources, row: ListedDevice, withParams: boolean): Promise<FleetDevice> {
  const tokens = await client.devices.tokenList(row.id, { fields: ["name", "serie_number"], amount: 100 });
  const serial = tokens.map(({ serie_number: text }) => text).find((text) => typeof text === "string" && text !== "");
  const params = withParams ? await client.devices.paramList(row.id) : undefined;
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
function fleetColumns(fleet: readonly FleetDevice[]): string[] {
  const paramKeys = tagKeys(fleet.map(({ params = [] }) => params));
  return [...["id", "name", "serial"], ...members, ...tagColumns(fleet), ...paramKeys.map((key) => `param.${key}`)];
}

function flatDevice(device: FleetDevice): object {
  const { tags, params = [], ...own } = device;
  return { ...own, ...tagCells(tags), ...cellsOf(params, "param") };
}
