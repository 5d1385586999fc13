import { cleanLine } from "../../../text/clean.ts";
import { objectOf } from "../files/files.ts";

export interface DrawingArea {
  /** Only characters every terminal has. */
  readonly ascii: boolean;
  /** Cells there are. */
  readonly width: number;
  /** Cells a text takes. */
  readonly widthOf: (text: string) => number;
}

type Fields = Readonly<Record<string, unknown>>;

/** What a family of widgets is drawn with. */
interface Pen {
  readonly d: Fields;
  readonly paper: DrawingArea;
  /** Cells between the edges. */
  readonly inner: number;
  /** A character, or its plain alternative. */
  pick(nice: string, plain: string): string;
  cut(text: string): string;
}

type Draw = (pen: Pen) => readonly string[];

const MAX_WIDTH = 64;
const MIN_WIDTH = 24;
const MAX_ROWS = 8;

/** A widget as a box of characters. The values in it are made up. */
export function drawWidget(widget: unknown, paper: DrawingArea): string[] {
  const fields = objectOf(widget);
  const inner = Math.max(MIN_WIDTH, Math.min(paper.width, MAX_WIDTH)) - 4;
  const type = textOf(fields["type"]) || "widget";
  const pen: Pen = {
    d: objectOf(fields["display"]),
    paper,
    inner,
    pick: (nice, plain) => (paper.ascii ? plain : nice),
    cut: (text) => cut(text, inner, paper),
  };
  const [h, v] = [pen.pick("─", "-"), pen.pick("│", "|")];
  const name = ` ${cut(textOf(fields["label"]) || type, inner - 2, paper)} `;
  const kind = ` ${cleanLine(type, inner - 2)} `;
  const edge = (left: string, text: string, right: string): string =>
    left + h + text + h.repeat(Math.max(0, inner + 1 - paper.widthOf(text))) + right;
  const lines = (families[type] ?? other)(pen).map((line) => `${v} ${pad(pen.cut(line), inner, paper)} ${v}`);
  return [
    edge(pen.pick("┌", "+"), name, pen.pick("┐", "+")),
    ...lines,
    edge(pen.pick("└", "+"), kind, pen.pick("┘", "+")),
  ];
}

function cut(text: string, cells: number, paper: DrawingArea): string {
  const clean = cleanLine(text, 500);
  const line = paper.ascii ? clean.replace(/[^\x20-\x7e]/gu, "?") : clean;
  if (paper.widthOf(line) <= cells) return line;
  const chars = [...line];
  while (chars.length > 0 && paper.widthOf(chars.join("")) > cells - 1) chars.pop();
  return `${chars.join("")}${paper.ascii ? "~" : "…"}`;
}

const pad = (text: string, cells: number, paper: DrawingArea): string =>
  text + " ".repeat(Math.max(0, cells - paper.widthOf(text)));

function center(text: string, { inner, paper }: Pen): string {
  return " ".repeat(Math.max(0, Math.floor((inner - paper.widthOf(text)) / 2))) + text;
}

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(objectOf) : []);

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** The names of what is shown: aliases first. */
function namesOf({ d }: Pen): string[] {
  const variables = listOf(d["variables"]).slice(0, MAX_ROWS);
  return variables.map((each) => textOf(each["alias"]) || textOf(each["variable"]) || "variable");
}

const unitOf = (d: Fields): string => textOf(objectOf(d["formula"])["fixed_unit"]) || textOf(d["unit"]);

function decimalsOf(d: Fields): number {
  const decimals = Number(objectOf(d["number_format"])["decimals"]);
  return decimals > 0 && decimals <= 6 ? decimals : 0;
}

const gauge: Draw = (pen) => {
  const range = objectOf(pen.d["range"]);
  const least = textOf(range["minimum"]) || "min";
  const most = textOf(range["maximum"]) || "max";
  const middle = (Number(range["minimum"]) + Number(range["maximum"])) / 2;
  const value = Number.isFinite(middle) ? middle.toFixed(decimalsOf(pen.d)) : "?";
  const size = Math.max(6, pen.inner - pen.paper.widthOf(least) - pen.paper.widthOf(most) - 4);
  const filled = Math.floor(size / 2);
  const bar = pen.pick("█", "#").repeat(filled) + pen.pick("░", ".").repeat(size - filled);
  return [
    center(`${value} ${unitOf(pen.d)}`.trim(), pen),
    `${least} [${bar}] ${most}`,
    center(textOf(pen.d["alias"]), pen),
  ];
};

const wave = [2, 3, 5, 6, 7, 6, 4, 3, 2, 1, 2, 4];

const chart: Draw = (pen) => {
  const levels = pen.pick("▁▂▃▄▅▆▇█", "_.-=+*%#");
  const size = pen.inner - 3;
  const line = Array.from({ length: size }, (_, i) => [...levels][wave[i % wave.length] ?? 0] ?? " ").join("");
  const axis = pen.pick("│", "|");
  const legend = namesOf(pen).map((name) => `${pen.pick("●", "*")} ${name}`);
  const base = pen.pick("└", "+") + pen.pick("─", "-").repeat(size);
  return [`${axis} ${line}`, base, legend.join("  ") || "no variables"];
};

const bars: Draw = (pen) => {
  const names = namesOf(pen);
  const width = Math.min(20, Math.max(4, ...names.map(pen.paper.widthOf)));
  const size = Math.max(4, pen.inner - width - 3);
  const rows = names.map((name, i) => {
    const long = Math.max(1, Math.floor((size * ((wave[i % wave.length] ?? 1) + 1)) / 9));
    return `${pad(cut(name, width, pen.paper), width, pen.paper)} ${pen.pick("│", "|")}${pen.pick("█", "#").repeat(long)}`;
  });
  return rows.length > 0 ? rows : ["no variables"];
};

const pie: Draw = (pen) => {
  const names = namesOf(pen);
  const share = names.length === 0 ? 0 : Math.floor(100 / names.length);
  const marks = [..."●○◆◇■□▲△"];
  const plain = [..."*o+x#@%&"];
  return names.length === 0
    ? ["no variables"]
    : names.map((name, i) => `${pen.pick(marks[i % 8] ?? "●", plain[i % 8] ?? "*")} ${share} %  ${name}`);
};

function grid(pen: Pen, rows: readonly (readonly string[])[]): readonly string[] {
  const columns = Math.max(1, ...rows.map((row) => row.length));
  const shown = Math.min(columns, Math.max(1, Math.floor(pen.inner / 8)));
  const cells = Math.floor((pen.inner + 1) / shown) - 3;
  const [h, v, cross] = [pen.pick("─", "-"), pen.pick("│", "|"), pen.pick("┼", "+")];
  const line = (row: readonly string[]): string =>
    Array.from({ length: shown }, (_, i) => pad(cut(row[i] ?? "", cells, pen.paper), cells, pen.paper)).join(` ${v} `);
  const [head = [], ...body] = rows;
  const rule = Array.from({ length: shown }, () => h.repeat(cells)).join(`${h}${cross}${h}`);
  return [line(head), rule, ...body.map(line)];
}

const dynamicTable: Draw = (pen) => {
  const names = listOf(pen.d["variables"])
    .filter((column) => column["is_control"] !== true)
    .map((column) => textOf(column["alias"]) || textOf(objectOf(column["data"])["variable"]) || textOf(column["id"]));
  const dots = names.map(() => "...");
  return names.length === 0 ? ["no columns"] : grid(pen, [names, dots, dots]);
};

const staticTable: Draw = (pen) => {
  const rows: string[][] = [];
  for (const cell of listOf(pen.d["variables"])) {
    const { x, y } = objectOf(cell["position"]);
    if (typeof x !== "number" || typeof y !== "number" || !(x >= 0 && x < 20 && y >= 0 && y < MAX_ROWS)) continue;
    const row = rows[Math.floor(y)] ?? [];
    row[Math.floor(x)] = textOf(cell["text_content"]) || `[${textOf(objectOf(cell["data"])["variable"])}]`;
    rows[Math.floor(y)] = row;
  }
  return rows.length === 0
    ? ["no cells"]
    : grid(
        pen,
        Array.from(rows, (row) => Array.from(row ?? [], (text) => text ?? "")),
      );
};

const card: Draw = (pen) => {
  const unit = unitOf(pen.d);
  const shape = pen.d["show_chart"] === true ? [center(pen.pick("▂▃▅▆▇▆▅▃▂", "_.-=+=-._"), pen)] : [];
  return [
    center(textOf(pen.d["alias"]), pen),
    center(`${(42).toFixed(decimalsOf(pen.d))} ${unit}`.trim(), pen),
    ...shape,
  ];
};

const values: Draw = (pen) => {
  const rows = namesOf(pen).map((name) => `${name}: ...`);
  return rows.length === 0 ? ["no variables"] : rows;
};

const map: Draw = (pen) => {
  const land = Array.from({ length: 4 }, (_, y) =>
    Array.from({ length: pen.inner }, (__, x) => ((x * 7 + y * 13) % 11 < 2 ? pen.pick("·", ".") : " ")),
  );
  for (const [i] of namesOf(pen).entries()) {
    const row = land[(i * 2 + 1) % 4];
    if (row !== undefined) row[Math.floor(((i + 1) * pen.inner) / (MAX_ROWS + 1))] = pen.pick("◉", "@");
  }
  return [...land.map((row) => row.join("")), namesOf(pen).join(", ")];
};

const form: Draw = (pen) => {
  const fields = listOf(pen.d["sections"]).flatMap((section) => listOf(section["fields"]));
  const rows = fields.slice(0, MAX_ROWS).map((field) => {
    const type = textOf(field["type"]);
    if (type === "hidden" || type === "validation") return "";
    const label = `${textOf(field["label"]) || type}${field["required"] === true ? " *" : ""}`;
    if (type === "switch") return `(${pen.pick("●", "*")}  ) ${label}`;
    if (type === "checkbox") return `[ ] ${label}`;
    return `${label}: [${type.startsWith("dropdown") ? `____ ${pen.pick("▾", "v")}` : "_____"}]`;
  });
  const buttons = listOf(pen.d["buttons"]).map((button) => `[ ${textOf(button["text"]) || "Send"} ]`);
  return [
    ...rows.filter((row) => row !== ""),
    ...(fields.length > MAX_ROWS ? [`${fields.length - MAX_ROWS} more`] : []),
    buttons.join(" "),
  ];
};

const button: Draw = (pen) => {
  const { d } = pen;
  const state = objectOf(d["state_one"]);
  if (d["limit"] !== undefined) return [center(`[ - ]  0 ${textOf(d["unit"])}  [ + ]`, pen)];
  return [center(`(( ${textOf(state["label"]) || textOf(state["value"]) || textOf(d["alias"]) || "push"} ))`, pen)];
};

const keypad: Draw = (pen) =>
  ["[1] [2] [3]", "[4] [5] [6]", "[7] [8] [9]", "[*] [0] [#]"].map((row) => center(row, pen));

const note: Draw = (pen) => {
  const { value } = pen.d;
  const parts = listOf(objectOf(value)["ops"]).map((part) => textOf(part["insert"]));
  const text = typeof value === "string" ? value.replace(/<[^>]{0,500}>/g, " ") : parts.join("");
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length === 0 ? ["(empty)"] : lines.slice(0, MAX_ROWS);
};

const picture: Draw = (pen) => {
  const source = objectOf(pen.d["source"]);
  const address = textOf(source["static_image"]) || textOf(source["static_video"]) || textOf(pen.d["image_url"]);
  return [center(pen.pick("◢◣", "/\\"), pen), center(pen.pick("◢██◣", "/##\\"), pen), address];
};

const tile: Draw = (pen) => [center(textOf(pen.d["title"]) || "tile", pen), center(textOf(pen.d["url"]), pen)];
const page: Draw = (pen) => [center("web page", pen), textOf(pen.d["url"])];
const clock: Draw = (pen) => [center("12:34:56", pen)];
const other: Draw = () => ["No preview for this type."];

const families: Readonly<Record<string, Draw>> = Object.assign(Object.create(null) as Record<string, Draw>, {
  angular: gauge,
  solid: gauge,
  "vu-meter": gauge,
  dial: gauge,
  cylinder: gauge,
  grainbin: gauge,
  clock,
  line_chart: chart,
  area_chart: chart,
  multiple_axis_chart: chart,
  horizontal_bar_chart: bars,
  vertical_bar_chart: bars,
  pie,
  semidonut: pie,
  dynamic_table: dynamicTable,
  static_table: staticTable,
  card,
  display: values,
  icon: values,
  map,
  heat_map: map,
  image_marker: map,
  compose: map,
  form,
  control: form,
  push_button: button,
  step_button: button,
  keypad,
  note,
  image: picture,
  video: picture,
  tile,
  iframe: page,
} satisfies Record<string, Draw>);
