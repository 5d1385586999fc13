import { rmSync } from "node:fs";
import { cleanOutput } from "../../../text/clean.ts";
import type { Options } from "../command/options.ts";
import type { CommandContext } from "../context.ts";
import { stoppedError } from "../failures/command-error.ts";
import { formatOfEnding } from "../files/out-file.ts";
import { createProgress } from "../say/progress.ts";
import { openPart, partName, settlePart } from "./part-file.ts";
import type { FileFormat } from "./reader.ts";
import type { Members, RowText } from "./row-text.ts";

/** The flags of every export to a file. */
export const exportOptions = <Format extends FileFormat>(
  formats: readonly Format[],
  out = "file to write; - is stdout",
) =>
  [
    { name: "out", file: "out", value: "file", summary: out },
    { name: "format", value: "format", summary: "format (by the ending of --out)", choices: formats },
  ] as const satisfies Options;

/** The flags of an export, read. */
interface ExportInput<Format extends FileFormat> {
  readonly options: { readonly out: string | undefined; readonly format: Format | undefined };
}

/** The file of `--out`, or nothing for stdout. */
export function outFile(ctx: CommandContext, { options }: ExportInput<FileFormat>): string | undefined {
  const given = options.out;
  return given === undefined || given === "-" ? undefined : ctx.path(given);
}

/** The format that `--format`, the ending of the file, or for stdout `-o` says; else CSV. */
export function exportFormat<Format extends FileFormat>(
  ctx: CommandContext,
  { options }: ExportInput<Format>,
  file: string | undefined,
  formats: readonly Format[],
): Format | "csv" {
  const named = (text: string): Format | undefined => formats.find((format) => format === text);
  if (options.format !== undefined) return options.format;
  if (file === undefined) return named(ctx.out.format) ?? "csv";
  const endings = Object.fromEntries(formats.map((format) => [format, format]));
  const lines = named("ndjson");
  return formatOfEnding(file, lines === undefined ? endings : { ...endings, jsonl: lines }) ?? "csv";
}

interface RowExport<Column extends string> {
  /** Nothing for stdout. */
  readonly out: string | undefined;
  readonly format: string;
  readonly text: RowText<Column>;
  readonly rows: AsyncIterable<Members<Column>>;
  /** What is counted: `rows`. */
  readonly unit: string;
  readonly total?: number;
}

/** Rows whose text is written at once. */
const ROWS_AT_ONCE = 1_000;

/**
 * Writes rows to a file, which ends in .part until it is complete, or to stdout. Returns the number of rows and bytes.
 */
export async function writeRows<Column extends string>(
  ctx: CommandContext,
  job: RowExport<Column>,
): Promise<{ readonly count: number; readonly bytes: number }> {
  const { out, format, total, unit } = job;
  if (out === undefined) {
    const count = await pushRows(ctx, job, (piece) => ctx.io.write(forStdout(ctx, format, piece)));
    return { count, bytes: 0 };
  }
  const progress = createProgress(ctx, ["Exporting", unit]);
  const part = await openPart(out, 0);
  let count = 0;
  try {
    count = await pushRows(
      ctx,
      job,
      (piece) => part.write(piece),
      (done) => progress.at(done, total),
    );
    await part.sync();
  } catch (error) {
    await part.close();
    rmSync(partName(out), { force: true });
    throw error;
  } finally {
    progress.end();
  }
  await part.close();
  await settlePart(out);
  return { count, bytes: part.offset };
}

async function pushRows<Column extends string>(
  ctx: CommandContext,
  { rows, text }: Pick<RowExport<Column>, "rows" | "text">,
  push: (piece: string) => Promise<void>,
  onCount?: (count: number) => void,
): Promise<number> {
  let waiting: Members<Column>[] = [];
  let count = 0;
  const flush = async (): Promise<void> => {
    const piece = waiting.length === 0 ? "" : text.text(waiting, count === 0);
    await push(count === 0 ? text.head + piece : piece);
    count += waiting.length;
    waiting = [];
    onCount?.(count);
    if (ctx.signal.aborted) throw stoppedError("Stopped.");
  };
  for await (const row of rows) {
    waiting.push(row);
    if (waiting.length === ROWS_AT_ONCE) await flush();
  }
  if (waiting.length > 0 || count === 0) await flush();
  await push(text.tail(count === 0));
  return count;
}

/** A terminal obeys what it is sent; in a pipe CSV is exact. JSON is escaped already. */
function forStdout(ctx: CommandContext, format: string, text: string): string {
  return format === "csv" && ctx.io.stdoutIsTerminal ? cleanOutput(text, true) : text;
}
