import { isRecord } from "../../lib/core/json.ts";
import type { DataValue, WireRow } from "../data/types.ts";
import type { EntityDocument } from "../store/document.ts";
import { isInside } from "./geofence.ts";

/** A trigger of an action on device data, as stored. */
export type Trigger = Readonly<Record<string, unknown>>;

function asBoolean(value: unknown): boolean {
  const text = String(value ?? "").toLowerCase();
  return text !== "" && text !== "false" && text !== "0";
}

function asNumber(value: unknown): number {
  if (typeof value === "boolean") return value ? 1 : 0;
  const number = typeof value === "string" && value.trim() === "" ? Number.NaN : Number(value);
  return Number.isNaN(number) ? 0 : number;
}

type Comparable = number | string | boolean;

function converterOf(type: unknown, value: DataValue, limit: unknown): (given: unknown) => Comparable {
  if (type === "number") return asNumber;
  if (type === "boolean") return asBoolean;
  if (type === "string") return String;
  // Any type: compared as numbers if both sides are numeric.
  const areNumbers = [value, limit].every((side) => typeof side === "number" || /^\s*-?\d/.test(String(side)));
  return areNumbers ? asNumber : String;
}

/** Tests a condition (docs/internals/platform/queries.md, Actions on data). A row without a value passes `*` only. */
export function testValue(trigger: Trigger, value: DataValue | undefined): boolean {
  const { is, value: limit, second_value: second, value_type: type } = trigger;
  if (is === "*") return true;
  if (value === undefined) return false;
  const convert = converterOf(type, value, limit);
  const actual = convert(value);
  const low = convert(limit ?? "");
  if (is === "=") return actual === low;
  if (is === "!") return actual !== low;
  if (is === "<") return actual < low;
  if (is === ">") return actual > low;
  if (is === "><") return actual > low && actual < convert(second ?? "");
  return false;
}

/** Whether the tags of a record contain the key and value of a trigger. A trigger without a key matches all records. */
export function carriesTag(document: Readonly<Record<string, unknown>>, trigger: Trigger): boolean {
  const { tag_key: key, tag_value: value } = trigger;
  if (typeof key !== "string" || key === "") return true;
  const tags = Array.isArray(document["tags"]) ? document["tags"].filter(isRecord) : [];
  return tags.some((tag) => tag["key"] === key && (value === undefined || value === "" || tag["value"] === value));
}

/** Whether a trigger applies to a device: the one with its id, else those with its tag. */
export function looksAt(trigger: Trigger, device: EntityDocument): boolean {
  const { device: id, tag_key: key } = trigger;
  if (typeof id === "string" && id !== "") return id === device.id;
  return typeof key === "string" && key !== "" && carriesTag(device, trigger);
}

function testPlace(trigger: Trigger, row: WireRow): boolean {
  const inside = isInside(trigger["value"], row.location?.coordinates);
  if (inside === undefined) return false;
  return trigger["is"] === "OUT" ? !inside : inside;
}

/** The first row that meets the condition of a trigger. */
export function matchingRow(trigger: Trigger, rows: readonly WireRow[]): WireRow | undefined {
  const variable = typeof trigger["variable"] === "string" ? trigger["variable"].toLowerCase() : "";
  const isGeofence = trigger["is"] === "IN" || trigger["is"] === "OUT";
  return rows.find((row) => {
    if (isGeofence) return (variable === "" || row.variable === variable) && testPlace(trigger, row);
    return row.variable === variable && testValue(trigger, row.value);
  });
}
