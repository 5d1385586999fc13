import type { ListQuery, Picked } from "../core/list-query.ts";
import { Module } from "../core/module.ts";
import { del, get, post, put } from "../core/route.ts";
import type { CallOptions } from "../http/client.ts";
import type { GenericID, GenericToken, Tag } from "./data-types.ts";

const dates = ["created_at", "updated_at", "last_triggered"] as const satisfies readonly (keyof ActionInfo)[];

/**
 * Routes of `Resources.actions`.
 *
 * @internal
 */
export const actionRoutes = {
  list: get("/action", { dates, list: { fields: ["id", "name"], orderBy: ["name", "asc"] } }),
  create: post("/action", { gives: "object" }),
  edit: put("/action/:actionID"),
  delete: del("/action/:actionID"),
  info: get("/action/:actionID", { dates }),
};

/** What starts an action; the shape of its triggers follows. */
export type ActionType =
  | "condition"
  | "resource"
  | "interval"
  | "schedule"
  | "mqtt_topic"
  | "usage_alert"
  | "condition_geofence";

/** Which devices a trigger looks at: one, or all with a tag. */
export interface ActionTriggerDevices {
  device?: GenericID;
  tag_key?: string;
  tag_value?: string;
}

/** Fires when a record's value meets a condition. */
export interface ConditionTrigger extends ActionTriggerDevices {
  variable: string;
  /** `><` is between, `*` any value. */
  is: "<" | ">" | "=" | "!" | "><" | "*";
  value?: string;
  /** Upper end of `><`. */
  second_value?: string;
  value_type: "string" | "number" | "boolean" | "*";
  /** True for the rule that unlocks the action. */
  unlock?: boolean;
}

/** A circle (radius in km) or a polygon of longitude and latitude. */
export type Geofence =
  | { center: [longitude: number, latitude: number]; radius: number }
  | { coordinates: [longitude: number, latitude: number][] };

/** Fires when a record's location is inside or outside an area. */
export interface GeofenceTrigger extends ActionTriggerDevices {
  variable: string;
  is: "IN" | "OUT";
  value: Geofence;
  unlock?: boolean;
}

/** Fires when a resource that carries the tag is created, changed or deleted. */
export interface ResourceTrigger {
  resource: "device" | "bucket" | "file" | "analysis" | "action" | "am" | "user" | "financial" | "profile";
  when: "create" | "update" | "delete";
  tag_key: string;
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
  timezone?: string;
}

/** Fires on messages of a topic. */
export interface MqttTopicTrigger extends ActionTriggerDevices {
  topic?: string;
}

/** Fires when a service or resource is used up to a share of its limit. */
export interface UsageAlertTrigger {
  service_or_resource: string;
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

/** What an action does. Members named after services hold the id of a secret. */
export type ActionParams =
  /** Runs up to 10 analyses. */
  | { type: "script"; script: GenericID[] }
  | { type: "notification"; subject: string; message: string }
  | { type: "notification_run"; run_user: GenericID; subject: string; message: string }
  /** `to` names several addresses with `;` between them. */
  | { type: "email"; to: string; subject: string; message: string }
  | { type: "sms"; to: string; message: string }
  /** `bucket` is the device that receives the message. */
  | { type: "mqtt"; bucket: GenericID; topic: string; payload: string }
  | {
      type: "post";
      url: string;
      headers?: Record<string, string>;
      http_post_fallback_enabled?: boolean;
      /** Token of the device that stores the data after 10 failures. */
      fallback_token?: GenericToken;
    }
  | {
      type: "sms-twilio";
      from: string;
      to: string;
      message: string;
      twilio_sid: GenericID;
      twilio_token: GenericID;
    }
  | {
      type: "whatsapp-twilio";
      from: string;
      to: string;
      content_sid: GenericID;
      content_variables?: { name: string; value: string }[];
      twilio_sid: GenericID;
      twilio_token: GenericID;
    }
  | {
      type: "email-sendgrid";
      from: string;
      to: string;
      subject: string;
      message: string;
      sendgrid_api_key: GenericID;
    }
  | { type: "email-smtp"; from: string; to: string; subject: string; message: string; smtp_secret: GenericID }
  | { type: "queue-sqs"; sqs_secret: GenericID; batch_enabled?: boolean };

/** An action. */
export interface ActionInfo {
  id: GenericID;
  profile: GenericID;
  name: string;
  type: ActionType;
  action: ActionParams;
  /** Up to 10, of the shape `type` asks for. */
  trigger?: ActionTrigger[];
  /** @default true */
  active: boolean;
  /** Stays quiet after it fired, until its unlock rule holds. @default false */
  lock?: boolean;
  /** Fires when it is unlocked, too. @default false */
  trigger_when_unlock?: boolean;
  description?: string | null;
  tags: Tag[];
  last_triggered: Date | "never" | null;
  created_at: Date;
  updated_at: Date;
}

/** What an action is made of. */
export type ActionCreateInfo = Pick<ActionInfo, "name" | "type" | "action"> &
  Partial<Omit<ActionInfo, "id" | "profile" | "last_triggered" | "created_at" | "updated_at">>;
/** Changes to an action; members left out stay. */
export type ActionEditInfo = Partial<ActionCreateInfo>;
/** Asks for part of the action list. */
export type ActionQuery = ListQuery<ActionInfo, "name" | "active" | "last_triggered" | "created_at" | "updated_at">;

/** The actions of the profile (specification, section 7). */
export class Actions extends Module {
  /**
   * Lists actions.
   *
   * @param queryObj page (1), fields (id, name), filter, amount (20), order (`name,asc`)
   * @example
   * ```ts
   * const actions = await resources.actions.list({
   *   fields: ["id", "name", "last_triggered"],
   *   filter: { type: "condition", active: true },
   *   orderBy: ["last_triggered", "desc"],
   * });
   * ```
   */
  list<const Q extends ActionQuery>(
    queryObj?: Q,
    options?: CallOptions,
  ): Promise<Picked<ActionInfo, Q, "id" | "name">[]> {
    return this.page(actionRoutes.list, queryObj, { ...options });
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
  create(actionObj: ActionCreateInfo, options?: CallOptions): Promise<{ action: GenericID }> {
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
  info(actionID: GenericID, options?: CallOptions): Promise<ActionInfo> {
    return this.call(actionRoutes.info, { ...options, params: { actionID } });
  }
}
