import { get, list, record, type Source } from "../readers.ts";
import { textOf } from "./read.ts";

/** A key of a keypad: a digit, or a button of the widget, which sends. */
export interface Key {
  readonly text: string;
  /** What a button sends after the digits; undefined for a digit. */
  readonly action?: string;
  readonly color?: unknown;
  readonly isDisabled?: boolean;
  readonly row: number;
  readonly column: number;
}

/**
 * The keys of a keypad. Its buttons stand where digits leave room, row by row: the right column, an absent
 * asterisk or number sign, the row below.
 */
export function keysOf(d: Source): readonly Key[] {
  const isOn = (name: string): boolean => get(d, name) === true;
  const buttons = list(get(d, "buttons")).map(record);
  const signs = [isOn("show_asterisk") ? "*" : " ", "0", isOn("show_number_sign") ? "#" : " "].join("");
  const rows = ["123", "456", "789", signs, ...(isOn("show_last_row") ? ["   "] : [])];
  return rows.flatMap((texts, row) =>
    [...texts, ...(isOn("show_last_column") ? [" "] : [])].flatMap((text, column) => {
      if (text !== " ") return { text, row, column };
      const button = buttons.shift();
      const action = textOf(button, "value", "text", "label");
      const look = { color: get(button, "color"), isDisabled: get(button, "disabled") === true };
      return action === "" ? [] : { text: textOf(button, "text", "label", "value"), action, ...look, row, column };
    }),
  );
}
