import type { Column } from "../command/columns.ts";
import { type Names, type Reference, withId } from "../resource/resource-names.ts";

/** A device as lists and `get` show it; lists hold only the requested fields. */
export interface DeviceRow {
  readonly id: string;
  readonly name?: string;
  readonly active?: boolean;
  readonly last_input?: Date | string | null;
  readonly network?: string;
  readonly connector?: string;
  /** Names of network and connector, where people read them. */
  readonly names?: Names;
}

const placeOf = (id: string | undefined, names: Names | undefined): string | undefined =>
  id === undefined ? undefined : withId(id, names);

/** The columns of devices: what `--fields`, `--filter` and `--where` may name. */
export const deviceColumns: readonly Column<DeviceRow>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "active", kind: "flag" },
  { key: "type" },
  { key: "last_input", kind: "time" },
  { key: "tags", kind: "tags" },
  { key: "network", kind: "id", hidden: true, value: ({ network, names }) => placeOf(network, names) },
  { key: "connector", kind: "id", hidden: true, value: ({ connector, names }) => placeOf(connector, names) },
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

/** What a device refers to by id. */
export const deviceReferences = ({ network, connector }: DeviceRow): readonly Reference[] => [
  ...(network === undefined ? [] : [["network", network] as const]),
  ...(connector === undefined ? [] : [["connector", connector] as const]),
];
