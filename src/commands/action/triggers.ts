import { defined } from "../../lib/core/defined.ts";
import { keyValue, option, optionList } from "../kit/command/arguments.ts";
import type { CommandInput, OptionSpec } from "../kit/command/define.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { deviceFinder } from "../kit/finders/device.ts";
import { resolveId } from "../kit/resource/resolve-id.ts";

/** The flags that say when an action fires. Each kind excludes the others. */
export const triggerOptions: readonly OptionSpec[] = [
  { name: "condition", value: "expr", summary: 'trigger on a value: "temperature>8", "door=open"', repeat: true },
  { name: "unlock", value: "expr", summary: "after triggering, stay locked until this condition is met", repeat: true },
  { name: "inside", value: "place", summary: "trigger on a location inside lng,lat,km", repeat: true },
  { name: "outside", value: "place", summary: "trigger on a location outside lng,lat,km", repeat: true },
  { name: "variable", value: "name", summary: "variable for --inside and --outside (location)" },
  { name: "device", value: "id", summary: "device to watch: id, name:…, tag:…, serial:…" },
  { name: "device-tag", value: "k=v", summary: "watch devices with this tag" },
  { name: "schedule", value: "cron", summary: 'trigger on a cron schedule: "0 6 * * *"', repeat: true },
  { name: "timezone", value: "zone", summary: "time zone for --schedule: Europe/Rome" },
  { name: "interval", value: "time", summary: 'trigger repeatedly: 5m, 1h or "2 days"', repeat: true },
  {
    name: "resource",
    value: "kind:event",
    summary: "trigger on a change: device:create, file:delete",
    repeat: true,
  },
  { name: "resource-tag", value: "k=v", summary: "only resources with this tag" },
  { name: "usage", value: "expr", summary: 'trigger on usage in percent: "data_records>90"', repeat: true },
  { name: "topic", value: "text", summary: "trigger on an MQTT message; with --device-tag", repeat: true },
];

export interface Triggers {
  readonly type: string;
  readonly trigger: readonly object[];
}

type Devices = { readonly device?: string; readonly tag_key?: string; readonly tag_value?: string };

const kinds = ["condition", "inside", "outside", "schedule", "interval", "resource", "usage", "topic"] as const;
type Kind = (typeof kinds)[number];

/** What starts the action, from flags; undefined when none of them was given. */
export async function triggersFrom(ctx: CommandContext, input: CommandInput): Promise<Triggers | undefined> {
  const given = kinds.filter((kind) => optionList(input, kind).length > 0);
  const sorts = new Set(given.map((kind) => (kind === "inside" || kind === "outside" ? "place" : kind)));
  const [first, ...others] = given;
  checkCompany(input, first);
  if (first === undefined) return undefined;
  if (sorts.size > 1) {
    throw usageError(`--${first} and --${others.at(-1) ?? ""} cannot be used together.`, {
      next: "Use one of them, and create a second action for the other trigger.",
    });
  }
  const devices = await devicesOf(ctx, input);
  const texts = (kind: Kind | "unlock"): readonly string[] => optionList(input, kind);
  switch (first) {
    case "condition": {
      const firing = texts("condition").map((text) => ({ ...devices, ...condition(text, "--condition") }));
      const opening = texts("unlock").map((text) => ({ ...devices, ...condition(text, "--unlock"), unlock: true }));
      return { type: "condition", trigger: [...firing, ...opening] };
    }
    case "inside":
    case "outside": {
      const variable = option(input, "variable") ?? "location";
      const rules = (kind: "inside" | "outside", is: string) =>
        texts(kind).map((text) => ({ ...devices, variable, is, value: circle(text, kind) }));
      return { type: "condition_geofence", trigger: [...rules("inside", "IN"), ...rules("outside", "OUT")] };
    }
    case "schedule": {
      const timezone = option(input, "timezone");
      const rest = defined({ timezone });
      return { type: "schedule", trigger: texts("schedule").map((cron) => ({ cron, ...rest })) };
    }
    case "interval":
      return { type: "interval", trigger: texts("interval").map((text) => ({ interval: interval(text) })) };
    case "resource":
      return { type: "resource", trigger: texts("resource").map((text) => resourceOf(text, input)) };
    case "usage":
      return { type: "usage_alert", trigger: texts("usage").map(usage) };
    case "topic":
      return { type: "mqtt_topic", trigger: texts("topic").map((topic) => ({ ...devices, topic })) };
  }
}

/** Flags that mean something only beside another one. */
function checkCompany(input: CommandInput, kind: Kind | undefined): void {
  const needs: Readonly<Record<string, readonly (Kind | undefined)[]>> = {
    unlock: ["condition"],
    variable: ["inside", "outside"],
    device: ["condition", "inside", "outside"],
    "device-tag": ["condition", "inside", "outside", "topic"],
    timezone: ["schedule"],
    "resource-tag": ["resource"],
  };
  for (const [flag, allowed] of Object.entries(needs)) {
    const isGiven = option(input, flag) !== undefined || optionList(input, flag).length > 0;
    if (!isGiven || allowed.includes(kind)) continue;
    const names = allowed.map((name) => `--${name}`).join(" or ");
    throw usageError(`--${flag} needs ${names}.`, { next: `Add ${names}, or remove --${flag}.` });
  }
  const isTagged = option(input, "device-tag") !== undefined;
  if (kind === "topic" && !isTagged) {
    throw usageError("--topic needs --device-tag.", {
      why: "The platform watches a topic only for devices with a given tag.",
      next: "Add --device-tag key=value.",
    });
  }
  if (isTagged && optionList(input, "unlock").length > 0) {
    throw usageError("--unlock and --device-tag cannot be used together.", {
      why: "The platform supports unlock conditions only for a single device.",
      next: "Choose the device with --device.",
    });
  }
}

async function devicesOf(ctx: CommandContext, input: CommandInput): Promise<Devices> {
  const device = option(input, "device");
  const tag = option(input, "device-tag");
  if (device !== undefined && tag !== undefined) {
    throw usageError("--device and --device-tag cannot be used together.", { next: "Use one of them." });
  }
  if (device !== undefined) return { device: (await resolveId(ctx, deviceFinder, device)).id };
  if (tag === undefined) return {};
  const { key, value } = keyValue(tag, "--device-tag");
  return { tag_key: key, tag_value: value };
}

const conditionForm = /^\s*([^<>=!*\s]+)\s*(><|!=|=\*|[<>=!])\s*(.*?)\s*$/s;

/** `variable>8`, `variable=text`, `variable!=text`, `variable><2,8`, `variable=*`. */
function condition(text: string, flag: string): object {
  const [, variable, sign, value = ""] = conditionForm.exec(text) ?? [];
  if (variable === undefined || sign === undefined) throw badCondition(text, flag);
  if (sign === "=*" || (sign === "=" && value === "*")) return { variable, is: "*", value: "*", value_type: "*" };
  if (value === "") throw badCondition(text, flag);
  if (sign !== "><") return { variable, is: sign === "!=" ? "!" : sign, value, value_type: valueType(value) };
  const [from, to, ...more] = value.split(",").map((part) => part.trim());
  if (from === undefined || to === undefined || more.length > 0 || valueType(from) !== "number")
    throw badCondition(text, flag);
  return { variable, is: "><", value: from, second_value: to, value_type: "number" };
}

function badCondition(text: string, flag: string): Error {
  return usageError(`Invalid value ${quote(text)} for ${flag}.`, {
    next: 'Give a variable, an operator and a value: "temperature>8", "door=open", "door!=open", "level><2,8", "door=*".',
  });
}

function valueType(value: string): "number" | "boolean" | "string" {
  if (value === "true" || value === "false") return "boolean";
  return value !== "" && Number.isFinite(Number(value)) ? "number" : "string";
}

function circle(text: string, flag: string): object {
  const parts = text.split(",").map(Number);
  const [longitude, latitude, radius, ...more] = parts;
  const isCircle = longitude !== undefined && latitude !== undefined && radius !== undefined && more.length === 0;
  if (isCircle && parts.every(Number.isFinite)) return { center: [longitude, latitude], radius };
  throw usageError(`Invalid value ${quote(text)} for --${flag}.`, {
    next: "Give longitude, latitude and kilometres: 9.18,45.46,10. Polygons need --input.",
  });
}

const units: Readonly<Record<string, string>> = { m: "minutes", h: "hours", d: "days", w: "weeks" };

/** The platform's words for a duration; its own form is taken as it is. */
function interval(text: string): string {
  const [, amount, unit] = /^(\d+)([mhdw])$/.exec(text) ?? [];
  return amount === undefined || unit === undefined ? text : `${amount} ${units[unit] ?? unit}`;
}

function resourceOf(text: string, input: CommandInput): object {
  const [resource, when, ...more] = text.split(":");
  const isEvent = when === "create" || when === "update" || when === "delete";
  if (resource === undefined || !isEvent || more.length > 0) {
    throw usageError(`Invalid value ${quote(text)} for --resource.`, {
      next: "Give a resource and an event: device:create, file:delete, analysis:update.",
    });
  }
  const tag = option(input, "resource-tag");
  const { key, value } = tag === undefined ? { key: "", value: "" } : keyValue(tag, "--resource-tag");
  return { resource, when, tag_key: key, tag_value: value };
}

function usage(text: string): object {
  const [, service, sign, percent] = /^\s*(\w+)\s*([=>])\s*(\d+(?:\.\d+)?)\s*%?\s*$/.exec(text) ?? [];
  if (service !== undefined) {
    return { service_or_resource: service, condition: sign, condition_value: Number(percent) };
  }
  throw usageError(`Invalid value ${quote(text)} for --usage.`, {
    next: 'Give a service or resource and a percentage: "data_records>90", "sms=100".',
  });
}
