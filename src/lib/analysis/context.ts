import { environment } from "../core/platform.ts";
import type { DeviceData, GenericID, GenericToken } from "../resources/data-types.ts";
import type { UserCreateInfo } from "../resources/run.ts";

/** An environment variable of the analysis, or information about the run (`_action_type`, `_widget_exec` ...). */
// Not an interface: it fits the index signature of `AnalysisEnvironment`.
export type EnvironmentItem = {
  /** Name of the variable; those of the platform begin with `_`. */
  key: string;
  /** Always a string. */
  value: string;
};

/** Strings by name: an item of the environment, or all variables as `Utils.envToJson` returns them. */
export interface AnalysisEnvironment {
  [name: string]: string;
}

/** Context of a run, besides the scope. */
export interface AnalysisContext {
  /**
   * Writes a line to the console of the analysis: strings as they are, errors with their stack, other values as JSON.
   * The lines of a run arrive in order. Never throws.
   */
  readonly log: (...values: unknown[]) => void;
  /** Token of the run. Keep it secret. */
  readonly token: GenericToken;
  /** Environment variables of the analysis and information about the run. */
  readonly environment: EnvironmentItem[];
  /** Id of the analysis. */
  readonly analysis_id: GenericID;
}

/** The context of a run as the official SDK types it; an `AnalysisContext` fits. */
export interface TagoContext {
  /** Token of the run. Keep it secret. */
  token: GenericToken;
  /** Id of the analysis. */
  analysis_id: GenericID;
  /** Environment variables of the analysis and information about the run, each with `key` and `value`. */
  environment: AnalysisEnvironment[];
  /** Writes a line to the console of the analysis. */
  log: (...values: unknown[]) => void;
}

/** A row of a device list whose button started the run. */
export interface DeviceListScope {
  /** Id of the device. */
  device: GenericID;
  /** Name of the device. */
  name?: string;
  /** Values before the change, `name` and the others. */
  old?: { name?: string; [field: string]: string | undefined };
  [tagOrParam: `tags.${string}` | `param.${string}`]: string;
  [field: string]: unknown;
}

/** A row of a user list whose button started the run. */
export interface UserListScope extends Partial<Omit<UserCreateInfo, "password" | "tags">> {
  /** Id of the user. */
  user: GenericID;
  /** Values before the change, by the same names. */
  old?: Partial<Omit<UserCreateInfo, "password" | "tags">> & Record<string, string>;
  [tagOrParam: `tags.${string}` | `param.${string}`]: string;
  [field: string]: unknown;
}

/** A row whose custom button started the run. */
export interface CustomBtnScope {
  /** Id of the user; only of user lists. */
  user?: GenericID;
  /** Id of the device; only of device lists and dynamic tables. */
  device?: GenericID;
  /** Group of the record; only of dynamic tables. */
  group?: string;
  /** Variable of the record; only of dynamic tables. */
  variable?: string;
  /** Value of the record; only of dynamic tables. */
  value?: string;
  /** Text shown in the row. */
  displayValue: string;
  /** What the column shows. */
  property: string;
}

/** A row of the scope: a record, or a pressed button. Timestamps are strings. */
export interface ScopeRow extends Partial<Omit<DeviceData, "time" | "created_at">> {
  /** ISO 8601. */
  time?: string;
  /** Identifier of the button of an input form. */
  input_form_button_id?: string;
  /** Identifier of the button of a device list. */
  device_list_button_id?: string;
  /** Identifier of the button of a user list. */
  user_list_button_id?: string;
  [key: string]: unknown;
}

/**
 * The function of an analysis; it may be async. `Scope` is the type the caller expects: the platform passes any array
 * or object, and it is not checked.
 */
export type AnalysisFunction<Scope = ScopeRow[]> = (context: AnalysisContext, data: Scope) => unknown;

/** Arguments of a run, on the platform or external. */
export interface Trigger {
  /** Undefined when the trigger has no valid token. */
  readonly token: string | undefined;
  readonly environment: EnvironmentItem[];
  readonly analysis_id: GenericID;
  readonly data: unknown;
}

/** Reads a trigger. Missing or invalid arrays become empty; nothing is rejected. */
export function readTrigger(value: object): Trigger {
  const { token, environment: settings, analysis_id, data } = value as { [Name in keyof Trigger]?: unknown };
  return {
    token: typeof token === "string" && /^[\x21-\x7e]+$/.test(token) ? token : undefined,
    environment: Array.isArray(settings) ? settings : [],
    // The platform always sends it. Otherwise it is undefined, as in the official SDK.
    analysis_id: analysis_id as GenericID,
    data: typeof data === "object" && data !== null ? data : [],
  };
}

/** Reads the run the platform started this process for from the environment variables. */
export function platformTrigger(): Trigger {
  return readTrigger({
    token: environment("T_ANALYSIS_TOKEN"),
    environment: jsonVariable("T_ANALYSIS_ENV"),
    analysis_id: environment("T_ANALYSIS_ID"),
    data: jsonVariable("T_ANALYSIS_DATA"),
  });
}

function jsonVariable(name: string): unknown {
  try {
    return JSON.parse(environment(name) ?? "[]");
  } catch {
    return [];
  }
}

/** Sets an environment variable unless it is set. Does nothing where there is no environment. */
export function setEnvironmentWhenUnset(name: string, value: string): void {
  const variables = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env;
  if (variables !== undefined && environment(name) === undefined) variables[name] = value;
}
