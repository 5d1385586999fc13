import { notificationRoutes } from "../../lib/resources/notifications.ts";
import { notificationCreate, notificationRead, pushRegister, pushUnregister } from "../../schema/notification.ts";
import type { Poster } from "../actions/post.ts";
import type { FullApp } from "../app.ts";
import { crud } from "../crud.ts";
import { notify } from "../notify.ts";
import { isRecord } from "../records.ts";
import { type EntityDocument, PlatformError } from "../types.ts";

/** One trigger of a button: an analysis, an HTTP call, or the answer to a shared profile, which is only noted. */
function pull(app: FullApp, poster: Poster, notification: EntityDocument, trigger: Record<string, unknown>): void {
  const { profile, id } = notification;
  const { analysis_id: analysis, scope, url, method, body, share_profile: answer } = trigger;
  if (typeof analysis === "string" && app.collection("analysis").get(analysis)?.profile === profile) {
    app.analyses.run(analysis, scope ?? [], { environment: { _notification_id: id } });
  }
  if (typeof url === "string" && /^https?:\/\//i.test(url)) {
    const call = { method: typeof method === "string" ? method.toUpperCase() : "POST", url, headers: {} };
    const text = typeof body === "string" ? body : JSON.stringify(body ?? {});
    poster.send({ profile, notification: id }, { ...call, body: text });
  }
  if (answer === "accept" || answer === "refuse") {
    app.outbox.add("share_profile", { profile, notification: id, answer });
  }
}

/**
 * Presses a button of a notification (QUERY.md section 10): all its triggers, and the analysis or address that buttons
 * of portal users name. With `buttons_autodisable` it was the last press.
 */
export function pressButton(
  app: FullApp,
  poster: Poster,
  kind: "notification" | "run_notification",
  notification: EntityDocument,
  buttonId: string,
): string {
  const buttons = Array.isArray(notification["buttons"]) ? notification["buttons"].filter(isRecord) : [];
  const button = buttons.find(({ id }) => id === buttonId);
  if (button === undefined) throw new PlatformError(404, "Button Not Found");
  if (notification["buttons_enabled"] === false) {
    throw new PlatformError(400, "The buttons of this notification are disabled");
  }
  const triggers = Array.isArray(button["triggers"]) ? button["triggers"].filter(isRecord) : [];
  for (const trigger of triggers) pull(app, poster, notification, trigger);
  if (button["analysis"] !== undefined) {
    const scope = [{ notification_id: notification.id, button_id: buttonId, user_id: notification["run_user"] }];
    pull(app, poster, notification, { analysis_id: button["analysis"], scope });
  }
  if (notification["buttons_autodisable"] === true) {
    app.collection(kind).update(notification.id, { buttons_enabled: false });
  }
  return "Notification button executed";
}

/** Notifications of the profile. */
export function registerNotificationRoutes(app: FullApp, poster: Poster): void {
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
    pressButton(app, poster, "notification", notifications.need(params.notificationID, profile), params.buttonID),
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
