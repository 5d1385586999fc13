import { escapeJson, escapeYaml } from "../../../text/clean.ts";
import { inputError } from "../failures/command-error.ts";
import type { OutputSetup, RowShape, RowWriter } from "./setup.ts";
import { createSink } from "./sink.ts";
import { spreadsheetText } from "./spreadsheet.ts";
import { cellValue, plainText, toJson } from "./values.ts";

/** JSON text for stdout: what could command a terminal or trick an eye is escaped, which JSON reads the same. */
export const jsonText = (value: unknown, indent?: number): string => escapeJson(toJson(value, indent));

/** One JSON document, written as rows arrive. */
export function jsonWriter<Row>(setup: OutputSetup, shape: RowShape<Row>): RowWriter<Row> {
  const sink = createSink(setup.io);
  let count = 0;
  return {
    async row(row) {
      const text = jsonText(shape.record(row), 2).replaceAll("\n", "\n  ");
      count += 1;
      await sink.push(`${count === 1 ? "[" : ","}\n  ${text}`);
    },
    async end() {
      await sink.push(count === 0 ? "[]\n" : "\n]\n");
      await sink.end();
    },
  };
}

export function ndjsonWriter<Row>(setup: OutputSetup, shape: RowShape<Row>): RowWriter<Row> {
  const sink = createSink(setup.io);
  return {
    row: (row) => sink.push(`${jsonText(shape.record(row))}\n`),
    end: () => sink.end(),
  };
}

const names: Readonly<Record<string, string>> = { "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** Tab-separated text: full values, tabs and line breaks written as `\t`, `\n`. */
export function tabWriter<Row>(setup: OutputSetup, shape: RowShape<Row>): RowWriter<Row> {
  const sink = createSink(setup.io);
  const line = (cells: readonly string[]): string =>
    `${cells.map((cell) => cell.replace(/[\t\n\r]/g, (char) => names[char] ?? "")).join("\t")}\n`;
  let isFirst = true;
  return {
    async row(row) {
      const head = isFirst && setup.header ? line(shape.columns.map((column) => column.key)) : "";
      isFirst = false;
      await sink.push(head + line(shape.columns.map((column) => plainText(row, column))));
    },
    end: () => sink.end(),
  };
}

/** One id per line, for `xargs`. */
export function idWriter<Row>(setup: OutputSetup, shape: RowShape<Row>): RowWriter<Row> {
  const sink = createSink(setup.io);
  const column = { key: shape.idKey };
  return {
    async row(row) {
      const text = plainText(row, column);
      if (text === "") {
        throw inputError(`-o id needs "${shape.idKey}", which the result does not have.`, {
          code: "output.no_id",
          next: "Use another format, such as -o json.",
        });
      }
      // A line break inside an id would become two ids for the next program.
      await sink.push(`${text.replace(/[\r\n]+/g, " ")}\n`);
    },
    end: () => sink.end(),
  };
}

/** RFC 4180. `--csv-safe` marks text a spreadsheet would run as a formula. */
export async function csvWriter<Row>(setup: OutputSetup, shape: RowShape<Row>): Promise<RowWriter<Row>> {
  const { csvLines } = await import("../rows/csv.ts");
  const lines = await csvLines();
  const sink = createSink(setup.io);
  const guard = (text: string, value: unknown): string =>
    setup.csvSafe && typeof value === "string" ? spreadsheetText(text) : text;
  let isFirst = true;
  const head = (): string => {
    if (!isFirst) return "";
    isFirst = false;
    return (setup.csvBom ? "\ufeff" : "") + (setup.header ? lines([shape.columns.map(({ key }) => key)]) : "");
  };
  return {
    row: (row) =>
      sink.push(head() + lines([shape.columns.map((column) => guard(plainText(row, column), cellValue(row, column)))])),
    end: () => sink.end(),
  };
}

/** YAML text of plain data; dates become ISO text first, as in every machine format. */
export async function yamlText(value: unknown): Promise<string> {
  // The package is CommonJS: only its default export is there both bundled and unbundled.
  const { Document, visit } = (await import("yaml")).default;
  const document = new Document(JSON.parse(toJson(value)));
  // What is quoted can be escaped, and reads the same.
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === "string" && escapeYaml(node.value) !== node.value) node.type = "QUOTE_DOUBLE";
    },
  });
  return escapeYaml(document.toString({ lineWidth: 0 }));
}

/** A YAML list. Items are written as they arrive. */
export function yamlWriter<Row>(setup: OutputSetup, shape: RowShape<Row>): RowWriter<Row> {
  const sink = createSink(setup.io);
  return {
    row: async (row) => sink.push(await yamlText([shape.record(row)])),
    async end(count) {
      if (count === 0) await sink.push("[]\n");
      await sink.end();
    },
  };
}
