import { readingClient } from "../../kit/client/batch-client.ts";
import type { Column } from "../../kit/command/columns.ts";
import type { TagFilter } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import { type DataRow, type DataSelection, dataColumns, readData } from "../../kit/devices/data-read.ts";
import { fleetOf } from "../../kit/devices/fleet.ts";
import { mapLanes } from "../../kit/lanes.ts";
import type { DataQuestion } from "../data-query.ts";

/** Requests at a time, unless `--concurrency` says otherwise. */
const LANES = 4;

/** A record of one of many devices, or the number that a query returns for it. */
interface FleetDataRow extends DataRow {
  readonly device_name: string;
}

export const fleetDataColumns: readonly Column<FleetDataRow>[] = [{ key: "device_name", rank: 1 }, ...dataColumns];

/** The result of a query for each device with the tags, in the order of their names and variables. */
export async function fleetAnswers(
  ctx: CommandContext,
  tags: readonly TagFilter[],
  selection: DataSelection,
  { parameters, isNumber }: DataQuestion,
): Promise<FleetDataRow[]> {
  const devices = (await fleetOf(ctx, [], tags)).sort((a, b) => order(a.name, b.name));
  const client = await readingClient(ctx);
  const answers = await mapLanes(devices, ctx.flags.concurrency ?? LANES, async ({ id, name }) => {
    const rows = await readData(client, id, { ...selection, ...parameters });
    const shown = isNumber ? [{ value: rows[0]?.value ?? 0 }] : rows;
    return shown.map((row) => ({ ...row, device: id, device_name: name })).sort(byVariable);
  });
  return answers.flat();
}

const order = (one: string, other: string): number => one.localeCompare(other, "en", { numeric: true });

const byVariable = (one: DataRow, other: DataRow): number => order(one.variable ?? "", other.variable ?? "");
