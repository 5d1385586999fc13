import type { Collections, EntityDocument } from "../store/document.ts";
import type { Outbox } from "../store/outbox.ts";
import type { SandboxDatabase } from "../store/types.ts";
import type { StreamHub } from "../stream/hub.ts";
import { phonesOf } from "./phones.ts";

/** What sending a notification requires. */
export interface NotifyParts extends Collections {
  readonly db: SandboxDatabase;
  readonly hub: StreamHub;
  readonly outbox: Outbox;
}

/** Longest text of a push message (docs/internals/platform/server.md, Services and PDF). */
const PUSH_CHARS = 140;

/** Default fields of a new notification. */
const BUTTONS = { buttons: [], buttons_enabled: true, buttons_autodisable: false } as const;
const PROFILE_DEFAULTS = { read: false, icon: null, ...BUTTONS, type: "applications" } as const;
const PORTAL_USER_DEFAULTS = { read: false, ...BUTTONS } as const;

/** A new notification; further fields are stored too. */
interface NewNotification {
  readonly title: string;
  readonly message: string;
  readonly [member: string]: unknown;
}

const pushText = ({ title, message }: NewNotification) => ({ title, message: message.slice(0, PUSH_CHARS) });

/** Stores a notification of the profile, sends it on the event stream, and pushes it to the registered phones. */
export function notify(app: NotifyParts, profile: string, notification: NewNotification): EntityDocument {
  const stored = app.collection("notification").insert(profile, { ...PROFILE_DEFAULTS, ...notification });
  app.hub.publish({ channel: "notification", profile, payload: stored });
  for (const { token, platform } of phonesOf(app.db, profile))
    app.outbox.add("push", { profile, to: token, platform, ...pushText(notification), notification: stored.id });
  return stored;
}

/** Stores a notification of a portal user, sends it on the user's event stream, and pushes it to the user. */
export function notifyPortalUser(
  app: NotifyParts,
  user: EntityDocument,
  notification: NewNotification,
): EntityDocument {
  const { id, profile, email } = user;
  const stored = app.collection("run_notification").insert(profile, {
    ...PORTAL_USER_DEFAULTS,
    ...notification,
    run_user: id,
  });
  app.outbox.add("push", { profile, to: email, run_user: id, ...pushText(notification) });
  app.hub.publish({ channel: "notification", audience: id, profile, payload: stored });
  return stored;
}
