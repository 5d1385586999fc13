import { z } from "zod";
import { LONG_TEXT_MAX_CHARS, VARIABLE_MAX_CHARS } from "../lib/core/limits.ts";
import type { ActionCreateInfo, ActionEditInfo } from "../lib/resources/actions.ts";
import { actionTypes, serviceKeys, triggerResources, usageResources } from "../lib/resources/enums.ts";
import { id, tags } from "./common.ts";

const text = z.string().max(LONG_TEXT_MAX_CHARS);
const optionalText = text.nullish();
/** Id of a resource; forms of the platform send an empty string for a missing one. */
const optionalId = z.union([id, z.literal("")]).nullish();

const devices = { device: optionalId, tag_key: optionalText, tag_value: optionalText };

const place = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]);

/** A value to compare with. */
const limit = z
  .unknown()
  .refine((value) => value !== "", "Must not be empty: leave it out")
  .optional();

/** Unlock rules exist for a single device only. */
const unlocksOneDevice = ({ unlock, tag_key }: { unlock?: boolean; tag_key?: string | null | undefined }) =>
  unlock !== true || !tag_key;
const unlockProblem = { message: "An unlock rule needs a device instead of a tag", path: ["unlock"] };

const triggers = {
  condition: z
    .looseObject({
      ...devices,
      variable: z.string().min(1).max(VARIABLE_MAX_CHARS),
      is: z.enum(["<", ">", "=", "!", "><", "*"]),
      value: limit,
      second_value: limit,
      value_type: z.enum(["string", "number", "boolean", "*"]).exactOptional(),
      unlock: z.boolean().exactOptional(),
    })
    .refine(unlocksOneDevice, unlockProblem),
  condition_geofence: z
    .looseObject({
      ...devices,
      variable: optionalText,
      is: z.enum(["IN", "OUT"]),
      value: z.union([
        z.looseObject({ center: place, radius: z.number().positive() }),
        z.looseObject({ coordinates: z.union([z.array(place).min(3), z.array(z.array(place).min(3)).length(1)]) }),
      ]),
      unlock: z.boolean().exactOptional(),
    })
    .refine(unlocksOneDevice, unlockProblem),
  resource: z.looseObject({
    resource: z.enum(triggerResources),
    when: z.enum(["create", "update", "delete"]),
    tag_key: optionalText,
    tag_value: optionalText,
  }),
  /** The sandbox checks interval, cron and timezone, with its own messages. */
  interval: z.looseObject({ interval: z.string().max(100) }),
  schedule: z.looseObject({ cron: z.string().max(500), timezone: z.string().max(100).nullish() }),
  /** The platform drops everything else. */
  mqtt_topic: z.object({ topic: text.min(1), tag_key: text.min(1), tag_value: text.min(1) }),
  usage_alert: z.looseObject({
    service_or_resource: z.enum([...serviceKeys, ...usageResources]),
    condition: z.enum(["=", ">"]),
    condition_value: z.number().min(0).max(1_000),
  }),
} as const;

const type = z.enum(actionTypes);

const addressed = { to: z.string().min(1), message: text.optional() };
const secret = z.string().min(1).max(1_000);

const action = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("script"), script: z.array(id).min(1).max(10, "At most 10 analyses") }),
  z.looseObject({ type: z.literal("notification"), subject: text, message: text }),
  z.looseObject({ type: z.literal("notification_run"), run_user: id, subject: text, message: text }),
  z.looseObject({ type: z.literal("email"), ...addressed, subject: text }),
  z.looseObject({ type: z.literal("sms"), ...addressed }),
  z.looseObject({ type: z.literal("mqtt"), bucket: optionalId, topic: z.string().min(1).max(1_000), payload: text }),
  z.looseObject({
    type: z.literal("post"),
    url: z.string().regex(/^https?:\/\/\S+$/i, "Must be an http or https address"),
    headers: z.record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, "Invalid header name"), z.string()).nullish(),
    http_post_fallback_enabled: z.boolean().nullish(),
    fallback_token: z.string().nullish(),
  }),
  z.looseObject({ type: z.literal("sms-twilio"), ...addressed, from: text, twilio_sid: secret, twilio_token: secret }),
  z.looseObject({
    type: z.literal("whatsapp-twilio"),
    ...addressed,
    from: text,
    content_sid: secret,
    content_variables: z.unknown().optional(),
    twilio_sid: secret,
    twilio_token: secret,
  }),
  z.looseObject({
    type: z.literal("email-sendgrid"),
    ...addressed,
    from: text,
    subject: text,
    sendgrid_api_key: secret,
  }),
  z.looseObject({ type: z.literal("email-smtp"), ...addressed, from: text, subject: text, smtp_secret: secret }),
  z.looseObject({ type: z.literal("queue-sqs"), sqs_secret: secret, batch_enabled: z.boolean().nullish() }),
  /** Stores the data of an MQTT topic; its name is an assumption. */
  z.looseObject({ type: z.literal("tagoio"), device: optionalId, bucket: optionalId }),
]);

const settings = {
  active: z.boolean().exactOptional(),
  lock: z.boolean().exactOptional(),
  trigger_when_unlock: z.boolean().exactOptional(),
  description: z.string().max(LONG_TEXT_MAX_CHARS).nullable().exactOptional(),
  tags: tags.exactOptional(),
};

const name = z.string().min(1).max(255);
/** Checked by `actionTriggers`. */
const trigger = z.array(z.looseObject({})).max(10, "At most 10 triggers");

/** Body of `POST /action`. */
export const actionCreate = z.object({
  ...settings,
  name,
  type,
  action,
  trigger: trigger.exactOptional(),
}) satisfies z.ZodType<Omit<ActionCreateInfo, "trigger" | "action">>;

/** Body of `PUT /action/:id`; a changed type removes its trigger. */
export const actionEdit = z.object({
  ...settings,
  name: name.exactOptional(),
  type: type.exactOptional(),
  action: action.exactOptional(),
  trigger: trigger.exactOptional(),
}) satisfies z.ZodType<Omit<ActionEditInfo, "trigger" | "action">>;

/** The triggers of an action of a type; without one, of any: the platform checks new triggers against a sent type only. */
export function actionTriggers(of?: z.infer<typeof type>): z.ZodType<readonly Record<string, unknown>[]> {
  return z.array(of === undefined ? z.union(Object.values(triggers)) : triggers[of]);
}
