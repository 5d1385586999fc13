// Writes a file of JSON lines with legacy widgets, for measuring `iot widget convert`.
// Usage: node bench/widgets-file.js <file> [widgets] [bytes per widget]
// Then:  /usr/bin/time -v node bin/iot.js widget convert <file> --out <folder> -o id > /dev/null

import { once } from "node:events";
import { createWriteStream } from "node:fs";

const [path, count = "100000", bytes = "1000"] = process.argv.slice(2);
if (path === undefined) {
  console.error("usage: node bench/widgets-file.js <file> [widgets] [bytes per widget]");
  process.exit(2);
}

const origin = (n) => `65a1000000000000000d${String(n % 10_000).padStart(4, "0")}`;
const types = [
  { type: "gauge", display: { gauge_type: "angular", minimum: "0", maximum: "100", numberformat: "0.0" } },
  { type: "chart", display: { chart_type: "spline", watermark: false, group_by: "date", intervals: ["1 hra"] } },
  { type: "card", display: { numberformat: "0.00", show_chart: true, unit: "bar" } },
  { type: "table", display: { table_type: "dynamic", show_time: true, max_rows: 500 } },
  { type: "map", display: { watermark: false, mode: "dark", show_filter: true } },
  { type: "display", display: { numberformat: "0", watermark: false } },
];

function widget(n) {
  const { type, display } = types[n % types.length];
  const variables = ["temperature", "humidity", "pressure"].slice(0, 1 + (n % 3));
  const keys = variables.map((name) => `${origin(n)}${name}`);
  const table = (value) => Object.fromEntries(keys.map((key, i) => [key, value(i)]));
  const one = {
    id: `65a1000000000000${n.toString(16).padStart(8, "0")}`,
    dashboard: "65a1000000000000000b0001",
    label: `Widget ${n}`,
    type,
    data: [{ origin: origin(n), query: "last_value", variables }],
    display: {
      ...display,
      vars_labels: table((i) => `Value ${i}`),
      vars_format: table((i) => ({ decimals: i, show_thousand: false })),
      vars_formula: table(() => ({ enable: true, formula: "$VALUE$ * 2", formula_type: "fixed", unit: "bar" })),
      header_buttons: [],
      help: "",
    },
  };
  const missing = Number(bytes) - JSON.stringify(one).length - 1;
  one.display.help = "x".repeat(Math.max(0, missing));
  return `${JSON.stringify(one)}\n`;
}

const file = createWriteStream(path);
for (let n = 0; n < Number(count); n += 1) {
  if (!file.write(widget(n))) await once(file, "drain");
}
file.end();
await once(file, "finish");
