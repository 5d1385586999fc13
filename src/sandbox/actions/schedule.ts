import { intervalOf } from "../analyses/intervals.ts";
import { addDuration, type Duration } from "../core/duration.ts";
import { isTimezone } from "../data/dates.ts";
import type { EntityDocument } from "../store/document.ts";
import { type NextMoment, parseCron } from "./cron.ts";

/** When something is due: at an interval, or by a cron expression. */
export type Plan =
  | { readonly kind: "interval"; readonly every: Duration }
  | { readonly kind: "cron"; readonly next: NextMoment };

/** The schedule of a trigger; `undefined` without a valid one. */
export function planOf(members: Readonly<Record<string, unknown>>): Plan | undefined {
  const every = intervalOf(members["interval"]);
  if (every !== undefined) return { kind: "interval", every };
  const { cron: text, timezone } = members;
  if (typeof text !== "string") return undefined;
  const next = parseCron(text, typeof timezone === "string" && isTimezone(timezone) ? timezone : "UTC");
  return next && { kind: "cron", next };
}

/** The next date after another at which a schedule is due. */
export function nextDue(plan: Plan, afterMs: number): number | undefined {
  return plan.kind === "cron" ? plan.next(afterMs) : addDuration(afterMs, plan.every);
}

/**
 * Start of the counting of a schedule: its last due date, or the last edit of its record. What was due before `sinceMs`
 * is not made up for, but intervals keep their phase.
 */
export function countFrom(plan: Plan, record: EntityDocument, lastDueMs: number | undefined, sinceMs: number): number {
  const editedMs = Date.parse(String(record["updated_at"]));
  const baseMs = Math.max(lastDueMs ?? 0, Number.isNaN(editedMs) ? 0 : editedMs);
  if (baseMs >= sinceMs) return baseMs;
  if (plan.kind === "cron") return sinceMs;
  const stepMs = addDuration(baseMs, plan.every) - baseMs;
  const missed = Math.floor((sinceMs - baseMs) / stepMs);
  if (plan.every.unit !== "month") return baseMs + missed * stepMs;
  let fromMs = baseMs;
  for (let next = nextDue(plan, fromMs); next !== undefined && next <= sinceMs; next = nextDue(plan, fromMs)) {
    fromMs = next;
  }
  return fromMs;
}
