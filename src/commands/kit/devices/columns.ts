import type { Column } from "../command/columns.ts";

/** A device as lists and `get` show it; lists hold only the requested fields. */
export interface DeviceRow {
  readonly id: string;
  readonly name?: string;
  readonly active?: boolean;
  readonly last_input?: Date | string | null;
}

/** The columns of devices: what `--fields`, `--filter` and `--where` may name. */
export const deviceColumns: readonly Column<DeviceRow>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "active", kind: "flag" },
  { key: "type" },
  { key: "last_input", kind: "time" },
  { key: "tags", kind: "tags" },
  { key: "network", kind: "id", hidden: true },
  { key: "connector", kind: "id", hidden: true },
  { key: "description", hidden: true },
  { key: "visible", kind: "flag", hidden: true },
  { key: "chunk_period", hidden: true },
  { key: "chunk_retention", kind: "number", hidden: true },
  { key: "created_at", kind: "time", hidden: true },
  { key: "updated_at", kind: "time", hidden: true },
];

/** What the platform filters and sorts devices by. */
export const deviceFacts = {
  filterable: ["id", "name", "active", "visible", "network", "connector"],
  sortable: ["name", "visible", "active", "last_input", "created_at", "updated_at"],
} as const;
