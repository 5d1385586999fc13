import { z } from "zod";
import { LONG_TEXT_MAX_CHARS, MAX_NOTIFICATION_BUTTONS } from "../lib/core/limits.ts";
import { pushPlatforms } from "../lib/resources/enums.ts";
import type {
  GenericID,
  GenericToken,
  NotificationCreate,
  NotificationInfo,
  PushPlatform,
} from "../lib/resources/index.ts";
import { id, jsonObject } from "./common.ts";

const button = z.looseObject({
  id: z.string().regex(/^\S+$/, "Without spaces").max(100),
  label: z.string().min(1).max(255),
  color: z.string().exactOptional(),
  triggers: z.array(jsonObject).max(10).exactOptional(),
});

/** Body of `POST /notification`. */
export const notificationCreate = z.object({
  title: z.string().min(1).max(255),
  message: z.string().min(1).max(LONG_TEXT_MAX_CHARS),
  read: z.boolean().exactOptional(),
  icon: jsonObject.nullable().exactOptional(),
  buttons: z.array(button).max(MAX_NOTIFICATION_BUTTONS, `At most ${MAX_NOTIFICATION_BUTTONS} buttons`).exactOptional(),
  buttons_enabled: z.boolean().exactOptional(),
  buttons_autodisable: z.boolean().exactOptional(),
  type: z.string().max(100).exactOptional(),
  ref_id: id.nullish(),
}) satisfies z.ZodType<Omit<NotificationCreate, "icon" | "buttons">>;

/** Body of `PUT /notification/read`. */
export const notificationRead = z.object({
  notification_ids: z.union([z.array(id).max(1_000), id.transform((single) => [single])]),
  read: z.boolean(),
}) satisfies z.ZodType<Pick<NotificationInfo, "read"> & { notification_ids: GenericID[] }>;

/** Body of `POST /notification/push/register`. */
export const pushRegister = z.object({
  device_token: z.string().min(1).max(1_000),
  platform: z.enum(pushPlatforms),
}) satisfies z.ZodType<{ device_token: GenericToken; platform: PushPlatform }>;

/** Body of `POST /notification/push/unregister`. */
export const pushUnregister = z.object({ device_token: z.string().min(1).max(1_000) }) satisfies z.ZodType<{
  device_token: GenericToken;
}>;
