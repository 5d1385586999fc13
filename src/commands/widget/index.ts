import { type Command, defineCommand } from "../kit/command/define.ts";
import { either, rows, value } from "../kit/command/result.ts";
import { resumeOptions } from "../kit/state/journal.ts";
import { convert, filesArgument, keyColumns } from "./convert.ts";
import { detect, explain, foundColumns } from "./look.ts";
import { widgetCrud } from "./online/crud.ts";
import { widgetDataCommand } from "./online/data.ts";
import { runButtonCommand } from "./online/run-button.ts";
import { widgetTokenCommand } from "./online/token.ts";
import { outcomeColumns } from "./outcome.ts";
import { preview } from "./preview.ts";
import { reportFormats } from "./report.ts";
import { checkedColumns, fieldColumns, schema, typeColumns, types, validate } from "./schemas.ts";

const globOption = {
  name: "glob",
  value: "pattern",
  summary: "of the files in folders, only those that match, such as **/old-*.json",
} as const;
const jobsOption = { name: "jobs", value: "n", summary: "files worked on at a time (default 4)" } as const;

const convertWidgets = defineCommand({
  path: ["convert"],
  asks: "nothing",
  result: either(rows(outcomeColumns), value({ description: "The widgets themselves, where they go to stdout." })),
  effect: "local",
  summary: "Convert legacy widgets to the new structure, offline",
  details:
    "Widgets that have the new structure already are left alone. One file, or stdin, goes to stdout unless told otherwise; " +
    "--in-place keeps a copy beside each file it changes. Indentation and line ends stay as they are. Files of JSON lines " +
    "may be of any size. A widget whose new form would break its schema is left as it is.",
  args: [filesArgument],
  options: [
    { name: "out", value: "folder", summary: "write the results here, under the same names" },
    { name: "in-place", summary: "change the files themselves, keeping a copy of each" },
    { name: "stdout", summary: "write the result to stdout" },
    { name: "check", summary: "write nothing; exit 11 when a widget has the legacy structure" },
    { name: "strict", summary: "fail (exit 3) for a file where a key would be lost, and do not write it" },
    { name: "explain", summary: "tell of every key what became of it" },
    { name: "report", value: "format", summary: "report every widget and key in this format", choices: reportFormats },
    { name: "report-file", value: "file", summary: "write the report here; its ending tells the format" },
    ...resumeOptions,
    globOption,
    jobsOption,
  ],
  groups: ["confirm"],
  examples: [
    "iot widget convert examples/legacy-widgets.json --out converted",
    "cat examples/legacy-widgets.json | iot widget convert -",
    'iot widget convert examples --glob "legacy-*.json" --out converted --report-file report.html --yes',
  ],
  exitCodes: { only: [3, 8, 11] },
  related: ["iot widget detect", "iot widget explain", "iot widget validate"],
  run: convert,
});

const detectWidgets = defineCommand({
  path: ["detect"],
  asks: "nothing",
  result: rows(foundColumns),
  effect: "reads",
  summary: "Show which widgets have the legacy structure, and the keys that prove it",
  args: [filesArgument],
  options: [globOption, jobsOption],
  examples: ["iot widget detect examples/legacy-widgets.json", "iot widget detect examples/legacy-widgets.json --json"],
  exitCodes: [3, 8, 11],
  related: ["iot widget convert"],
  run: detect,
});

const explainWidgets = defineCommand({
  path: ["explain"],
  asks: "nothing",
  result: rows(keyColumns),
  effect: "reads",
  summary: "Tell of every key of the widgets what becomes of it",
  args: [filesArgument],
  options: [globOption, jobsOption, { name: "lost", summary: "only the keys that are not in the new widget" }],
  examples: [
    "iot widget explain examples/legacy-widgets.json",
    "iot widget explain examples/legacy-widgets.json --lost -o json",
  ],
  exitCodes: [3, 8],
  related: ["iot widget convert", "iot widget detect"],
  run: explain,
});

const typeArgument = { name: "type", summary: "a widget type of the new structure, such as angular or line_chart" };

const widgetTypes = defineCommand({
  path: ["types"],
  asks: "nothing",
  result: either(rows(typeColumns), rows(fieldColumns)),
  effect: "reads",
  summary: "List the widget types, or the fields of one type",
  args: [typeArgument],
  groups: ["limit"],
  examples: ["iot widget types", "iot widget types angular"],
  exitCodes: [6],
  related: ["iot widget schema"],
  run: types,
});

const validateWidgets = defineCommand({
  path: ["validate"],
  asks: "nothing",
  result: rows(checkedColumns),
  effect: "reads",
  summary: "Check widgets of the new structure against their schemas",
  args: [filesArgument],
  options: [globOption],
  examples: [
    "iot widget validate examples/current-widgets.json",
    "iot widget convert examples/legacy-widgets.json | iot widget validate -",
    "iot widget convert examples/legacy-widgets.json | iot widget validate - -o json",
  ],
  exitCodes: [3, 8],
  related: ["iot widget schema", "iot widget convert"],
  run: validate,
});

const widgetSchema = defineCommand({
  path: ["schema"],
  asks: "nothing",
  result: value({ type: "object" }),
  effect: "reads",
  summary: "Print the JSON Schema of a widget type, or of any widget",
  args: [typeArgument],
  examples: ["iot widget schema angular", "iot widget schema > widget.schema.json"],
  exitCodes: [6],
  related: ["iot widget validate", "iot widget types"],
  run: schema,
});

const previewWidgets = defineCommand({
  path: ["preview"],
  asks: "nothing",
  result: { shape: "text" },
  effect: "reads",
  summary: "Draw widgets roughly, as they would look",
  details: "Legacy widgets are converted first. Values are made up: the drawing shows the layout, not the data.",
  args: [filesArgument],
  options: [globOption],
  examples: [
    "iot widget preview examples/legacy-widgets.json",
    "iot widget preview examples/legacy-widgets.json --ascii",
  ],
  exitCodes: [3, 8],
  related: ["iot widget convert"],
  run: preview,
});

export const commands: readonly Command[] = [
  ...widgetCrud,
  widgetDataCommand,
  widgetTokenCommand,
  runButtonCommand,
  convertWidgets,
  detectWidgets,
  explainWidgets,
  widgetTypes,
  validateWidgets,
  widgetSchema,
  previewWidgets,
];
