import { cleanLine, cleanText } from "../../../text/clean.ts";
import { withLinks } from "../../../text/link.ts";
import { padEnd, prepareWidths, widthOf } from "../../../text/width.ts";
import type { Column, ScreenTable } from "../command/columns.ts";
import type { OutputSetup, RowShape, RowWriter } from "./setup.ts";
import { painter } from "./style.ts";
import { drawTable, type TableColumn, type TableLayout } from "./table.ts";
import { showAge, showTime, showTimeAndAge } from "./times.ts";
import { asDate, cellValue, plainText } from "./values.ts";

/** A value as people read it in one line. `showInexact` is for times that are not marked as exact. */
function displayText<Row>(row: Row, column: Column<Row>, setup: OutputSetup, showInexact: typeof showTime): string {
  const value = cellValue(row, column);
  if (value === undefined || value === null) return "";
  const isTime = column.kind === "time" || value instanceof Date;
  const moment = isTime ? asDate(value) : undefined;
  if (moment !== undefined) return (column.exact === true ? showTime : showInexact)(moment, setup.time);
  if (column.kind === "flag" && typeof value === "boolean") return value ? "yes" : "no";
  return cleanLine(plainText(row, column));
}

export function headerOf<Row>(column: Column<Row>): string {
  return column.header ?? column.key;
}

const isText = ({ kind = "text" }: Pick<Column<unknown>, "kind">): boolean => ["text", "tags", "json"].includes(kind);

function tableColumns<Row>(columns: readonly Column<Row>[]): readonly TableColumn[] {
  const main = columns.find(({ rank }) => rank === 1) ?? columns.find(isText);
  return columns.map((column) => ({
    header: cleanLine(headerOf(column)),
    isNumber: column.kind === "number",
    rank: column.rank ?? (column.kind === "id" || column.kind === "secret" || column === main ? 1 : 2),
    mayShrink: isText(column),
  }));
}

/** Rows that decide the widths; later rows keep to them, so that a stream needs no more memory than this. */
const rowsForWidths = 200;

/** A table fitted to the terminal. */
export function tableWriter<Row>(setup: OutputSetup, shape: RowShape<Row>): RowWriter<Row> {
  const columns = tableColumns(shape.columns);
  const style = { width: setup.io.columns(), bold: setup.bold, ascii: setup.ascii };
  let waiting: string[][] = [];
  let layout: TableLayout | undefined;

  async function draw(): Promise<void> {
    const options = layout === undefined ? { header: setup.header } : { header: false, layout };
    const drawn = await drawTable(columns, waiting, style, options);
    layout = drawn.layout;
    waiting = [];
    await setup.io.write(setup.links ? withLinks(drawn.text) : drawn.text);
  }

  return {
    async row(row) {
      waiting.push(shape.columns.map((column) => displayText(row, column, setup, showAge)));
      if (waiting.length >= rowsForWidths) await draw();
    },
    async end() {
      if (waiting.length > 0) await draw();
      const left = columns
        .filter((_, i) => layout !== undefined && !layout.shown.includes(i))
        .map(({ header }) => header);
      if (left.length > 0)
        setup.say.hint(`Columns hidden for lack of space: ${left.join(", ")}. Choose columns with --fields.`);
    },
  };
}

/** Text cut shorter than this says nothing, and what a row is called has to be recognized by other names. */
const LEAST_TEXT = 12;
const LEAST_NAME = 20;

/** The table for a screen, which lays it out again for every window. Empty columns leave first, then as `rank` says. */
export async function screenTable<Row>(
  setup: OutputSetup,
  shape: Pick<RowShape<Row>, "columns">,
  rows: readonly Row[],
): Promise<ScreenTable<Row>> {
  const cells = (row: Row) => shape.columns.map((column) => displayText(row, column, setup, showAge));
  const texts = rows.map(cells);
  await prepareWidths(texts.flat());
  const columns = tableColumns(shape.columns).map(({ header, isNumber, rank, mayShrink }, i) => {
    const widest = Math.max(widthOf(header), ...texts.map((row) => widthOf(row[i] ?? "")));
    const isEmpty = rows.length > 0 && texts.every((row) => (row[i] ?? "") === "");
    const leaving = isEmpty ? 3 : rank - 1;
    return {
      title: header,
      ...(isNumber ? ({ align: "right" } as const) : {}),
      least: mayShrink ? Math.min(widest, rank === 1 ? LEAST_NAME : LEAST_TEXT) : widest,
      // Of each kind the last column leaves first.
      leaves: leaving === 0 ? 0 : leaving * shape.columns.length + i,
    };
  });
  return { columns, cells };
}

/** "field: value" lines: one resource on a terminal, and every table with `--accessible`. */
export function blockWriter<Row>(setup: OutputSetup, shape: RowShape<Row>): RowWriter<Row> {
  let isFirst = true;
  return {
    async row(row) {
      const cells = shape.columns.map(
        (column) => [cleanLine(headerOf(column)), displayText(row, column, setup, showTimeAndAge)] as const,
      );
      await prepareWidths(cells.flat());
      const width = Math.max(...cells.map(([name]) => widthOf(name))) + 1;
      const paint = await painter(setup.bold);
      const lines = cells.map(([name, text]) => {
        const label = setup.accessible ? `${name}:` : padEnd(`${name}:`, width);
        return `${paint(label, "bold")} ${text}`.trimEnd();
      });
      const text = `${isFirst ? "" : "\n"}${lines.join("\n")}\n`;
      await setup.io.write(setup.links ? withLinks(text) : text);
      isFirst = false;
    },
    end: () => Promise.resolve(),
  };
}

/** A Markdown table. */
export function markdownWriter<Row>(setup: OutputSetup, shape: RowShape<Row>): RowWriter<Row> {
  const cell = (text: string): string =>
    cleanText(text).replace(/\\/g, "\\\\").replace(/\|/g, "\\|").replace(/</g, "&lt;").replace(/\n/g, "<br>");
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
  let hasHeader = false;
  return {
    async row(row) {
      const head = hasHeader
        ? ""
        : line(shape.columns.map((column) => cell(headerOf(column)))) +
          line(shape.columns.map((column) => (column.kind === "number" ? "--:" : "---")));
      hasHeader = true;
      await setup.io.write(head + line(shape.columns.map((column) => cell(plainText(row, column)))));
    },
    end: () => Promise.resolve(),
  };
}
