import { recordColumns } from "../../../kit/devices/windows.ts";
import { conflictError, usageError } from "../../../kit/failures/command-error.ts";
import { parquetColumns } from "../../../kit/rows/parquet-file.ts";
import type { DatasetTable } from "../dataset-types.ts";
import { periodStart } from "../periods.ts";
import type { DatasetStore } from "../store.ts";
import { loadAvro } from "./avro.ts";
import { foreignReason, type Table } from "./metadata.ts";
import type { TableForm } from "./schema.ts";

/** Rejects what cannot become a table, before anything is read for it. */
export function checkTableFlags(
  format: string,
  { split, fromMs, tags }: Omit<TableForm, "parts" | "columns" | "selection">,
): void {
  if (format !== "parquet")
    throw usageError(`A table cannot have the format ${format}.`, { next: "Leave out --format." });
  const taken = new Set(parquetColumns(recordColumns).map(({ name }) => name));
  const tag = tags.find((key) => taken.has(key));
  if (tag !== undefined)
    throw usageError(`The tag "${tag}" cannot be a column of a table.`, {
      why: "Records have a column of this name.",
      next: "Choose the devices by another tag.",
    });
  if (split === null || fromMs === null || periodStart(split, fromMs) === fromMs) return;
  throw usageError(`A table with --split ${split} takes whole periods.`, {
    why: "A part of the period would take the place of all of it.",
    next: `Let --from be the start of a ${split}: --from ${new Date(periodStart(split, fromMs)).toISOString().slice(0, 10)}.`,
  });
}

/** The table of a new job. */
export function newTable(
  { location }: DatasetStore,
  { columns, split, parts, selection, fromMs }: Omit<TableForm, "tags">,
  tags: readonly string[],
): DatasetTable {
  loadAvro();
  const form = { columns, tags, split, parts, selection, fromMs: split === null ? fromMs : null };
  return { job: crypto.randomUUID(), location, form };
}

/** Rejects a table that a job must not add to. */
export function checkTable(store: DatasetStore, table: Table | undefined, { location, form }: DatasetTable): void {
  const why = table === undefined ? undefined : foreignReason(table, location, form);
  if (why === undefined) return;
  throw conflictError(`The table in ${store.shown} cannot be continued.`, {
    code: "table.foreign",
    why,
    next: "Use the flags it was made with, or export to a path of its own.",
  });
}
