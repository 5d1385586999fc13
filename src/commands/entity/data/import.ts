import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { EntityInfo } from "../../../lib/resources/entities.ts";
import { countOf, countText } from "../../../text/count.ts";
import { argument, keyValue, option, optionFlag, optionList } from "../../kit/command/arguments.ts";
import type { Column } from "../../kit/command/columns.ts";
import { type Command, type CommandInput, defineCommand } from "../../kit/command/define.ts";
import { one } from "../../kit/command/result.ts";
import { quote } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import { CommandError, inputError, stoppedError, usageError } from "../../kit/failures/command-error.ts";
import { rowFormats } from "../../kit/rows/row-reader.ts";
import { openReport, type RowReport } from "../../kit/rows/row-report.ts";
import { createProgress } from "../../kit/say/progress.ts";
import { contentOf, type Journal, resumeOptions, withJournal } from "../../kit/state/journal.ts";
import { steadyClient } from "../../kit/steady-client.ts";
import { checkRow } from "../fields.ts";
import { type ImportRow, type ReportedRow, sendRows } from "../import-send.ts";
import { openSource, type RowSource } from "../import-source.ts";
import { entityOf, firstArgument } from "../place.ts";
import { ROWS_PER_REQUEST } from "../rows.ts";

/** What became of the rows of a file. */
interface ImportResult {
  readonly file: string;
  readonly rows: number;
  readonly sent: number;
  /** Sent by an earlier run. */
  readonly resumed: number;
  readonly failed: number;
  /** Not sent, because they do not fit the schema. */
  readonly invalid: number;
}

const columns: readonly Column<ImportResult>[] = [
  { key: "file" },
  { key: "rows", kind: "number" },
  { key: "sent", kind: "number" },
  { key: "resumed", kind: "number" },
  { key: "failed", kind: "number" },
  { key: "invalid", kind: "number" },
];

export const importRows: Command = defineCommand({
  path: ["data", "import"],
  effect: "changes",
  summary: "Add the rows of a file to an entity",
  details:
    "CSV with a header row, ndjson or a JSON list of any size, read twice in constant memory: the whole file is checked " +
    "against the schema before anything is sent. A row without an id gets one made of its number and content, so that what is " +
    "sent again after a crash, or imported twice, is not there twice; a row whose id exists is changed. --resume passes " +
    "over what a run that was interrupted has sent. --report lists every row with its result and reason.",
  args: [firstArgument, { name: "file", summary: "CSV, ndjson or JSON file; - is stdin", required: true }],
  options: [
    {
      name: "input-format",
      value: "format",
      summary: "format, when name and content do not tell",
      choices: rowFormats,
    },
    {
      name: "map",
      value: "column=field",
      summary: "column of the file under another name; column= leaves it out",
      repeat: true,
    },
    { name: "skip-invalid", summary: "send the rows that fit although others do not" },
    ...resumeOptions,
    { name: "report", value: "file", summary: "CSV or ndjson file with the result of every row" },
  ],
  groups: ["dryRun"],
  result: one(columns),
  examples: [
    'iot entity data import "name:sites" examples/sites.csv --report sites-report.csv',
    'iot entity data export "name:sites" --format ndjson | iot entity data import "name:sites" - --dry-run',
  ],
  exitCodes: [3, 8, 9, 130],
  related: ["iot entity data export", "iot entity data add", "iot entity schema"],
  async run(ctx, input) {
    const entity = await entityOf(ctx, input);
    const file = argument(input, "file") ?? "";
    const source = await openSource(
      ctx,
      file,
      rowFormats.find((format) => format === option(input, "input-format")),
    );
    try {
      return await runImport(ctx, input, entity, source, file);
    } finally {
      source.close();
    }
  },
});

async function runImport(
  ctx: CommandContext,
  input: CommandInput,
  entity: EntityInfo,
  source: RowSource,
  file: string,
): Promise<number> {
  const map = columnMap(input, source);
  const checked = await checkFile(ctx, entity, source, map);
  if (checked.invalid > 0 && !optionFlag(input, "skip-invalid")) throw invalidFile(source, checked);
  if (checked.rows === 0) throw inputError(`${quote(source.name)} holds no rows.`, { next: "Nothing was sent." });
  if (ctx.flags.dryRun) return printRequests(ctx, entity, source, map);

  const { api } = await ctx.connection();
  const key = ["entity data import", api, entity.id, file === "-" ? "stdin" : resolve(ctx.cwd, file)];
  const content = await contentOf(source.path, [source.format, [...map], entity.schema]);
  return withJournal(ctx, input, { key, content, what: `import of ${quote(source.name)}` }, (journal) =>
    importChecked(ctx, input, { entity, source, map, checked, journal }),
  );
}

interface CheckedImport {
  readonly entity: EntityInfo;
  readonly source: RowSource;
  readonly map: ColumnMap;
  readonly checked: FileCheck;
  readonly journal: Journal;
}

async function importChecked(ctx: CommandContext, input: CommandInput, work: CheckedImport): Promise<number> {
  const { entity, source, map, checked, journal } = work;
  if (journal.isDone) {
    const { rows, invalid } = checked;
    const nothing = { file: source.name, rows, sent: 0, resumed: rows - invalid, failed: 0, invalid };
    await ctx.out.item(nothing, { columns, idKey: "file" });
    return 0;
  }
  const report = reportTo(ctx, option(input, "report"));
  const progress = createProgress(ctx, ["Importing", "rows"]);
  const client = await steadyClient(ctx);
  try {
    const outcome = await sendRows(ctx, client, entity.id, batches(entity, source, map, report), {
      journal,
      report,
      onRows: (done) => progress.at(done, checked.rows),
    }).finally(progress.end);
    const result = { file: source.name, rows: checked.rows, ...outcome.counts, invalid: checked.invalid };
    if (!ctx.signal.aborted && outcome.counts.failed === 0 && outcome.failure === undefined) journal.finish();
    return await settle(ctx, entity, result, outcome.failure);
  } finally {
    report.close();
  }
}

/** Fields by column; `undefined` leaves a column out. */
type ColumnMap = ReadonlyMap<string, string | undefined>;

function columnMap(input: CommandInput, source: RowSource): ColumnMap {
  const map = new Map<string, string | undefined>();
  for (const text of optionList(input, "map")) {
    const { key, value } = keyValue(text, "--map");
    if (map.has(key)) throw usageError(`--map names the column ${quote(key)} twice.`, { why: `Of ${source.name}.` });
    map.set(key, value === "" ? undefined : value);
  }
  return map;
}

function mapped(value: unknown, map: ColumnMap): unknown {
  if (map.size === 0 || typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).flatMap(([name, cell]) => {
    const target = map.has(name) ? map.get(name) : name;
    return target === undefined ? [] : [[target, cell] as const];
  });
  return Object.fromEntries(entries);
}

interface FileCheck {
  readonly rows: number;
  readonly invalid: number;
  readonly first: readonly { readonly row: number; readonly problems: readonly string[] }[];
}

const SHOWN_PROBLEMS = 5;

async function checkFile(
  ctx: CommandContext,
  { schema }: EntityInfo,
  source: RowSource,
  map: ColumnMap,
): Promise<FileCheck> {
  const isText = source.format === "csv";
  const progress = createProgress(ctx, ["Checking", "rows"]);
  const first: { row: number; problems: readonly string[] }[] = [];
  let rows = 0;
  let invalid = 0;
  try {
    for await (const { row, value } of source.rows()) {
      rows += 1;
      progress.at(rows);
      if (ctx.signal.aborted) throw stoppedError();
      const checked = checkRow(schema, mapped(value, map), { isText, isNew: true });
      if ("row" in checked) continue;
      invalid += 1;
      if (first.length < SHOWN_PROBLEMS) first.push({ row, problems: checked.problems });
    }
  } finally {
    progress.end();
  }
  return { rows, invalid, first };
}

function invalidFile(source: RowSource, { rows, invalid, first }: FileCheck): Error {
  const shown = first.map(({ row, problems }) => `row ${row}: ${problems.join(", ")}`).join("; ");
  const [{ row } = { row: 1 }] = first;
  return inputError(
    `${countText(invalid)} of ${countText(rows)} rows of ${quote(source.name)} do not fit the schema.`,
    {
      code: "entity.invalid_rows",
      why: `${shown}${invalid > first.length ? "; and more" : ""}.`,
      next: "Fix the file, rename columns with --map, or send the others with --skip-invalid. Nothing was sent.",
      row,
    },
  );
}

/** The rows that fit, each with an id, in groups of one request. */
const reportTo = (ctx: CommandContext, place: string | undefined): RowReport<ReportedRow> =>
  openReport(ctx, place, ["row", "result", "reason"]);

async function* batches(
  entity: EntityInfo,
  source: RowSource,
  map: ColumnMap,
  report: RowReport<ReportedRow>,
): AsyncGenerator<readonly ImportRow[]> {
  const isText = source.format === "csv";
  let waiting: ImportRow[] = [];
  for await (const { row, value } of source.rows()) {
    const checked = checkRow(entity.schema, mapped(value, map), { isText, isNew: true });
    if (!("row" in checked)) {
      report.add({ row, result: "invalid", reason: checked.problems.join("; ") });
      continue;
    }
    waiting.push({ row, value: withId(entity.id, row, checked.row) });
    if (waiting.length < ROWS_PER_REQUEST) continue;
    yield waiting;
    waiting = [];
  }
  if (waiting.length > 0) yield waiting;
}

/** The same row of the same file always gets the same id. */
function withId(entity: string, number: number, row: Record<string, unknown>): Record<string, unknown> {
  if (typeof row["id"] === "string") return row;
  const hex = createHash("sha256")
    .update(JSON.stringify([entity, number, row]))
    .digest("hex");
  // The form of a UUID of version 8, which is free to say how it was made.
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  return { id, ...row };
}

async function printRequests(
  ctx: CommandContext,
  entity: EntityInfo,
  source: RowSource,
  map: ColumnMap,
): Promise<number> {
  const report = reportTo(ctx, undefined);
  for await (const batch of batches(entity, source, map, report)) {
    await ctx.dryRun({ method: "POST", path: `/entity/${entity.id}/data`, body: batch.map(({ value }) => value) });
  }
  return 0;
}

async function settle(
  ctx: CommandContext,
  entity: EntityInfo,
  result: ImportResult,
  failure: unknown,
): Promise<number> {
  const { rows, sent, resumed, failed, invalid } = result;
  const left = rows - sent - resumed - failed - invalid;
  const isStopped = ctx.signal.aborted || failure !== undefined;
  if (isStopped && left > 0) {
    ctx.say.warning(
      `${countText(left)} of ${countText(rows)} rows were not tried; the same command with --resume goes on.`,
    );
  }
  if (failure !== undefined && sent + resumed === 0) throw failure;
  await ctx.out.item(result, { columns, idKey: "file" });
  if (ctx.signal.aborted) throw stoppedError("Stopped.");
  if (failure !== undefined) throw failure;
  ctx.say.info(
    `Imported ${countOf(sent + resumed, "row")} into entity "${entity.name}" in ${(await ctx.connection()).label}.`,
  );
  if (failed + invalid === 0) return 0;
  throw new CommandError(`${countText(failed + invalid)} of ${countText(rows)} rows were not imported.`, {
    code: "batch.partial",
    exit: 8,
    why: failed > 0 ? `The platform refused ${failed} of them.` : "They do not fit the schema.",
    next: "--report FILE names each with its reason.",
  });
}
