import { isRecord } from "../../lib/core/json.ts";
import type { App } from "../app.ts";
import { serveConsole } from "../console/routes.ts";
import { isRunning, type ManualClock } from "../core/clock.ts";
import type { Faults } from "../core/fault-rules.ts";
import { faultProblem, isFaultRule } from "../core/fault-rules.ts";
import type { LimitSettings } from "../core/limit-settings.ts";
import { isPlan, PLANS } from "../core/plans.ts";
import { PlatformError } from "../core/platform-error.ts";
import { decodeQuery, type QueryObject, splitTarget, textOf } from "../core/query.ts";
import { SANDBOX_NAME, SANDBOX_VERSION } from "../core/version.ts";
import { listedGaps } from "../gaps.ts";
import type { Strictness } from "../http/assumptions.ts";
import { readJson } from "../http/body.ts";
import { successReply } from "../http/envelope.ts";

import type { Inspection } from "../http/inspection-key.ts";

import type { RequestLog } from "../http/request-log.ts";
import { serveOpenApi } from "../openapi/routes.ts";
import type { SnapshotStore } from "../snapshots/snapshots.ts";
import type { OutboxFilter } from "../store/outbox.ts";
import { serveSnapshots } from "./snapshot-routes.ts";

export interface InspectParts {
  readonly app: App;
  readonly inspection: Inspection;
  readonly strict: Strictness;
  readonly clock: ManualClock;
  readonly faults: Faults;
  readonly requestLog: RequestLog;
  readonly snapshotStore: SnapshotStore;
  readonly startedAtMs: number;
  /** To the seed, or to a scenario. */
  readonly reset: (scenario?: string) => void;
  /** Account data for the console. */
  readonly sessionFacts: () => { readonly profileId: string };
}

const BODY_BYTES = 256 * 1024;
const MAX_TIME_MS = Date.parse("9999-12-31T23:59:59.999Z");

function rulesOf(body: unknown): Parameters<Faults["set"]>[0] {
  const rules: readonly unknown[] = Array.isArray(body) ? body : body === undefined ? [] : [body];
  for (const rule of rules) {
    const problem = faultProblem(rule);
    if (problem !== undefined) throw new PlatformError(400, `Invalid fault rule: ${problem}`);
  }
  return rules.filter(isFaultRule);
}

/** `{perMinute: boolean, plan?: "free" | "starter" | "scale"}`. */
function limitSettings(body: unknown): LimitSettings {
  const { perMinute, plan }: Readonly<Record<string, unknown>> =
    typeof body === "object" && body !== null ? { ...body } : {};
  if (typeof perMinute !== "boolean" || (plan !== undefined && !isPlan(plan))) {
    throw new PlatformError(400, `Send {"perMinute": true or false, "plan"?: one of ${PLANS.join(", ")}}`);
  }
  return { perMinute, ...(plan === undefined ? {} : { plan }) };
}

function strictOf(body: unknown): boolean {
  if (isRecord(body) && typeof body["strict"] === "boolean") return body["strict"];
  throw new PlatformError(400, 'Send {"strict": true or false}');
}

/** `?kind=email&to=...&action=...&analysis=...&profile=...&since=...`. */
function outboxFilter(query: QueryObject): OutboxFilter {
  const names = ["kind", "to", "profile", "action", "analysis", "since"] as const;
  const asked = names.flatMap((name) => {
    const text = textOf(query[name]);
    return text === undefined ? [] : [[name, text] as const];
  });
  return Object.fromEntries(asked);
}

/** Milliseconds that `{set: ISO date}` or `{advance: milliseconds}` moves the clock by. */
function distanceOf(clock: ManualClock, body: unknown): number {
  const change: object = typeof body === "object" && body !== null ? body : {};
  if ("set" in change && typeof change.set === "string") return Date.parse(change.set) - clock.now();
  if ("advance" in change && typeof change.advance === "number") return change.advance;
  return Number.NaN;
}

function moveClock(clock: ManualClock, body: unknown): void {
  if (isRecord(body) && body["reset"] === true) {
    if (!isRunning(clock)) throw new PlatformError(400, "A fixed clock has no offset; set it to a date instead");
    clock.reset();
    return;
  }
  const byMs = distanceOf(clock, body);
  if (Number.isNaN(byMs))
    throw new PlatformError(400, 'Send {"set": date}, {"advance": milliseconds} or {"reset": true}');
  const target = clock.now() + byMs;
  if (!(target >= 0 && target <= MAX_TIME_MS))
    throw new PlatformError(400, "The clock can only be set to the years 1970 to 9999");
  clock.advance(byMs);
}

function clockState(clock: ManualClock) {
  return {
    now: new Date(clock.now()).toISOString(),
    manual: !isRunning(clock),
    ...(isRunning(clock) && { offset_ms: clock.offsetMs }),
  };
}

type Answer = (body: unknown, query: QueryObject) => unknown;
type ServeOwn = (method: string, path: string, answer: Answer) => void;

/** Binds routes under `/__sandbox/`, for callers with access to the inspection routes. */
function servesOwn({ app, inspection }: InspectParts): ServeOwn {
  return (method, path, answer) =>
    app.server.serve(
      method,
      `/__sandbox/${path}`,
      async (request) => {
        inspection.admit(request);
        const query = decodeQuery(splitTarget(request.incoming.url ?? "")[1]);
        const result = answer(await readJson(request.incoming, BODY_BYTES), query);
        await app.db.committed();
        return successReply(result);
      },
      { faults: false },
    );
}

/** Recorded requests and messages. */
function serveRecords(serve: ServeOwn, { app, requestLog }: InspectParts): void {
  serve("GET", "outbox", (_, query) => app.outbox.list(outboxFilter(query)));
  serve("DELETE", "outbox", () => {
    app.outbox.clear();
    return "Successfully Removed";
  });
  serve("GET", "requests", (_, query) => requestLog.list(Number(textOf(query["after"])) || 0));
  serve("DELETE", "requests", () => {
    requestLog.clear();
    return "Successfully Removed";
  });
  serve("GET", "gaps", () => listedGaps);
}

/** Settings of the running sandbox. */
function serveSwitches(serve: ServeOwn, { app, clock, faults, strict, reset }: InspectParts): void {
  serve("GET", "strict", () => ({ strict: strict.isOn }));
  serve("PUT", "strict", (body) => {
    strict.isOn = strictOf(body);
    return { strict: strict.isOn };
  });
  serve("GET", "clock", () => clockState(clock));
  serve("PUT", "clock", (body) => {
    moveClock(clock, body);
    app.signals.emit("clockMoved", {});
    return clockState(clock);
  });
  serve("GET", "faults", () => faults.list());
  serve("PUT", "faults", (body) => {
    faults.set(rulesOf(body));
    return faults.list();
  });
  serve("DELETE", "faults", () => {
    faults.set([]);
    return faults.list();
  });
  const limitState = () => ({ ...app.limits.settings, uses: app.limits.uses() });
  serve("GET", "limits", limitState);
  serve("PUT", "limits", (body) => {
    app.limits.set(limitSettings(body));
    return limitState();
  });
  serve("POST", "reset", (body) => {
    reset(isRecord(body) && body["scenario"] !== undefined ? String(body["scenario"]) : undefined);
    return "The sandbox was reset";
  });
}

/** The sandbox's own routes under `/__sandbox/`, outside the platform's names. */
export function serveInspection(parts: InspectParts): void {
  const { app, inspection, strict, clock, requestLog, snapshotStore, startedAtMs, sessionFacts } = parts;
  const serve = servesOwn(parts);
  serve("GET", "health", () => ({
    name: SANDBOX_NAME,
    version: SANDBOX_VERSION,
    pid: process.pid,
    uptime_ms: Date.now() - startedAtMs,
    streams: app.hub.size,
    strict: strict.isOn,
    clock: clockState(clock),
  }));
  serveRecords(serve, parts);
  serveSwitches(serve, parts);
  serveSnapshots({ app, inspection, snapshotStore });
  serveOpenApi(app, inspection);
  const session = () => ({
    ...sessionFacts(),
    version: SANDBOX_VERSION,
    strict: strict.isOn,
    clock: clockState(clock),
    limits: app.limits.settings,
  });
  serveConsole({ app, inspection, requestLog, session });
}
