import { allRows } from "../api/all-rows.ts";
import { checkListQuery } from "../api/check-query.ts";
import type { CallOptions } from "../api/client.ts";
import type { DateKeys } from "../api/dates.ts";
import type { Given, OrderDirection } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import { idList } from "./data-calls.ts";
import type { GenericID, GenericToken } from "./data-types.ts";
import type { pushPlatforms } from "./enums.ts";

const dates = ["created_at"] as const satisfies DateKeys<NotificationInfo>;

/**
 * Routes of `Resources.notifications`.
 *
 * @internal
 */
export const notificationRoutes = {
  list: get("/notification/", { result: "list", dates }),
  markRead: put("/notification/read"),
  markAllAsRead: put("/notification/markallread"),
  notificationButton: put("/notification/:notificationID/:buttonID"),
  create: post("/notification", { result: "object" }),
  remove: del("/notification/:notificationID"),
  registerDevice: post("/notification/push/register"),
  unRegisterDevice: post("/notification/push/unregister"),
};

/** The notifications of the account. */
export class Notifications extends Module {
  /**
   * Lists notifications.
   *
   * @param queryObj page, amount, orderBy, filter (read)
   * @example
   * ```ts
   * const unread = await resources.notifications.list({ filter: { read: false }, amount: 20 });
   * ```
   */
  async list(queryObj?: Given<NotificationQuery>, options?: CallOptions): Promise<NotificationInfo[]> {
    checkListQuery(queryObj);
    return this.call(notificationRoutes.list, { ...options, query: queryObj && { ...queryObj } });
  }

  /**
   * Iterates over all notifications, the newest first unless `orderBy` says otherwise.
   * Reads pages of `amount` rows (1000) as they are needed.
   *
   * @param queryObj as for `list`; starts at its `page`
   * @example
   * ```ts
   * for await (const { title } of resources.notifications.all({ filter: { read: false } })) console.log(title);
   * ```
   */
  all(queryObj?: Given<NotificationQuery>, options?: CallOptions): AsyncGenerator<NotificationInfo, void, undefined> {
    return allRows(queryObj, options, (page: Given<NotificationQuery>, call) => this.list(page, call), null);
  }

  /**
   * Marks one or several notifications as read.
   *
   * @example
   * ```ts
   * const unread = await resources.notifications.list({ filter: { read: false } });
   * await resources.notifications.markAsRead(unread.map(({ id }) => id));
   * ```
   */
  async markAsRead(notificationIDS: GenericID | readonly GenericID[], options?: CallOptions): Promise<string> {
    const body = { notification_ids: idList(notificationIDS), read: true };
    return this.call(notificationRoutes.markRead, { ...options, body });
  }

  /**
   * Marks one or several notifications as not read.
   *
   * @example
   * ```ts
   * await resources.notifications.markAsUnread(notificationID);
   * ```
   */
  async markAsUnread(notificationIDS: GenericID | readonly GenericID[], options?: CallOptions): Promise<string> {
    const body = { notification_ids: idList(notificationIDS), read: false };
    return this.call(notificationRoutes.markRead, { ...options, body });
  }

  /**
   * Marks all notifications as read.
   *
   * @example
   * ```ts
   * await resources.notifications.markAllAsRead();
   * ```
   */
  markAllAsRead(options?: CallOptions): Promise<string> {
    return this.call(notificationRoutes.markAllAsRead, { ...options });
  }

  /**
   * Presses a button of a notification.
   *
   * @example
   * ```ts
   * await resources.notifications.notificationButton(notificationID, "restart");
   * ```
   */
  notificationButton(notificationID: GenericID, buttonID: string, options?: CallOptions): Promise<string> {
    return this.call(notificationRoutes.notificationButton, { ...options, params: { notificationID, buttonID } });
  }

  /**
   * Creates a notification.
   *
   * @returns the id of the notification
   * @example
   * ```ts
   * const { id } = await resources.notifications.create({
   *   title: "Freezer 1",
   *   message: "It has been open for ten minutes.",
   *   buttons: [{ id: "mute", label: "Mute", triggers: [{ analysis_id: analysisID }] }],
   * });
   * ```
   */
  create(notificationData: NotificationCreate, options?: CallOptions): Promise<NotificationCreateResponse> {
    return this.call(notificationRoutes.create, { ...options, body: notificationData });
  }

  /**
   * Deletes a notification.
   *
   * @example
   * ```ts
   * await resources.notifications.remove(notificationID);
   * ```
   */
  remove(notificationID: GenericID, options?: CallOptions): Promise<string> {
    return this.call(notificationRoutes.remove, { ...options, params: { notificationID } });
  }

  /**
   * Lets a phone receive push messages.
   *
   * @param deviceToken what the phone's push service gave
   * @example
   * ```ts
   * await resources.notifications.registerDevice("token-of-the-phone", "android");
   * ```
   */
  registerDevice(deviceToken: GenericToken, platform: PushPlatform, options?: CallOptions): Promise<string> {
    const body = { device_token: deviceToken, platform };
    return this.call(notificationRoutes.registerDevice, { ...options, body });
  }

  /**
   * Stops push notifications to a phone.
   *
   * @example
   * ```ts
   * await resources.notifications.unRegisterDevice("token-of-the-phone");
   * ```
   */
  unRegisterDevice(deviceToken: GenericToken, options?: CallOptions): Promise<string> {
    return this.call(notificationRoutes.unRegisterDevice, { ...options, body: { device_token: deviceToken } });
  }
}

/** What a press of a button does. */
export type NotificationTrigger = NotificationTriggerAnalysis | NotificationTriggerHTTP | NotificationTriggerProfile;

/** Runs an analysis. */
export interface NotificationTriggerAnalysis {
  /** Analysis to run. */
  analysis_id: GenericID;
  /** Passed to the analysis as it is. */
  scope?: unknown;
}

/** Calls an address. */
export interface NotificationTriggerHTTP {
  /** Address to call. */
  url: string;
  /** HTTP method. */
  method?: string;
  /** Body of the call. */
  body?: unknown;
}

/** Accepts or declines an invitation to a profile. */
export interface NotificationTriggerProfile {
  /** Accepts or declines it. */
  share_profile: "accept" | "refuse";
}

/** A button of a notification. */
export interface NotificationButton {
  /** Without spaces. */
  id: string;
  /** Text on the button. */
  label: string;
  /** Colour of the button. */
  color?: string;
  /** What a press does, all of it; of account notifications. */
  triggers?: NotificationTrigger[];
  /** Address a press opens; of portal users. */
  url?: string;
  /** Analysis a press runs; of portal users. */
  analysis?: GenericID;
}

/** Picture of a notification. */
export interface NotificationIcon {
  /** Address of a picture. */
  image_url?: string;
  /** Address of an SVG drawing. */
  svg_url?: string;
  /** Colour of the drawing. */
  svg_color?: string;
  /** Colour behind the picture. */
  bg_color?: string;
  /** How the picture is fitted in. */
  fit?: "fill" | "contain" | "cover";
}

/** A notification of the account. */
export interface NotificationInfo {
  /** Set by the platform. */
  id: GenericID;
  /** First line. */
  title: string;
  /** A push message shows the first 140 characters. */
  message: string;
  /** Whether it was marked as read. */
  read: boolean;
  /** Picture beside it; null: none. */
  icon?: NotificationIcon | null;
  /** In the order shown. */
  buttons?: NotificationButton[];
  /** Whether the buttons can be pressed. @default true */
  buttons_enabled?: boolean;
  /** Whether one press disables all buttons. */
  buttons_autodisable?: boolean;
  /** Where it comes from: applications, users or the system. */
  type?: string;
  /** When it was created. */
  created_at: Date;
}

/** A notification to make. */
export type NotificationCreate = Pick<NotificationInfo, "title" | "message"> &
  Partial<Omit<NotificationInfo, "id" | "title" | "message" | "created_at">>;

/** What comes back for a new notification. */
export interface NotificationCreateResponse {
  /** Id of the notification. */
  id: GenericID;
}

/** Asks for part of the notifications; sent as it is, without defaults. */
export interface NotificationQuery {
  /** From 1, the default. */
  page?: number;
  /** Rows per page; the platform defaults to 20. */
  amount?: number;
  /** Not sent: all fields always come. */
  fields?: (keyof NotificationInfo)[];
  /** Field and direction to order by; the newest come first without it. */
  orderBy?: [field: keyof NotificationInfo, direction: OrderDirection];
  /** Conditions. */
  filter?: {
    /** Only what was read, or only what was not. */
    read?: boolean;
  };
}

/** What push messages are sent through. */
export type PushPlatform = (typeof pushPlatforms)[number];
