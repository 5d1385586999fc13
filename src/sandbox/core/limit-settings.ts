import type { Plan } from "./plans.ts";

/** Limits in effect. Without a plan, those of the account that owns the profile. */
export interface LimitSettings {
  /** Requests per minute. Off by default. */
  readonly perMinute: boolean;
  /** Plan whose limits apply. */
  readonly plan?: Plan;
}

/** Usage of a limit by a profile in the current minute. */
export interface LimitUse {
  /** Id of the profile. */
  readonly profile: string;
  /** Name of the limit, such as `device list`. */
  readonly limit: string;
  /** Requests counted. */
  readonly used: number;
  /** Requests allowed per minute. */
  readonly most: number;
}

/** The limits of a running sandbox. */
export interface Limits {
  /** Current settings. */
  readonly settings: LimitSettings;
  /** Changes the settings, from the next request on. */
  set(settings: LimitSettings): void;
  /** The plan whose limits apply to a profile. */
  planOf(profile: string): Plan;
  /** Counts of the current minute. */
  uses(): LimitUse[];
}
