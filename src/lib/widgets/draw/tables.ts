import { get, list, record, type Source } from "../readers.ts";
import { chosen, chosenColor, colorOf } from "./color.ts";
import { formatTime } from "./format.ts";
import { tinted } from "./frame.ts";
import { esc, tag } from "./markup.ts";
import { numberIn, textIn, textOf } from "./read.ts";
import { type Point, type Row, timeIn } from "./records.ts";
import { type Draw, lastReading, reading, type Scene, type Shown, shown, shownOf, withUnit } from "./scene.ts";

const ROW = 33;
const MAX_COLUMNS = 30;

interface Column {
  readonly title: string;
  readonly align: string;
  readonly cell: (row: Row) => string;
}

const alignments: readonly unknown[] = ["center", "right"];

function aligned(value: unknown): string {
  return alignments.includes(value) ? `iot-${String(value)}` : "";
}

function cellOf(scene: Scene, column: Shown, row: Row): string {
  const { settings } = column;
  const point = row.points
    .get(column.variable)
    ?.find(({ origin }) => column.origin === undefined || origin === undefined || origin === column.origin);
  if (point === undefined) {
    const value = get(row.raw, column.variable);
    const ms = typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) ? timeIn(value) : undefined;
    return esc(ms === undefined ? textIn(value) : formatTime(ms, "full", scene.style));
  }
  const found = reading(scene, column, point);
  const met = chosen(get(settings, "icon_conditions"), found.value);
  if (get(settings, "content_type") === "icon")
    return mark(colorOf(get(met, "color"))) + tag("span", { class: "iot-faint" }, esc(withUnit(found)));
  const color =
    get(settings, "override_color") === true ? chosenColor(get(settings, "icon_conditions"), found.value) : undefined;
  return tinted(withUnit(found), color);
}

const mark = (color: string | undefined): string =>
  tag(
    "svg",
    { class: "iot-mark", width: 14, height: 14, viewBox: "0 0 14 14", "aria-hidden": "true" },
    tag("circle", { cx: 7, cy: 7, r: 6, ...(color === undefined ? { class: "iot-accent" } : { fill: color }) }),
  );

/** Rows of variables, newest first; or of devices, users and entities. */
export const dynamicTable: Draw = (scene) => {
  const { d, widget, height } = scene;
  const resources = list(get(widget, "resource")).slice(0, MAX_COLUMNS).map(record);
  const columns = resources.length > 0 ? resources.map((each) => resourceColumn(scene, each)) : variableColumns(scene);
  if (columns.length === 0) return tag("p", { class: "iot-empty" }, "No columns");
  const rows =
    scene.records.rows.length > 0
      ? scene.records.rows.map((raw) => ({ raw, points: none, timeMs: 0 }))
      : scene.records.rowsOf(shownOf(scene).map(({ variable }) => variable));
  const hasSearch = get(d, "show_search") === true;
  const most = Math.max(3, Math.floor((height - 70 - (hasSearch ? 40 : 0)) / ROW));
  const search = hasSearch ? tag("div", { class: "iot-search" }, "Search") : "";
  const head = tag(
    "tr",
    {},
    ...columns.map(({ title, align }) => tag("th", { class: align || undefined, scope: "col" }, esc(title, 60))),
  );
  const body = rows
    .slice(0, most)
    .map((row) =>
      tag("tr", {}, ...columns.map(({ cell, align }) => tag("td", { class: align || undefined }, cell(row)))),
    );
  const foot = rows.length === 0 ? "No data" : rows.length > most ? `${most} of ${rows.length} rows` : "";
  return (
    search +
    table(tag("thead", {}, head) + tag("tbody", {}, ...body)) +
    (foot === "" ? "" : tag("p", { class: rows.length === 0 ? "iot-empty" : "iot-foot" }, foot))
  );
};

const none: ReadonlyMap<string, readonly Point[]> = new Map();
const table = (content: string): string => tag("div", { class: "iot-scroll", tabindex: 0 }, tag("table", {}, content));

function variableColumns(scene: Scene): readonly Column[] {
  return list(get(scene.d, "variables"))
    .slice(0, MAX_COLUMNS)
    .map(record)
    .map((settings, i): Column => {
      const column = shown(settings, i);
      const align = aligned(get(settings, "alignment"));
      if (get(settings, "is_date") === true) {
        return {
          title: textOf(settings, "alias") || "Date and Time",
          align,
          cell: ({ timeMs }) => (timeMs === 0 ? "" : esc(formatTime(timeMs, "full", scene.style))),
        };
      }
      if (get(settings, "is_control") === true) {
        const names = [
          get(settings, "show_edit") === true ? "Edit" : "",
          get(settings, "show_delete") === true ? "Delete" : "",
        ].filter((name) => name !== "");
        return {
          title: textOf(settings, "alias") || "Controls",
          align,
          cell: () => names.map((name) => tag("span", { class: "iot-pill" }, name)).join(" "),
        };
      }
      return { title: column.name, align, cell: (row) => cellOf(scene, column, row) };
    });
}

const DATE = /^\d{4}-\d\d-\d\dT[\d:.]{5,12}Z$/;

function resourceColumn({ style }: Scene, resource: Source): Column {
  const view = textOf(resource, "view") || "name";
  return {
    title: textOf(resource, "label", "alias") || view.replace(/^(?:tags|param)\./, ""),
    align: "",
    cell: ({ raw }) => {
      const text = textIn(get(raw, view));
      const ms = DATE.test(text) ? Date.parse(text) : Number.NaN;
      return esc(Number.isNaN(ms) ? text : formatTime(ms, "full", style));
    },
  };
}

const MAX_CELLS = 400;
const MAX_SIDE = 30;

/** Cells at their places. */
export const staticTable: Draw = (scene) => {
  const cells = list(get(scene.d, "variables")).slice(0, MAX_CELLS).map(record);
  const rows: string[][] = [];
  let columns = 0;
  for (const cell of cells) {
    const { x, y } = {
      x: numberIn(get(record(get(cell, "position")), "x")),
      y: numberIn(get(record(get(cell, "position")), "y")),
    };
    if (x === undefined || y === undefined || !(x >= 0 && x < MAX_SIDE && y >= 0 && y < MAX_SIDE)) continue;
    const row = rows[Math.trunc(y)] ?? [];
    rows[Math.trunc(y)] = row;
    row[Math.trunc(x)] = staticCell(scene, cell);
    columns = Math.max(columns, Math.trunc(x) + 1);
  }
  if (columns === 0) return tag("p", { class: "iot-empty" }, "No cells");
  const empty = "<td></td>";
  const lines = Array.from(rows, (row) =>
    tag("tr", {}, ...Array.from({ length: columns }, (_, x) => row?.[x] ?? empty)),
  );
  return table(tag("tbody", { class: "iot-cells" }, ...lines));
};

function staticCell(scene: Scene, settings: Source): string {
  const attributes = { class: aligned(get(settings, "alignment")) || undefined };
  if (get(settings, "data_type") !== "variable") {
    const text = esc(textIn(get(settings, "text_content")));
    return tag("td", attributes, get(settings, "show_bold") === true ? `<b>${text}</b>` : text);
  }
  const last = lastReading(scene, shown(settings, 0));
  const value = last === undefined ? "–" : withUnit(last);
  if (get(settings, "content_type") !== "icon") return tag("td", attributes, esc(value));
  return tag(
    "td",
    attributes,
    mark(chosenColor(get(settings, "icon_conditions"), last?.value)),
    tag("span", { class: "iot-faint" }, esc(value)),
  );
}
