import { z } from "zod";
import type { WidgetCreateInfo } from "../lib/resources/widgets.ts";
import { jsonObject } from "./common.ts";

/** Old and new widgets differ too much for more checks than these: the rest is kept as sent. */
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
