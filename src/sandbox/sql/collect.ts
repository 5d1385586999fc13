import { MAX_LIST_AMOUNT } from "../../lib/core/limits.ts";
import type { Item, Statement } from "./parse.ts";
import { refused } from "./refusals.ts";
import { isMissing, ordered, type Row } from "./values.ts";

type Cells = readonly unknown[];

/** Collects the matching rows and builds the result. */
export interface Collector {
  /** Adds a row; false when no further row can change the result. */
  add(row: Row): boolean;
  /** The rows of the result, each with the values of all items. */
  end(): readonly Cells[];
}

const tooMany = (what: string): Error =>
  refused(`The result has more than ${MAX_LIST_AMOUNT} ${what}: add a condition or LIMIT`);

/** Sorts and limits rows, storing no more than are needed. */
function createSorter({ orderBy, limit = Number.POSITIVE_INFINITY }: Statement) {
  let kept: Cells[] = [];
  const most = Math.min(limit, MAX_LIST_AMOUNT + 1);
  const order = (one: Cells, other: Cells): number => {
    for (const { item, isDescending } of orderBy) {
      const found = ordered(one[item], other[item]);
      if (found !== 0) return isDescending ? -found : found;
    }
    return 0;
  };
  const cut = (): Cells[] => {
    kept = kept.sort(order).slice(0, most);
    return kept;
  };
  return {
    add(cells: Cells): boolean {
      if (kept.length < most || orderBy.length > 0) kept.push(cells);
      if (kept.length > 2 * most + 1_000) cut();
      return orderBy.length > 0 || kept.length < most;
    },
    end(): Cells[] {
      if (cut().length > MAX_LIST_AMOUNT) throw tooMany("rows");
      return kept;
    },
  };
}

/** State of an aggregate. */
interface Sum {
  count: number;
  numbers: number;
  sum: number;
  min: unknown;
  max: unknown;
}

function addTo(sum: Sum, value: unknown): void {
  if (isMissing(value)) return;
  sum.count += 1;
  if (typeof value === "number") {
    sum.numbers += 1;
    sum.sum += value;
  }
  if (sum.count === 1 || ordered(value, sum.min) < 0) sum.min = value;
  if (sum.count === 1 || ordered(value, sum.max) > 0) sum.max = value;
}

function resultOf({ of }: Item, { count, numbers, sum, min, max }: Sum): unknown {
  if (of === "count") return count;
  if (of === "sum") return numbers === 0 ? null : sum;
  if (of === "avg") return numbers === 0 ? null : sum / numbers;
  return of === "min" ? min : max;
}

const cellOf = ({ column }: Item, row: Row): unknown => (column === undefined ? true : (row[column.name] ?? null));

/** Collects rows one by one, or in groups. */
export function createCollector(statement: Statement): Collector {
  const { items, groupBy } = statement;
  const sorter = createSorter(statement);
  if (groupBy === undefined)
    return { add: (row) => sorter.add(items.map((item) => cellOf(item, row))), end: sorter.end };

  const newSums = (): Sum[] => items.map(() => ({ count: 0, numbers: 0, sum: 0, min: null, max: null }));
  const groups = new Map<string, { readonly first: Row; readonly sums: Sum[] }>();
  if (groupBy.length === 0) groups.set("[]", { first: {}, sums: newSums() });
  return {
    add(row) {
      const key = JSON.stringify(groupBy.map(({ name }) => row[name] ?? null));
      const group = groups.get(key) ?? { first: row, sums: newSums() };
      if (!groups.has(key) && groups.size === MAX_LIST_AMOUNT) throw tooMany("groups");
      groups.set(key, group);
      items.forEach((item, at) => {
        const sum = group.sums[at];
        if (sum !== undefined && item.of !== undefined) addTo(sum, cellOf(item, row));
      });
      return true;
    },
    end() {
      for (const { first, sums } of groups.values()) {
        const cells = items.map((item, at) => {
          const sum = sums[at];
          return item.of === undefined || sum === undefined ? cellOf(item, first) : resultOf(item, sum);
        });
        sorter.add(cells);
      }
      return sorter.end();
    },
  };
}
