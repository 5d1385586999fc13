import { isRecord } from "../../lib/core/json.ts";
import { type ActionType, actionRoutes } from "../../lib/resources/actions.ts";
import { actionCreate, actionEdit, actionTriggers } from "../../schema/action.ts";
import { parseCron } from "../actions/cron.ts";
import { createRunStates } from "../actions/state.ts";
import type { FullApp } from "../app.ts";
import { crud, refuseProtected } from "../crud.ts";
import { isTimezone } from "../data/dates.ts";
import { checkInterval } from "../runs/intervals.ts";
import { created, PlatformError } from "../types.ts";

const DEFAULTS = {
  description: null,
  active: true,
  lock: false,
  trigger_when_unlock: false,
  trigger: [],
  last_triggered: null,
} as const;

/** Checks triggers against the type of their action; members that are not known are kept. */
function checkTriggers(type: ActionType, triggers: readonly unknown[]): void {
  const checked = actionTriggers(type).safeParse(triggers);
  if (!checked.success) {
    const errors: Record<string, string[]> = {};
    for (const { path, message } of checked.error.issues) {
      const field = ["trigger", ...path.map(String)].join(".");
      errors[field] = [...(errors[field] ?? []), message];
    }
    throw new PlatformError(400, "Error on Body parameters", errors);
  }
  for (const trigger of triggers.filter(isRecord)) {
    if (type === "interval") checkInterval(trigger["interval"]);
    if (type !== "schedule") continue;
    if (parseCron(String(trigger["cron"])) === undefined) throw new PlatformError(400, "Invalid cron code");
    const { timezone } = trigger;
    if (typeof timezone === "string" && !isTimezone(timezone)) throw new PlatformError(400, "Invalid timezone");
  }
}

/** Actions: what fires them is in src/sandbox/actions. */
export function registerActionRoutes(app: FullApp): void {
  const states = createRunStates(app.db);
  const actions = crud(app, { list: actionRoutes.list, info: actionRoutes.info }, "action");

  app.handle(actionRoutes.create, { body: actionCreate }, ({ body, principal, profile }) => {
    checkTriggers(body.type, body.trigger ?? []);
    const document = actions.insert(profile, { tags: [], ...DEFAULTS, ...body });
    app.signals.emit("resourceChanged", { profile, kind: "action", event: "create", document, principal });
    return created({ action: document.id });
  });

  app.handle(actionRoutes.edit, { body: actionEdit }, ({ body, params, principal, profile }) => {
    const action = actions.need(params.actionID, profile);
    const type = body.type ?? (String(action["type"]) as ActionType);
    const triggers = body.trigger ?? (Array.isArray(action["trigger"]) ? action["trigger"] : []);
    if (body.type !== undefined || body.trigger !== undefined) checkTriggers(type, triggers);
    // Other conditions start unlocked; so does an action whose lock is taken off by hand.
    if (body.trigger !== undefined || body.type !== undefined || body.lock === false) states.remove(action.id);
    const document = actions.update(action.id, body);
    app.signals.emit("resourceChanged", { profile, kind: "action", event: "edit", document, principal });
    return "Successfully Updated";
  });

  app.handle(actionRoutes.delete, ({ params, principal, profile }) => {
    const document = actions.need(params.actionID, profile);
    refuseProtected(document);
    states.remove(document.id);
    actions.remove(document.id);
    app.signals.emit("resourceChanged", { profile, kind: "action", event: "delete", document, principal });
    return "Successfully Removed";
  });
}
