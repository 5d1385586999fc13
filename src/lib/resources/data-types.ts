import type { Tag } from "../api/list-query.ts";
import type { StreamWindow } from "../api/time-window.ts";
import type { otpTypes, permissions } from "./enums.ts";

/** A 24-digit hexadecimal id. */
export type GenericID = string;
/** A token; treat it as a secret. */
export type GenericToken = string;
/** A date, or `never`. */
export type ExpireTime = Date | "never";
/** What a token may do: everything, create and update, or read. */
export type Permission = (typeof permissions)[number];

/** What a token may do, or `deny` for nothing. */
export type PermissionOption = Permission | "deny";
/** Kinds of two-factor authentication. */
export type OTPType = (typeof otpTypes)[number];

export type { StreamWindow, Tag };

/** Value of a record; its type is kept by the platform. */
export type DataValue = string | number | boolean;

/** A location, as GeoJSON. */
export interface GeoPoint {
  /** Always `Point`. */
  type: "Point";
  /** Longitude -180..180, latitude -90..90. */
  coordinates: [longitude: number, latitude: number];
}

/** Properties of `metadata` that the platform and its widgets read. */
export interface NamedMetadata {
  /** Colour to draw it in, such as `#337ab7`. */
  color?: string;
  /** Icon to draw. */
  icon?: string;
  /** Text shown instead of the value. */
  label?: string;
  /** Position on an image or axis. */
  x?: string | number;
  /** Position on an image or axis. */
  y?: string | number;
  /** File of an upload field: `url`, `md5` and `path` inside the profile. */
  file?: { url: string; md5: string; path: string };
  /** Marks of an image, by name: `color`, `icon`, `value` and the position `x`, `y`. */
  fixed_position?: Record<
    string,
    { color?: string; icon?: string; value?: DataValue; x?: string | number; y?: string | number }
  >;
  /** What a field with several choices sent: `label` and `value` of each. */
  sentValues?: { label: string; value: DataValue }[];
  /** Set by edits in a widget. */
  old_value?: DataValue;
  /** Set for data that came over MQTT. */
  topic?: string;
}

/** Properties of `metadata` that nobody declared. */
export interface OpenMetadata {
  [key: string]: unknown;
}

/**
 * Extra properties of a record; any key is stored. A program can declare the type of its own keys, once:
 * `declare module "iotdeck" { interface DataMetadata { geo?: { x: number; y: number } } }`.
 */
export interface DataMetadata extends NamedMetadata, OpenMetadata {}

/** Extra properties to send: any object, also one whose type is an interface, which has no index signature. */
export type MetadataToSend = DataMetadata | (NamedMetadata & object);

/** A record of a device. */
export interface DeviceData {
  /** Set by the platform. */
  id: GenericID;
  /** Device it belongs to. */
  device: GenericID;
  /** 1 to 100 characters, stored in lower case. */
  variable: string;
  /** String up to 6 kB, number or boolean; left out when there is none. */
  value?: DataValue;
  /** Up to 25 characters. */
  unit?: string;
  /** Ties records together; the platform makes one for each request that names none. */
  group?: string;
  /** @deprecated older name of `group` */
  serie?: string;
  /** @deprecated older name of `device`; present in widget data */
  origin?: GenericID;
  /** Null where a location was removed. */
  location?: GeoPoint | null;
  /** Up to 10 kB; left out when there is none. */
  metadata?: DataMetadata;
  /** Time of the record. @default the time it arrives. */
  time: Date;
  /** Only with `details`. */
  created_at?: Date;
}

/** A record to send. */
export interface DataCreate {
  /** 1 to 100 characters, without spaces and `* ? ! < > . - = $`; stored in lower case. */
  variable: string;
  /** String up to 6 kB, number or boolean; the type is stored. */
  value?: DataValue;
  /** Up to 25 characters. */
  unit?: string;
  /** Ties records together; up to 100 characters. One is made per request for rows without. */
  group?: string;
  /** @deprecated use `group` */
  serie?: string;
  /** Defaults to the arrival. A string is ISO 8601 or `2024-12-25 23:33:22`. */
  time?: Date | string | number;
  /** Degrees `lat` (-90 to 90) and `lng` (-180 to 180), or a GeoJSON point; null for none. */
  location?: { lat: number; lng: number } | Omit<GeoPoint, "type"> | GeoPoint | null;
  /** Up to 10 kB. */
  metadata?: MetadataToSend;
}

/** A change to a record: properties sent replace, properties left out stay. */
export interface DataEdit {
  /** Record to change; an unknown one is left out. */
  id: GenericID;
  /** String up to 6 kB, number or boolean. */
  value?: DataValue;
  /** Up to 100 characters. */
  group?: string;
  /** @deprecated use `group` */
  serie?: string;
  /** Up to 25 characters. */
  unit?: string;
  /** Replaces all metadata; up to 10 kB. */
  metadata?: MetadataToSend;
  /** A string is ISO 8601 or `2024-12-25 23:33:22`, a number milliseconds since 1970. */
  time?: Date | string | number;
  /** As in `DataCreate`; null removes the location. */
  location?: DataCreate["location"];
}

/** Kinds of data queries that return records. */
export type DataQueryKind =
  | "default"
  | "last_item"
  | "first_item"
  | "last_value"
  | "first_value"
  | "last_location"
  | "first_location"
  | "last_insert"
  | "first_insert"
  | "min"
  | "max"
  | "count"
  | "avg"
  | "sum"
  | "aggregate"
  | "conditional";

/** Which records to read or delete. */
export interface DataQuery {
  /** What is asked for: a page of records, one per variable, or a figure. @default "default" */
  query?: DataQueryKind | (string & {});
  /** Only these; compared in lower case. */
  variables?: string | string[];
  /** @deprecated use `variables` */
  variable?: string | string[];
  /** Only records of these groups. */
  groups?: string | string[];
  /** @deprecated use `groups` */
  series?: string | string[];
  /** @deprecated ignored by the platform */
  origins?: string | string[];
  /** Only these records. Immutable devices reject it. */
  ids?: GenericID | GenericID[];
  /** Only these values, compared as strings: `25` finds 25 and "25". */
  values?: DataValue | (DataValue | undefined)[];
  /** Compared with by `conditional`; otherwise as `values`. */
  value?: DataValue | DataValue[];
  /** Inclusive. A duration (`1 day`) counts back from now. */
  start_date?: Date | string;
  /** Inclusive. A duration counts on from now. */
  end_date?: Date | string;
  /** For dates without an offset, such as `America/New_York`. @default UTC */
  timezone?: string;
  /** Adds `created_at`. */
  details?: boolean;
  /** Records, per variable when variables are named. @default 15, at most 10000 */
  qty?: number;
  /** Records to leave out first, per variable when variables are named. @default 0 */
  skip?: number;
  /** Order by time. @default "descending" */
  ordination?: "ascending" | "descending" | "ASC" | "DESC";
  /** Of `aggregate`. */
  interval?: "minute" | "hour" | "day" | "month" | "quarter" | "year";
  /** Of `aggregate` (avg, sum, min, max) and `conditional` (gt, gte, lt, lte, eq, ne). */
  function?: "avg" | "sum" | "min" | "max" | "gt" | "gte" | "lt" | "lte" | "eq" | "ne";
}

/** Asks for one number over all matching records; `query` says which. `avg` and `sum` need a start_date. */
export type DataNumberQuery = DataQuery & { query: "count" | "avg" | "sum" };
/** Asks for one row per variable and interval, as `query` says; records whose value is no number are left out. */
export type DataAggregateQuery = DataQuery & { query: "aggregate" };

/** What `count`, `avg` and `sum` return: one value, taken now. */
export interface DataNumber {
  /** When the response arrived. */
  time: Date;
  /** The figure; 0 when no record fits. */
  value: number;
}

/** A `DataNumber` as `Resources.devices` returns it. */
export interface DeviceDataNumber extends DataNumber {
  /** No record has this number. */
  id: "none";
  /** Stands where a record names its device. */
  origin: "?";
  /** Stands where a record names its variable. */
  variable: "?";
}

/** A row of `aggregate`: the aggregate of one interval. It is not a record and has no id. */
export interface DataAggregate {
  /** Variable of the records. */
  variable: string;
  /** Their average, sum, smallest or largest value, as `function` asks. */
  value: number;
  /** Start of the interval, in UTC. */
  time: Date;
  /** Device of the records. */
  device: GenericID;
  /** @deprecated older name of `device`; widget data only */
  origin?: GenericID;
}

/** Options of all streams. The last two only matter when data is read. */
export interface OptionsStreaming {
  /** Records per page or request; used instead of `qty` of the query. @default 1000, at most 10000 */
  poolingRecordQty?: number;
  /** Milliseconds from one request to the next. @default 1000 */
  poolingTime?: number;
  /** Goes on asking after the last page, for records still to come. @default false */
  neverStop?: boolean;
  /** Records to leave out at the start; used instead of `skip` of the query. @default 0 */
  initialSkip?: number;
}

/** Options of a data stream. */
export interface DataStreamOptions extends OptionsStreaming {
  /**
   * `time` goes on from the time of the last record instead of counting records: records inserted or deleted meanwhile
   * are neither returned twice nor left out. Several variables are then read one after the other.
   *
   * `count` takes a page that is shorter than asked for as the last one, as the official SDK does; `time` goes on until a
   * page brings no new record, which is one request more. @default "count"
   */
  window?: StreamWindow;
  /** Aborts the stream with a CancelledError. */
  signal?: AbortSignal;
}

/** Options of sending in batches. */
export interface SendStreamOptions extends OptionsStreaming {
  /** Stops sending with a CancelledError; what was sent stays, and `accepted` of the error counts it. */
  signal?: AbortSignal;
}

/** A setting of a device. */
export interface ConfigurationParams {
  /** Set by the platform; send it to change a parameter instead of adding one. Always there in what is read. */
  id?: GenericID;
  /** Name; a device holds at most 60 parameters. */
  key: string;
  /** Always a string. */
  value: string;
  /** Whether the device has read it. @default false */
  sent: boolean;
}

/** A parameter that devices of a connector or network get when they are created. */
export interface DeviceParameterDefinition {
  /** Key of the parameter. */
  name?: string;
  /** Text shown beside the field. */
  label?: string;
  /** How it is filled in. */
  type?: "text" | "dropdown" | "switch" | "number";
  /** Default value. */
  default?: unknown;
  /** Where it is shown. */
  group?: "default" | "main" | "advanced" | "hide";
  /** Choices of a `dropdown`. */
  options?: unknown[];
}
