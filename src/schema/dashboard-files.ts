import { z } from "zod";
import { DASHBOARD_LABEL_MAX_CHARS, MAX_DASHBOARD_TABS } from "../lib/core/limits.ts";
import { jsonObject, tags } from "./common.ts";

/** Platform ids, and short widget names written by hand. */
const reference = z.string().regex(/^[0-9A-Za-z][\w-]{0,63}$/, "must be an id: letters, digits, - and _, at most 64");

/** Tabs and line breaks are pasted into labels; other control characters are not. */
const text = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(/^[\t\n\r\P{Cc}]*$/u, "must not contain control characters");

const place = z.looseObject({
  widget_id: reference,
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  tab: z.string().nullable().exactOptional(),
});

const tabs = z
  .array(z.looseObject({ key: text(255).min(1), value: text(255) }))
  .max(MAX_DASHBOARD_TABS, `has more than ${MAX_DASHBOARD_TABS} tabs`)
  .refine((list) => new Set(list.map(({ key }) => key)).size === list.length, "has two tabs with the same key");

const dashboardFile = z.looseObject({
  id: reference.exactOptional(),
  label: text(DASHBOARD_LABEL_MAX_CHARS).min(1),
  type: z.enum(["dashboard", "blueprint"]).exactOptional(),
  visible: z.boolean().exactOptional(),
  tags: tags.exactOptional(),
  arrangement: z.array(place).exactOptional(),
  tabs: tabs.exactOptional(),
  background: jsonObject.nullable().exactOptional(),
  theme: jsonObject.nullable().exactOptional(),
  description: z.string().nullable().exactOptional(),
  blueprint_devices: z.array(z.looseObject({ id: reference, name: z.string() })).exactOptional(),
});

const entries = z.array(jsonObject).nullable().exactOptional();

const widgetFile = z.looseObject({
  id: reference.exactOptional(),
  label: text(255),
  type: text(100).min(1),
  display: jsonObject,
  data: entries,
  resource: entries,
  analysis_run: reference.nullable().exactOptional(),
});

const named = z.array(z.looseObject({ id: reference, name: z.string() })).exactOptional();
const referencesFile = z.looseObject({ devices: named, analyses: named });

const idMap = z.record(reference, reference).exactOptional();
const mapFile = z.strictObject({ devices: idMap, analyses: idMap, dashboards: idMap, widgets: idMap });

const documents = { dashboard: dashboardFile, widget: widgetFile, references: referencesFile, map: mapFile } as const;

/** Kinds of files in a dashboard folder. */
export type DashboardFileKind = keyof typeof documents;

/**
 * Problems of a file in a dashboard folder: at most five sentences, each with the path in the document. Empty if the
 * file is valid.
 */
export function dashboardFileProblems(kind: DashboardFileKind, value: unknown): readonly string[] {
  const { error } = documents[kind].safeParse(value);
  return (error?.issues ?? []).slice(0, 5).map(({ path, message }) => {
    const where = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
    return `${where === "" ? "the document" : where.replace(/^\./, "")}: ${message}`;
  });
}
