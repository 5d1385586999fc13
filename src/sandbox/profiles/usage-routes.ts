import { defined } from "../../lib/core/defined.ts";
import { profileRoutes } from "../../lib/resources/profile.ts";
import { whole } from "../access/demands.ts";
import type { AuditFilter } from "../accounts/audit.ts";
import { measure } from "../accounts/measure.ts";
import { LEVELS, type UsageSpan } from "../accounts/usage.ts";
import type { App } from "../app.ts";
import { resolveDuration } from "../core/duration.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { QueryObject } from "../core/query.ts";
import { numberOf, textOf } from "../core/query.ts";
import { isTimezone, parseInstant } from "../data/dates.ts";
import type { Resource } from "../resource.ts";
import { ownProfile, reachProfile } from "./accessible-profiles.ts";

const DAY_MS = 86_400_000;
/** Longest period of one search of the log (docs/internals/platform/model.md, Audit log). */
const AUDIT_SPAN_MS = 7 * DAY_MS;
const AUDIT_EVENTS = 100;
const MAX_AUDIT_EVENTS = 1_000;
/** Longest period of one response of statistics. */
const MAX_SPAN_MS = 366 * DAY_MS;

const gaps = {
  audit: {
    subject: "Audit log",
    choice: "first call Running, the next one Complete; the last 1,000 searches can be asked for",
  },
  messages: {
    subject: "Audit log messages",
    choice: "{Kind} {name} was created, updated or deleted; {email} logged in",
  },
  statistics: {
    subject: "Usage statistics",
    choice:
      "UTC steps; date: its hours; otherwise days, without dates of this month; data_records, run_users and file_storage are levels",
  },
  counting: {
    subject: "Use that is counted",
    choice: "written every second: a killed sandbox forgets the last one",
    general: true,
  },
} as const;

const STEPS = ["hour", "day", "month", "year"] as const;

function timezoneOf(query: QueryObject): string {
  const timezone = textOf(query["timezone"]) ?? "UTC";
  if (!isTimezone(timezone)) throw new PlatformError(400, "Invalid timezone");
  return timezone;
}

function dateOf(query: QueryObject, name: string, edge: "start" | "end", nowMs: number): number | undefined {
  const text = textOf(query[name]);
  if (text === undefined) return undefined;
  if (text.toLowerCase() === "now") return nowMs;
  const moment = parseInstant(text, edge, timezoneOf(query)) ?? resolveDuration(text, nowMs, "before");
  if (moment === undefined) throw new PlatformError(400, `Invalid ${name}`);
  return moment;
}

/** A day by hours, or a period by days; without either the month so far. Steps in the future are omitted. */
function spanOf(query: QueryObject, nowMs: number): UsageSpan {
  const asked = textOf(query["periodicity"]);
  const known = STEPS.find((step) => step === asked);
  if (asked !== undefined && known === undefined) throw new PlatformError(400, "Invalid periodicity");
  const dayStart = dateOf(query, "date", "start", nowMs);
  if (dayStart !== undefined) {
    const startMs = Math.floor(dayStart / DAY_MS) * DAY_MS;
    return { startMs, endMs: Math.min(nowMs, startMs + DAY_MS - 1), step: known ?? "hour" };
  }
  const today = new Date(nowMs);
  const monthStart = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1);
  const endMs = Math.min(nowMs, dateOf(query, "end_date", "end", nowMs) ?? nowMs);
  const startMs = dateOf(query, "start_date", "start", nowMs) ?? Math.min(monthStart, endMs);
  if (startMs > nowMs) return { startMs, endMs: startMs - 1, step: known ?? "day" };
  if (startMs > endMs) throw new PlatformError(400, "Invalid start_date: it is after end_date");
  if (endMs - startMs > MAX_SPAN_MS) throw new PlatformError(400, "Invalid start_date: at most a year is answered");
  return { startMs, endMs, step: known ?? "day" };
}

/** Filter of a search of the log; without dates the last seven days. */
function auditFilter(query: QueryObject, nowMs: number): AuditFilter {
  const endMs = dateOf(query, "end_date", "end", nowMs);
  const startMs = dateOf(query, "start_date", "start", nowMs) ?? (endMs ?? nowMs) - AUDIT_SPAN_MS;
  const end = endMs ?? Math.min(nowMs, startMs + AUDIT_SPAN_MS);
  if (startMs > end) throw new PlatformError(400, "Invalid start_date: it is after end_date");
  // A date without a time means the end of the day, so the last day is included.
  if (end - startMs > AUDIT_SPAN_MS + DAY_MS) throw new PlatformError(400, "At most 7 days can be searched");
  const limit = Math.trunc(numberOf(query["limit"]) ?? AUDIT_EVENTS);
  const [find, resourceID, resourceName] = [query["find"], query["resourceID"], query["resourceName"]].map(textOf);
  const conditions = defined({ find, resourceID, resourceName });
  return { startMs, endMs: end, limit: Math.max(1, Math.min(MAX_AUDIT_EVENTS, limit)), ...conditions };
}

function serveStatistics(app: App): void {
  const rule = whole("account", "access_profile_statistics");
  app.on(profileRoutes.usageStatisticList, { rule }, ({ assume, params, principal, query, now }) => {
    const { id } = reachProfile(app, params.profileID, principal);
    // Without a step or dates the sandbox selects them; steps are always in UTC.
    const isChosen = query["periodicity"] === undefined || (query["date"] ?? query["start_date"]) === undefined;
    if (isChosen || timezoneOf(query) !== "UTC") assume(gaps.statistics);
    const levels = measure(app, id);
    for (const service of LEVELS) app.usage.level(id, service, levels[service]);
    return app.usage.statistics(id, spanOf(query, now));
  });
}

/** The search is finished immediately, but returned in two steps as on the platform: first its id, then the events. */
function serveAudit(app: App): void {
  app.on(profileRoutes.auditLog, { rule: "owner" }, ({ assume, params, principal, query, now }) => {
    const { id } = ownProfile(app, params.profileID, principal);
    const filter = auditFilter(query, now);
    if (filter.find !== undefined) assume(gaps.messages);
    // Older programs read the events of this response too, and fail without a list.
    return { queryId: app.audit.openQuery(id, filter), status: "Running", events: [] };
  });

  app.on(profileRoutes.auditLogQuery, { rule: "owner" }, ({ params, principal }) => {
    const { id } = ownProfile(app, params.profileID, principal);
    const filter = app.audit.query(id, params.queryId);
    if (filter === undefined) throw new PlatformError(404, "Query Not Found").assumed(gaps.audit);
    return { ...app.audit.search(id, filter), status: "Complete", queryId: params.queryId };
  });
}

/** Usage of a profile, and the audit log. */
export const profileUsage: Resource = {
  gaps,
  serve: (app) => {
    serveStatistics(app);
    serveAudit(app);
  },
};
