import { instantInDigits } from "../../lib/core/date-text.ts";
import { parseInstant } from "../data/dates.ts";
import type { SqlInput } from "../store/types.ts";
import { invalidParam, refused, shortened } from "./refusals.ts";
import type { Constant, Value } from "./scope.ts";
import type { ColumnType } from "./tables.ts";

/** The number a string is read as. */
function numberIn(text: string): number | undefined {
  const number = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** The date a string is read as, in milliseconds. Digits alone are no date. */
export const dateIn = (text: string): number | undefined =>
  instantInDigits(text) === undefined ? parseInstant(text) : undefined;

export function typeOfConstant({ value }: Constant): Value["type"] {
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "string" ? "string" : "null";
}

function misfit({ value, key, span }: Constant, wanted: string): Error {
  return key === undefined ? refused(`"${shortened(String(value))}" is not ${wanted}`, span) : invalidParam(key, span);
}

/** A constant as it is stored in columns of a type: dates as milliseconds, booleans as 0 and 1. */
export function stored(constant: Constant, type: ColumnType | "null"): SqlInput {
  const { value } = constant;
  if (value === null || value === undefined) return null;
  if (typeof value === "string" && value.includes("\0")) throw misfit(constant, "valid: it contains the NUL character");
  switch (type) {
    case "timestamp": {
      const date = typeof value === "string" ? dateIn(value) : undefined;
      if (date === undefined) throw misfit(constant, "a date");
      return date;
    }
    case "boolean":
      if (value !== true && value !== false && value !== "true" && value !== "false") {
        throw misfit(constant, "true or false");
      }
      return String(value) === "true" ? 1 : 0;
    case "number":
    case "integer": {
      const number = typeof value === "number" ? value : numberIn(String(value));
      if (number === undefined) throw misfit(constant, "a number");
      return number;
    }
    // The value of a record: numbers as numbers, everything else as strings.
    case "json":
      return numberIn(String(value)) ?? String(value);
    case "string":
      return String(value);
    case "null":
      return typeof value === "boolean" ? Number(value) : value;
  }
}
