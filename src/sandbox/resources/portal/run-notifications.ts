import { runUserRoutes } from "../../../lib/clients/run-user.ts";
import { isRecord } from "../../../lib/core/json.ts";
import { runRoutes } from "../../../lib/resources/run.ts";
import { runNotificationCreate, runNotificationEdit, runNotificationMark } from "../../../schema/run.ts";
import type { App } from "../../app.ts";
import { requireId } from "../../core/ids.ts";
import { PlatformError } from "../../core/platform-error.ts";
import type { QueryObject } from "../../core/query.ts";
import type { OldOptions } from "../../http/old-facts.ts";
import type { EntityDocument } from "../../store/document.ts";
import { portalUser } from "./portal-user.ts";

/** Longest text of a push message. */
const PUSH_CHARS = 140;
/** Portal lists have no limit of their own; this is the sandbox's. */
const ALL = "10000";

export interface NewRunNotification {
  readonly title: string;
  readonly message: string;
  readonly [member: string]: unknown;
}

/** Stores a notification for a portal user, tells its stream, and puts the push message into the outbox. */
export function notifyRunUser(app: App, user: EntityDocument, notification: NewRunNotification): EntityDocument {
  const stored = app.collection("run_notification").insert(user.profile, {
    buttons: [],
    buttons_enabled: true,
    buttons_autodisable: false,
    read: false,
    ...notification,
    run_user: user.id,
  });
  const message = notification.message.slice(0, PUSH_CHARS);
  app.outbox.add("push", {
    profile: user.profile,
    to: user["email"],
    run_user: user.id,
    title: notification.title,
    message,
  });
  app.hub.publish({ channel: "notification", audience: user.id, profile: user.profile, payload: stored });
  return stored;
}

/** A notification as the platform shows it: without tags. */
function present({ tags: _, profile: _profile, ...notification }: Readonly<Record<string, unknown>>) {
  return notification;
}

function listFor(app: App, user: EntityDocument, query: QueryObject): Record<string, unknown>[] {
  const ids = app
    .collection("run_notification")
    .children(user.id)
    .map(({ id }) => id);
  const rows = app.collection("run_notification").list(user.profile, query, { ids });
  return rows.map(present);
}

/** Notifications of portal users, for administrators. */
export function registerRunNotificationRoutes(app: App): void {
  const users = app.collection("run_user");
  const notifications = app.collection("run_notification");

  app.handle(runRoutes.notificationList, ({ params, profile, query }) =>
    listFor(app, users.need(params.userID, profile), { amount: ALL, ...query }),
  );

  app.handle(runRoutes.notificationCreate, { body: runNotificationCreate }, ({ body, profile }) => {
    const { run_user, ...notification } = body;
    const receivers = [...new Set([run_user].flat())].map((id) => users.need(id, profile));
    const [first] = receivers.map((user) => notifyRunUser(app, user, notification));
    return { id: first?.id };
  });

  app.handle(runRoutes.notificationEdit, { body: runNotificationEdit }, ({ body, params, profile }) => {
    notifications.update(notifications.need(params.notificationID, profile).id, body);
    return "TagoIO Notification User Successfully Updated";
  });

  app.handle(runRoutes.notificationDelete, ({ params, profile }) => {
    notifications.remove(notifications.need(params.notificationID, profile).id);
    return "Successfully Removed";
  });
}

const portal: OldOptions = { tokens: ["run_user"], rule: "own" };

/** The notifications of the portal user who asks. */
export function registerOwnNotificationRoutes(app: App): void {
  const notifications = app.collection("run_notification");

  const needOwn = (id: string, user: EntityDocument): EntityDocument => {
    const found = notifications.need(requireId(id, "Notification"), user.profile);
    if (found["run_user"] !== user.id) throw new PlatformError(404, "Notification Not Found");
    return found;
  };

  app.handle(runUserRoutes.notificationList, portal, ({ params, principal, query }) =>
    listFor(app, portalUser(app, params.url, principal), query),
  );

  app.handle(
    runUserRoutes.notificationMark,
    { ...portal, body: runNotificationMark },
    ({ body, params, principal }) => {
      const user = portalUser(app, params.url, principal);
      for (const id of body.notification_ids) notifications.update(needOwn(id, user).id, { read: body.read });
      return "TagoIO Notification Run Successfully Updated";
    },
  );

  app.handle(runUserRoutes.notificationMarkAllRead, portal, ({ params, principal }) => {
    const user = portalUser(app, params.url, principal);
    for (const { id, read } of notifications.children(user.id))
      if (read !== true) notifications.update(id, { read: true });
    return "All TagoIO Notification Run Successfully Updated";
  });

  app.handle(runUserRoutes.notificationButton, portal, ({ params, principal }) => {
    const user = portalUser(app, params.url, principal);
    const notification = needOwn(params.notificationID, user);
    const buttons = Array.isArray(notification["buttons"]) ? notification["buttons"].filter(isRecord) : [];
    const button = buttons.find(({ id }) => id === params.buttonID);
    if (button === undefined) throw new PlatformError(404, "Button Not Found");
    if (notification["buttons_enabled"] === false) throw new PlatformError(400, "The buttons are disabled");
    app.signals.emit("buttonPressed", { notification, button });
    const disables = notification["buttons_autodisable"] === true;
    notifications.update(notification.id, { read: true, ...(disables && { buttons_enabled: false }) });
    return "TagoIO Notification Run Successfully Updated";
  });

  app.handle(runUserRoutes.notificationDelete, { ...portal, permission: "write" }, ({ params, principal }) => {
    notifications.remove(needOwn(params.notificationID, portalUser(app, params.url, principal)).id);
    return "Successfully Removed";
  });
}
