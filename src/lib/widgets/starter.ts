import type { WidgetCreateInfo } from "../resources/widgets.ts";
import { ruleOfNewType } from "./catalog.ts";
import { convert } from "./engine.ts";

/** A variable of a device or entity. */
export interface ShownVariable {
  readonly origin: string;
  readonly variable: string;
}

/** What a new widget of a type shows, in the settings that its converter reads. */
interface Start {
  /** Variables of its sample data. @default one, the temperature */
  readonly variables?: readonly string[];
  /** How each variable is read. @default its last value */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly settings?: (sources: readonly ShownVariable[]) => Readonly<Record<string, unknown>>;
}

const NONE = { variables: [] } as const;
const TWO = { variables: ["temperature", "humidity"] } as const;
const OVER_TIME = { ...TWO, query: { qty: 96, start_date: "1 day", overwrite: true } } as const;
const ROWS = { query: { qty: 50 } } as const;
const PARTS = { variables: ["north", "south", "west"] } as const;

const field = ({ origin, variable }: ShownVariable, place: number) => [
  `field_${place + 1}`,
  { fieldtype: "number", origin, variable, label: nameOf(variable), required: false },
];

/** Where a widget without these settings would be empty, or would say little. */
const starts: Readonly<Record<string, Start>> = {
  "vu-meter": { variables: ["level"] },
  cylinder: { variables: ["level"], settings: () => ({ num_ticks: 5 }) },
  grainbin: { variables: ["level"] },
  clock: NONE,
  card: { query: { qty: 24 }, settings: () => ({ show_chart: true }) },
  display: TWO,
  line_chart: OVER_TIME,
  area_chart: OVER_TIME,
  vertical_bar_chart: OVER_TIME,
  horizontal_bar_chart: TWO,
  multiple_axis_chart: OVER_TIME,
  dynamic_table: { ...TWO, ...ROWS, settings: () => ({ show_time: true }) },
  static_table: {
    ...TWO,
    settings: (sources) => ({
      cell: Object.fromEntries(
        sources.flatMap(({ origin, variable }, row) => [
          [`${row}_0`, { type: "constant", constant: nameOf(variable) }],
          [`${row}_1`, { type: "variable", variables: { device: { id: origin }, variable } }],
        ]),
      ),
    }),
  },
  pie: PARTS,
  semidonut: PARTS,
  map: { variables: ["position"], query: { query: "last_location" } },
  heat_map: ROWS,
  image: { ...NONE, settings: () => ({ type_image: "static", static_image: "" }) },
  video: { ...NONE, settings: () => ({ static_media: "" }) },
  iframe: { ...NONE, settings: () => ({ url: "" }) },
  note: { ...NONE, settings: () => ({ text: "Write something here." }) },
  tile: { ...NONE, settings: () => ({ label_button: "Open", icon_color: "#0b5cad" }) },
  push_button: {
    variables: ["state"],
    settings: () => ({
      button_type: "bi-stable",
      state_one: { label: "Start", value: "on" },
      state_two: { label: "Stop", value: "off" },
    }),
  },
  step_button: { variables: ["setpoint"] },
  keypad: { variables: ["code"] },
  form: {
    variables: ["setpoint", "limit"],
    settings: (sources) => ({
      form: {
        label_submit: "Send",
        fields: Object.fromEntries(sources.map(field)),
      },
    }),
  },
  control: {
    variables: ["state"],
    settings: (sources) => ({
      controls: sources.map(({ origin, variable }) => ({
        ...{ origin, variable, name: nameOf(variable), label_yes: "On", label_no: "Off", type: "switch" },
      })),
    }),
  },
};

/** `line_chart` as words: `Line chart`. */
export function nameOf(word: string): string {
  const text = word.replaceAll(/[_-]+/g, " ").trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

let made = 0;

/** Ids of fields and columns. */
function newId(): string {
  made += 1;
  return `${Date.now().toString(36)}${made.toString(36)}`;
}

/** The variables that a new widget of a type shows sample data of; empty for types without data. */
export const sampleVariables = (type: string): readonly string[] =>
  (Object.hasOwn(starts, type) ? starts[type]?.variables : undefined) ?? ["temperature"];

/**
 * A valid widget of a type, as the converter of the type makes it from the settings above.
 *
 * @param sources what it shows; its sample variables of no device when left out
 */
export function newWidget(type: string, sources?: readonly ShownVariable[]): WidgetCreateInfo {
  const shown = sources ?? sampleVariables(type).map((variable) => ({ origin: "", variable }));
  const start = Object.hasOwn(starts, type) ? starts[type] : undefined;
  const query = start?.query ?? { query: "last_value" };
  const data = shown.map(({ origin, variable }) => ({ origin, ...query, variables: [variable] }));
  const widget = { label: nameOf(type), type, display: start?.settings?.(shown) ?? {}, data };
  const rule = ruleOfNewType(type);
  if (rule === undefined) return widget;
  const result = convert(rule, widget, newId);
  return { ...(JSON.parse(JSON.stringify(result)) as WidgetCreateInfo), type };
}
