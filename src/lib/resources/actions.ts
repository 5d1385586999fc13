import { allRows } from "../api/all-rows.ts";
import type { CallOptions } from "../api/client.ts";
import type { DateKeys } from "../api/dates.ts";
import type { Given, ListQuery, Picked, Stored } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import type { ServiceKey } from "./billing.ts";
import type { GenericID, GenericToken, Tag } from "./data-types.ts";
import type { actionTypes } from "./enums.ts";

const dates = ["created_at", "updated_at", "last_triggered"] as const satisfies DateKeys<ActionInfo>;

const listFields = ["id", "name"] as const;

/**
 * Routes of `Resources.actions`.
 *
 * @internal
 */
export const actionRoutes = {
  list: get("/action", { dates, list: { fields: listFields, orderBy: ["name", "asc"] } }),
  create: post("/action", { result: "object" }),
  edit: put("/action/:actionID"),
  delete: del("/action/:actionID"),
  info: get("/action/:actionID", { dates }),
};

/** The actions of the profile. */
export class Actions extends Module {
  /**
   * Lists actions.
   *
   * @param queryObj filter, order and page. Defaults: fields id and name; order `name,asc`
   * @example
   * ```ts
   * const actions = await resources.actions.list({
   *   fields: ["id", "name", "last_triggered"],
   *   filter: { type: "condition", active: true },
   *   orderBy: ["last_triggered", "desc"],
   * });
   * ```
   */
  list<const Q extends Given<ActionQuery>>(
    queryObj?: Q,
    options?: CallOptions,
  ): Promise<Picked<StoredAction, Q, keyof ActionInfo>[]> {
    return this.page(actionRoutes.list, queryObj, { ...options });
  }

  /**
   * Iterates over all actions, the oldest first unless `orderBy` says otherwise.
   * Reads pages of `amount` rows (1000) as they are needed.
   *
   * @param queryObj as for `list`; starts at its `page`
   * @example
   * ```ts
   * for await (const { id, name } of resources.actions.all({ filter: { active: true } })) console.log(id, name);
   * ```
   */
  all<const Q extends Given<ActionQuery>>(
    queryObj?: Q,
    options?: CallOptions,
  ): AsyncGenerator<Picked<StoredAction, Q, keyof ActionInfo>, void, undefined> {
    return allRows(queryObj, options, (page: Q, call) => this.list(page, call));
  }

  /**
   * Creates an action.
   *
   * @returns the id of the action as `action`
   * @example
   * ```ts
   * const { action } = await resources.actions.create({
   *   name: "Freezer too warm",
   *   type: "condition",
   *   trigger: [{ device: deviceID, variable: "temperature", is: ">", value: "-15", value_type: "number" }],
   *   action: { type: "email", to: "jo@example.org", subject: "Freezer", message: "It has $VALUE$ degrees." },
   * });
   * ```
   */
  create(actionObj: ActionCreateInfo, options?: CallOptions): Promise<ActionCreateResponse> {
    return this.call(actionRoutes.create, { ...options, body: actionObj });
  }

  /**
   * Changes an action.
   *
   * @example
   * ```ts
   * await resources.actions.edit(actionID, { active: false });
   * ```
   */
  edit(actionID: GenericID, actionObj: ActionEditInfo, options?: CallOptions): Promise<string> {
    return this.call(actionRoutes.edit, { ...options, params: { actionID }, body: actionObj });
  }

  /**
   * Deletes an action.
   *
   * @example
   * ```ts
   * await resources.actions.delete(actionID);
   * ```
   */
  delete(actionID: GenericID, options?: CallOptions): Promise<string> {
    return this.call(actionRoutes.delete, { ...options, params: { actionID } });
  }

  /**
   * Retrieves an action.
   *
   * @example
   * ```ts
   * const { trigger, last_triggered } = await resources.actions.info(actionID);
   * ```
   */
  info(actionID: GenericID, options?: CallOptions): Promise<StoredAction> {
    return this.call(actionRoutes.info, { ...options, params: { actionID } });
  }
}

/** What starts an action; the shape of its triggers follows. */
export type ActionType = (typeof actionTypes)[number];

/** Which devices a trigger looks at: one, or all with a tag. */
export interface ActionTriggerDevices {
  /** The one device; without a tag. */
  device?: GenericID;
  /** Key of the tag; goes with `tag_value`. */
  tag_key?: string;
  /** Value of that tag. */
  tag_value?: string;
}

/** Fires when a record's value meets a condition. */
export interface ConditionTrigger extends ActionTriggerDevices {
  /** Variable whose records are looked at. */
  variable: string;
  /** `><` is between, `*` any value. */
  is: "<" | ">" | "=" | "!" | "><" | "*";
  /** Compared with, as a string; not needed for `*`. */
  value?: string;
  /** Upper end of `><`. */
  second_value?: string;
  /** Type used for the comparison. Non-numeric values count as 0. */
  value_type: "string" | "number" | "boolean" | "*";
  /** True for the rule that unlocks the action. @default false */
  unlock?: boolean;
}

/** A circle or a polygon. */
export type Geofence =
  | {
      /** Middle of the circle, in degrees. */
      center: [longitude: number, latitude: number];
      /** Kilometres. */
      radius: number;
    }
  | {
      /** Corners of the polygon, in degrees. */
      coordinates: [longitude: number, latitude: number][];
    };

/** Fires when a record's location is inside or outside an area. */
export interface GeofenceTrigger extends ActionTriggerDevices {
  /** Variable whose locations are looked at. */
  variable: string;
  /** Inside or outside the area. */
  is: "IN" | "OUT";
  /** The area. */
  value: Geofence;
  /** True for the rule that unlocks the action. @default false */
  unlock?: boolean;
}

/** Fires when a resource that carries the tag is created, changed or deleted. */
export interface ResourceTrigger {
  /** Kind of resource; `am` is an access rule, `user` a portal user. */
  resource: "device" | "bucket" | "file" | "analysis" | "action" | "am" | "user" | "financial" | "profile";
  /** Event that fires. */
  when: "create" | "update" | "delete";
  /** Key of the tag the resource carries. */
  tag_key: string;
  /** Value of that tag. */
  tag_value: string;
}

/** Fires again and again. */
export interface IntervalTrigger {
  /** `5 minutes`; at least one minute. */
  interval: string;
}

/** Fires at the times of a cron expression. */
export interface ScheduleTrigger {
  /** Five fields. */
  cron: string;
  /** IANA name, e.g. `Europe/Lisbon`. */
  timezone?: string | Date;
}

/** Fires on messages of a topic. The platform needs `topic`, `tag_key` and `tag_value`, and drops the rest. */
export interface MqttTopicTrigger extends ActionTriggerDevices {
  /** May hold the wildcards `+` and `#`. */
  topic?: string;
}

/** What a usage alert can watch: services, and resources a plan limits. */
export type UsageAlertResource = ServiceKey | "device" | "dashboard" | "action" | "tcore" | "team_members" | "am";

/** Fires when a service or resource is used up to a share of its limit. */
export interface UsageAlertTrigger {
  /** What is watched. */
  service_or_resource: UsageAlertResource;
  /** Reaches the share, or passes it. */
  condition: "=" | ">";
  /** Percent of the limit. */
  condition_value: number;
}

/** One condition of an action. */
export type ActionTrigger =
  | ConditionTrigger
  | GeofenceTrigger
  | ResourceTrigger
  | IntervalTrigger
  | ScheduleTrigger
  | MqttTopicTrigger
  | UsageAlertTrigger;

/** Runs analyses. */
export interface ActionScript {
  /** Kind of action. */
  type: "script";
  /** Up to 10 analyses. */
  script: GenericID[];
}

/** A message with a title; both may hold placeholders such as `$VALUE$`, `$VARIABLE$`, `$TIME$` and `$DEVICE.NAME$`. */
export interface ActionMessage {
  /** Title. */
  subject: string;
  /** Text. */
  message: string;
}

/** Notifies the account. */
export interface ActionNotification extends ActionMessage {
  /** Kind of action. */
  type: "notification";
}

/** Notifies a portal user. */
export interface ActionNotificationRun extends ActionMessage {
  /** Kind of action. */
  type: "notification_run";
  /** User to notify. */
  run_user: GenericID;
}

/** Sends an email. */
export interface ActionEmail extends ActionMessage {
  /** Kind of action. */
  type: "email";
  /** Addresses, with `;` between them. */
  to: string;
}

/** Sends a text message. */
export interface ActionSMS {
  /** Kind of action. */
  type: "sms";
  /** Numbers, with `;` between them. */
  to: string;
  /** Text, with placeholders as in an email. */
  message: string;
}

/** Publishes on an MQTT topic. */
export interface ActionMQTT {
  /** Kind of action. */
  type: "mqtt";
  /** Device that receives the message. */
  bucket: GenericID;
  /** Topic, without wildcards. */
  topic: string;
  /** What is published. */
  payload: string;
}

/** Posts the records to an address; up to 10 attempts, until the response is 2xx. */
export interface ActionPost {
  /** Kind of action. */
  type: "post";
  /** `http` or `https`. */
  url: string;
  /** Sent with the request. */
  headers?: Record<string, unknown>;
  /** Whether records are stored when all attempts failed. */
  http_post_fallback_enabled?: boolean;
  /** Token of the device that stores them. */
  fallback_token?: GenericToken;
}

/** Sends a text message through Twilio. */
export interface ActionTwilioSMS {
  /** Kind of action. */
  type: "sms-twilio";
  /** Number it comes from. */
  from: string;
  /** Numbers, with `;` between them. */
  to: string;
  /** Text, with placeholders as in an email. */
  message: string;
  /** Secret with the SID. */
  twilio_sid: GenericID;
  /** Secret with the token. */
  twilio_token: GenericID;
}

/** Sends a WhatsApp message through Twilio. */
export interface ActionTwilioWhatsapp {
  /** Kind of action. */
  type: "whatsapp-twilio";
  /** Number it comes from. */
  from: string;
  /** Numbers, with `;` between them. */
  to: string;
  /** Secret with the id of the content template. */
  content_sid: GenericID;
  /** Fill the template. */
  content_variables?: {
    /** Placeholder of the template. */
    name: string;
    /** Value that replaces it. */
    value: string;
  }[];
  /** Secret with the SID. */
  twilio_sid: GenericID;
  /** Secret with the token. */
  twilio_token: GenericID;
}

/** Sends an email through SendGrid. */
export interface ActionSendgrid extends ActionMessage {
  /** Kind of action. */
  type: "email-sendgrid";
  /** Address it comes from. */
  from: string;
  /** Addresses, with `;` between them. */
  to: string;
  /** Secret with the API key. */
  sendgrid_api_key: GenericID;
}

/** Sends an email through an SMTP server. */
export interface ActionSMTP extends ActionMessage {
  /** Kind of action. */
  type: "email-smtp";
  /** Address it comes from. */
  from: string;
  /** Addresses, with `;` between them. */
  to: string;
  /** Secret with server and credentials, as JSON. */
  smtp_secret: GenericID;
}

/** Sends the records to an SQS queue. */
export interface ActionSQS {
  /** Kind of action. */
  type: "queue-sqs";
  /** Secret with queue and credentials, as JSON. */
  sqs_secret: GenericID;
  /** Whether the records go as one batch. */
  batch_enabled?: boolean;
}

/** What an action does. Properties named after services hold the id of a secret. */
export type ActionParams =
  | ActionScript
  | ActionNotification
  | ActionNotificationRun
  | ActionEmail
  | ActionSMS
  | ActionMQTT
  | ActionPost
  | ActionTwilioSMS
  | ActionTwilioWhatsapp
  | ActionSendgrid
  | ActionSMTP
  | ActionSQS;

/** An action. */
export interface ActionInfo {
  /** Set by the platform. */
  id: GenericID;
  /** Profile it belongs to. */
  profile?: GenericID;
  /** Name shown in lists. */
  name: string;
  /** What starts it. */
  type?: ActionType;
  /** What it does. */
  action: ActionParams;
  /** Up to 10, of the shape `type` asks for. */
  trigger?: ActionTrigger[];
  /** Only active actions fire. @default true */
  active?: boolean;
  /**
   * Whether the action is locked. A locked action fires only after an unlock condition matches; if one exists, firing
   * locks it again. @default false
   */
  lock?: boolean;
  /** Fires when it is unlocked, too. @default false */
  trigger_when_unlock?: boolean;
  /** Description; null: none. */
  description?: string | null;
  /** At most 30. */
  tags?: Tag[];
  /** Null or `never` before the first time. */
  last_triggered: Date | "never" | null;
  /** When the action was created. */
  created_at: Date;
  /** Last change. */
  updated_at: Date;
}

/** An action as the platform returns it. */
export type StoredAction = Stored<ActionInfo, "profile" | "type" | "active" | "tags">;

/** Fields for creating an action. */
export type ActionCreateInfo = Pick<ActionInfo, "name" | "action"> &
  Partial<Omit<ActionInfo, "last_triggered" | "created_at" | "updated_at">>;

/** Changes to an action; properties left out stay as they are. */
export type ActionEditInfo = Partial<ActionCreateInfo>;

/** Asks for part of the action list. */
export type ActionQuery = ListQuery<ActionInfo, "name" | "active" | "last_triggered" | "created_at" | "updated_at">;

/** What comes back for a new action. */
export interface ActionCreateResponse {
  /** Id of the action. */
  action: GenericID;
}
