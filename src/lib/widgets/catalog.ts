import { displayOf, type Rule } from "./engine.ts";
import { isRecord, own } from "./readers.ts";
import { buttons } from "./rules/buttons.ts";
import { charts } from "./rules/charts.ts";
import { forms } from "./rules/forms.ts";
import { gauges } from "./rules/gauges.ts";
import { maps } from "./rules/maps.ts";
import { media } from "./rules/media.ts";
import { tableRules } from "./rules/tables.ts";
import { values } from "./rules/values.ts";

/** Every converter. */
export const rules: readonly Rule[] = [
  ...gauges,
  ...charts,
  ...values,
  ...maps,
  ...tableRules,
  ...media,
  ...buttons,
  ...forms,
];

const byName = new Map(rules.map((rule) => [rule.name, rule]));

function rule(name: string): Rule {
  const found = byName.get(name);
  if (found === undefined) throw new Error(`There is no converter named ${name}.`);
  return found;
}

/** How an old `type` leads to a converter: straight, or by a key of `display`. */
interface Branch {
  readonly key?: string;
  readonly values: ReadonlyMap<unknown, Rule>;
  readonly otherwise?: Rule;
}

function straight(name: string): Branch {
  return { values: new Map(), otherwise: rule(name) };
}

function branch(key: string, names: Readonly<Record<string, string>>, otherwise?: string): Branch {
  const values = new Map(Object.entries(names).map(([value, name]) => [value as unknown, rule(name)]));
  return otherwise === undefined ? { key, values } : { key, values, otherwise: rule(otherwise) };
}

// These types have one converter each and keep their name.
const SAME_NAME = [
  "dial",
  "cylinder",
  "grainbin",
  "card",
  "display",
  "tile",
  "note",
  "keypad",
  "push_button",
  "step_button",
  "icon",
  "map",
  "iframe",
] as const;

const branches: ReadonlyMap<unknown, Branch> = new Map([
  [
    "gauge",
    branch("gauge_type", { angular: "angular", solid: "solid", clock: "clock", vu_meter: "vu_meter", dial: "dial" }),
  ],
  [
    "chart",
    branch("chart_type", {
      spline: "line",
      area: "area",
      bar_horizontal: "bar_horizontal",
      bar_vertical: "bar_vertical",
      multiple_axis: "multiple_axis",
    }),
  ],
  ["pie", branch("pie_type", { circle: "pie" }, "semidonut")],
  ["table", branch("table_type", { dynamic: "dynamic_table" }, "static_table")],
  ["input", branch("input_type", { form: "form" }, "control")],
  ["image", branch("type_media", { static_video: "video" }, "image")],
  ["media", branch("type_media", { static_video: "video" }, "image")],
  [
    "layer",
    branch("layer_type", {
      heat_map: "heat_map",
      image_marker: "image_marker",
      compose: "compose",
      virtualization_layer: "compose",
    }),
  ],
  ["incremental_button", straight("step_button")],
  ...SAME_NAME.map((name) => [name, straight(name)] as const),
]);

/** The converter for a widget, by its old type and the sub-type in its display; undefined when there is none. */
export function ruleFor(widget: unknown): Rule | undefined {
  if (!isRecord(widget)) return undefined;
  const found = branches.get(own(widget, "type"));
  if (found === undefined) return undefined;
  if (found.key === undefined) return found.otherwise;
  return found.values.get(own(displayOf(widget), found.key)) ?? found.otherwise;
}

const byNewType = new Map<unknown, Rule>(rules.map((each) => [each.type, each]));

/** The converter whose result has this type; for widgets that carry their new type and old keys. */
export function ruleOfNewType(type: unknown): Rule | undefined {
  return byNewType.get(type);
}
