import { join } from "node:path";
import type { Resources } from "../../../index.ts";
import { slugOf } from "../../../text/slug.ts";
import type { CommandContext } from "../../kit/context.ts";
import type { DataSelection } from "../../kit/devices/data-read.ts";
import { readData } from "../../kit/devices/data-read.ts";
import type { FleetDevice } from "../../kit/devices/fleet.ts";
import { mapLanes } from "../../kit/lanes.ts";
import type { ExportChoice, FileChoice } from "./export-choice.ts";
import type { FileGroup } from "./export-files.ts";
import { nameWithPeriod, periodName } from "./periods.ts";
import { countRange, deviceSources } from "./sources.ts";

/** What an export is about; fixed when it starts, so that a resumed run writes the same. */
export interface ExportPlan {
  /** Devices in the order they are written, each with the last time that is exported. */
  readonly devices: readonly (FleetDevice & { readonly toMs: number })[];
  readonly fromMs?: number;
}

export async function planExport(
  ctx: CommandContext,
  client: Resources,
  selection: DataSelection,
  fleet: readonly FleetDevice[],
): Promise<ExportPlan> {
  const { start_date: start } = selection;
  const devices = await mapLanes(fleet, ctx.flags.concurrency ?? 4, async (device) => {
    const { id, name } = device;
    return { id, name, toMs: await lastTime(ctx, client, selection, id) };
  });
  return { devices, ...(start === undefined ? {} : { fromMs: Date.parse(start) }) };
}

/**
 * The last time of a device that is exported. Records may be dated ahead of now; without `--to` the newest record there
 * is at the start is the last one.
 */
export async function lastTime(
  ctx: CommandContext,
  client: Resources,
  selection: DataSelection,
  id: string,
): Promise<number> {
  if (selection.end_date !== undefined) return Date.parse(selection.end_date);
  const query = { ...selection, qty: 1, ordination: "descending" };
  const newest = await readData(client, id, query);
  const times = newest.map(({ time }) => (time instanceof Date ? time.getTime() : 0));
  return Math.max(ctx.clock.now(), ...times);
}

/** Records of the planned ranges, as the platform counts them. */
export async function countPlanned(
  ctx: CommandContext,
  client: Resources,
  { devices, fromMs }: ExportPlan,
  { selection, maxRecords }: ExportChoice,
): Promise<number> {
  const counts = await mapLanes(devices, ctx.flags.concurrency ?? 4, ({ id, toMs }) =>
    countRange(client, id, selection, { fromMs, toMs }),
  );
  return Math.min(
    maxRecords,
    counts.reduce((sum, count) => sum + count, 0),
  );
}

/** The files of the planned devices: one for each, or one for all. */
export function groupsOf(client: Resources, plan: ExportPlan, choice: FileChoice): FileGroup[] {
  const { out, isFolder, format, split } = choice;
  const named = (path: string) => (periodMs: number | undefined) =>
    split === undefined || periodMs === undefined ? path : nameWithPeriod(path, periodName(split, periodMs));
  const perDevice = plan.devices.map((device) => deviceSources(client, device, choice));
  if (!isFolder) return [{ sources: perDevice.flat(), pathOf: named(out) }];
  return plan.devices.map(({ id, name }, number) => ({
    sources: perDevice[number] ?? [],
    pathOf: named(join(out, `${slugOf(name, "device")}--${id}.${format}`)),
  }));
}
