import { defined } from "../../lib/core/defined.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { type Pair, quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { unknownWord } from "../kit/failures/unknown-word.ts";
import { deviceFinder } from "../kit/finders/device.ts";
import { resolveId } from "../kit/resource/resolve-id.ts";

const kinds = ["condition", "inside", "outside", "schedule", "interval", "resource", "usage", "topic"] as const;
type Kind = (typeof kinds)[number];

/** An action has triggers of one kind; inside and outside are one. */
const excludingOthers = (kind: Kind, ...alike: readonly Kind[]) => ({
  flags: kinds.filter((other) => other !== kind && !alike.includes(other)),
  called: "other triggers",
  next: "Use one of them, and create a second action for the other trigger.",
});

/** The flags that say when an action fires. */
export const triggerOptions = [
  {
    name: "condition",
    value: "expr",
    summary: 'trigger on a value: "temperature>8", "door=open"',
    repeat: true,
    conflicts: excludingOthers("condition"),
  },
  {
    name: "unlock",
    value: "expr",
    summary: "after triggering, stay locked until this condition is met",
    repeat: true,
    needs: ["condition"],
    conflicts: {
      flags: ["device-tag"],
      why: "The platform supports unlock conditions only for a single device.",
      next: "Choose the device with --device.",
    },
  },
  {
    name: "inside",
    value: "place",
    summary: "trigger on a location inside lng,lat,km",
    repeat: true,
    conflicts: excludingOthers("inside", "outside"),
  },
  {
    name: "outside",
    value: "place",
    summary: "trigger on a location outside lng,lat,km",
    repeat: true,
    conflicts: excludingOthers("outside", "inside"),
  },
  {
    name: "variable",
    value: "name",
    summary: "variable for --inside and --outside (location)",
    needs: ["inside", "outside"],
  },
  {
    name: "device",
    value: "id",
    summary: "device to watch: id, name:…, tag:…, serial:…",
    needs: ["condition", "inside", "outside"],
    conflicts: ["device-tag"],
  },
  {
    name: "device-tag",
    kind: "pair",
    summary: "watch devices with this tag",
    needs: ["condition", "inside", "outside", "topic"],
  },
  {
    name: "schedule",
    kind: "cron",
    summary: 'trigger on a cron schedule: "0 6 * * *"',
    repeat: true,
    conflicts: excludingOthers("schedule"),
  },
  { name: "timezone", kind: "zone", summary: "time zone for --schedule: Europe/Rome", needs: ["schedule"] },
  {
    name: "interval",
    kind: "interval",
    summary: 'trigger repeatedly: 5m, 1h or "2 days"',
    repeat: true,
    conflicts: excludingOthers("interval"),
  },
  {
    name: "resource",
    value: "kind:event",
    summary: "trigger on a change: device:create, file:delete",
    repeat: true,
    conflicts: excludingOthers("resource"),
  },
  { name: "resource-tag", kind: "pair", summary: "only resources with this tag", needs: ["resource"] },
  {
    name: "usage",
    value: "expr",
    summary: 'trigger on usage in percent: "data_records>90"',
    repeat: true,
    conflicts: excludingOthers("usage"),
  },
  {
    name: "topic",
    value: "text",
    summary: "trigger on an MQTT message; with --device-tag",
    repeat: true,
    needs: { flags: ["device-tag"], why: "The platform watches a topic only for devices with a given tag." },
    conflicts: excludingOthers("topic"),
  },
] as const satisfies Options;

type Given = Input<[], typeof triggerOptions>;

export interface Triggers {
  readonly type: string;
  readonly trigger: readonly object[];
}

type Devices = { readonly device?: string; readonly tag_key?: string; readonly tag_value?: string };

/** What starts the action, from flags; undefined when none of them was given. */
export async function triggersFrom(ctx: CommandContext, { options }: Given): Promise<Triggers | undefined> {
  const first = kinds.find((kind) => options[kind].length > 0);
  if (first === undefined) return undefined;
  const known = await import("../../lib/resources/enums.ts");
  const devices = await devicesOf(ctx, options);
  switch (first) {
    case "condition": {
      const firing = options.condition.map((text) => ({ ...devices, ...condition(text, "--condition") }));
      const opening = options.unlock.map((text) => ({ ...devices, ...condition(text, "--unlock"), unlock: true }));
      return { type: "condition", trigger: [...firing, ...opening] };
    }
    case "inside":
    case "outside": {
      const variable = options.variable ?? "location";
      const rules = (kind: "inside" | "outside", is: string) =>
        options[kind].map((text) => ({ ...devices, variable, is, value: circle(text, kind) }));
      return { type: "condition_geofence", trigger: [...rules("inside", "IN"), ...rules("outside", "OUT")] };
    }
    case "schedule": {
      const rest = defined({ timezone: options.timezone });
      return { type: "schedule", trigger: options.schedule.map((cron) => ({ cron, ...rest })) };
    }
    case "interval":
      return { type: "interval", trigger: options.interval.map((interval) => ({ interval })) };
    case "resource":
      return {
        type: "resource",
        trigger: options.resource.map((text) => resourceOf(text, known.triggerResources, options.resourceTag)),
      };
    case "usage":
      return {
        type: "usage_alert",
        trigger: options.usage.map((text) => usage(text, [...known.serviceKeys, ...known.usageResources])),
      };
    case "topic":
      return { type: "mqtt_topic", trigger: options.topic.map((topic) => ({ ...devices, topic })) };
  }
}

async function devicesOf(ctx: CommandContext, { device, deviceTag }: Given["options"]): Promise<Devices> {
  if (device !== undefined) return { device: (await resolveId(ctx, deviceFinder, device)).id };
  return deviceTag === undefined ? {} : { tag_key: deviceTag.key, tag_value: deviceTag.value };
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
  if (
    from === undefined ||
    to === undefined ||
    more.length > 0 ||
    valueType(from) !== "number" ||
    !(Number(from) <= Number(to))
  )
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
  const isOnEarth = Math.abs(longitude ?? 0) <= 180 && Math.abs(latitude ?? 0) <= 90 && (radius ?? 0) > 0;
  if (isCircle && isOnEarth && parts.every(Number.isFinite)) return { center: [longitude, latitude], radius };
  throw usageError(`Invalid value ${quote(text)} for --${flag}.`, {
    next: "Give longitude, latitude and kilometres: 9.18,45.46,10. Polygons need --input.",
  });
}

function resourceOf(text: string, known: readonly string[], { key, value }: Pair = { key: "", value: "" }): object {
  const [resource, when, ...more] = text.split(":");
  const isEvent = when === "create" || when === "update" || when === "delete";
  if (resource === undefined || !isEvent || more.length > 0) {
    throw usageError(`Invalid value ${quote(text)} for --resource.`, {
      next: "Give a resource and an event: device:create, file:delete, analysis:update.",
    });
  }
  if (!known.includes(resource)) throw unknownWord("resource", resource, known);
  return { resource, when, tag_key: key, tag_value: value };
}

function usage(text: string, known: readonly string[]): object {
  const [, service, sign, percent] = /^\s*(\w+)\s*([=>])\s*(\d+(?:\.\d+)?)\s*%?\s*$/.exec(text) ?? [];
  if (service !== undefined) {
    if (!known.includes(service)) throw unknownWord("usage", service, known);
    if (Number(percent) > 1_000) throw usageError("--usage must be at most 1000 percent.");
    return { service_or_resource: service, condition: sign, condition_value: Number(percent) };
  }
  throw usageError(`Invalid value ${quote(text)} for --usage.`, {
    next: 'Give a service or resource and a percentage: "data_records>90", "sms=100".',
  });
}
