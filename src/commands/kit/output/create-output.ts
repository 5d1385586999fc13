import { cleanOutput, cleanText } from "../../../text/clean.ts";
import { countOf, countText } from "../../../text/count.ts";
import { withLinks } from "../../../text/link.ts";
import type { Column, ListOptions, Output, ScreenTable } from "../command/columns.ts";
import { emptyText } from "./empty.ts";
import { fieldColumns, fieldRows, wantsHelp, withKnownFields } from "./fields.ts";
import {
  csvWriter,
  idWriter,
  jsonText,
  jsonWriter,
  ndjsonWriter,
  tabWriter,
  yamlText,
  yamlWriter,
} from "./machines.ts";
import { blockWriter, markdownWriter, screenTable, tableWriter } from "./people.ts";
import { mapRows, secretMask } from "./secrets.ts";
import type { Format, OutputSetup, RowShape, RowWriter } from "./setup.ts";
import { createSink } from "./sink.ts";
import { fillTemplate, parseTemplate } from "./template.ts";
import { orderKeys, pickFields, toJson } from "./values.ts";

type ShapeOptions<Row> = Pick<ListOptions<Row>, "columns" | "idKey">;

function shapeOf<Row extends object>(
  setup: OutputSetup,
  options: ShapeOptions<Row>,
  withHidden: boolean,
): RowShape<Row> {
  const { fields } = setup;
  const { columns } = options;
  const shown =
    fields === undefined
      ? columns.filter((column) => withHidden || column.hidden !== true)
      : fields.map((field) => columns.find((column) => column.key === field) ?? { key: field });
  return {
    columns: shown,
    idKey: options.idKey ?? "id",
    record: (row) => (fields === undefined ? orderKeys(row, columns) : pickFields(row, fields, columns)),
  };
}

async function rowWriter<Row>(setup: OutputSetup, shape: RowShape<Row>, isItem: boolean): Promise<RowWriter<Row>> {
  switch (setup.format) {
    case "json":
      return jsonWriter(setup, shape);
    case "ndjson":
      return ndjsonWriter(setup, shape);
    case "csv":
      return csvWriter(setup, shape);
    case "tsv":
      return tabWriter(setup, shape);
    case "yaml":
      return yamlWriter(setup, shape);
    case "md":
      return markdownWriter(setup, shape);
    case "id":
      return idWriter(setup, shape);
    case "template":
      return templateWriter(setup, shape);
    case "table":
      if (!setup.io.stdoutIsTerminal) return tabWriter(setup, shape);
      return isItem || setup.accessible ? blockWriter(setup, shape) : tableWriter(setup, shape);
  }
}

function templateWriter<Row>(setup: OutputSetup, shape: RowShape<Row>): RowWriter<Row> {
  const pieces = parseTemplate(setup.template ?? "");
  const sink = createSink(setup.io);
  return { row: (row) => sink.push(fillTemplate(pieces, shape.record(row))), end: () => sink.end() };
}

const shownText = ({ io }: OutputSetup, text: string): string =>
  io.stdoutIsTerminal ? cleanText(text) : cleanOutput(text, false);

async function writeJq(setup: OutputSetup, value: unknown): Promise<void> {
  const { runJq } = await import("./jq.ts");
  const results = await runJq(value, setup.jq ?? ".");
  const isExact = setup.isAsked && (setup.format === "json" || setup.format === "ndjson");
  const text = (result: unknown): string => {
    if (typeof result === "string" && !isExact) return shownText(setup, result);
    return jsonText(result, setup.format === "ndjson" || !isExact ? undefined : 2);
  };
  await setup.io.write(results.map((result) => `${text(result)}\n`).join(""));
}

/** The first rows of a list that is there as a whole, where `--limit` asks for that. Other lists read no more than that. */
function limited<Row>(
  { limit, say }: OutputSetup,
  rows: readonly Row[] | AsyncIterable<Row>,
): readonly Row[] | AsyncIterable<Row> {
  if (limit === undefined || !isArray(rows) || rows.length <= limit) return rows;
  say.hint(`${countText(limit)} of ${countOf(rows.length, "row")} shown; raise --limit to see more.`);
  return rows.slice(0, limit);
}

function whyEmpty({ limit, page = 1 }: OutputSetup, empty: string): string {
  return emptyText(limit, page > 1 ? `No rows on page ${countText(page)}.` : empty);
}

async function gather<Row>(rows: readonly Row[] | AsyncIterable<Row>): Promise<readonly Row[]> {
  if (isArray(rows)) return rows;
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

function isArray<Row>(rows: readonly Row[] | AsyncIterable<Row>): rows is readonly Row[] {
  return Array.isArray(rows);
}

/** Formats that need no cleaning: JSON and YAML escape by themselves, tables of a terminal are cleaned cell by cell. */
const safeFormats = {
  terminal: new Set<Format>(["json", "ndjson", "yaml", "table"]),
  // Cells are exact for the next program.
  pipe: new Set<Format>(["json", "ndjson", "yaml", "csv"]),
} as const;

function cleaned(setup: OutputSetup): OutputSetup {
  const { io, format } = setup;
  const { stdoutIsTerminal } = io;
  if (safeFormats[stdoutIsTerminal ? "terminal" : "pipe"].has(format)) return setup;
  const write: typeof io.write = (text) =>
    io.write(typeof text === "string" ? cleanOutput(text, stdoutIsTerminal) : text);
  return { ...setup, io: { write, stdoutIsTerminal, columns: () => io.columns() } };
}

/** Writes a table through the user's pager, where there is one. What is said meanwhile is said afterwards. */
async function inPager(setup: OutputSetup, write: (setup: OutputSetup) => Promise<void>): Promise<void> {
  if (setup.pager === undefined || setup.format !== "table") return write(setup);
  const pager = setup.pager();
  const said: (() => void)[] = [];
  const later = (tell: (text: string, file?: string) => void) => (text: string, file?: string) =>
    void said.push(() => tell(text, file));
  const { info, warning, hint, detail } = setup.say;
  const say = { info: later(info), warning: later(warning), hint: later(hint), detail: later(detail) };
  const io: OutputSetup["io"] = {
    write: (text) => pager.write(text),
    stdoutIsTerminal: true,
    columns: () => setup.io.columns(),
  };
  try {
    await write({ ...setup, io, say });
  } finally {
    await pager.close();
    for (const tell of said) tell();
  }
}

/** The result side of a command. */
export function createOutput(setup: OutputSetup): Output {
  return new CommandOutput(setup);
}

class CommandOutput implements Output {
  readonly format: Format;
  readonly #chosen: OutputSetup;
  readonly #setup: OutputSetup;

  constructor(chosen: OutputSetup) {
    this.#chosen = chosen;
    this.#setup = cleaned(chosen);
    this.format = chosen.format;
  }

  async list<Row extends object>(
    given: readonly Row[] | AsyncIterable<Row>,
    options: ListOptions<Row>,
  ): Promise<number> {
    const setup = this.#setup;
    if (wantsHelp(setup)) {
      await this.#listFields(options.columns);
      return 0;
    }
    const shape = shapeOf(setup, options, false);
    const chosen = await withKnownFields(setup, limited(setup, given), options.columns);
    const rows = mapRows(chosen, secretMask(setup, options.columns));
    if (setup.jq !== undefined && setup.format !== "ndjson") {
      const all = await gather(rows);
      await writeJq(
        setup,
        all.map((row) => shape.record(row)),
      );
      return this.#afterList(all.length, options);
    }
    if (setup.jq !== undefined) {
      let count = 0;
      for await (const row of rows) {
        await writeJq(setup, shape.record(row));
        count += 1;
      }
      return this.#afterList(count, options);
    }
    let count = 0;
    await inPager(setup, async (paged) => {
      const writer = await rowWriter(paged, shape, false);
      for await (const row of rows) {
        await writer.row(row);
        count += 1;
      }
      await writer.end(count);
    });
    return this.#afterList(count, options);
  }

  async table<Row extends object>(rows: readonly Row[], columns: readonly Column<Row>[]): Promise<ScreenTable<Row>> {
    const setup = this.#setup;
    await withKnownFields(setup, rows, columns);
    const mask = secretMask(setup, columns);
    const { columns: shown, cells } = await screenTable(setup, shapeOf(setup, { columns }, false), rows.map(mask));
    return { columns: shown, cells: (row) => cells(mask(row)) };
  }

  async item<Row extends object>(given: Row, options: Omit<ListOptions<Row>, "empty" | "more">): Promise<void> {
    const setup = this.#setup;
    if (wantsHelp(setup)) return this.#listFields(options.columns);
    await withKnownFields(setup, [given], options.columns);
    const row = secretMask(setup, options.columns)(given);
    const shape = shapeOf(setup, options, setup.io.stdoutIsTerminal);
    const record = shape.record(row);
    if (setup.jq !== undefined) return writeJq(setup, record);
    if (setup.format === "json") return setup.io.write(`${jsonText(record, 2)}\n`);
    if (setup.format === "yaml") return setup.io.write(await yamlText(record));
    const writer = await rowWriter(setup, shape, true);
    await writer.row(row);
    await writer.end(1);
  }

  async value(value: unknown): Promise<void> {
    const setup = this.#setup;
    if (setup.jq !== undefined) return writeJq(setup, value);
    if (setup.format === "json") return setup.io.write(`${jsonText(value, 2)}\n`);
    if (setup.format === "ndjson") return setup.io.write(`${jsonText(value)}\n`);
    if (setup.format === "yaml") return setup.io.write(await yamlText(value));
    if (setup.format === "template") return setup.io.write(fillTemplate(parseTemplate(setup.template ?? ""), value));
    const text = typeof value === "string" ? value : value instanceof Date ? value.toISOString() : toJson(value, 2);
    const shown = `${shownText(setup, text)}\n`;
    // Past the cleaning of everything that is written: the links are our own.
    if (setup.links && setup.format === "table") return this.#chosen.io.write(withLinks(shown));
    await setup.io.write(shown);
  }

  raw(text: string): Promise<void> {
    const setup = this.#setup;
    if (setup.format !== "json" && setup.format !== "ndjson")
      return (this.#chosen.io.stdoutIsTerminal ? setup : this.#chosen).io.write(text);
    return setup.io.write(`${jsonText(text)}\n`);
  }

  async #listFields<Row>(columns: ListOptions<Row>["columns"]): Promise<void> {
    const { fields: _, jq: _jq, limit: _limit, page: _page, ...aboutFields } = this.#setup;
    const options = { columns: fieldColumns, empty: "No columns.", idKey: "field" };
    await createOutput(aboutFields).list(fieldRows(columns), options);
  }

  #afterList<Row>(count: number, options: ListOptions<Row>): number {
    const setup = this.#setup;
    if (count === 0) setup.say.info(whyEmpty(setup, options.empty));
    else if (options.more?.() === true) {
      setup.say.hint(`${countOf(count, "row")} shown; more exist. Use --limit <n>, --page <n> or --all.`);
    }
    return count;
  }
}
