import { basename } from "node:path";
import { argumentList, option, optionFlag } from "./kit/arguments.ts";
import { messageOf } from "./kit/batch.ts";
import { inputError, usageError } from "./kit/command-error.ts";
import type { CommandContext } from "./kit/context.ts";
import { type ArgumentSpec, type Command, type CommandInput, defineCommand } from "./kit/define.ts";
import { parseDocument } from "./widget/document.ts";
import { backUp, type Destination, destinationsIn, inPlace, markOf, writeResult } from "./widget/files.ts";
import { createJudge, type Judged, notesText, type Outcome, outcomeColumns } from "./widget/outcome.ts";

const filesArgument: ArgumentSpec = {
  name: "files",
  summary: "JSON files with a widget, a list of widgets, or a dashboard with widgets; - is stdin",
  required: true,
  variadic: true,
};

/** An input after it was read and looked at. */
interface Converted {
  readonly input: string;
  readonly judged: readonly Judged[];
  /** The new text; the old one when nothing was converted. */
  readonly text: string;
  readonly isChanged: boolean;
}

interface Work {
  readonly done: readonly Converted[];
  readonly failures: readonly { readonly input: string; readonly error: unknown }[];
}

/** Reads every input. One that cannot be read does not stop the others. */
async function readAll(ctx: CommandContext, inputs: readonly string[]): Promise<Work> {
  const judge = await createJudge();
  const done: Converted[] = [];
  const failures: { input: string; error: unknown }[] = [];
  for (const input of new Set(inputs)) {
    try {
      const text = markOf(input) + (await ctx.readInput(input, "<files>"));
      const document = parseDocument(text, input);
      const judged = document.widgets.map((widget, i) => judge(widget, input, i + 1));
      const isChanged = judged.some(({ outcome }) => outcome.verdict === "converted");
      done.push({
        input,
        judged,
        isChanged,
        text: isChanged ? document.rebuild(judged.map(({ widget }) => widget)) : text,
      });
    } catch (error) {
      if (inputs.length === 1) throw error;
      failures.push({ input, error });
    }
  }
  return { done, failures };
}

const outcomesOf = (work: Work): Outcome[] => work.done.flatMap(({ judged }) => judged.map(({ outcome }) => outcome));

type FileMode = { readonly kind: "out"; readonly folder: string } | { readonly kind: "inPlace" };
type Mode = { readonly kind: "check" } | { readonly kind: "stdout" } | FileMode;

function modeOf(input: CommandInput, inputs: readonly string[]): Mode {
  const folder = option(input, "out");
  const chosen = ["check", "stdout", "in-place"].filter((name) => optionFlag(input, name));
  if (chosen.length + (folder === undefined ? 0 : 1) > 1) {
    throw usageError("--out, --in-place, --stdout and --check exclude each other.", { next: "Give one of them." });
  }
  if (folder !== undefined) return { kind: "out", folder };
  if (chosen[0] === "check") return { kind: "check" };
  if (chosen[0] === "in-place") {
    if (inputs.includes("-")) throw usageError("--in-place needs files, and stdin is none.", { next: "Use --stdout." });
    return { kind: "inPlace" };
  }
  if (inputs.length === 1) return { kind: "stdout" };
  throw usageError("Where the results of several files go was not said.", {
    next: "Add --out <folder>, --in-place or --check.",
  });
}

async function convert(ctx: CommandContext, input: CommandInput): Promise<number> {
  const inputs = argumentList(input, "files");
  const mode = modeOf(input, inputs);
  const work = await readAll(ctx, inputs);
  if (work.done.length === 0 && work.failures[0] !== undefined) throw nothingReadable(work);
  if (mode.kind === "check") return check(ctx, work);
  if (mode.kind === "stdout") await toStdout(ctx, work);
  else await toFiles(ctx, work, mode);
  summarize(ctx, outcomesOf(work));
  return settle(ctx, work);
}

async function check(ctx: CommandContext, work: Work): Promise<number> {
  const judged = work.done.flatMap((file) => file.judged);
  const outcomes = judged.map(({ before, outcome }): Outcome => ({ ...outcome, verdict: before }));
  await ctx.out.list(outcomes, { columns: outcomeColumns, empty: "No widgets." });
  const legacy = judged.filter(({ outcome }) => outcome.verdict === "converted").length;
  ctx.say.info(`${legacy} of ${outcomes.length} widgets have the legacy structure; nothing was written.`);
  const code = settle(ctx, work);
  return code === 0 && legacy > 0 ? 11 : code;
}

/** The new text is the data, so what became of each widget goes to stderr. */
async function toStdout(ctx: CommandContext, { done }: Work): Promise<void> {
  for (const { text, judged } of done) {
    await ctx.out.raw(text.endsWith("\n") ? text : `${text}\n`);
    for (const { outcome } of judged) {
      const types = outcome.to === outcome.from ? outcome.from : `${outcome.from} -> ${outcome.to}`;
      const notes = notesText(outcome);
      ctx.say.info(`${outcome.label} (${types}) ${outcome.verdict}${notes === "" ? "" : `: ${notes}`}`);
    }
  }
}

async function toFiles(ctx: CommandContext, work: Work, mode: FileMode): Promise<void> {
  const isInPlace = mode.kind === "inPlace";
  const wanted = work.done.filter(({ isChanged }) => !isInPlace || isChanged);
  const destinations = isInPlace
    ? new Map(wanted.map(({ input }) => [input, inPlace(input)]))
    : destinationsIn(
        mode.folder,
        wanted.map(({ input }) => input),
      );
  await confirmOverwrite(
    ctx,
    [...destinations.values()].filter(({ exists }) => exists),
    isInPlace,
  );
  for (const { input, text } of wanted) {
    const destination = destinations.get(input);
    if (destination === undefined) continue;
    if (isInPlace) ctx.say.info(`Kept the old ${input} as ${backUp(destination)}.`);
    writeResult(destination, text);
  }
  await ctx.out.list(outcomesOf(work), { columns: outcomeColumns, empty: "No widgets." });
  ctx.say.info(
    `Wrote ${wanted.length} ${wanted.length === 1 ? "file" : "files"}${isInPlace ? "" : ` to ${mode.folder}`}.`,
  );
}

async function confirmOverwrite(
  ctx: CommandContext,
  existing: readonly Destination[],
  isBackedUp: boolean,
): Promise<void> {
  const [first] = existing;
  if (first === undefined) return;
  const what = existing.length === 1 ? basename(first.path) : `${existing.length} files`;
  const action = `Overwrite ${what}${isBackedUp ? ", keeping a copy beside it," : ""}`;
  await ctx.confirm({
    level: 1,
    action,
    where: "on this machine",
    name: what,
    items: existing.map(({ path }) => path),
  });
}

function nothingReadable({ failures }: Work): unknown {
  return failures.length === 1
    ? failures[0]?.error
    : inputError(`None of the ${failures.length} files can be converted.`, {
        why: messageOf(failures[0]?.error),
        next: "Name files exported from a dashboard.",
      });
}

/** The exit code; what could not be read or is no widget is named. */
function settle(ctx: CommandContext, work: Work): number {
  for (const { input, error } of work.failures) ctx.say.warning(`${input}: ${messageOf(error)}`);
  const outcomes = outcomesOf(work);
  const failed = outcomes.filter(({ verdict }) => verdict === "invalid");
  for (const { file, label, notes } of failed) ctx.say.warning(`${file}: ${label} is no widget: ${notes.join("; ")}`);
  if (failed.length === 0 && work.failures.length === 0) return 0;
  return failed.length === outcomes.length && outcomes.length > 0 ? 3 : 8;
}

function summarize(ctx: CommandContext, outcomes: readonly Outcome[]): void {
  const count = (verdict: Outcome["verdict"]): number =>
    outcomes.filter((outcome) => outcome.verdict === verdict).length;
  ctx.say.info(
    `${count("converted")} converted, ${count("current")} current already, ${count("unsupported")} unsupported, ${count("invalid")} invalid.`,
  );
}

const convertWidgets = defineCommand({
  path: ["convert"],
  summary: "Convert legacy widgets to the new structure, offline",
  details:
    "Widgets that have the new structure already are left alone. One file, or stdin, goes to stdout unless told otherwise; " +
    "--in-place keeps a copy beside each file it changes. Indentation and line ends stay as they are.",
  args: [filesArgument],
  options: [
    { name: "out", value: "folder", summary: "write the results here, under the same names" },
    { name: "in-place", summary: "change the files themselves, keeping a copy of each" },
    { name: "stdout", summary: "write the result to stdout" },
    { name: "check", summary: "write nothing; exit 11 when a widget has the legacy structure" },
  ],
  groups: ["confirm"],
  examples: [
    "iot widget convert examples/legacy-widgets.json --out converted",
    "cat examples/legacy-widgets.json | iot widget convert -",
  ],
  exitCodes: [3, 8, 11],
  related: ["iot widget detect"],
  run: convert,
});

const detectWidgets = defineCommand({
  path: ["detect"],
  summary: "Show which widgets have the legacy structure",
  args: [filesArgument],
  examples: ["iot widget detect examples/legacy-widgets.json", "iot widget detect examples/legacy-widgets.json --json"],
  exitCodes: [3, 8, 11],
  related: ["iot widget convert"],
  run: async (ctx, input) => check(ctx, await readAll(ctx, argumentList(input, "files"))),
});

export const commands: readonly Command[] = [convertWidgets, detectWidgets];
