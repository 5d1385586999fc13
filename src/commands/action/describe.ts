import type { ActionInfo } from "../../index.ts";
import { type JsonObject, objectOf } from "../kit/files/files.ts";
import type { Names, Reference } from "../kit/resource/resource-names.ts";

/** An action as far as a list holds it. */
export type ActionRow = { readonly id: string } & Partial<Omit<ActionInfo, "id" | "trigger" | "action">> & {
    readonly trigger?: unknown;
    readonly action?: unknown;
    /** Names of the devices, analyses and users it refers to, where they were asked for. */
    readonly names?: Names;
  };

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const text = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value ?? ""));
const isNamed = (value: unknown): value is string => typeof value === "string" && value !== "";

/** What an action refers to by id. */
export function actionReferences({ trigger, action }: ActionRow): readonly Reference[] {
  const { script, run_user: user, bucket } = objectOf(action);
  const devices = [...listOf(trigger).map((each) => objectOf(each)["device"]), bucket].filter(isNamed);
  return [
    ...devices.map((id) => ["device", id] as const),
    ...listOf(script)
      .filter(isNamed)
      .map((id) => ["analysis", id] as const),
    ...(isNamed(user) ? [["run_user", user] as const] : []),
  ];
}

const named = (names: Names | undefined, id: string): string => names?.[id] ?? id;

/** Which devices a trigger looks at: one, those with a tag, or all. */
function whose(trigger: JsonObject, names: Names | undefined): string {
  const { device, tag_key: key, tag_value: value } = trigger;
  if (isNamed(device)) return ` of ${named(names, device)}`;
  return isNamed(key) ? ` of ${key}=${text(value)}` : "";
}

function conditionText(trigger: JsonObject): string {
  const { variable, is, value, second_value: second } = trigger;
  const name = text(variable);
  if (is === "*") return `any ${name}`;
  if (is === "><") return `${name} between ${text(value)} and ${text(second)}`;
  return `${name} ${is === "!" ? "!=" : text(is)} ${text(value)}`;
}

function areaText(value: unknown): string {
  const { center, radius } = objectOf(value);
  if (Array.isArray(center)) return `${text(radius)} km around ${center.map(text).join(",")}`;
  return "an area";
}

function resourceText({ resource, when, tag_key: key, tag_value: value }: JsonObject): string {
  const done = { create: "created", update: "updated", delete: "deleted" }[text(when)] ?? text(when);
  return `${text(resource)} ${done}${isNamed(key) ? ` with ${key}=${text(value)}` : ""}`;
}

function triggerText(type: unknown, trigger: JsonObject, names: Names | undefined): string {
  switch (type) {
    case "condition":
      return `${conditionText(trigger)}${whose(trigger, names)}`;
    case "condition_geofence": {
      const side = trigger["is"] === "IN" ? "inside" : "outside";
      return `${text(trigger["variable"] ?? "location")} ${side} ${areaText(trigger["value"])}${whose(trigger, names)}`;
    }
    case "resource":
      return resourceText(trigger);
    case "interval":
      return `every ${text(trigger["interval"])}`;
    case "schedule":
      return `${text(trigger["cron"])}${isNamed(trigger["timezone"]) ? ` ${trigger["timezone"]}` : ""}`;
    case "mqtt_topic":
      return `topic ${text(trigger["topic"])}${whose(trigger, names)}`;
    case "usage_alert":
      return `${text(trigger["service_or_resource"])} ${text(trigger["condition"])} ${text(trigger["condition_value"])} %`;
    default:
      return JSON.stringify(trigger);
  }
}

/** What starts an action, in words. Rules that unlock it follow those that fire it. */
export function triggersText({ type, trigger, names }: ActionRow): string {
  const all = listOf(trigger).map(objectOf);
  const texts = (unlock: boolean): string =>
    all
      .filter((each) => (each["unlock"] === true) === unlock)
      .map((each) => triggerText(type, each, names))
      .join(" or ");
  const unlocking = texts(true);
  return unlocking === "" ? texts(false) : `${texts(false)}; unlocks at ${unlocking}`;
}

/** What an action does, in words. */
export function actionText({ action, names }: ActionRow): string {
  const params = objectOf(action);
  const type = text(params["type"]);
  const to = isNamed(params["to"]) ? ` to ${params["to"]}` : "";
  switch (type) {
    case "script": {
      const scripts = listOf(params["script"]).map((id) => named(names, text(id)));
      return `run ${scripts.length === 1 ? "analysis" : "analyses"} ${scripts.join(", ")}`;
    }
    case "notification":
      return `notify: ${text(params["subject"])}`;
    case "notification_run":
      return `notify user ${named(names, text(params["run_user"]))}: ${text(params["subject"])}`;
    case "mqtt":
      return `publish ${text(params["topic"])}`;
    case "post":
      return `post to ${text(params["url"])}`;
    case "queue-sqs":
      return "send to a queue";
    default:
      return `${type}${to}`;
  }
}
