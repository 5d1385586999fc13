import { countOf } from "../../text/count.ts";
import { batchClient } from "../kit/client/batch-client.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { either, one, rows } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { conflictError, inputError } from "../kit/failures/command-error.ts";
import { jobOptions } from "../kit/jobs/run-job.ts";
import { mergeTags } from "../kit/resource/body.ts";
import { formatFlag, importOptions, isTolerant, requireColumn, withRowFile } from "../kit/rows/import-flags.ts";
import { type ImportJob, oneByOne, type RowBatch } from "../kit/rows/import-job.ts";
import { importRows, requireRows } from "../kit/rows/importer.ts";
import type { RowFile } from "../kit/rows/reader.ts";
import { rowsKind } from "../kit/rows/rows-kind.ts";
import { isRowBegun } from "../kit/rows/send-rows.ts";
import { queuedColumns } from "../kit/rows/spread.ts";
import type { Journal } from "../kit/state/journal.ts";
import { type FleetRow, fleetColumn, fleetFailure, fleetMap, fleetRow, readsFleetColumn } from "./fleet/fleet-row.ts";
import { type DeviceConflict, FleetWriter } from "./fleet/fleet-writer.ts";

/** What became of a row. */
interface RowResult {
  readonly row: number;
  readonly name: string;
  readonly device: string;
  readonly result: string;
  readonly reason: string;
}

const resultColumns: readonly Column<RowResult>[] = [
  { key: "row", kind: "number" },
  { key: "name", rank: 1 },
  { key: "device", kind: "id", rank: 3 },
  { key: "result", rank: 1 },
  { key: "reason" },
];

const options = [
  ...importOptions("map a column to a field: eui=serial, site=tag.site"),
  { name: "tag", kind: "pair", summary: "tag for every device in the file", repeat: true },
  {
    name: "on-conflict",
    value: "way",
    summary: "what to do if a device already exists",
    choices: ["skip", "update", "fail"],
    default: "fail",
  },
  ...jobOptions,
] as const satisfies Options;

export const importDevices = defineCommand({
  path: ["import"],
  result: either(rows(resultColumns), one(queuedColumns)),
  effect: "changes",
  summary: "Create or update devices from a fleet file",
  details:
    "Columns: name (required), serial, type, network, connector, active, visible, description, chunk_period, chunk_retention, " +
    "tags, tag.KEY and param.KEY; --map maps other names. Every row is checked before the first is sent. A row conflicts with an existing device if the serial number, or " +
    "the name of a row without one, is the same: by default the command stops with exit 7 before changing anything. " +
    "Updates change only what the file contains and keep everything else, including other tags. Nothing is deleted. With --queue, iot worker processes do it (docs/scale.md).",
  args: [{ name: "file", file: "in", summary: "the file, instead of --input" }],
  options,
  groups: ["confirm", "dryRun"],
  examples: [
    "iot device import examples/data/fleet.csv --on-conflict update",
    `printf 'name,eui\\nPump 5,0004A30B001C0531\\n' | iot device import - --map eui=serial --on-conflict update --dry-run`,
  ],
  exitCodes: [1, 3, 7, 8, 9],
  related: ["iot device export", "iot device data import"],
  async run(ctx, input) {
    return withRowFile(ctx, input, input.args.file, async (file) =>
      importRows(ctx, input, await fleetImport(ctx, input, file)),
    );
  },
});

async function fleetImport(
  ctx: CommandContext,
  input: Input<[], typeof options>,
  file: RowFile,
): Promise<ImportJob<FleetRow, RowBatch<FleetRow>, RowResult>> {
  const map = fleetMap(input);
  await requireColumn(file, map, "name");
  const { tag: tags, onConflict } = input.options;
  const { api } = await ctx.connection();
  const writer = new FleetWriter(ctx, await batchClient(ctx), onConflict);
  const results: RowResult[] = [];
  const isOther = otherDevices(file.place);
  return {
    file,
    unit: ["device", "devices"],
    key: ["device import", api, ctx.flags.profile ?? "", file.path],
    flags: [formatFlag(input), input.options.map, input.texts?.["tag"]],
    before: "done before",
    read({ row, value }) {
      const found = fleetRow(value, row, file.place, map);
      isOther(found);
      return { ...found, tags: mergeTags(found.tags, tags, []) };
    },
    columnOf: (field) => fleetColumn(map, field),
    isRead: readsFleetColumn(map),
    lanes: ctx.flags.concurrency ?? 1,
    batches: oneByOne,
    async begin(journal, fleet) {
      await writer.readNames();
      if (isTolerant(input)) return;
      if (onConflict === "fail") await refuseConflicts(writer, journal, fleet());
      await requireRows(file.place, fleet(), (row) => writer.check(row, fleetFailure(row.row, file.place, map)));
    },
    requests: async ({ rows: [row] }) => (row === undefined ? [] : (await writer.plan(row)).steps),
    spread: { kind: importKind, shared: { onConflict } },
    prepare: (batch, isBegun) => prepare(writer, batch, isBegun),
    report: ["row", "name", "device", "result", "reason"],
    tell(row, { result, reason = "", id = "" }, read) {
      const told = { row, name: read?.name ?? "", device: id, result, reason };
      results.push(told);
      return told;
    },
    print: () =>
      ctx.out.list(
        results.toSorted((one, other) => one.row - other.row),
        { columns: resultColumns, empty: "Nothing was changed.", idKey: "device" },
      ),
    said(tally) {
      const rest = tally.of("unchanged", "skipped", "done before");
      return `Created ${tally.of("created")} and updated ${countOf(tally.of("updated"), "device")}, left ${rest} unchanged`;
    },
  };
}

async function prepare(writer: FleetWriter, { rows: [row] }: RowBatch<FleetRow>, isBegun: boolean) {
  if (row === undefined) return { result: "unchanged" };
  // A device that is there after the journal's first line was made by it.
  const plan = await writer.plan(row, isBegun);
  const { device: id, result, reason } = plan;
  if (plan.steps.length === 0) return { result, reason, ...(id === undefined ? {} : { id }) };
  return async () => ({ result, reason, id: await writer.carryOut(row, plan) });
}

/** `device import` by workers. */
export const importKind = rowsKind<{ readonly onConflict: DeviceConflict }, FleetRow, RowBatch<FleetRow>>(
  "device import",
  async (ctx, client, { onConflict }) => {
    const writer = new FleetWriter(ctx, client, onConflict);
    await writer.readNames();
    return { prepare: (batch, isBegun) => prepare(writer, batch, isBegun) };
  },
);

/** Two rows about the same device would depend on their order. */
function otherDevices(place: string): (row: FleetRow) => void {
  const seen = new Map<string, number>();
  return ({ row, name, serial }) => {
    const key = serial === undefined ? `name ${name.toLowerCase()}` : `serial ${serial}`;
    const first = seen.get(key) ?? row;
    seen.set(key, first);
    if (first === row) return;
    throw inputError(`Rows ${first} and ${row} of ${quote(place)} describe the same device.`, {
      row,
      why: `Both have the ${key.replace(" ", ' "')}".`,
      next: "Remove one of them; nothing was changed.",
    });
  };
}

/** What an earlier run has made is no conflict. */
async function refuseConflicts(writer: FleetWriter, journal: Journal, fleet: AsyncIterable<FleetRow>): Promise<void> {
  for await (const row of fleet) {
    if (isRowBegun(journal, row.row)) continue;
    const found = await writer.find(row);
    if (found === undefined) continue;
    throw conflictError(`Row ${row.row} matches an existing device: ${found.id} "${found.name}".`, {
      code: "device.exists",
      why: `The profile has a device with the ${row.serial === undefined ? "name" : "serial number"} of this row.`,
      next: "Use --on-conflict skip or update; nothing was changed.",
    });
  }
}
