import { quote } from "../command/values.ts";
import { inputError } from "../failures/command-error.ts";
import { stringField, truthOf, type Wrong } from "./cells.ts";
import type { ColumnOf } from "./refusal.ts";

/**
 * Makes the failure of a row of a file: `Row 3 of "a.csv" is not a valid user.` with the reason (exit 3).
 *
 * @param columnOf the column of a field, as the file names it
 */
export function rowFailure(what: string, row: number, place: string, columnOf: ColumnOf = String): Wrong {
  return (why, field) => {
    const column = field === undefined ? undefined : columnOf(field);
    return inputError(`Row ${row} of ${quote(place)} is not a valid ${what}.`, {
      row,
      ...(column === undefined ? {} : { column }),
      why: column === undefined ? why : `Column ${quote(column)}: ${why}`,
      next: "Fix the row; nothing was changed for it.",
    });
  };
}

/** Cells that are sent as they are: texts, and switches that are true or false. Those that a row lacks are absent. */
export function membersIn(
  cells: ReadonlyMap<string, unknown>,
  texts: readonly string[],
  switches: readonly string[],
  wrong: Wrong,
): Record<string, string | boolean> {
  const members: Record<string, string | boolean> = {};
  for (const key of texts) {
    const text = stringField(cells.get(key));
    if (text !== undefined) members[key] = text;
  }
  for (const key of switches) {
    if (!cells.has(key)) continue;
    const isOn = truthOf(cells.get(key));
    if (isOn === undefined) throw wrong("it must be true or false.", key);
    members[key] = isOn;
  }
  return members;
}
