import { environment } from "../core/platform.ts";
import type { DeviceData, GenericID, GenericToken } from "../resources/data-types.ts";

/** A setting of the analysis, or what the platform says about a run (`_action_type`, `_widget_exec` ...). */
export interface AnalysisEnvironment {
  /** Name of the setting; the platform's own begin with `_`. */
  key: string;
  /** Always a text. */
  value: string;
}

/** What an analysis learns about its run besides the scope. */
export interface AnalysisContext {
  /**
   * Writes a line to the console of the analysis: texts as they are, errors with their stack, other values as JSON.
   * Lines of one run arrive in the order they were written. It never fails.
   */
  readonly log: (...values: unknown[]) => void;
  /** Token of the run; a secret. */
  readonly token: GenericToken;
  /** Settings of the analysis and what the platform says about the run. */
  readonly environment: AnalysisEnvironment[];
  /** Analysis that runs. */
  readonly analysis_id: GenericID;
}

/** A row of the scope: a record as it came, or a pressed button. Moments are text. */
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
 * The function of an analysis; it may be async. `Scope` is the caller's word for what starts the analysis: the platform
 * passes any list or object, and nothing checks it.
 */
export type AnalysisFunction<Scope = ScopeRow[]> = (context: AnalysisContext, data: Scope) => unknown;

/** What both kinds of runs hand to the function. */
export interface Trigger {
  /** Undefined when the run came without a usable one. */
  readonly token: string | undefined;
  readonly environment: AnalysisEnvironment[];
  readonly analysis_id: GenericID;
  readonly data: unknown;
}

/** Reads what starts a run. Lists that are missing or no lists are empty; nothing is refused. */
export function readTrigger(value: object): Trigger {
  const { token, environment: settings, analysis_id, data } = value as { [Name in keyof Trigger]?: unknown };
  return {
    token: typeof token === "string" && /^[\x21-\x7e]+$/.test(token) ? token : undefined,
    environment: Array.isArray(settings) ? settings : [],
    // The platform always names it. Without it the member is undefined, as in the official SDK.
    analysis_id: analysis_id as GenericID,
    data: typeof data === "object" && data !== null ? data : [],
  };
}

/** The run the platform started this process for (WIRE, environment variables). */
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

/** Gives a variable of the process a value, unless it has one. Does nothing where there are no such variables. */
export function setEnvironmentWhenUnset(name: string, value: string): void {
  const variables = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env;
  if (variables !== undefined && environment(name) === undefined) variables[name] = value;
}
