import { z } from "zod";
import { DASHBOARD_LABEL_MAX_CHARS, MAX_DASHBOARD_TABS } from "../lib/core/limits.ts";
import type { DashboardCreateInfo, DashboardDuplicateInfo } from "../lib/resources/index.ts";
import { id, jsonObject, type Nullish, tags } from "./common.ts";

const label = z.string().min(1).max(DASHBOARD_LABEL_MAX_CHARS);

const arrangement = z.array(
  z.looseObject({
    widget_id: id,
    x: z.number(),
    y: z.number(),
    width: z.number(),
    height: z.number(),
    tab: z.string().nullable().exactOptional(),
  }),
);

const tabs = z
  .array(z.looseObject({ key: z.string(), value: z.string() }))
  .max(MAX_DASHBOARD_TABS, `At most ${MAX_DASHBOARD_TABS} tabs`);

/** Checked fields; the others are stored as sent. */
const members = {
  type: z.enum(["dashboard", "blueprint"]).exactOptional(),
  visible: z.boolean().exactOptional(),
  tags: tags.exactOptional(),
  arrangement: arrangement.exactOptional(),
  tabs: tabs.exactOptional(),
  background: jsonObject.nullable().exactOptional(),
  theme: jsonObject.nullable().exactOptional(),
  description: z.string().nullable().exactOptional(),
};

type Checked = "label" | "type" | "visible" | "tags" | "tabs" | "background" | "theme" | "description";

/** Body of `POST /dashboard`. */
export const dashboardCreate = z.looseObject({ ...members, label }) satisfies z.ZodType<
  Pick<DashboardCreateInfo, Checked>
>;

/** Body of `PUT /dashboard/:id`. */
export const dashboardEdit = z.looseObject({ ...members, label: label.exactOptional() }) satisfies z.ZodType<
  Partial<Pick<DashboardCreateInfo, Checked>>
>;

/** Body of `POST /dashboard/:id/duplicate`. */
export const dashboardDuplicate = z
  .object({ new_label: label.optional(), setup: jsonObject.optional() })
  .optional() satisfies z.ZodType<Nullish<DashboardDuplicateInfo> | undefined>;
