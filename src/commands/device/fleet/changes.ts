import { countOf } from "../../../text/count.ts";
import type { Column } from "../../kit/command/columns.ts";
import type { CommandContext } from "../../kit/context.ts";
import type { FleetDevice } from "../../kit/devices/fleet.ts";
import { mapLanes } from "../../kit/lanes.ts";
import type { Tag } from "../../kit/resource/body.ts";

/** A field of a device before and after a change. */
export interface FieldChange {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

type ChangeRow = FieldChange & { readonly id: string; readonly name: string };

const changeColumns: readonly Column<ChangeRow>[] = [
  { key: "name", rank: 1 },
  { key: "field", rank: 1 },
  { key: "before" },
  { key: "after" },
  { key: "id", kind: "id", hidden: true },
];

/** Devices that are read at a time, unless `--concurrency` says otherwise. */
const LANES = 4;

/** Whether a dry run shows people what changes; programs and `-v` get the requests. */
export const readsChanges = ({ io, flags, out }: CommandContext): boolean =>
  io.stdoutIsTerminal && out.format === "table" && !flags.verbose && !flags.debug;

/** The table of a dry run. */
export async function showChanges(
  ctx: CommandContext,
  devices: readonly FleetDevice[],
  changesOf: (device: FleetDevice) => Promise<readonly FieldChange[]> | readonly FieldChange[],
): Promise<number> {
  ctx.say.info(`Dry run: nothing is sent to ${await ctx.label()}; -v shows the requests.`);
  const found = await mapLanes(devices, ctx.flags.concurrency ?? LANES, async (device) =>
    (await changesOf(device)).map((change) => ({ id: device.id, name: device.name, ...change })),
  );
  await ctx.out.list(found.flat(), { columns: changeColumns, empty: "Nothing would change." });
  const same = found.filter((changes) => changes.length === 0).length;
  if (same > 0) ctx.say.info(`${countOf(same, "device")} of ${devices.length} would stay the same.`);
  return 0;
}

/** The properties of a body that differ from those of a device; tags one by one. */
export function changesIn(before: object, body: Readonly<Record<string, unknown>>): FieldChange[] {
  const { tags, ...members } = body;
  const known: Readonly<Record<string, unknown>> = { ...before };
  const fields = Object.entries(members).map(([field, after]) => ({
    field,
    before: shown(known[field]),
    after: shown(after),
  }));
  const all = tags === undefined ? fields : [...fields, ...tagChanges(tagsOf(known["tags"]), tagsOf(tags))];
  return all.filter(({ before: one, after }) => one !== after);
}

function tagChanges(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): FieldChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].map((key) => ({
    field: `tags.${key}`,
    before: before.get(key) ?? "",
    after: after.get(key) ?? "",
  }));
}

/** The values of each key: a device may have several tags of one. */
function tagsOf(tags: unknown): Map<string, string> {
  const found = new Map<string, string>();
  for (const { key, value } of Array.isArray(tags) ? (tags as Tag[]) : []) {
    const known = found.get(key);
    found.set(key, known === undefined ? value : `${known}, ${value}`);
  }
  return found;
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
