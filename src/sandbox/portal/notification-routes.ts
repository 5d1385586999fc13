import { runUserRoutes } from "../../lib/clients/run-user.ts";
import { isRecord } from "../../lib/core/json.ts";
import { runRoutes } from "../../lib/resources/run.ts";
import { runNotificationCreate, runNotificationEdit, runNotificationMark } from "../../schema/run.ts";
import { named, record, whole } from "../access/demands.ts";
import type { App } from "../app.ts";
import { requireId } from "../core/ids.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { QueryObject } from "../core/query.ts";
import { notifyPortalUser } from "../notifications/notify.ts";
import type { Resource } from "../resource.ts";
import type { EntityDocument } from "../store/document.ts";
import { portalUser } from "./portal-user.ts";

/** The platform documents no page size for portal lists; this is the sandbox's. */
const ALL = "10000";

/** A notification in the format of responses: without tags. */
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

/** For administrators. */
function serveAdministrators(app: App): void {
  const users = app.collection("run_user");
  const notifications = app.collection("run_notification");
  const edits = { rule: whole("run_user", "notification", "access") } as const;

  app.on(runRoutes.notificationList, { rule: record("run_user", "userID", "access") }, ({ params, profile, query }) =>
    listFor(app, users.need(params.userID, profile), { amount: ALL, ...query }),
  );

  const creates = { rule: named("run_user", "run_user", "notification", "access"), body: runNotificationCreate };
  app.on(runRoutes.notificationCreate, creates, ({ body, profile }) => {
    const { run_user, ...notification } = body;
    const receivers = [...new Set([run_user].flat())].map((id) => users.need(id, profile));
    const [first] = receivers.map((user) => notifyPortalUser(app, user, notification));
    return { id: first?.id };
  });

  app.on(runRoutes.notificationEdit, { ...edits, body: runNotificationEdit }, ({ body, params, profile }) => {
    notifications.update(notifications.need(params.notificationID, profile).id, body);
    return "TagoIO Notification User Successfully Updated";
  });

  app.on(runRoutes.notificationDelete, edits, ({ params, profile }) => {
    notifications.remove(notifications.need(params.notificationID, profile).id);
    return "Successfully Removed";
  });
}

/** For the calling portal user. Marking as read and pressing a button are not edits: they send no event. */
function serveUser(app: App): void {
  const own = { tokens: ["run_user"], rule: "own" } as const;
  const notifications = app.collection("run_notification");

  const needOwn = (id: string, user: EntityDocument): EntityDocument => {
    const found = notifications.need(requireId(id, "Notification"), user.profile);
    if (found["run_user"] !== user.id) throw new PlatformError(404, "Notification Not Found");
    return found;
  };

  app.on(runUserRoutes.notificationList, own, ({ params, principal, query }) =>
    listFor(app, portalUser(app, params.url, principal), query),
  );

  app.on(runUserRoutes.notificationMark, { ...own, body: runNotificationMark }, ({ body, params, principal }) => {
    const user = portalUser(app, params.url, principal);
    for (const id of body.notification_ids) notifications.touch(needOwn(id, user).id, { read: body.read });
    return "TagoIO Notification Run Successfully Updated";
  });

  app.on(runUserRoutes.notificationMarkAllRead, own, ({ params, principal }) => {
    const user = portalUser(app, params.url, principal);
    for (const { id, read } of notifications.children(user.id))
      if (read !== true) notifications.touch(id, { read: true });
    return "All TagoIO Notification Run Successfully Updated";
  });

  app.on(runUserRoutes.notificationButton, own, ({ params, principal }) => {
    const user = portalUser(app, params.url, principal);
    const notification = needOwn(params.notificationID, user);
    const buttons = Array.isArray(notification["buttons"]) ? notification["buttons"].filter(isRecord) : [];
    const button = buttons.find(({ id }) => id === params.buttonID);
    if (button === undefined) throw new PlatformError(404, "Button Not Found");
    if (notification["buttons_enabled"] === false) throw new PlatformError(400, "The buttons are disabled");
    app.signals.emit("buttonPressed", { notification, button });
    const disables = notification["buttons_autodisable"] === true;
    notifications.touch(notification.id, { read: true, ...(disables && { buttons_enabled: false }) });
    return "TagoIO Notification Run Successfully Updated";
  });

  app.on(runUserRoutes.notificationDelete, { ...own, permission: "write" }, ({ params, principal }) => {
    notifications.remove(needOwn(params.notificationID, portalUser(app, params.url, principal)).id);
    return "Successfully Removed";
  });
}

/** Notifications of portal users. */
export const portalNotifications: Resource = {
  records: [
    {
      kind: "run_notification",
      thing: "Notification",
      keys: { title: "text", run_user: "exact", read: "boolean" },
      defaults: { orderBy: ["created_at", "desc"] },
      parent: "run_user",
    },
  ],
  serve: (app) => {
    serveAdministrators(app);
    serveUser(app);
  },
};
