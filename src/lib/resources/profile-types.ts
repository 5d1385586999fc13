import type { CallOptions } from "../api/client.ts";
import type { PlanName, ServiceAmounts } from "./billing-types.ts";
import type { ExpireTime, GenericID, GenericToken, Permission } from "./data-types.ts";
import type { TokenData } from "./devices.ts";
import type { OTPType } from "./own-account.ts";

/** A profile in a list. */
export interface ProfileListInfo {
  /** For the calls that ask for a `profileID`. */
  id: GenericID;
  /** Name shown in lists. */
  name: string;
  /** Address of the logo; null: none. */
  logo_url: string | null;
  /** Account that owns it. */
  account: GenericID;
  /** Shared by another account. */
  from_share?: boolean;
}

/** How much of each service a profile may use. */
export interface ProfileLimit extends ServiceAmounts {
  /** Core instances; absent without them. */
  tcore?: number;
}

/** What a profile has used: the services of the month, and what it holds now. */
export interface ProfileUse extends Partial<ProfileLimit> {
  /** Records read by dashboards. */
  dashboard_output?: number;
  /** Clusters of core instances. */
  tcore_cluster?: number;
}

/** Number of resources of each kind. */
export interface ProfileAmounts {
  /** Devices, active or not. */
  device: number;
  /** @deprecated as many as devices */
  bucket: number;
  /** Dashboards and blueprints. */
  dashboard: number;
  /** Dashboards shared by others; that kind of sharing is gone. */
  dashboard_shared: number;
  /** Analyses, active or not. */
  analysis: number;
  /** Actions, active or not. */
  action: number;
  /** Access rules. */
  am: number;
  /** Users of the portal. */
  run_users: number;
  /** Dictionaries. */
  dictionary: number;
  /** Own connectors, without the public ones. */
  connectors: number;
  /** Own networks, without the public ones. */
  networks: number;
  /** Core instances. */
  tcore: number;
  /** Clusters of core instances. */
  tcore_cluster: number;
}

/** Paid features of a profile. */
export interface ProfileAddOns {
  /** A portal at a domain of one's own. */
  custom_dns: boolean;
  /** A mobile app of one's own. */
  mobile: boolean;
  /** Absent where the platform does not offer it. */
  control_tower?: boolean;
  /** Profile they belong to. */
  profile?: GenericID;
  /** ISO 8601. */
  updated_at?: string;
}

/** A profile. */
export interface ProfileInfo {
  /** What it is. */
  info: {
    /** Set by the platform. */
    id: GenericID;
    /** Account that owns it. */
    account: GenericID;
    /** Name shown in lists. */
    name: string;
    /** Address of the logo; null: none. */
    logo_url: string | null;
    /** Address of the banner; null: none. */
    banner_url: string | null;
    /** Where its data is kept, e.g. `us-1`. */
    region?: string;
    /** Limits in requests a minute; null: the usual ones. */
    rpm?: {
      /** Requests that send data. */
      data_input?: number;
      /** Requests that read data. */
      data_output?: number;
    } | null;
    /** When the profile was made. */
    created_at: Date;
    /** Last change. */
    updated_at: Date;
  };
  /** How much of each service it may use. */
  allocation: ProfileLimit;
  /** Paid features. */
  addons: ProfileAddOns;
  /** Plan of the account that owns it. */
  account_plan: PlanName;
}

/** What a profile uses and holds. With `onlyAmount` there is nothing but `amount`. */
export interface ProfileSummary {
  /** How much of each service it may use. */
  limit: ProfileLimit;
  /** How much of it was used this month. */
  limit_used: ProfileUse;
  /** Number of resources of each kind. */
  amount: ProfileAmounts;
  /** Paid features. */
  addons: ProfileAddOns;
  /** Host name of the portal. */
  tago_run?: string;
}

/** Options of a summary. */
export interface ProfileSummaryOptions extends CallOptions {
  /** Leaves out everything but `amount`. @default false */
  onlyAmount?: boolean;
}

/** A token, as it shows itself. */
export interface TokenInfo {
  /** The token itself; only in lists. */
  token?: GenericToken;
  /** Name shown in lists. */
  name: string;
  /** What the token is for, such as `profile` or `serviceauth`. */
  type: string;
  /** `deny`: the token opens nothing. */
  permission: Permission | "deny";
  /** Serial number; of devices, else null. */
  serie_number: string | null;
  /** Last use; null: never used. */
  last_authorization: Date | null;
  /** The additional parameter of a service authorization. */
  verification_code: string | null;
  /** End of the token. */
  expire_time: ExpireTime;
  /** What the token opens: a profile, a device, an analysis ... */
  ref_id: GenericID;
  /** When the token was made. */
  created_at: Date;
  /** Account that made it; null: not known. */
  created_by: GenericID | null;
}

/** A token in a list. */
export interface TokenDataList extends TokenInfo {
  /** The token itself. */
  token: GenericToken;
}

/** A profile token to make; some accounts ask for the password again. */
export type ProfileTokenCreate = TokenData & {
  /** Address of the account; goes with `password`. */
  email?: string;
  /** Password of the account. */
  password?: string;
  /** With a second factor. */
  otp_type?: OTPType;
  /** The PIN it gave; with a second factor. */
  pin_code?: string;
};

/** What a profile is made of. */
export interface ProfileCreateInfo {
  /** Name shown in lists. */
  name: string;
  /** Address of the logo; null takes it away. */
  logo_url?: string | null;
  /** Address of the banner; null takes it away. */
  banner_url?: string | null;
}

/** Options of making a profile. */
export interface ProfileCreateOptions extends CallOptions {
  /** Gives it what the account has not allocated yet. @default false */
  allocate_free_resources?: boolean;
}

/** What comes back for a new profile. */
export interface ProfileCreateResponse {
  /** Id of the profile. */
  id: GenericID;
}

/** Proof that the account's owner asks; the PIN with a second factor. */
export interface ProfileCredentials {
  /** Password of the account. */
  password: string;
  /** The PIN the second factor gave. */
  pin_code?: string;
}

/** A limit to set. */
export interface ProfileServiceLimit {
  /** How much may be used, in the unit of the service. */
  limit: number;
}

/** An add-on of a profile. */
export interface AddonInfo {
  /** Set by the platform. */
  id: GenericID;
  /** Name of the add-on, such as `mobile`. */
  name: string;
  /** Address of its picture; null: none. */
  logo_url: string | null;
}

/** Use of the services up to a moment; only the services that were used. */
export interface UsageStatistic extends Partial<ServiceAmounts> {
  /** The moment the numbers stand for. */
  time: Date;
}

/** The time to show the use of: a day, or from `start_date` to `end_date`. */
export interface UsageStatisticQuery {
  /** A day; without `start_date` and `end_date`. */
  date?: string | Date;
  /** First moment or day. */
  start_date?: string | Date;
  /** Last moment or day. */
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
  /** Changes of this resource only. */
  resourceID?: GenericID;
  /** Changes of this kind of resource only. */
  resourceName?: AuditResource;
  /** Text in the message. */
  find?: string;
  /** First moment. */
  start_date?: string | Date;
  /** At most 7 days after `start_date`. */
  end_date?: string | Date;
  /** Events at most. */
  limit?: number;
}

/** A change. */
export interface AuditEvent {
  /** Kind of resource. */
  resourceName: AuditResource;
  /** Resource that was changed. */
  resourceID: GenericID;
  /** What happened, in words. */
  message: string;
  /** Account that made it. */
  who: GenericID;
  /** When it happened. */
  date: Date;
}

/** A search in the log of changes. */
export interface AuditLog {
  /** What was found so far. */
  events?: AuditEvent[] | undefined;
  /** How far the search has come. */
  statistics?: {
    /** Events found. */
    recordsMatched: number;
    /** Events looked at. */
    recordsScanned: number;
    /** Bytes looked at. */
    bytesScanned: number;
  };
  /** `Running`: ask again with `auditLogQuery`. */
  status?: "Running" | "Complete" | "Failed" | "Timeout" | "Unknown";
  /** For `auditLogQuery`. */
  queryId: string;
}

/** An account a profile is shared with. */
export interface TeamInfo {
  /** Id of the account. */
  id: GenericID;
  /** Name of the owner. */
  name: string;
  /** Where the invitation went. */
  email: string;
  /** False until the invitation is accepted. */
  active: boolean;
  /** ISO 8601. */
  created_at: string;
}
