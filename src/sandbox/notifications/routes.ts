import { isRecord } from "../../lib/core/json.ts";
import { notificationRoutes } from "../../lib/resources/notifications.ts";
import { notificationCreate, notificationRead, pushRegister, pushUnregister } from "../../schema/notification.ts";
import { ORDINARY_ACTIONS, onAll } from "../access/catalogue.ts";
import { whole } from "../access/demands.ts";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import { type Resource, refuseProtected } from "../resource.ts";
import type { EntityDocument } from "../store/document.ts";
import { notify } from "./notify.ts";
import { addPhone, removePhone } from "./phones.ts";

const gaps = {
  buttons: {
    subject: "Notification buttons",
    choice: "Notification button executed; disabled ones: 400",
  },
  requests: {
    subject: "Requests of other users in notifications",
    choice: "stay, also after two weeks",
    general: true,
  },
} as const;

/**
 * Presses a button of a notification; the signal runs its triggers. With `buttons_autodisable` this is the last press
 * (docs/internals/platform/queries.md, Notification buttons).
 */
function pressButton(app: App, notification: EntityDocument, buttonId: string): string {
  const buttons = Array.isArray(notification["buttons"]) ? notification["buttons"].filter(isRecord) : [];
  const button = buttons.find(({ id }) => id === buttonId);
  if (button === undefined) throw new PlatformError(404, "Button Not Found");
  if (notification["buttons_enabled"] === false)
    throw new PlatformError(400, "The buttons of this notification are disabled").assumed(gaps.buttons);
  app.signals.emit("buttonPressed", { notification, button });
  if (notification["buttons_autodisable"] === true)
    app.collection("notification").touch(notification.id, { buttons_enabled: false });
  return "Notification button executed";
}

/** Binds the routes. Marking as read and pressing a button are not edits: they send no event. */
function serve(app: App): void {
  const { db } = app;
  const notifications = app.collection("notification");
  const writes = (action: string) => ({ rule: whole("notification", action) });
  const edits = writes("edit");

  app.on(notificationRoutes.list, { rule: whole("notification", "access") }, ({ profile, query }) =>
    notifications.list(profile, query),
  );

  app.on(notificationRoutes.create, { ...writes("create"), body: notificationCreate }, ({ body, profile }) => ({
    id: notify(app, profile, body).id,
  }));

  app.on(notificationRoutes.markRead, { ...edits, body: notificationRead }, ({ body, profile }) => {
    for (const id of body.notification_ids)
      if (notifications.get(id)?.profile === profile) notifications.touch(id, { read: body.read });
    return "TagoIO Notification Run Successfully Updated";
  });

  app.on(notificationRoutes.markAllAsRead, edits, ({ profile }) => {
    for (const { id, read } of notifications.all(profile)) if (read !== true) notifications.touch(id, { read: true });
    return "All TagoIO Notification Run Successfully Updated";
  });

  app.on(notificationRoutes.notificationButton, edits, ({ params, profile }) =>
    pressButton(app, notifications.need(params.notificationID, profile), params.buttonID),
  );

  app.on(notificationRoutes.remove, writes("delete"), ({ params, profile }) => {
    const notification = notifications.need(params.notificationID, profile);
    refuseProtected(notification);
    notifications.remove(notification.id);
    return "Successfully Removed";
  });

  app.on(notificationRoutes.registerDevice, { ...edits, body: pushRegister }, ({ body, profile }) => {
    addPhone(db, profile, { token: body.device_token, platform: body.platform });
    return "Successfully Created";
  });

  app.on(notificationRoutes.unRegisterDevice, { ...edits, body: pushUnregister }, ({ body, profile }) => {
    removePhone(db, profile, body.device_token);
    return "Successfully Removed";
  });
}

/** Notifications of the profile. */
export const notifications: Resource = {
  tables: { notificationRoutes },
  records: [
    {
      kind: "notification",
      thing: "Notification",
      keys: { read: "boolean", title: "text", type: "exact" },
      defaults: { orderBy: ["created_at", "desc"] },
    },
  ],
  access: { notification: { label: "Notification", analysis: onAll(...ORDINARY_ACTIONS) } },
  gaps,
  serve,
};
