import type { ServiceKey } from "./billing-types.ts";
import type { GenericID } from "./data-types.ts";

/** What a profile is made of. */
export interface ProfileCreateInfo {
  name: string;
  logo_url?: string | null;
  banner_url?: string | null;
}

/** Proof that the account's owner asks; the PIN with a second factor. */
export interface ProfileCredentials {
  password: string;
  pin_code?: string;
}

/** An add-on of a profile. */
export interface AddonInfo {
  id: GenericID;
  name: string;
  logo_url: string | null;
}

/** Use of the services up to a moment; only the services that were used. */
export interface UsageStatistic extends Partial<Record<ServiceKey, number>> {
  time: Date;
}

/** The time to show the use of: a day, or from `start_date` to `end_date`. */
export interface UsageStatisticQuery {
  date?: string | Date;
  start_date?: string | Date;
  end_date?: string | Date;
  /** Step between two entries. */
  periodicity?: "hour" | "day" | "month";
  /** For dates without an offset. */
  timezone?: string;
}

/** Kinds of resources whose changes are logged. */
export type AuditResource =
  | "action"
  | "am"
  | "analysis"
  | "connector"
  | "dashboard"
  | "device"
  | "dictionary"
  | "network"
  | "profile"
  | "run"
  | "runuser";

/** What to search the log of changes for. */
export interface AuditLogFilter {
  resourceID?: GenericID;
  resourceName?: AuditResource;
  /** Text in the message. */
  find?: string;
  start_date?: string | Date;
  /** At most 7 days after `start_date`. */
  end_date?: string | Date;
  limit?: number;
}

/** A change. */
export interface AuditEvent {
  resourceName: AuditResource;
  resourceID: GenericID;
  message: string;
  /** Account that made it. */
  who: GenericID;
  date: Date;
}

/** A search in the log of changes. */
export interface AuditLog {
  /** What was found so far. */
  events?: AuditEvent[] | undefined;
  statistics?: { recordsMatched: number; recordsScanned: number; bytesScanned: number };
  status?: "Running" | "Complete" | "Failed" | "Timeout" | "Unknown";
  /** For `auditLogQuery`. */
  queryId: string;
}

/** An account a profile is shared with. */
export interface TeamInfo {
  id: GenericID;
  name: string;
  email: string;
  /** False until the invitation is accepted. */
  active: boolean;
  /** ISO 8601. */
  created_at: string;
}
