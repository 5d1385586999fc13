import { isRecord } from "../../lib/core/json.ts";
import { notificationRoutes } from "../../lib/resources/notifications.ts";
import { notificationCreate, notificationRead, pushRegister, pushUnregister } from "../../schema/notification.ts";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import { notify } from "../notifications/notify.ts";
import type { EntityDocument } from "../store/document.ts";
import { crud } from "./crud.ts";

/**
 * Presses a button of a notification; what it triggers follows from the signal. With `buttons_autodisable` it was the
 * last press (QUERY.md section 10).
 */
function pressButton(app: App, notification: EntityDocument, buttonId: string): string {
  const buttons = Array.isArray(notification["buttons"]) ? notification["buttons"].filter(isRecord) : [];
  const button = buttons.find(({ id }) => id === buttonId);
  if (button === undefined) throw new PlatformError(404, "Button Not Found");
  if (notification["buttons_enabled"] === false) {
    throw new PlatformError(400, "The buttons of this notification are disabled");
  }
  app.signals.emit("buttonPressed", { notification, button });
  if (notification["buttons_autodisable"] === true) {
    app.collection("notification").update(notification.id, { buttons_enabled: false });
  }
  return "Notification button executed";
}

/** Notifications of the profile. */
export function registerNotificationRoutes(app: App): void {
  const { db } = app;
  const { list } = notificationRoutes;
  const notifications = crud(app, { list, delete: notificationRoutes.remove }, "notification");

  app.handle(notificationRoutes.create, { body: notificationCreate }, ({ body, profile }) => ({
    id: notify(app, profile, body).id,
  }));

  app.handle(notificationRoutes.markRead, { body: notificationRead }, ({ body, profile }) => {
    for (const id of body.notification_ids) {
      if (notifications.get(id)?.profile === profile) notifications.update(id, { read: body.read });
    }
    return "TagoIO Notification Run Successfully Updated";
  });

  app.handle(notificationRoutes.markAllAsRead, ({ profile }) => {
    for (const { id, read } of notifications.all(profile)) if (read !== true) notifications.update(id, { read: true });
    return "All TagoIO Notification Run Successfully Updated";
  });

  app.handle(notificationRoutes.notificationButton, ({ params, profile }) =>
    pressButton(app, notifications.need(params.notificationID, profile), params.buttonID),
  );

  app.handle(notificationRoutes.registerDevice, { body: pushRegister }, ({ body, profile }) => {
    db.run(
      "INSERT OR REPLACE INTO push_device (profile, token, platform) VALUES (?, ?, ?)",
      profile,
      body.device_token,
      body.platform,
    );
    return "Successfully Created";
  });

  app.handle(notificationRoutes.unRegisterDevice, { body: pushUnregister }, ({ body, profile }) => {
    db.run("DELETE FROM push_device WHERE profile = ? AND token = ?", profile, body.device_token);
    return "Successfully Removed";
  });
}
