import { isRecord } from "../core/json.ts";

type Row = Readonly<Record<string, unknown>>;

/** What the conditions look at. */
interface RunFacts {
  /** Rows of the scope that are objects. */
  readonly rows: readonly Row[];
  /** Values of the environment by key. */
  readonly settings: ReadonlyMap<string, unknown>;
}

export type Check = (run: RunFacts) => boolean;
export type Predicate = (run: RunFacts, wanted: readonly unknown[]) => boolean;

/** A missing field or variable matches when `undefined` is wanted, as in the official SDK. */
const row =
  (field: string): Predicate =>
  ({ rows }, wanted) =>
    rows.some((one) => wanted.includes(Object.hasOwn(one, field) ? one[field] : undefined));

export const setting =
  (name: string): Predicate =>
  ({ settings }, wanted) =>
    wanted.includes(settings.get(name));

const either =
  (...predicates: readonly Predicate[]): Predicate =>
  (run, wanted) =>
    predicates.some((matches) => matches(run, wanted));

const widgetExec = setting("_widget_exec");
const deviceButton = row("device_list_button_id");
const userButton = row("user_list_button_id");

/** When each condition matches; one of the wanted values is enough. */
export const conditions = {
  whenVariables: row("variable"),
  whenVariableLike: ({ rows }, wanted) =>
    rows.some(({ variable }) => typeof variable === "string" && wanted.some((part) => variable.includes(String(part)))),
  whenValues: row("value"),
  whenSeries: row("serie"),
  whenInputFormID: row("input_form_button_id"),
  whenDeviceListIdentifier: either(deviceButton, widgetExec),
  whenUserListIdentifier: either(userButton, widgetExec),
  whenCustomBtnID: either(deviceButton, userButton, widgetExec),
  whenParameterExists: ({ rows }, wanted) =>
    rows.some((one) => wanted.some((name) => typeof name === "string" && Object.hasOwn(one, name))),
  whenWidgetExec: widgetExec,
  whenActionWhen: setting("_action_when"),
  whenActionType: setting("_action_type"),
} as const satisfies Readonly<Record<string, Predicate>>;

/** Anything may come as scope and environment; what is no row and no variable matches nothing. */
export function factsOf(scope: unknown, environment: unknown): RunFacts {
  const rows: readonly unknown[] = Array.isArray(scope) ? scope : [scope];
  return { rows: rows.filter(isRecord), settings: new Map(settingsOf(environment)) };
}

function settingsOf(environment: unknown): [string, unknown][] {
  if (!Array.isArray(environment)) return isRecord(environment) ? Object.entries(environment) : [];
  return environment.filter(isRecord).map(({ key, value }) => [String(key), value]);
}
