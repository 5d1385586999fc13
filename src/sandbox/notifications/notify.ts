import type { App } from "../app.ts";
import type { EntityDocument } from "../store/document.ts";

/** What a push message shows of a notification (SERVER.md section 9). */
const PUSH_CHARS = 140;

/** Members of a new notification that its maker does not name. */
const DEFAULTS = {
  read: false,
  icon: null,
  buttons: [],
  buttons_enabled: true,
  buttons_autodisable: false,
  type: "applications",
} as const;

/** A notification to make; further members are kept. */
export interface NewNotification {
  readonly title: string;
  readonly message: string;
  readonly [member: string]: unknown;
}

/** Stores a notification of the profile, tells its listeners, and pushes it to the registered phones. */
export function notify(app: App, profile: string, notification: NewNotification): EntityDocument {
  const document = app.collection("notification").insert(profile, { ...DEFAULTS, ...notification });
  app.hub.publish({ channel: "notification", profile, payload: document });
  const phones = app.db.all<{ token: string; platform: string }>(
    "SELECT token, platform FROM push_device WHERE profile = ? ORDER BY token",
    profile,
  );
  for (const { token, platform } of phones) {
    const message = notification.message.slice(0, PUSH_CHARS);
    app.outbox.add("push", {
      profile,
      to: token,
      platform,
      title: notification.title,
      message,
      notification: document.id,
    });
  }
  return document;
}
