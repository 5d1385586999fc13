import { existsSync } from "node:fs";
import { countOf, countText } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Arguments, Input, Options } from "../kit/command/options.ts";
import { either, rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError, stoppedError } from "../kit/failures/command-error.ts";
import { writeWhole } from "../kit/files/files.ts";
import { shownPath } from "../kit/files/out-file.ts";
import { watchFiles } from "../kit/files/watch.ts";
import type { Difference } from "../kit/folders/differences.ts";
import { fileText } from "../kit/folders/documents.ts";
import { fileScript, formatOption, type ParserScript } from "../kit/parsers/script.ts";
import { openReport } from "../kit/rows/report.ts";
import { type Case, errorIn, readCases, watchedPaths } from "./cases.ts";
import { compareOutputs, differenceText, expectedFrom } from "./compare.ts";
import { Coverage, coverageColumns } from "./coverage.ts";
import { type Decoder, type Decoding, openDecoder } from "./decoder.ts";
import { frameOf, portOf } from "./uplink.ts";

interface TestRow {
  readonly case: string;
  readonly result: "pass" | "differs" | "fails" | "no_expected" | "updated";
  readonly port?: number | undefined;
  readonly records: number;
  readonly differences: readonly Difference[];
  readonly payload?: string | undefined;
  readonly script: string;
}

const difference = { type: "object", properties: { path: { type: "string" }, old: {}, new: {} }, required: ["path"] };

const columns: readonly Column<TestRow>[] = [
  { key: "case", rank: 1 },
  { key: "result", rank: 1 },
  { key: "port", kind: "number" },
  { key: "records", kind: "number" },
  {
    key: "differences",
    header: "expected -> result",
    schema: { type: "array", items: difference },
    value: (row) => differenceText(row.differences),
  },
  { key: "payload", hidden: true },
  { key: "script", hidden: true },
];

/** A case, and what the parser made of it. */
interface Tried {
  readonly one: Case;
  readonly decoding: Decoding;
  readonly row: TestRow;
}

const args = [
  { name: "folder", file: "in", summary: "folder of the cases", required: true },
] as const satisfies Arguments;

const options = [
  { name: "script", file: "in", value: "file", summary: "parser of all cases, instead of the nearest parser.js" },
  { name: "port", kind: "integer", least: 0, summary: "port of payloads that have none (LoRaWAN: FPort)" },
  formatOption,
  // Some versions of Node cannot confine the parser then.
  { name: "coverage", summary: "print what the payloads cover instead of the cases", leadsAway: true },
  { name: "update", summary: "write the resulting records as expected" },
  {
    name: "watch",
    summary: "test again after every change, until Ctrl-C",
    leadsAway: true,
    conflicts: ["update", "report"],
  },
  { name: "report", file: "out", value: "file", summary: "write a line per case as CSV, or as JSON lines (.ndjson)" },
] as const satisfies Options;

type Given = Input<typeof args, typeof options>;

async function tryCases(ctx: CommandContext, input: Given, decoder: Decoder, seen: Coverage): Promise<Tried[]> {
  const folder = ctx.path(input.args.folder ?? ".");
  const named = input.options.script;
  const script = named === undefined ? undefined : ctx.path(named);
  const cases = readCases(ctx, folder, { script, port: input.options.port });
  const scripts = new Map<string, ParserScript>();
  for (const path of new Set(cases.map((one) => one.script))) scripts.set(path, await fileScript(ctx, input, path));
  const tried: Tried[] = [];
  for (const one of cases) {
    const own = scripts.get(one.script);
    if (own === undefined) continue;
    const decoding = await decoder.decode(own, one.uplink);
    // A run that a signal cut off is no result.
    if (ctx.signal.aborted) throw stoppedError(`Stopped after ${tried.length} of ${countOf(cases.length, "case")}.`);
    for (const line of decoding.lines) ctx.say.detail(`${one.name}: ${line}`);
    seen.add(own, one.uplink, decoding.coverage);
    tried.push({ one, decoding, row: rowOf(one, decoding, own.name) });
  }
  return tried;
}

function rowOf({ name, uplink, expected }: Case, decoding: Decoding, script: string): TestRow {
  const isNew = expected === undefined && decoding.problem === undefined;
  const found = isNew ? [] : compareOutputs(expected, decoding);
  const isFailure = decoding.problem !== undefined && errorIn(expected) === undefined;
  const result = isNew ? "no_expected" : found.length === 0 ? "pass" : isFailure ? "fails" : "differs";
  const { body } = uplink;
  const counted = { port: portOf(body), records: decoding.records.length, payload: frameOf(body) };
  return { case: name, result, ...counted, differences: found, script };
}

/** Saves a parser's records as the expected ones where they differ. An error never counts as expected. */
async function update(ctx: CommandContext, tried: readonly Tried[]): Promise<readonly Tried[]> {
  const todo = tried.filter(({ row, decoding }) => row.result !== "pass" && decoding.problem === undefined);
  const replaced = todo.map(({ one }) => one.expectedFile).filter((path) => existsSync(path));
  const [first] = replaced.map((path) => shownPath(ctx, path));
  if (first !== undefined) {
    const items = replaced.map((path) => shownPath(ctx, path));
    const action = items.length === 1 ? `Overwrite ${first}` : `Overwrite ${countOf(items.length, "expected file")}`;
    await ctx.confirm({ level: 1, action, where: "on this machine", name: first, items });
  }
  for (const { one, decoding } of todo)
    writeWhole(one.expectedFile, fileText(expectedFrom(decoding, one.uplink.body)), { file: 0o644, folder: 0o755 });
  const written = new Set(todo);
  return tried.map((each) => (written.has(each) ? { ...each, row: { ...each.row, result: "updated" } } : each));
}

/** Runs the cases once and prints them; 11 if one is not as expected. */
async function testOnce(ctx: CommandContext, input: Given, decoder: Decoder): Promise<number> {
  const started = ctx.clock.elapsed();
  const seen = new Coverage();
  const first = await tryCases(ctx, input, decoder, seen);
  const seconds = ((ctx.clock.elapsed() - started) / 1000).toFixed(1);
  const tried = input.options.update ? await update(ctx, first) : first;
  const results = tried.map(({ row }) => row);
  const report = await openReport<TestRow>(
    ctx,
    input.options.report,
    columns.map(({ key }) => key as keyof TestRow),
  );
  try {
    for (const row of results) report.add(row);
  } finally {
    report.close();
  }
  if (input.options.coverage)
    await ctx.out.list(seen.rows(), { columns: coverageColumns, empty: "Nothing.", idKey: "value" });
  else await ctx.out.list(results, { columns, empty: "No cases.", idKey: "case" });
  const bad = results.filter(({ result }) => result !== "pass" && result !== "updated");
  const good = `${countText(results.length - bad.length)} of ${countOf(results.length, "case")} as expected`;
  ctx.say.info(`${good}, ${seconds} s. Payloads by port: ${seen.ports}.`);
  if (bad.some(({ result }) => result === "no_expected"))
    ctx.say.hint("Cases without an expected file: --update writes it from the result.");
  return bad.length === 0 ? 0 : 11;
}

/** Runs the cases again after every change, until Ctrl-C. */
async function watch(ctx: CommandContext, input: Given, decoder: Decoder): Promise<void> {
  const folder = ctx.path(input.args.folder ?? ".");
  const script = input.options.script;
  const paths = (): string[] => [...watchedPaths(folder), ...(script === undefined ? [] : [ctx.path(script)])];
  for (;;) {
    const { changed, close } = nextChange(ctx, paths);
    try {
      await testOnce(ctx, input, decoder);
    } catch (error) {
      if (!(error instanceof CommandError) || ctx.signal.aborted) throw error;
      ctx.say.warning(`${error.message} ${error.why ?? ""}`.trimEnd());
    }
    ctx.say.info("Waiting for a change. Ctrl-C stops.");
    const path = await changed.finally(close);
    if (path === undefined) return;
    ctx.say.info(`${shownPath(ctx, path)} changed.`);
  }
}

/** The file that changes next, also while a run is under way; undefined at a signal. */
function nextChange(ctx: CommandContext, paths: () => string[]) {
  let close = (): void => undefined;
  const changed = new Promise<string | undefined>((done) => {
    const watcher = watchFiles(paths, done);
    const stop = (): void => done(undefined);
    ctx.signal.addEventListener("abort", stop, { once: true });
    close = () => {
      watcher.close();
      ctx.signal.removeEventListener("abort", stop);
    };
  });
  return { changed, close: () => close() };
}

async function test(ctx: CommandContext, input: Given): Promise<number> {
  const isWatching = input.options.watch;
  const decoder = await openDecoder(ctx, input.options.coverage);
  try {
    if (!isWatching) return await testOnce(ctx, input, decoder);
    await watch(ctx, input, decoder);
    return 0;
  } finally {
    await decoder.close();
  }
}

export const testParser: Command = defineCommand({
  path: ["test"],
  asks: "nothing",
  effect: "local",
  summary: "Test a payload parser with a folder of payloads",
  details:
    "A case is a file payload.hex or payload.json beside expected.json; door.payload.hex belongs to door.expected.json, so that " +
    "a folder can hold several. Each runs with the nearest parser.js or parser.ts, in its folder or above it. expected.json " +
    'holds the records, or { "error": "part of the error" }; group, serie and time count only where it names them.\n\n' +
    "Exits with 11 if a result is not as expected. --coverage prints the ports and first bytes of the payloads, and the lines " +
    "of the parser that none of them ran.",
  args,
  options,
  groups: ["confirm"],
  result: either(rows(columns), rows(coverageColumns)),
  examples: ["iot parser test examples/parser", "iot parser test examples/parser --coverage --json"],
  exitCodes: [3, 11, 143],
  related: ["iot parser run", "iot parser set"],
  run: test,
});
