import { get, type Source } from "../readers.ts";
import { numberIn, textIn } from "./read.ts";

/** Whether a value meets a condition of a widget: `*`, `=`, `!`, `<`, `<=`, `>`, `>=`, `><` (between). */
export function matches(condition: Source, value: unknown): boolean {
  const wanted = get(condition, "value");
  const second = numberIn(get(condition, "second_value") ?? get(condition, "valueTwo") ?? get(condition, "value2"));
  const [have, limit] = [numberIn(value), numberIn(wanted)];
  const isNumeric = have !== undefined && limit !== undefined;
  switch (get(condition, "condition")) {
    case "*":
      return true;
    case "=":
    case "==":
      return isNumeric ? have === limit : textIn(value) === textIn(wanted);
    case "!":
    case "!=":
      return isNumeric ? have !== limit : textIn(value) !== textIn(wanted);
    case "<":
      return isNumeric && have < limit;
    case "<=":
      return isNumeric && have <= limit;
    case ">":
      return isNumeric && have > limit;
    case ">=":
      return isNumeric && have >= limit;
    case "><":
      return isNumeric && second !== undefined && have >= limit && have <= second;
    default:
      return false;
  }
}
