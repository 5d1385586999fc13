import { existsSync } from "node:fs";
import { extname } from "node:path";
import { cleanOutput } from "../../text/clean.ts";
import { countOf, countText } from "../../text/count.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Arguments, ArgumentsOf, Options, OptionsOf } from "../kit/command/options.ts";
import { either, rows, value } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { sweepTemporaries } from "../kit/files/files.ts";
import { isRegularFile } from "../kit/files/input-file.ts";
import { checkNewFile, checkNewFolder } from "../kit/files/out-file.ts";
import { type Journal, resumeOptions, withJournal } from "../kit/state/journal.ts";
import type { Goal } from "../kit/widgets/convert-file.ts";
import { destinationsIn, fileMark, type PendingFile, pendingFile, realFile } from "../kit/widgets/files.ts";
import { findInputs, type Inputs, type WidgetInput } from "../kit/widgets/inputs.ts";
import { watched } from "../kit/widgets/look.ts";
import { filesArgument, globOption } from "../kit/widgets/options.ts";
import { type Judged, outcomeColumns, type WidgetOutcome } from "../kit/widgets/outcome.ts";
import { type ReportFormat, reportFormats, reportText } from "../kit/widgets/report.ts";
import type { ReportText } from "../kit/widgets/report-text.ts";
import { judgeAll, type Plan } from "../kit/widgets/run.ts";
import { WidgetCounts } from "../kit/widgets/tally.ts";
import { confirmOverwrite, withoutSame } from "./existing.ts";
import { keyColumns, keyRows } from "./keys.ts";
import { MAX_SHOWN, tellOnStderr } from "./tell.ts";

type Mode =
  | { readonly kind: "check" }
  | { readonly kind: "stdout" }
  | { readonly kind: "out"; readonly folder: string }
  | { readonly kind: "inPlace" };

const args = [filesArgument] as const satisfies Arguments;

const options = [
  {
    name: "out",
    file: "out",
    value: "folder",
    summary: "write results to this folder, with the same file names",
    conflicts: ["in-place", "stdout", "check"],
  },
  { name: "in-place", summary: "change the files and keep a backup of each", conflicts: ["stdout", "check"] },
  { name: "stdout", summary: "write the result to stdout", conflicts: ["check"] },
  { name: "check", summary: "write nothing; exit 11 if any widget is legacy" },
  { name: "strict", summary: "do not write files that would lose a key; exit 3" },
  { name: "explain", summary: "show what each key is converted to" },
  {
    name: "report-format",
    formerly: ["report"],
    value: "format",
    summary: "report every widget and key in this format",
    choices: reportFormats,
  },
  {
    name: "report-file",
    file: "out",
    value: "file",
    summary: "write the report here; the extension sets the format",
  },
  ...resumeOptions,
  globOption,
] as const satisfies Options;

interface Given {
  readonly args: ArgumentsOf<typeof args>;
  readonly options: OptionsOf<typeof options>;
}

function modeOf(input: Given, inputs: Inputs): Mode {
  const { out: folder, check, inPlace, stdout } = input.options;
  if (folder !== undefined) return { kind: "out", folder };
  if (check) return { kind: "check" };
  if (inPlace) {
    if (inputs.files.some(({ path }) => path === undefined || !isRegularFile(path)))
      throw usageError("--in-place needs files and cannot be used with stdin.", {
        why: "The same applies to a pipe.",
        next: "Use --stdout.",
      });
    return { kind: "inPlace" };
  }
  if (stdout || inputs.files.length + inputs.failures.length === 1) return { kind: "stdout" };
  throw usageError("Several files need --out, --in-place or --check.", {
    next: "Add --out <folder>, --in-place or --check.",
  });
}

interface ReportPlan {
  readonly format: ReportFormat;
  /** stdout when undefined. */
  readonly path?: string;
}

function reportPlanOf(ctx: CommandContext, input: Given, mode: Mode): ReportPlan | undefined {
  const file = input.options.reportFile;
  const format = input.options.reportFormat ?? (file === undefined ? undefined : formatOf(file));
  if (format === undefined) return undefined;
  if (file !== undefined && file !== "-") return { format, path: ctx.path(file) };
  if (mode.kind !== "stdout") return { format };
  throw usageError("The report and the widgets cannot both go to stdout.", {
    next: "Add --report-file <file>, or --out <folder> for the widgets.",
  });
}

function formatOf(file: string): ReportFormat {
  const formats: Readonly<Record<string, ReportFormat>> = {
    ".html": "html",
    ".htm": "html",
    ".md": "md",
    ".json": "json",
  };
  return formats[extname(file).toLowerCase()] ?? "table";
}

async function convert(ctx: CommandContext, input: Given): Promise<number> {
  const inputs = findInputs(ctx, input.args.files, input.options.glob);
  const mode = modeOf(input, inputs);
  const report = reportPlanOf(ctx, input, mode);
  if (mode.kind === "out") checkNewFolder(ctx, ctx.path(mode.folder));
  if (report?.path !== undefined) checkNewFile(ctx, report.path);
  const work = (journal?: Journal): Promise<number> => convertAll(ctx, input, { inputs, mode, report, journal });
  if (mode.kind === "check" || mode.kind === "stdout") return work();
  const out = mode.kind === "out" ? ctx.path(mode.folder) : "";
  const key = ["widget convert", ctx.cwd, mode.kind, out, ...input.args.files];
  // Each file is known by its own state, so a journal of what is done stays true after the last one.
  return withJournal(ctx, input, { key, content: undefined, what: "conversion" }, work);
}

interface ConvertWork {
  readonly inputs: Inputs;
  readonly mode: Mode;
  readonly report: ReportPlan | undefined;
  readonly journal: Journal | undefined;
}

async function convertAll(ctx: CommandContext, input: Given, work: ConvertWork): Promise<number> {
  const { mode, report } = work;
  const isStrict = input.options.strict;
  const { plan, finish } = await planOf(ctx, work, isStrict);
  const tally = new WidgetCounts();
  const judged = watched(ctx, judgeAll(ctx, plan), tally);
  const told = mode.kind === "check" ? asFound(judged) : judged;
  const isExplained = input.options.explain;
  await withReport(ctx, report, tally, told, (rows) =>
    mode.kind === "stdout"
      ? tellOnStderr(ctx, rows, isExplained)
      : tell(ctx, rows, isExplained, report?.path === undefined && report !== undefined),
  );
  if (ctx.signal.aborted) return stopped(ctx, mode);
  finish(tally);
  return exitCodeOf(tally, mode, isStrict);
}

function stopped(ctx: CommandContext, mode: Mode): number {
  const isResumable = mode.kind === "out" || mode.kind === "inPlace";
  ctx.say.warning(
    isResumable
      ? "Stopped. Finished files are kept; run the same command with --resume to continue with the others."
      : "Stopped.",
  );
  return 130;
}

function exitCodeOf(tally: WidgetCounts, mode: Mode, isStrict: boolean): number {
  if (isStrict && tally.of("invalid") > 0) return 3;
  if (tally.bad > 0) return tally.isAllBad ? 3 : 8;
  return mode.kind === "check" && tally.legacy > 0 ? 11 : 0;
}

/** What is to be done, and what is said when all of it is. */
async function planOf(
  ctx: CommandContext,
  { inputs: all, mode, journal }: ConvertWork,
  isStrict: boolean,
): Promise<{ readonly plan: Plan; finish(tally: WidgetCounts): void }> {
  const summarize = (tally: WidgetCounts): void => {
    ctx.say.info(tally.toString());
    if (mode.kind === "stdout" && ctx.io.stdoutIsTerminal)
      ctx.say.hint("Use --out <folder> to write files, or --in-place to replace them and keep backups.");
  };
  if (mode.kind === "check") {
    const check = (tally: WidgetCounts): void =>
      ctx.say.info(`${tally.legacy} of ${countText(tally.total)} widgets have the legacy structure; nothing written.`);
    return { plan: { inputs: all, isStrict, goalOf: () => ({ kind: "nowhere" }) }, finish: check };
  }
  if (mode.kind === "stdout") {
    return { plan: { inputs: all, isStrict, goalOf: () => ({ kind: "stdout" }) }, finish: summarize };
  }
  const destinations =
    mode.kind === "out" ? destinationsIn(ctx, mode.folder, all.files) : new Map<WidgetInput, string>();
  const unfinished: WidgetInput[] = [];
  for (const file of all.files) {
    const isDone = journal?.has(file.name, await stateOf(file, destinations.get(file)));
    if (isDone !== true) unfinished.push(file);
  }
  if (unfinished.length < all.files.length)
    ctx.say.info(`Already finished: ${countOf(all.files.length - unfinished.length, "file")}.`);
  const left = await withoutSame(ctx, unfinished, destinations, isStrict);
  await confirmOverwrite(ctx, mode.kind === "inPlace", left, destinations);
  sweepTemporaries(all.files.map((file) => destinations.get(file) ?? realFile(file.path ?? "")));
  let written = 0;
  return {
    plan: {
      inputs: { files: left, failures: all.failures },
      isStrict,
      goalOf: (file) => goalOf(mode, destinations.get(file)),
      async onWritten(file) {
        written += 1;
        journal?.add(file.name, await stateOf(file, destinations.get(file)));
      },
    },
    finish(tally) {
      const place = mode.kind === "out" ? ` to ${mode.folder}` : "";
      ctx.say.info(`${mode.kind === "out" ? "Wrote" : "Processed"} ${countOf(written, "file")}${place}.`);
      summarize(tally);
    },
  };
}

const goalOf = (mode: Mode, destination: string | undefined): Goal =>
  mode.kind === "out" && destination !== undefined ? { kind: "file", path: destination } : { kind: "inPlace" };

/** What a finished file is known by: the source, and that its result is there. */
async function stateOf(input: WidgetInput, destination: string | undefined): Promise<string> {
  if (input.path === undefined || (destination !== undefined && !existsSync(destination))) return "unfinished";
  const mark = await fileMark(input.path).catch(() => undefined);
  return mark === undefined ? "unfinished" : `${mark.bytes} ${mark.changedMs}`;
}

/** With `--check` the verdict is the one before: nothing was converted. */
async function* asFound(rows: AsyncIterable<Judged>): AsyncGenerator<Judged> {
  for await (const row of rows) {
    yield row.outcome.verdict === "converted" ? { ...row, outcome: { ...row.outcome, verdict: row.before } } : row;
  }
}

/** Reports are written in parcels of about this many characters. */
const REPORT_PARCEL = 64 * 1024;

async function withReport(
  ctx: CommandContext,
  plan: ReportPlan | undefined,
  tally: WidgetCounts,
  rows: AsyncIterable<Judged>,
  use: (rows: AsyncIterable<Judged>) => Promise<void>,
): Promise<void> {
  if (plan === undefined) return use(rows);
  const text = await reportText(plan.format);
  const file = plan.path === undefined ? undefined : await pendingFile(plan.path);
  const shown = (part: string): string => (plan.format === "json" ? part : cleanOutput(part, ctx.io.stdoutIsTerminal));
  const send = (part: string): Promise<void> => (file === undefined ? ctx.io.write(shown(part)) : file.write(part));
  let waiting = "";
  async function write(part: string): Promise<void> {
    waiting += part;
    if (waiting.length < REPORT_PARCEL) return;
    const full = waiting;
    waiting = "";
    await send(full);
  }
  try {
    await write(text.start());
    await use(reported(rows, text, write));
    await write(text.end(tally));
    if (ctx.signal.aborted) return;
    await send(waiting);
    await finishReport(ctx, file, plan);
  } finally {
    await file?.discard();
  }
}

async function finishReport(ctx: CommandContext, file: PendingFile | undefined, plan: ReportPlan): Promise<void> {
  if (file === undefined) return;
  await file.commit();
  ctx.say.info(`Wrote the report to ${plan.path}.`, plan.path);
}

async function* reported(
  rows: AsyncIterable<Judged>,
  text: ReportText,
  write: (part: string) => Promise<void>,
): AsyncGenerator<Judged> {
  for await (const row of rows) {
    await write(text.widget(row));
    yield row;
  }
}

async function tell(
  ctx: CommandContext,
  rows: AsyncIterable<Judged>,
  isExplained: boolean,
  isStdoutTaken: boolean,
): Promise<void> {
  if (isStdoutTaken) {
    for await (const _ of rows);
  } else if (isExplained) {
    await ctx.out.list(keyRows(ctx, rows), { columns: keyColumns, empty: "No keys." });
  } else {
    await ctx.out.list(outcomesOf(ctx, rows), { columns: outcomeColumns, empty: "No widgets." });
  }
}

async function* outcomesOf(ctx: CommandContext, rows: AsyncIterable<Judged>): AsyncGenerator<WidgetOutcome> {
  const isForPeople = ctx.out.format === "table" && ctx.io.stdoutIsTerminal;
  let shown = 0;
  let left = 0;
  for await (const { outcome } of rows) {
    if (isForPeople && shown >= MAX_SHOWN) left += 1;
    else {
      shown += 1;
      yield outcome;
    }
  }
  if (left > 0) ctx.say.hint(`${countOf(left, "more widget")} not shown; use -o ndjson or --report-file to see all.`);
}

export const convertWidgets = defineCommand({
  path: ["convert"],
  asks: "nothing",
  result: either(rows(outcomeColumns), value({ description: "The widgets, if they are written to stdout." })),
  effect: "local",
  summary: "Convert legacy widgets to the new structure, offline",
  details:
    "Widgets that already have the new structure are not changed. One file or stdin is written to stdout by default; " +
    "--in-place keeps a backup next to each file it changes. Indentation and line endings are preserved. JSON Lines files " +
    "can be any size. A widget whose converted form would not match its schema is not changed.",
  args,
  options,
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
