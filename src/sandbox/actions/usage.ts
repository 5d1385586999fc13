import { isRecord } from "../../lib/core/json.ts";
import type { Measured } from "../accounts/measure.ts";
import { measure } from "../accounts/measure.ts";
import type { Usage } from "../accounts/usage.ts";
import { allocationOf } from "../billing/allocation.ts";
import type { Limits } from "../core/limit-settings.ts";

import type { Kinds } from "../store/kinds.ts";
import type { SandboxDatabase } from "../store/types.ts";
import type { Trigger } from "./condition.ts";
import type { Engine } from "./engine.ts";
import type { RunStates } from "./state.ts";

export interface UsageParts extends Measured {
  readonly db: SandboxDatabase;
  readonly kinds: Kinds;
  readonly limits: Limits;
  readonly usage: Usage;
}

/** Usage of a limit in percent; `undefined` for what the sandbox does not limit. */
function usedPercent(app: UsageParts, profile: string, name: string): number | undefined {
  const most = app.kinds.record(name)?.most;
  if (most !== undefined && name !== "analysis") {
    const row = app.db.get<{ n: number }>(
      "SELECT count(*) AS n FROM entity WHERE kind = ? AND profile = ?",
      name,
      profile,
    );
    return ((row?.n ?? 0) / most[app.limits.planOf(profile)]) * 100;
  }
  const allocated = allocationOf(app.db, profile)[name];
  const used: Readonly<Record<string, number>> = { ...app.usage.month(profile), ...measure(app, profile) };
  return typeof allocated === "number" && allocated > 0 ? ((used[name] ?? 0) / allocated) * 100 : undefined;
}

function isReached(app: UsageParts, profile: string, trigger: Trigger): boolean {
  const percent = usedPercent(app, profile, String(trigger["service_or_resource"]));
  const asked = trigger["condition_value"];
  if (percent === undefined || typeof asked !== "number") return false;
  return trigger["condition"] === "=" ? Math.floor(percent) === asked : percent > asked;
}

/** Fires the usage alerts whose limit is reached, once until usage is below the limit again. */
export function checkUsage(app: UsageParts, engine: Engine, states: RunStates): void {
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
