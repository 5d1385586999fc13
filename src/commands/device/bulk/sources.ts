import type { Resources } from "../../../index.ts";
import type { DataSelection } from "../../kit/devices/data-read.ts";
import { countRecords, readData } from "../../kit/devices/data-read.ts";
import type { DataRecord, RangeQuery, RecordColumn } from "../../kit/devices/windows.ts";

/** Records of one device, and of one variable where variables were named. */
export interface RecordSource {
  /** The last time that belongs to the range. */
  readonly toMs: number;
  read(query: RangeQuery): Promise<readonly DataRecord[]>;
}

/** Times of records, both included; without a start, from the first record on. */
export interface TimeRange {
  readonly fromMs: number | undefined;
  readonly toMs: number;
}

interface Selected {
  readonly selection: DataSelection;
  readonly columns: readonly RecordColumn[];
}

/** Where the records of one device come from. */
export function deviceSources(
  client: Resources,
  { id, toMs }: { readonly id: string; readonly toMs: number },
  { selection, columns }: Selected,
): readonly RecordSource[] {
  const { variables, start_date: _, end_date: __, ...rest } = selection;
  const details = columns.includes("created_at") ? { details: true } : {};
  const source = (narrowed: object): RecordSource => ({
    toMs,
    read: (query) => readRange(client, id, { ...rest, ...details, ...narrowed }, query),
  });
  // The platform ignores case; a variable named twice is still one.
  const names = [...new Set(variables?.map((name) => name.toLowerCase()))];
  return names.length === 0 ? [source({})] : names.map((variable) => source({ variables: [variable] }));
}

async function readRange(
  client: Resources,
  id: string,
  selection: object,
  { fromMs, toMs, qty, skip }: RangeQuery,
): Promise<readonly DataRecord[]> {
  const query = { ...selection, ...datesOf({ fromMs, toMs }), ordination: "ascending", qty, skip };
  return (await readData(client, id, query)) as readonly DataRecord[];
}

/** Records of a device in a range, as the platform counts them. */
export function countRange(client: Resources, id: string, selection: DataSelection, range: TimeRange): Promise<number> {
  return countRecords(client, id, { ...selection, ...datesOf(range) });
}

const datesOf = ({ fromMs, toMs }: TimeRange): { readonly start_date?: string; readonly end_date: string } => ({
  ...(fromMs === undefined ? {} : { start_date: new Date(fromMs).toISOString() }),
  end_date: new Date(toMs).toISOString(),
});
