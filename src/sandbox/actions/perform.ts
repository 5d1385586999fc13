import { isRecord } from "../../lib/core/json.ts";
import { phoneNumber, withoutSecrets } from "../analyses/messages.ts";
import type { OwnedAnalyses } from "../analyses/types.ts";
import type { WireRow } from "../data/types.ts";
import { storeArrival } from "../ingest/arrive.ts";
import type { NotifyParts } from "../notifications/notify.ts";
import { notify, notifyPortalUser } from "../notifications/notify.ts";
import type { EntityDocument } from "../store/document.ts";
import { fillMarks, type MarkFacts } from "./placeholders.ts";
import type { FallbackParts } from "./post.ts";
import { type Poster, storeFallback } from "./post.ts";

/** What performing an action requires. */
export interface PerformParts extends FallbackParts, NotifyParts {
  readonly analyses: OwnedAnalyses;
}

/** One firing of an action. */
export interface Firing {
  readonly action: EntityDocument;
  readonly scope: readonly unknown[];
  /** The device and row that triggered it. */
  readonly device?: EntityDocument | undefined;
  readonly row?: WireRow | undefined;
  /** `locked`, `unlocked`, or empty for an action without lock. */
  readonly state: string;
  /** What happened to the resource. */
  readonly when?: string;
  /** Actions and analyses before this one in the chain. */
  readonly depth: number;
}

function environmentOf({ action, device, state, when }: Firing): Record<string, string> {
  return {
    _action_id: action.id,
    _action_type: String(action["type"]),
    _action_state: state,
    ...(when !== undefined && { _action_when: when }),
    ...(device !== undefined && { _device_id: device.id }),
  };
}

/** The texts of the action with their placeholders filled in. */
function filled(params: Readonly<Record<string, unknown>>, facts: MarkFacts): Record<string, unknown> {
  const entries = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === "string" && name !== "type" ? fillMarks(value, facts) : value,
  ]);
  return Object.fromEntries(entries);
}

/** Rows for a device: those of the scope, without the fields the platform adds. */
function rowsOf(scope: readonly unknown[]): Record<string, unknown>[] {
  return scope.filter(isRecord).map(({ id: _id, device: _device, created_at: _created, ...row }) => row);
}

/** Performs an action. Messages to other machines go to the outbox, posts to this machine are sent. */
export function perform(app: PerformParts, poster: Poster, firing: Firing): void {
  const { action, scope, device, depth } = firing;
  const { profile } = action;
  const params = isRecord(action["action"]) ? action["action"] : {};
  const text = filled(params, firing);
  const source = { profile, action: action.id };

  switch (params["type"]) {
    case "script": {
      const scripts: readonly unknown[] = Array.isArray(params["script"]) ? params["script"] : [];
      for (const id of scripts) {
        if (typeof id !== "string" || app.collection("analysis").get(id)?.profile !== profile) continue;
        app.analyses.run(id, scope, { environment: environmentOf(firing), depth });
      }
      return;
    }
    case "notification":
      notify(app, profile, { title: String(text["subject"] ?? ""), message: String(text["message"] ?? "") });
      return;
    case "notification_run":
      notifyUser(app, profile, text);
      return;
    case "mqtt":
      publish(app, source, params, text);
      return;
    case "post": {
      const headers = isRecord(params["headers"]) ? params["headers"] : {};
      const texts = Object.entries(headers).map(([name, value]) => [name, fillMarks(String(value), firing)] as const);
      const token = params["http_post_fallback_enabled"] === true ? params["fallback_token"] : undefined;
      poster.send(
        source,
        { method: "POST", url: String(text["url"]), headers: Object.fromEntries(texts), body: JSON.stringify(scope) },
        () => {
          if (typeof token === "string") storeFallback(app, action, token, scope);
        },
      );
      return;
    }
    case "tagoio": {
      const id = params["device"] || params["bucket"];
      const target = typeof id === "string" ? app.collection("device").get(id) : device;
      const rows = rowsOf(scope);
      if (target?.profile !== profile || rows.length === 0) return;
      storeArrival(app, { device: target, body: rows, nowMs: app.clock.now() });
      return;
    }
    default: {
      const { type, ...message } = text;
      const data = type === "queue-sqs" ? { data: scope } : {};
      if (type === "sms" || type === "sms-twilio") message["to"] = phoneNumber(String(message["to"]));
      app.outbox.add(String(type), { ...withoutSecrets(message), ...data, ...source });
    }
  }
}

/** Publishes on the topic of an action; for a device when it specifies one. */
function publish(
  app: PerformParts,
  source: { readonly profile: string; readonly action: string },
  params: Readonly<Record<string, unknown>>,
  { type: _, ...message }: Readonly<Record<string, unknown>>,
): void {
  app.outbox.add("mqtt", { ...source, ...message });
  const device = app.collection("device").get(String(params["bucket"] ?? params["device"] ?? ""));
  app.signals.emit("mqttPublished", {
    profile: source.profile,
    topic: String(message["topic"] ?? ""),
    message: message["payload"] ?? "",
    ...(device?.profile === source.profile && { device }),
  });
}

function notifyUser(app: NotifyParts, profile: string, text: Readonly<Record<string, unknown>>): void {
  const user = app.collection("run_user").get(String(text["run_user"]));
  if (user?.profile !== profile) return;
  notifyPortalUser(app, user, { title: String(text["subject"] ?? ""), message: String(text["message"] ?? "") });
}
