import { isRecord } from "../../lib/core/json.ts";
import { type ActionType, actionRoutes } from "../../lib/resources/actions.ts";
import { actionCreate, actionEdit, actionTriggers } from "../../schema/action.ts";
import { parseCron } from "../actions/cron.ts";
import { createRunStates } from "../actions/state.ts";
import { checkInterval } from "../analyses/intervals.ts";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import { isTimezone } from "../data/dates.ts";
import { created } from "../http/handler.ts";
import { crud } from "./crud.ts";
import { refuseProtected } from "./kit.ts";

const DEFAULTS = {
  description: null,
  active: true,
  lock: false,
  trigger_when_unlock: false,
  trigger: [],
  last_triggered: "never",
} as const;

/** The triggers as they are stored, checked against the type that was sent with them. */
function checkedTriggers(
  type: ActionType | undefined,
  triggers: readonly unknown[],
): readonly Readonly<Record<string, unknown>>[] {
  const checked = actionTriggers(type).safeParse(triggers);
  if (!checked.success) {
    const errors: Record<string, string[]> = {};
    for (const { path, message } of checked.error.issues) {
      const field = ["trigger", ...path.map(String)].join(".");
      errors[field] = [...(errors[field] ?? []), message];
    }
    throw new PlatformError(400, "Error on Body parameters", errors);
  }
  for (const { interval, cron, timezone } of checked.data) {
    if (type === undefined || type === "interval") checkInterval(interval);
    if (cron === undefined || (type !== undefined && type !== "schedule")) continue;
    if (parseCron(String(cron)) === undefined) throw new PlatformError(400, "Invalid cron code");
    if (typeof timezone === "string" && !isTimezone(timezone)) throw new PlatformError(400, "Invalid timezone");
  }
  return checked.data;
}

/** Actions: what fires them is in src/sandbox/actions. */
export function registerActionRoutes(app: App): void {
  const states = createRunStates(app.db);
  const actions = crud(app, { list: actionRoutes.list, info: actionRoutes.info }, "action");

  app.handle(actionRoutes.create, { body: actionCreate }, ({ body, principal, profile }) => {
    const trigger = checkedTriggers(body.type, body.trigger ?? []);
    const document = actions.insert(profile, { tags: [], ...DEFAULTS, ...body, trigger });
    app.signals.emit("resourceChanged", { profile, kind: "action", event: "create", document, principal });
    return created({ action: document.id });
  });

  app.handle(actionRoutes.edit, { body: actionEdit }, ({ body, params, principal, profile }) => {
    const action = actions.need(params.actionID, profile);
    const known = Array.isArray(action["trigger"]) ? action["trigger"].filter(isRecord) : [];
    const isOther = body.type !== undefined || body.trigger !== undefined;
    const trigger = isOther ? checkedTriggers(body.type, body.trigger ?? known) : known;
    // Other conditions start unlocked; so does an action whose lock is taken off by hand.
    if (isOther || body.lock === false) states.remove(action.id);
    if (body.lock === true && trigger.some(({ unlock }) => unlock === true)) states.setLocked(action.id, true);
    const document = actions.update(action.id, { ...body, trigger });
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
