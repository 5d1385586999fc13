import type { FullApp } from "../app.ts";
import type { DataStore } from "../data/store.ts";
import { COUNT_LIMITS, isPlan, type Plan } from "../limits/tables.ts";
import { isRecord } from "../records.ts";
import type { Trigger } from "./condition.ts";
import type { Engine } from "./engine.ts";
import type { RunStates } from "./state.ts";

/** Monthly limits of a profile on the plan scale. */
const SERVICE_LIMITS: Readonly<Record<string, number>> = {
  data_records: 100_000_000,
  sms: 1_000,
  email: 50_000,
  push_notification: 50_000,
};

/** Kinds of message in the outbox, by the service that pays for them. */
const MESSAGE_KINDS: Readonly<Record<string, string>> = { sms: "sms", email: "email", push_notification: "push" };

function planOf(app: FullApp<DataStore>, profile: string): Plan {
  const plan = app.accounts.get(app.accounts.profile(profile)?.account ?? "")?.plan;
  return app.limits.settings.plan ?? (isPlan(plan) ? plan : "scale");
}

/** How much of a limit is used, in percent; `undefined` for what the sandbox does not count. */
function usedPercent(app: FullApp<DataStore>, profile: string, name: string): number | undefined {
  const limit = COUNT_LIMITS.find(({ kind }) => kind === name);
  if (limit !== undefined) {
    const row = app.db.get<{ n: number }>(
      "SELECT count(*) AS n FROM entity WHERE kind = ? AND profile = ?",
      name,
      profile,
    );
    return ((row?.n ?? 0) / limit.most[planOf(app, profile)]) * 100;
  }
  const most = SERVICE_LIMITS[name];
  if (most === undefined) return undefined;
  if (name === "data_records") {
    const devices = app.collection("device").all(profile);
    return (devices.reduce((sum, { id }) => sum + app.data.amount(id), 0) / most) * 100;
  }
  const now = new Date(app.clock.now());
  const monthStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)).toISOString();
  const row = app.db.get<{ n: number }>(
    `SELECT count(*) AS n FROM outbox WHERE json_extract(doc, '$.kind') = ? AND json_extract(doc, '$.profile') = ?
       AND json_extract(doc, '$.created_at') >= ?`,
    MESSAGE_KINDS[name],
    profile,
    monthStart,
  );
  return ((row?.n ?? 0) / most) * 100;
}

function isReached(app: FullApp<DataStore>, profile: string, trigger: Trigger): boolean {
  const percent = usedPercent(app, profile, String(trigger["service_or_resource"]));
  const asked = trigger["condition_value"];
  if (percent === undefined || typeof asked !== "number") return false;
  return trigger["condition"] === "=" ? Math.floor(percent) === asked : percent > asked;
}

/** Fires the usage alerts whose limit is reached, once until it is no longer. */
export function checkUsage(app: FullApp<DataStore>, engine: Engine, states: RunStates): void {
  for (const { document, triggers } of engine.actions("usage_alert")) {
    const reached = triggers.find((trigger) => isReached(app, document.profile, trigger));
    if ((reached !== undefined) === states.isLocked(document.id)) continue;
    states.setLocked(document.id, reached !== undefined);
    if (reached === undefined) continue;
    const { service_or_resource, condition_value } = reached;
    const scope = [{ service_or_resource, condition_value }].filter(isRecord);
    engine.fire({ action: document, scope, state: "" });
  }
}
