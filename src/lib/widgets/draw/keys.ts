import { get, list, record, type Source } from "../readers.ts";
import { textOf } from "./read.ts";

/** A key of a keypad: a digit, or a button of the widget, which sends. */
export interface Key {
  readonly text: string;
  /** What a button sends after the digits; undefined for a digit. */
  readonly action: string | undefined;
  readonly color: unknown;
  readonly isDisabled: boolean;
}

/**
 * The rows of a keypad. Buttons stand in the places that digits leave free, in their order: the right column, an absent
 * asterisk or number sign, the row below.
 */
export function keysOf(d: Source): readonly (readonly (Key | undefined)[])[] {
  const isOn = (name: string): boolean => get(d, name) === true;
  const buttons = list(get(d, "buttons")).map(record);
  const nextButton = (): Key | undefined => buttonOf(buttons.shift());
  const digit = (text: string): Key => ({ text, action: undefined, color: undefined, isDisabled: false });
  const side = (): (Key | undefined)[] => (isOn("show_last_column") ? [nextButton()] : []);
  const rows = ["123", "456", "789"].map((digits) => [...[...digits].map(digit), ...side()]);
  const star = isOn("show_asterisk") ? digit("*") : nextButton();
  rows.push([star, digit("0"), isOn("show_number_sign") ? digit("#") : nextButton(), ...side()]);
  if (isOn("show_last_row")) rows.push(Array.from(rows[0] ?? [], nextButton));
  return rows;
}

function buttonOf(button: Source | undefined): Key | undefined {
  const action = textOf(button, "value", "text", "label");
  if (action === "") return undefined;
  const text = textOf(button, "text", "label", "value");
  return { text, action, color: get(button, "color"), isDisabled: get(button, "disabled") === true };
}
