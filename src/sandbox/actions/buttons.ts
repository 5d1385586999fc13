import { isRecord } from "../../lib/core/json.ts";
import type { OwnedAnalyses } from "../analyses/types.ts";
import type { SignalMap } from "../signals.ts";
import type { Collections, EntityDocument } from "../store/document.ts";
import type { Outbox } from "../store/outbox.ts";
import type { Poster } from "./post.ts";

interface ButtonParts extends Collections {
  readonly analyses: OwnedAnalyses;
  readonly outbox: Outbox;
}

/** One trigger of a button: an analysis, an HTTP call, or the response to a shared profile, which is only recorded. */
function pull(
  app: ButtonParts,
  poster: Poster,
  notification: EntityDocument,
  trigger: Readonly<Record<string, unknown>>,
): void {
  const { profile, id } = notification;
  const { analysis_id: analysis, scope, url, method, body, share_profile: answer } = trigger;
  if (typeof analysis === "string" && app.collection("analysis").get(analysis)?.profile === profile) {
    app.analyses.run(analysis, scope ?? [], { environment: { _notification_id: id } });
  }
  if (typeof url === "string" && /^https?:\/\//i.test(url)) {
    const text = typeof body === "string" ? body : JSON.stringify(body ?? {});
    const verb = typeof method === "string" && /^[a-z]+$/i.test(method) ? method.toUpperCase() : "POST";
    poster.send({ profile, notification: id }, { method: verb, url, headers: {}, body: text });
  }
  if (answer === "accept" || answer === "refuse") {
    app.outbox.add("share_profile", { profile, notification: id, answer });
  }
}

/** Runs all triggers of a pressed button, and the analysis set for buttons of portal users. */
export function runButton(
  app: ButtonParts,
  poster: Poster,
  { notification, button }: SignalMap["buttonPressed"],
): void {
  const triggers = Array.isArray(button["triggers"]) ? button["triggers"].filter(isRecord) : [];
  for (const trigger of triggers) pull(app, poster, notification, trigger);
  if (button["analysis"] === undefined) return;
  const scope = [
    { notification_id: notification.id, button_id: button["id"], user_id: notification["run_user"] ?? null },
  ];
  pull(app, poster, notification, { analysis_id: button["analysis"], scope });
}
