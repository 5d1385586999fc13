import { quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { isObject } from "../files/files.ts";
import type { ColumnMap } from "./import-flags.ts";
import type { FileRow } from "./reader.ts";

/** Names in the warning. JSON may have other names in every row. */
const SHOWN_NAMES = 10;

/**
 * Whether a column is read, or left out on purpose.
 *
 * @param others columns that exports and lists write and no import can set
 */
export const columnReader =
  (map: ColumnMap, isField: (name: string) => boolean, others: readonly string[]) =>
  (column: string): boolean =>
    map.has(column) || isField(column) || others.includes(column);

/** The columns of a file that are not imported: a misspelt one must not be lost without a word. */
export class LeftOutColumns {
  readonly #names = new Set<string>();
  readonly #isRead: (column: string) => boolean;

  constructor(isRead: (column: string) => boolean = () => true) {
    this.#isRead = isRead;
  }

  note({ value }: FileRow): void {
    if (!isObject(value)) return;
    for (const column of Object.keys(value)) {
      if (this.#names.size > SHOWN_NAMES) return;
      if (!this.#isRead(column)) this.#names.add(column);
    }
  }

  tell({ say }: CommandContext): void {
    const names = [...this.#names];
    if (names.length === 0) return;
    const shown = names.slice(0, SHOWN_NAMES).map(quote).join(", ");
    const more = names.length > SHOWN_NAMES ? " and more" : "";
    say.warning(
      `Columns that are not imported: ${shown}${more}. --map COLUMN=FIELD imports one; --map COLUMN= leaves it out without this warning.`,
    );
  }
}
