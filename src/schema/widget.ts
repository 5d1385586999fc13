import { z } from "zod";
import { DEVICE_NAME_MAX_CHARS, DEVICE_NAME_MIN_CHARS } from "../lib/core/limits.ts";
import type { Base64File, WidgetCreateInfo, WidgetResourceEdit } from "../lib/resources/index.ts";
import { id, jsonObject } from "./common.ts";

/** Legacy and new widgets differ too much for more checks: the rest is stored as sent. */
const members = {
  label: z.string().max(255),
  type: z.string().min(1).max(100),
  display: jsonObject,
};

/** Lists of loose objects, or nothing. */
const entries = z.array(jsonObject).nullable().exactOptional();

/** Body of `POST /dashboard/:id/widget`. */
export const widgetCreate = z.looseObject({ ...members, data: entries, resource: entries }) satisfies z.ZodType<
  Pick<WidgetCreateInfo, "label" | "type" | "display">
>;

/** Body of `PUT /dashboard/:id/widget/:id`. */
export const widgetEdit = z.looseObject({
  label: members.label.exactOptional(),
  type: members.type.exactOptional(),
  display: members.display.exactOptional(),
  data: entries,
  resource: entries,
}) satisfies z.ZodType<Partial<Pick<WidgetCreateInfo, "label" | "type" | "display">>>;

/** Body of `POST /dashboard/:id/widget/:id/upload`: the source of a custom widget. */
export const widgetSource = z.object({ file: z.base64(), file_name: z.string().min(1).max(255) }) satisfies z.ZodType<
  Pick<Base64File, "file"> & { file_name: string }
>;

const resourceEdit = z
  .looseObject({
    device: id,
    name: z.string().min(DEVICE_NAME_MIN_CHARS).max(DEVICE_NAME_MAX_CHARS).exactOptional(),
    active: z.boolean().exactOptional(),
  })
  .superRefine((change, context) => {
    for (const [name, value] of Object.entries(change)) {
      if (/^(tags|param)\.$/.test(name))
        context.addIssue({ code: "custom", path: [name], message: "The key is missing" });
      if (!/^(tags|param)\../.test(name) || ["string", "number", "boolean"].includes(typeof value)) continue;
      context.addIssue({ code: "custom", path: [name], message: "Must be a string, a number or a boolean" });
    }
  });

type ResourceEdit = Pick<WidgetResourceEdit, "device" | "name" | "active">;

/** Body of `PUT /data/:dashboard/:widget/resource`: one change of a device, or a list. */
export const widgetResourceEdit = z.union([
  resourceEdit,
  z.array(resourceEdit).min(1, "Changes are missing"),
]) satisfies z.ZodType<ResourceEdit | ResourceEdit[]>;
