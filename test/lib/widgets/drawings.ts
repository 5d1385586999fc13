import { fixtures } from "./fixtures.ts";

const NOW_MS = Date.UTC(2026, 0, 15, 13, 37, 20);

/** Options of the stored drawings. */
export const options = { width: 400, height: 260, nowMs: NOW_MS, sample: true, timeZone: "Europe/Lisbon" } as const;

const at = (minutes: number): string => new Date(NOW_MS - minutes * 60_000).toISOString();
const chart = (type: string, display: object): object => ({
  type,
  label: type,
  display: { variables: [{ variable: "a" }, { variable: "b", color: "#c00" }], ...display },
  data: [{ origin: "d1", variables: ["a", "b"] }],
});

const on = (variable: string): object => ({ data: { origin: "d1", variable } });
const onlyIf = (value: string): object => ({ visibility_conditions: [{ field: "kindd1", condition: "=", value }] });

/** What the converted fixtures do not have. */
const more: Readonly<Record<string, unknown>> = {
  "device-list": {
    type: "dynamic_table",
    label: "Devices",
    display: { variables: [], show_search: true },
    resource: [
      { type: "device", view: "name" },
      { type: "device", view: "tags.site" },
      { type: "device", view: "last_input" },
    ],
  },
  "stacked-bars": chart("vertical_bar_chart", { stacked: true, show_point_values: true }),
  "stacked-rows": chart("horizontal_bar_chart", { stacked: true, show_legend: false }),
  "reference-line": chart("line_chart", {
    line_curve: "straight",
    reference_lines: [{ value: 45, label: "Limit", color: "#c00" }],
    theme: { color: { background: "#102a43" } },
  }),
  thresholds: {
    type: "angular",
    label: "Thresholds",
    display: {
      range: { type: "minmax", minimum: 0, maximum: 100 },
      theme: {
        color: {
          fill: [
            { condition: "<", value: 30, color: "#2a9d4a" },
            { condition: "<", value: 70, color: "#e0a100" },
            { condition: "*", color: "#c8322b" },
          ],
        },
      },
    },
    data: [{ origin: "d1", variables: ["load"] }],
  },
  polygon: {
    type: "map",
    label: "Polygon",
    display: {
      variables: [{ variable: "truck", pin_config: { color: "#036" } }],
      geofence: { variable: { variable: "fence" } },
      show_lines: true,
    },
    data: [{ variables: ["truck"] }],
    mock_data: [
      {
        result: [3, 2, 1].map((n) => ({
          variable: "truck",
          value: n,
          time: at(n),
          location: { lat: 38.7 + n / 100, lng: -9.1 - n / 90 },
        })),
      },
      {
        result: [
          {
            variable: "fence",
            value: "x",
            time: at(1),
            metadata: {
              eventColor: "#a0f",
              geolocation: {
                type: "Polygon",
                coordinates: [
                  [
                    [-9.16, 38.69],
                    [-9.08, 38.69],
                    [-9.08, 38.75],
                    [-9.16, 38.75],
                  ],
                ],
              },
            },
          },
        ],
      },
    ],
  },
  "form-fields": {
    type: "form",
    label: "Form fields",
    display: {
      sections: [
        {
          title: "Visit",
          fields: [
            {
              id: "kind",
              type: "radio",
              label: "Kind",
              options: [{ value: "repair", default: true }, { value: "check" }],
              ...on("kind"),
            },
            { id: "part", type: "text", label: "Part", required: true, ...onlyIf("repair"), ...on("part") },
            { id: "next", type: "calendar", label: "Next check", ...onlyIf("check"), ...on("next") },
            { id: "photo", type: "upload", label: "Photo", ...on("photo") },
            { id: "level", type: "number", label: "Level", unit: "%", default_value: "last", ...on("level") },
          ],
        },
      ],
      buttons: [{ id: "send", text: "Save" }],
    },
    data: [{ origin: "d1", variables: ["level"] }],
  },
  "keypad-buttons": {
    type: "keypad",
    label: "Keypad with buttons",
    display: {
      show_digits_bar: true,
      show_asterisk: true,
      show_last_column: true,
      buttons: [
        { text: "Arm", color: "#2a9d4a" },
        { text: "Home", disabled: true },
        { text: "Off", color: "#c8322b" },
      ],
    },
    data: [{ origin: "d1", variables: ["pin"] }],
  },
  "grouped-markers": {
    type: "map",
    label: "Grouped markers",
    display: { variables: ["a", "b", "c"].map((variable) => ({ variable })), group_markers: true, max_points: 1 },
    mock_data: [
      {
        result: ["a", "b", "c"].map((variable, n) => ({
          variable,
          time: at(n),
          location: { lat: 38.7 + (n > 1 ? 0.05 : n / 1e3), lng: -9.1 },
        })),
      },
    ],
  },
  "bars-per-hour": {
    ...chart("vertical_bar_chart", {}),
    data: [{ origin: "d1", variables: ["a", "b"], query: "aggregate", interval: "hour", function: "avg" }],
  },
  empty: { ...chart("line_chart", {}), data: [] },
  unknown: { type: "hologram", label: "Unknown", display: { depth: 3 } },
};

export interface Drawing {
  readonly name: string;
  readonly new: unknown;
  readonly old?: unknown;
}

export const drawings: readonly Drawing[] = [
  ...fixtures,
  ...Object.entries(more).map(([name, widget]) => ({ name, new: widget })),
];
