import type { ActionInfo } from "../../index.ts";
import { typedValue } from "../kit/devices/record-checks.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { type JsonObject, objectOf } from "../kit/files/files.ts";

/** A record that an action waits for, and the device it has to come from where the rule names one. */
export interface MatchingRecord {
  readonly device: string | undefined;
  readonly record: object;
}

const KM_PER_DEGREE = 111.2;

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The first rule that fires, not one that unlocks. */
function firstRule({ trigger = [] }: Pick<ActionInfo, "trigger">): JsonObject {
  return trigger.map(objectOf).find((rule) => rule["unlock"] !== true) ?? {};
}

/** A value that meets a condition: the platform compares, so the nearest simple one is enough. */
function valueFor(rule: JsonObject): string | number | boolean {
  const { is, value_type: type } = rule;
  const value = String(rule["value"] ?? "");
  const number = Number(value);
  if (is === "*") return 1;
  if (type === "boolean") return (is === "!") !== (value === "true");
  if (is === ">") return number + 1;
  if (is === "<") return number - 1;
  if (is === "><") return (number + Number(rule["second_value"])) / 2;
  if (is === "!") return type === "number" ? number + 1 : `not ${value}`;
  return type === "number" ? number : value;
}

interface Place {
  readonly lat: number;
  readonly lng: number;
}

/** A location inside or outside a circle; undefined if the area is none. */
function placeFor(rule: JsonObject): Place | undefined {
  const { center, radius } = objectOf(rule["value"]);
  if (!Array.isArray(center) || typeof radius !== "number") return undefined;
  const [lng, lat]: unknown[] = center;
  if (typeof lng !== "number" || typeof lat !== "number") return undefined;
  if (rule["is"] === "IN") return { lat, lng };
  const away = (2 * radius) / KM_PER_DEGREE;
  return { lat: lat + away > 90 ? lat - away : lat + away, lng };
}

function placeFlag(text: string): Place {
  const [lat, lng, ...rest] = text.split(",").map(Number);
  const isPlace = lat !== undefined && lng !== undefined && rest.length === 0 && Math.abs(lat) <= 90;
  if (isPlace && Number.isFinite(lat) && Number.isFinite(lng)) return { lat, lng };
  throw usageError("--location requires a latitude and a longitude.", { next: "Use the form --location 45.46,9.18." });
}

/** The record that fires an action of type `condition` or `condition_geofence`. */
export function matchingRecord(
  action: Pick<ActionInfo, "type" | "trigger">,
  given: { readonly value: string | undefined; readonly location: string | undefined },
): MatchingRecord {
  const rule = firstRule(action);
  const variable = textOf(rule["variable"]) ?? "location";
  const device = textOf(rule["device"]);
  const { value, location: place } = given;
  if (action.type === "condition") {
    return { device, record: { variable, value: value === undefined ? valueFor(rule) : typedValue(value) } };
  }
  const location = place === undefined ? placeFor(rule) : placeFlag(place);
  if (location !== undefined) {
    return { device, record: { variable, value: value === undefined ? "test" : typedValue(value), location } };
  }
  throw usageError("The area of the action is not a circle.", {
    next: "Give a location that triggers it: --location 45.46,9.18.",
  });
}
