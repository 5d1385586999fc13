import type { Resources } from "../../../index.ts";
import type { DataSelection } from "../../kit/devices/data-read.ts";
import { countRecords, readData } from "../../kit/devices/data-read.ts";
import {
  type DataRecord,
  type RangeQuery,
  type RecordColumn,
  readWindows,
  type Window,
} from "../../kit/devices/windows.ts";

/** Records of one device, and of one variable where variables were named. */
export interface RecordSource {
  /** The last time that belongs to the range. */
  readonly toMs: number;
  read(query: RangeQuery): Promise<readonly DataRecord[]>;
  /** The records between two times, oldest first, where these are not simply the pages of `read`. */
  windows?(fromMs: number | undefined, toMs: number): AsyncGenerator<Window, void, undefined>;
}

/** The records of a source between two times, oldest first. */
export const windowsOf = (
  source: RecordSource,
  fromMs: number | undefined,
  toMs: number,
): AsyncGenerator<Window, void, undefined> =>
  source.windows?.(fromMs, toMs) ?? readWindows((query) => source.read(query), fromMs, toMs);

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

export async function readRange(
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

/** Several sources, such as the variables of a device, as one in the order of time. */
export const merged = (sources: readonly RecordSource[]): RecordSource => ({
  toMs: Math.max(...sources.map(({ toMs }) => toMs)),
  async read(query) {
    const found = await Promise.all(sources.map((source) => source.read(query)));
    return found.flat().sort(byTime);
  },
  windows: (fromMs, toMs) => mergedWindows(sources.map((source) => windowsOf(source, fromMs, toMs))),
});

const byTime = (one: DataRecord, other: DataRecord): number => one.time.getTime() - other.time.getTime();

async function* mergedWindows(
  sources: readonly AsyncGenerator<Window, void, undefined>[],
): AsyncGenerator<Window, void, undefined> {
  const lanes = sources.map((windows) => ({ windows, records: [] as readonly DataRecord[], isOver: false }));
  for (;;) {
    for (const lane of lanes) {
      while (!lane.isOver && lane.records.length === 0) {
        const { done, value } = await lane.windows.next();
        lane.isOver = done === true;
        lane.records = value?.records ?? [];
      }
    }
    if (lanes.every(({ isOver }) => isOver)) return;
    // What is still to come of a source is not older than the last record that is there.
    const lasts = lanes.filter(({ isOver }) => !isOver).map(({ records }) => records.at(-1)?.time.getTime() ?? 0);
    const safeMs = Math.min(...lasts);
    const isSafe = ({ time }: DataRecord): boolean => time.getTime() <= safeMs;
    const records = lanes.flatMap((lane) => lane.records.filter(isSafe)).sort(byTime);
    for (const lane of lanes) lane.records = lane.records.filter((record) => !isSafe(record));
    yield { records, nextMs: undefined };
  }
}
