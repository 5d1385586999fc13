import { Readable } from "node:stream";
import { partOf } from "../../../text/count.ts";
import { readingClient } from "../../kit/client/batch-client.ts";
import type { Input, Options } from "../../kit/command/options.ts";
import { parseTagFilter, quote } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import { deviceColumns } from "../../kit/devices/columns.ts";
import { type DeviceField, deviceRows, type FleetDevice } from "../../kit/devices/fleet.ts";
import { inputError, notFoundError } from "../../kit/failures/command-error.ts";
import { isObject } from "../../kit/files/files.ts";
import { meeting, rowFilter } from "../../kit/resource/filter.ts";
import { expectTexts } from "../../kit/resource/reply.ts";
import { guessRowFormat, readRows } from "../../kit/rows/reader.ts";

/** Flags that select devices; those of them that are given must all hold. */
export const selectionOptions = [
  // As text: with an id, `device update` sets it.
  { name: "tag", value: "k=v", summary: "bulk form: devices with this tag", repeat: true },
  {
    name: "where",
    value: "expr",
    summary: "bulk form: devices with field=value, != < <= > >=, or tags.KEY=value",
    repeat: true,
  },
  {
    name: "ids",
    value: "file",
    file: "in",
    summary: "bulk form: devices of a file: one id per line, or CSV or JSON with id; - is stdin",
  },
] as const satisfies Options;

export type DeviceSelectionInput = Input<[], typeof selectionOptions>;

/** Whether the flags select devices, instead of an argument that names one. */
export const isSelecting = ({ options: { tag, where, ids } }: DeviceSelectionInput): boolean =>
  tag.length + where.length > 0 || ids !== undefined;

const whereFields = [
  ...(["type", "active", "last_input", "network", "connector", "description", "visible"] as const),
  ...(["chunk_period", "chunk_retention", "created_at", "updated_at"] as const),
] as const satisfies readonly DeviceField[];

/** What the flags select. Reading it sends nothing, so that wrong flags are found first. */
export interface DeviceSelection {
  /** The same for the same flags. */
  readonly key: readonly unknown[];
  /** @throws exit 6 when the file names a device that does not exist */
  read(): Promise<FleetDevice[]>;
}

export async function selectionOf(ctx: CommandContext, { options }: DeviceSelectionInput): Promise<DeviceSelection> {
  const { where, ids: place } = options;
  const tags = options.tag.map(parseTagFilter);
  const nowMs = ctx.clock.now();
  const wheres = where.map((text) => rowFilter(text, "--where", deviceColumns));
  const ids = place === undefined ? undefined : await idsIn(ctx, place);
  const isTagged = meeting({ tags });
  const keep = (row: FleetDevice): boolean => isTagged(row) && wheres.every(({ test }) => test(row, nowMs));
  return {
    key: [tags, where, ids === undefined ? null : [...ids].sort()],
    async read() {
      if (ids?.size === 0) return [];
      const client = await readingClient(ctx);
      // A file may name devices that do not have the tag: whether they exist shows only in the whole list.
      const filter = tags.length === 0 || ids !== undefined ? {} : { tags };
      const rows = await deviceRows(client, filter, whereFields);
      expectTexts(rows, ["id", "name"], "with the devices");
      if (ids !== undefined) await refuseUnknown(ctx, ids, rows, place ?? "");
      return rows
        .filter((row) => (ids === undefined || ids.has(row.id)) && keep(row))
        .map(({ id, name }) => ({ id, name }));
    },
  };
}

const fullId = /^[0-9a-f]{24}$/i;

/** The ids of a file: one per line, or those of the rows of a CSV, ndjson or JSON file. */
async function idsIn(ctx: CommandContext, place: string): Promise<ReadonlySet<string>> {
  const text = await ctx.readInput(place, "--ids");
  const lines = text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .map((line) => line.trim());
  const isPlain = fullId.test(lines.find((line) => line !== "") ?? "");
  const ids = new Set<string>();
  const add = (value: unknown, row: number): void => {
    if (typeof value !== "string" || !fullId.test(value)) throw noId(place, row, value);
    ids.add(value.toLowerCase());
  };
  if (isPlain) {
    for (const [at, line] of lines.entries()) if (line !== "") add(line, at + 1);
    return ids;
  }
  for await (const { row, value, problem } of readRows(Readable.from([text]), guessRowFormat(place, text), place)) {
    if (problem !== undefined) throw problem;
    add(isObject(value) ? value["id"] : value, row);
  }
  return ids;
}

const noId = (place: string, row: number, value: unknown): Error =>
  inputError(`Row ${row} of ${quote(place === "-" ? "stdin" : place)} has no device id.`, {
    row,
    why: typeof value === "string" ? `${quote(value)} is not a full id.` : 'It has no "id".',
    next: "Use one full id per line, or CSV or JSON with the column id; nothing was changed.",
  });

/** A file of another profile must not select the few devices that happen to be in both. */
async function refuseUnknown(
  ctx: CommandContext,
  ids: ReadonlySet<string>,
  rows: readonly FleetDevice[],
  place: string,
): Promise<void> {
  const known = new Set(rows.map(({ id }) => id));
  const unknown = [...ids].filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  const shown = unknown.slice(0, 5).join(", ");
  throw notFoundError(`${partOf(unknown.length, ids.size, "id")} not found in ${await ctx.label()}.`, {
    code: "device.not_found",
    why: `No device has the id ${shown}${unknown.length > 5 ? " and more" : ""}.`,
    next: `Remove them from ${place === "-" ? "the input" : quote(place)}, or check "iot env current"; nothing was changed.`,
  });
}
