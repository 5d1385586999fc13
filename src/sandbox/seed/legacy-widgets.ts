import { charts } from "./legacy/charts.ts";
import { gauges } from "./legacy/gauges.ts";
import { buttons, forms } from "./legacy/inputs.ts";
import type { LegacyWidget } from "./legacy/parts.ts";
import { layers, media } from "./legacy/pictures.ts";
import { tables } from "./legacy/tables.ts";
import { values } from "./legacy/values.ts";

export interface LegacyTab {
  readonly key: string;
  readonly value: string;
  readonly widgets: readonly LegacyWidget[];
}

/**
 * The legacy dashboard: one tab for each family, and in them at least one widget of every legacy variant
 * (MODEL.md section 13.1), all with data of the seed devices.
 */
export const LEGACY_TABS: readonly LegacyTab[] = [
  { key: "1705050000001", value: "Gauges", widgets: gauges },
  { key: "1705050000002", value: "Charts", widgets: charts },
  { key: "1705050000003", value: "Values", widgets: values },
  { key: "1705050000004", value: "Tables", widgets: tables },
  { key: "1705050000005", value: "Forms", widgets: forms },
  { key: "1705050000006", value: "Layers", widgets: layers },
  { key: "1705050000007", value: "Buttons", widgets: buttons },
  { key: "1705050000008", value: "Media", widgets: media },
];
