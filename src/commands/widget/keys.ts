import type { Column } from "../kit/command/columns.ts";
import { goneText, type Judged } from "../kit/widgets/outcome.ts";

/** One key of one widget and what became of it. */
export interface KeyRow {
  readonly file: string;
  readonly label: string;
  readonly key: string;
  readonly status: string;
  readonly to: readonly string[];
  readonly reason: string;
}

export const keyColumns: readonly Column<KeyRow>[] = [
  { key: "file", hidden: true },
  { key: "label" },
  { key: "key" },
  { key: "status" },
  { key: "to", schema: { type: "array", items: { type: "string" } }, value: ({ to }) => to.join(", ") },
  { key: "reason" },
];

export async function* keyRows(rows: AsyncIterable<Judged>): AsyncGenerator<KeyRow> {
  for await (const { outcome, entries } of rows) {
    const { file, label } = outcome;
    const gone = new Map(outcome.dropped.map((each) => [each.path, goneText(each)]));
    for (const { path, status, to = [], reason = "" } of entries)
      yield { file, label, key: path, status, to, reason: gone.get(path) ?? reason };
  }
}
