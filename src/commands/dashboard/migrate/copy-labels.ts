import type { Resources } from "../../../index.ts";
import { ALL_ROWS_AMOUNT } from "../../../lib/core/limits.ts";
import { copyLabel } from "../../../text/copy-label.ts";

/** Labels copies as usual, with a number where a dashboard has it already: `Plant (migrated 2)`. */
export function freeCopyLabels(taken: Iterable<string>): (label: string) => string {
  const all = new Set(taken);
  return (label) => {
    let name = copyLabel(label);
    for (let count = 2; all.has(name); count += 1) name = `${label} (migrated ${count})`;
    all.add(name);
    return name;
  };
}

/** Labels of all dashboards. */
export async function readLabels({ dashboards }: Resources): Promise<ReadonlySet<string>> {
  const labels = new Set<string>();
  for (let page = 1; ; page += 1) {
    const rows = await dashboards.list({ fields: ["id", "label"], amount: ALL_ROWS_AMOUNT, page });
    for (const { label } of rows) labels.add(label);
    if (rows.length < ALL_ROWS_AMOUNT) return labels;
  }
}
