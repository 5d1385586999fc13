import type { JsonObject } from "../files/files.ts";
import { canonicalText, isVolatile } from "../state/snapshots.ts";

/** A document as a request sends it: without its ids and what the platform sets. */
export function dashboardBody(document: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(document).filter(
      ([key, value]) => key !== "id" && key !== "dashboard" && !isVolatile(key) && value !== undefined,
    ),
  );
}

/** True when a widget of the platform says all that the other one says. */
export function holds(now: JsonObject, expected: JsonObject): boolean {
  return Object.entries(dashboardBody(expected)).every(
    ([key, value]) => canonicalText(now[key] ?? null) === canonicalText(value),
  );
}

/** A widget as a request to create one has it. */
export function creation(widget: JsonObject): { label: string; type: string; display: Record<string, unknown> } {
  const display = widget["display"];
  return {
    ...dashboardBody(widget),
    label: String(widget["label"] ?? ""),
    type: String(widget["type"] ?? ""),
    display: typeof display === "object" && display !== null ? (display as Record<string, unknown>) : {},
  };
}
