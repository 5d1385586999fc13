import { EMPTY, get, list, record, type Source } from "../readers.ts";
import { chosen, chosenColor } from "./color.ts";
import { formatTime, valueText } from "./format.ts";
import { tinted } from "./frame.ts";
import { iconIn, mark } from "./icons.ts";
import { structureOf } from "./legacy.ts";
import { esc, tag } from "./markup.ts";
import { numberIn, textIn, textOf } from "./read.ts";
import { type Point, Records, type Row } from "./records.ts";
import {
  type Draw,
  lastReading,
  reading,
  type Scene,
  type Shown,
  shown,
  shownOf,
  styleFor,
  withUnit,
} from "./scene.ts";

const ROW = 33;
const MAX_COLUMNS = 30;

/** A column of a table whose rows are drawn, or shown with controls in a page. */
export interface TableColumn {
  /** Its index: names may occur twice. */
  readonly key: string;
  readonly title: string;
  readonly align: string;
  /** Its entry in the display, or that of a listed resource. */
  readonly settings: Source;
  /** Buttons of the rows, not values. */
  readonly isControl: boolean;
  /** A cell as HTML; everything in it is escaped. */
  readonly cell: (row: Row) => string;
  /** What rows are sorted and searched by. */
  readonly value: (row: Row) => unknown;
  /** The record in a cell. */
  readonly point: (row: Row) => Point | undefined;
}

/** Columns and all rows of a table. */
export interface TableReading {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly Row[];
}

const alignments: readonly unknown[] = ["center", "right"];

function aligned(value: unknown): string {
  return alignments.includes(value) ? `iot-${String(value)}` : "";
}

function cellOf(scene: Scene, column: Shown, row: Row): string {
  const { settings } = column;
  const point = pointIn(column, row);
  if (point === undefined) return textCell(get(row.raw, column.variable), scene.style);
  const found = reading(scene, column, point);
  const met = chosen(get(settings, "icon_conditions"), found.value);
  if (get(settings, "content_type") === "icon")
    return mark(get(met, "color"), iconIn(met)) + tag("span", { class: "iot-faint" }, esc(withUnit(found)));
  const color =
    get(settings, "override_color") === true ? chosenColor(get(settings, "icon_conditions"), found.value) : undefined;
  const text = withUnit(found);
  return text === "" ? NONE : tinted(text, color);
}

function pointIn({ variable, origin: wanted }: Shown, { points }: Row): Point | undefined {
  return points.get(variable)?.find(({ origin }) => wanted === undefined || origin === undefined || origin === wanted);
}

/** A field of a listed device, user or entity row, or a value; what is not there is a dash. */
function textCell(value: unknown, style: Scene["style"]): string {
  const text = valueText(value, style);
  return text === "" ? NONE : esc(text);
}

const NONE = tag("span", { class: "iot-faint" }, "–");

/** Rows of variables, newest first; or of devices, users and entities. */
export const dynamicTable: Draw = (scene) => {
  const { d, height } = scene;
  const { columns, rows } = tableOf(scene);
  if (columns.length === 0) return tag("p", { class: "iot-empty" }, "No columns");
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

function tableOf(scene: Scene): TableReading {
  const resources = list(get(scene.widget, "resource")).slice(0, MAX_COLUMNS).map(record);
  const columns =
    resources.length > 0 ? resources.map((each, i) => resourceColumn(scene, each, i)) : variableColumns(scene);
  const listed = mergedRows(scene.records.rows);
  const rows = listed.length > 0 ? listed : scene.records.rowsOf(shownOf(scene).map(({ variable }) => variable));
  return { columns, rows };
}

/** One row for each device, user or entity row: every column of the list brings all of them. */
function mergedRows(rows: readonly Source[]): readonly Row[] {
  const merged = new Map<unknown, Source>();
  for (const [place, row] of rows.entries()) {
    const id = textOf(row, "device", "user", "id") || place;
    merged.set(id, { ...merged.get(id), ...row });
  }
  return [...merged.values()].map((raw) => ({ raw, points: none, timeMs: 0 }));
}

/** The columns of a dynamic table with all its rows, for a page that shows them with controls of its own. */
export function readTable(widget: unknown, data: unknown): TableReading {
  const source = record(widget);
  const { type, d } = structureOf(source);
  const records = new Records(data);
  const style = styleFor(source);
  return tableOf({
    ...{ widget: source, type, d, records, style },
    ...{ colors: EMPTY, nowMs: 0, width: 0, height: 0, images: () => undefined, hasLabel: false },
  });
}

const none: ReadonlyMap<string, readonly Point[]> = new Map();
const table = (content: string): string => tag("div", { class: "iot-scroll", tabindex: 0 }, tag("table", {}, content));

function variableColumns(scene: Scene): readonly TableColumn[] {
  return list(get(scene.d, "variables"))
    .slice(0, MAX_COLUMNS)
    .map(record)
    .map((settings, i): TableColumn => {
      const column = shown(settings, i);
      const align = aligned(get(settings, "alignment"));
      const shared = { key: String(i), align, settings, isControl: false, point: () => undefined };
      if (get(settings, "is_date") === true) {
        return {
          ...shared,
          title: textOf(settings, "alias") || "Date and Time",
          cell: ({ timeMs }) => (timeMs === 0 ? NONE : esc(formatTime(timeMs, "full", scene.style))),
          value: ({ timeMs }) => timeMs,
        };
      }
      if (get(settings, "is_control") === true) {
        const names = [
          get(settings, "show_edit") === true ? "Edit" : "",
          get(settings, "show_delete") === true ? "Delete" : "",
        ].filter((name) => name !== "");
        return {
          ...shared,
          title: textOf(settings, "alias") || "Controls",
          isControl: true,
          cell: () => names.map((name) => tag("span", { class: "iot-pill" }, name)).join(" "),
          value: () => "",
        };
      }
      const point = (row: Row): Point | undefined => pointIn(column, row);
      return {
        ...shared,
        title: column.name,
        cell: (row) => cellOf(scene, column, row),
        value: (row) => {
          const found = point(row);
          return found === undefined ? get(row.raw, column.variable) : reading(scene, column, found).value;
        },
        point,
      };
    });
}

function resourceColumn({ style }: Scene, resource: Source, place: number): TableColumn {
  const view = textOf(resource, "view") || "name";
  return {
    key: String(place),
    title: textOf(resource, "label", "alias") || headingOf(view),
    align: "",
    settings: resource,
    isControl: false,
    cell: ({ raw }) => textCell(get(raw, view), style),
    value: ({ raw }) => get(raw, view),
    point: () => undefined,
  };
}

/** `last_input` is "Last input"; keys of tags and parameters are what somebody has called them. */
function headingOf(view: string): string {
  const key = view.replace(/^(?:tags|param)\./, "");
  return key === view ? view.charAt(0).toUpperCase() + view.slice(1).replaceAll("_", " ") : key;
}

const MAX_CELLS = 400;
const MAX_SIDE = 30;

/** Cells at their positions. */
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
  const value = (last === undefined ? "" : withUnit(last)) || "–";
  const met = chosen(get(settings, "icon_conditions"), last?.value);
  if (get(settings, "content_type") !== "icon") return tag("td", attributes, esc(value));
  return tag("td", attributes, mark(get(met, "color"), iconIn(met)), tag("span", { class: "iot-faint" }, esc(value)));
}
