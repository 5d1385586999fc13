import { isRecord } from "../../lib/core/json.ts";
import { type ActionType, actionRoutes } from "../../lib/resources/actions.ts";
import { actionCreate, actionEdit, actionTriggers } from "../../schema/action.ts";
import { ORDINARY_ACTIONS, onRecords } from "../access/catalogue.ts";
import { checkInterval } from "../analyses/intervals.ts";
import type { App } from "../app.ts";
import type { Gap } from "../core/gap.ts";
import { perPlan } from "../core/plans.ts";
import { invalidBody, PlatformError } from "../core/platform-error.ts";
import { isTimezone } from "../data/dates.ts";
import { resource } from "../resource.ts";
import { parseCron } from "./cron.ts";
import { RunStates } from "./state.ts";

const gaps = {
  dayAndWeekday: { subject: "Cron with day and weekday", choice: "one of both is enough, as cron does it" },
  anyType: { subject: "value_type *", choice: "compares numbers when both sides are numbers, else strings" },
  lock: { subject: "Lock of an action", choice: "one for all its devices; lock shows it, PUT lock=false opens it" },
  lockWithoutUnlock: { subject: "lock without unlock triggers", choice: "does nothing: every match fires" },
  withoutTag: { subject: "Resource trigger without tag", choice: "fires for every resource of its kind" },
  usageAlert: {
    subject: "Usage alert",
    choice: "measured every second; fires once until the condition no longer holds",
  },
  mqttData: {
    subject: "Action type that stores MQTT data",
    choice: "tagoio, with device; JSON rows are stored as rows",
  },
  interval: {
    subject: "Interval of an action",
    choice: "counted from its last run, else from its last edit",
    general: true,
  },
  missed: {
    subject: "Intervals and schedules missed while the sandbox was off",
    choice: "not made up for",
    general: true,
  },
  fixedClock: {
    subject: "A fixed clock that is moved on",
    choice: "everything due in between runs, up to 1,000 times each",
    general: true,
  },
  clockChange: {
    subject: "Cron at a change of the clocks",
    choice: "a skipped time runs right after it, a repeated one once",
    general: true,
  },
  noValue: { subject: "Condition on a row without value", choice: "holds for * only", general: true },
  state: {
    subject: "_action_state, $ACTION.STATE$",
    choice: "locked, unlocked, or empty for an action without lock",
    general: true,
  },
  when: { subject: "_action_when", choice: "create, update or delete; only for resource actions", general: true },
  resourceScope: { subject: "Scope of a resource action", choice: "a list with the record", general: true },
  timeScope: { subject: "Scope of interval and schedule actions", choice: "empty list", general: true },
  post: {
    subject: "HTTP post of an action",
    choice: "ten tries 200 ms apart, body is the scope; other machines: outbox",
    general: true,
  },
  loops: {
    subject: "Actions and analyses that fire each other",
    choice: "stopped after 25 in a row, or 1,000 firings while their own effects are at work",
    general: true,
  },
} as const;

type Trigger = Readonly<Record<string, unknown>>;

/** Two fields of a cron expression that are both limited. */
function namesDayAndWeekday(cron: unknown): boolean {
  const [, , day = "*", , weekday = "*"] = String(cron).trim().split(/\s+/).slice(-5);
  return !/^[*?]/.test(day) && !/^[*?]/.test(weekday);
}

/** Assumptions that the triggers need. */
function assumedIn(type: unknown, triggers: readonly Trigger[]): Gap[] {
  const some = (test: (trigger: Trigger) => boolean): boolean => triggers.some(test);
  return [
    ...(some(({ cron }) => cron !== undefined && namesDayAndWeekday(cron)) ? [gaps.dayAndWeekday] : []),
    ...(some(({ value_type }) => value_type === "*") ? [gaps.anyType] : []),
    ...(type === "resource" && some(({ tag_key }) => !tag_key) ? [gaps.withoutTag] : []),
    ...(type === "usage_alert" ? [gaps.usageAlert] : []),
  ];
}

/** The triggers in stored form, checked against the type that was sent with them. */
function checkedTriggers(type: ActionType | undefined, triggers: readonly unknown[]): readonly Trigger[] {
  const checked = actionTriggers(type).safeParse(triggers);
  if (!checked.success) {
    const errors: Record<string, string[]> = {};
    for (const { path, message } of checked.error.issues) {
      const field = ["trigger", ...path.map(String)].join(".");
      errors[field] = [...(errors[field] ?? []), message];
    }
    throw invalidBody(errors);
  }
  for (const { interval, cron, timezone } of checked.data) {
    if (type === undefined || type === "interval") checkInterval(interval);
    if (cron === undefined || (type !== undefined && type !== "schedule")) continue;
    if (parseCron(String(cron)) === undefined) throw new PlatformError(400, "Invalid cron code");
    if (typeof timezone === "string" && !isTimezone(timezone)) throw new PlatformError(400, "Invalid timezone");
  }
  return checked.data;
}

const unlocks = (triggers: readonly Trigger[]): boolean => triggers.some(({ unlock }) => unlock === true);

/** An action that is locked or unlocked by hand, or gets other conditions: these start unlocked. */
function setLock(
  app: App,
  id: string,
  lock: boolean | undefined,
  isOther: boolean,
  triggers: readonly Trigger[],
): void {
  const states = new RunStates(app.db);
  if (isOther || lock === false) states.remove(id);
  if (lock === true && unlocks(triggers)) states.setLocked(id, true);
}

/** Routes of actions; src/sandbox/actions fires them. */
export const actions = resource({
  tables: { actionRoutes },
  kind: "action",
  thing: "Action",
  keys: { name: "text", active: "boolean", type: "exact", last_triggered: "date" },
  defaults: actionRoutes.list.list ?? {},
  most: perPlan(5, 100, 200),
  audit: ["action", "Action"],
  trigger: ["action"],
  tagged: true,
  backup: { file: "actions" },
  amounts: ["action"],
  routes: actionRoutes,
  rule: "action",
  access: { label: "Action", analysis: onRecords(...ORDINARY_ACTIONS) },
  initial: {
    description: null,
    active: true,
    lock: false,
    trigger_when_unlock: false,
    trigger: [],
    last_triggered: "never",
  },
  create: { body: actionCreate, answer: ({ id }) => ({ action: id }) },
  edit: { body: actionEdit },
  prepare: (app, body, { assume, document }) => {
    const stored = Array.isArray(document?.["trigger"]) ? document["trigger"].filter(isRecord) : [];
    const isOther = document === undefined || body.type !== undefined || body.trigger !== undefined;
    const trigger = isOther ? checkedTriggers(body.type, body.trigger ?? stored) : stored;
    if (isOther) for (const gap of assumedIn(body.type ?? document?.["type"], trigger)) assume(gap);
    if (body.action?.type === "tagoio") assume(gaps.mqttData);
    if (body.lock === true && !unlocks(trigger)) assume(gaps.lockWithoutUnlock);
    if (document !== undefined) {
      if (body.lock !== undefined) assume(gaps.lock);
      setLock(app, document.id, body.lock, isOther, trigger);
    }
    return { ...body, trigger };
  },
  removing: (app, { id }) => new RunStates(app.db).remove(id),
  gaps,
});
