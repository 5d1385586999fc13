import { get, isSource, list, record, type Source } from "../readers.ts";
import { idIn, numberIn, textIn } from "./read.ts";

/** One record of a widget's data. */
export interface Point {
  readonly variable: string;
  readonly origin: string | undefined;
  readonly value: unknown;
  readonly unit: string;
  /** Milliseconds since 1970; 0 without a time. */
  readonly timeMs: number;
  readonly group: string | undefined;
  /** The record as it was given. */
  readonly raw: Source;
}

/** The records of a widget, by variable. */
export class Records {
  /** Rows without a variable: of lists of devices, users and entities. */
  readonly rows: readonly Source[];
  private readonly byVariable = new Map<string, Point[]>();

  constructor(data: unknown) {
    const rows: Source[] = [];
    for (const each of recordsIn(data)) {
      const point = pointOf(each);
      if (point === undefined) rows.push(each);
      else {
        const points = this.byVariable.get(point.variable);
        if (points === undefined) this.byVariable.set(point.variable, [point]);
        else points.push(point);
      }
    }
    for (const points of this.byVariable.values()) points.sort((a, b) => a.timeMs - b.timeMs);
    this.rows = rows;
  }

  get isEmpty(): boolean {
    return this.byVariable.size === 0 && this.rows.length === 0;
  }

  /** Records of a variable, oldest first. One without an origin belongs to every origin. */
  of(variable: string, origin?: string): readonly Point[] {
    const points = this.byVariable.get(variable) ?? [];
    return origin === undefined ? points : points.filter((each) => each.origin === undefined || each.origin === origin);
  }

  last(variable: string, origin?: string): Point | undefined {
    return this.of(variable, origin).at(-1);
  }

  /** The newest record of all. */
  get newest(): Point | undefined {
    let found: Point | undefined;
    for (const points of this.byVariable.values()) {
      const last = points.at(-1);
      if (last !== undefined && (found === undefined || last.timeMs > found.timeMs)) found = last;
    }
    return found;
  }
}

// Data of a widget, its `content`, or plain records.
function* recordsIn(data: unknown): Generator<Source> {
  const items = Array.isArray(data) ? data : list(get(record(data), "content"));
  for (const item of items) {
    if (!isSource(item)) continue;
    const result = get(item, "result");
    if (result === undefined) yield item;
    else if (Array.isArray(result)) {
      for (const row of result) if (isSource(row)) yield row;
    } else if (numberIn(result) !== undefined || typeof result === "string") {
      const entry = record(get(item, "data"));
      const [variable] = [get(entry, "variables")].flat();
      yield { variable, value: result, origin: get(entry, "origin") };
    }
  }
}

function pointOf(raw: Source): Point | undefined {
  const variable = textIn(get(raw, "variable"));
  if (variable === "") return undefined;
  return {
    variable,
    origin: idIn(get(raw, "origin")) ?? idIn(get(raw, "device")),
    value: get(raw, "value"),
    unit: textIn(get(raw, "unit")),
    timeMs: timeIn(get(raw, "time")) ?? 0,
    group: textIn(get(raw, "group") ?? get(raw, "serie")) || undefined,
    raw,
  };
}

/** A date in milliseconds: a Date, an ISO string or a number of milliseconds. */
export function timeIn(value: unknown): number | undefined {
  const ms =
    value instanceof Date
      ? value.getTime()
      : typeof value === "number"
        ? value
        : typeof value === "string" && value.length <= 40 && /\d{4}-\d\d/.test(value)
          ? Date.parse(value)
          : Number.NaN;
  return Math.abs(ms) <= 8.64e15 ? ms : undefined;
}
