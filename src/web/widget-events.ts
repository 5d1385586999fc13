import type { WidgetContent, WidgetDataResult } from "../index.ts";
import type { JsonObject } from "../lib/core/json.ts";
import { MAX_LIST_AMOUNT } from "../lib/core/limits.ts";
import { idIn, numberIn, textIn } from "../lib/widgets/draw/page.ts";
import type { LiveEvent } from "./live.ts";
import { recordsOf } from "./text.ts";

/** Rows of a variable where an entry does not say how many. */
const DEFAULT_ROWS = 15;

type DataEvent = Extract<LiveEvent, { readonly type: "data" }>;
type Entry = Readonly<Record<string, unknown>>;

/** What events are applied with. */
export interface Applying {
  /** Time of the sandbox's clock. */
  readonly nowMs: number;
  /** The device for a blueprint's placeholder. */
  readonly deviceOf: (origin: string) => string;
  /** Rows of each variable that the read asked for; undefined: as the widget says. */
  readonly amount: number | undefined;
}

const DURATION = /^\s*(\d{1,6}) ?(second|minute|hour|day|week|month|quarter|year)s?\s*$/i;
const UNIT_MS: Readonly<Record<string, number>> = { second: 1e3, minute: 6e4, hour: 36e5, day: 864e5, week: 6048e5 };
const UNIT_MONTHS: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

/** Start or end of what an entry shows; undefined where only the platform knows. */
function boundOf(text: unknown, isEnd: boolean, timezone: unknown, nowMs: number): number | undefined {
  if (text === undefined || text === null || text === "") return isEnd ? Infinity : -Infinity;
  const [, amount = "", unit = ""] = DURATION.exec(String(text)) ?? [];
  const count = Number(amount) * (isEnd ? 1 : -1);
  const unitMs = UNIT_MS[unit.toLowerCase()];
  if (unitMs !== undefined) return nowMs + count * unitMs;
  const months = UNIT_MONTHS[unit.toLowerCase()];
  if (months !== undefined) {
    const date = new Date(nowMs);
    return date.setUTCMonth(date.getUTCMonth() + count * months);
  }
  if (/(?:Z|[+-]\d\d:\d\d)$/.test(String(text))) return defined(Date.parse(String(text)));
  // A day, of UTC here: only the platform knows the clocks of other zones.
  if ((textIn(timezone) || "UTC") !== "UTC" || !/^\d{4}-\d\d-\d\d$/.test(String(text))) return undefined;
  return defined(Date.parse(String(text)) + (isEnd ? 864e5 - 1 : 0));
}

const defined = (ms: number): number | undefined => (Number.isNaN(ms) ? undefined : ms);

/** Conditions of an entry that make its result more than the newest rows. */
const CONDITIONS = ["groups", "group", "series", "serie", "ids", "id", "values", "value", "skip", "filter"];
const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === "";

const hasValue = ({ value }: Entry): boolean => value !== undefined;
/** Queries whose result a new row can only replace: the rows they pick from. Later rows of an event are inserted later. */
const LAST: Readonly<Record<string, (row: Entry) => boolean>> = {
  last_item: () => true,
  last_insert: () => true,
  last_value: hasValue,
  last_location: ({ location }) => location !== undefined,
};

const timeOf = (row: Entry): number => Date.parse(textIn(row["time"]));
const newestFirst = (a: Entry, b: Entry): number => timeOf(b) - timeOf(a);

/** As the platform returns the row of an event through a widget. */
const asWidgetRow = (row: JsonObject, device: string): JsonObject => ({
  ...row,
  device,
  origin: device,
  ...(row["group"] !== undefined && { serie: row["group"] }),
});

/** The result of an entry with new rows, newest first; undefined where it has to be read. */
function withRows(item: WidgetContent, fresh: readonly JsonObject[], applying: Applying): readonly Entry[] | undefined {
  const entry: Entry = { ...item.data };
  const { query = "default", ordination, start_date, end_date, timezone, qty } = entry;
  const from = boundOf(start_date, false, timezone, applying.nowMs);
  const to = boundOf(end_date, true, timezone, applying.nowMs);
  if (from === undefined || to === undefined || !Array.isArray(item.result)) return undefined;
  // A kept result is meant to be old.
  if (
    !isAbsent(item.cacheTime) ||
    CONDITIONS.some((name) => !isAbsent(entry[name])) ||
    /^asc/i.test(textIn(ordination))
  )
    return undefined;
  const inside = (row: Entry): boolean => timeOf(row) >= from && timeOf(row) <= to;
  const isKnown = new Set(fresh.map(({ id }) => id));
  const known = recordsOf(item.result).filter((row) => inside(row) && !isKnown.has(row["id"]));
  const added = fresh.filter(inside);
  const isPage = isAbsent(query) || query === "default" || query === "defaultQ";
  const asked = [entry["variables"] ?? []].flat();
  const names =
    isPage && asked.length === 0 ? [undefined] : [...new Set([...known, ...added].map((row) => row["variable"]))];
  const most = applying.amount === undefined ? numberIn(qty) : Math.min(applying.amount, numberIn(qty) ?? Infinity);
  const share = Math.min(most ?? DEFAULT_ROWS, Math.round(MAX_LIST_AMOUNT / Math.max(1, asked.length)));
  const fits = LAST[textIn(query)];
  if (!isPage && fits === undefined) return undefined;
  return names.flatMap((name) => {
    const of = (rows: readonly JsonObject[]) => rows.filter((row) => name === undefined || row["variable"] === name);
    if (isPage) return [...of(added).reverse(), ...of(known)].sort(newestFirst).slice(0, share);
    const candidates = [
      ...of(added)
        .filter((row) => fits?.(row))
        .reverse(),
      ...of(known),
    ];
    return (query === "last_insert" ? candidates : candidates.sort(newestFirst)).slice(0, 1);
  });
}

/** Rows of an event that an entry shows; undefined where not all of them are known. */
function rowsFor({ data }: WidgetContent, event: DataEvent, { deviceOf }: Applying): readonly JsonObject[] | undefined {
  if (data === undefined || deviceOf(idIn(data.origin) ?? "") !== event.device) return [];
  if (event.amount > event.records.length) return undefined;
  const names = [data.variables ?? []].flat().map((name) => String(name).toLowerCase());
  const isShown = (row: JsonObject): boolean => names.length === 0 || names.includes(textIn(row["variable"]));
  return recordsOf(event.records)
    .filter(isShown)
    .map((row) => asWidgetRow(row, event.device));
}

const LISTED: readonly string[] = ["device", "run_user", "entity"];
/** Columns of lists of devices that new data changes. */
const OF_DATA: readonly unknown[] = ["last_input", "last_output", "updated_at"];

/** Whether an event changes an item of a widget in a way that only the platform knows. */
function needsRead(item: WidgetContent, event: LiveEvent, { deviceOf }: Applying): boolean {
  if (event.type === "changed")
    return item.resource === undefined
      ? event.kind === "data" && deviceOf(idIn(item.data?.origin) ?? "") === event.id
      : LISTED.includes(event.kind);
  if (event.type !== "data" || item.resource === undefined || !OF_DATA.includes(item.resource.view)) return false;
  return recordsOf(item.result).some(({ device }) => device === event.device);
}

/**
 * What a widget shows, with events applied to it: the same object where they do not concern it, undefined where it has to be
 * read again.
 */
export function withEvents(
  result: WidgetDataResult,
  events: readonly LiveEvent[],
  applying: Applying,
): WidgetDataResult | undefined {
  let { content } = result;
  for (const event of events) {
    if (event.type === "reconnected" || content.some((item) => needsRead(item, event, applying))) return undefined;
    if (event.type !== "data") continue;
    const next: WidgetContent[] = [];
    for (const item of content) {
      const rows = rowsFor(item, event, applying);
      const changed = rows?.length === 0 ? item.result : rows && withRows(item, rows, applying);
      if (changed === undefined) return undefined;
      next.push(changed === item.result ? item : { ...item, result: changed });
    }
    if (next.some((item, place) => item !== content[place])) content = next;
  }
  return content === result.content ? result : { ...result, content };
}
