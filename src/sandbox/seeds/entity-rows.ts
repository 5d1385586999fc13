import { createRandom, type Random } from "../../lib/core/random.ts";
import type { RowValue, Section } from "../../schema/seed/records.ts";
import { fillText } from "./repeat.ts";

type Generated = Exclude<Section<"entities">["rows"], readonly unknown[]>;
type Row = Record<string, unknown>;

const DAY_MS = 86_400_000;

/** Generated rows of an entity: values are drawn in the order of the fields. */
export function generateRows({ count, stream, values }: Generated, seed: number, createdMs: number): Row[] {
  const random = createRandom(seed, stream);
  return Array.from({ length: count }, (_, index) => {
    const row: Row = {};
    for (const [field, value] of Object.entries(values))
      row[field] = valueFor(value, { row, index, random, createdMs });
    return row;
  });
}

interface Drawing {
  readonly row: Row;
  readonly index: number;
  readonly random: Random;
  readonly createdMs: number;
}

function valueFor(value: RowValue, drawing: Drawing): unknown {
  const { row, index, random, createdMs } = drawing;
  const text = (template: string): string => fillText(template, (name) => (name === "n" ? index + 1 : row[name]));
  if (typeof value === "string") return text(value);
  if ("one_of" in value) return value.one_of[Math.floor(random() * value.one_of.length)];
  if ("below" in value) return Math.floor(random() * value.below);
  if ("up_to" in value) return Math.round(random() * value.up_to * 10 ** value.digits) / 10 ** value.digits;
  if ("text" in value) return index % value.every === 0 ? text(value.text) : null;
  if ("object" in value) {
    return Object.fromEntries(Object.entries(value.object).map(([field, each]) => [field, valueFor(each, drawing)]));
  }
  if (Object.entries(value.unless).some(([field, wanted]) => row[field] === wanted)) return null;
  return new Date(createdMs - Math.floor(random() * value.days_ago) * DAY_MS).toISOString();
}
