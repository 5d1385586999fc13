import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { escapeJson } from "../../../text/clean.ts";
import { quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { inputError } from "../failures/command-error.ts";
import { endedBy, isRegularFile, openInput } from "../files/input-file.ts";
import { messageOf } from "../resource/batch.ts";
import { parseDocument, type WidgetDocument } from "./document.ts";
import { backUp, checkUnchanged, type FileMark, fileMark, type PendingFile, pendingFile, realFile } from "./files.ts";
import { isLinesFile, type WidgetInput } from "./inputs.ts";
import { failureRow, type Judge, type Judged } from "./outcome.ts";
import { readWidgetText } from "./reader.ts";

/** Where the text of a converted file goes. */
export type Goal =
  | { readonly kind: "nowhere" }
  | { readonly kind: "stdout" }
  | { readonly kind: "sink"; readonly add: (part: string) => void }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "inPlace" };

export interface FileConversion {
  readonly ctx: CommandContext;
  readonly input: WidgetInput;
  readonly goal: Goal;
  readonly judge: Judge;
  /** A file with a widget that is not converted is not written. */
  readonly isStrict: boolean;
  /** Called once the file is written. */
  readonly onWritten?: (input: WidgetInput) => Promise<void>;
}

/**
 * Converts one file and yields the outcome of each widget. JSON lines are read and written line by line, other files as
 * a whole. A file that fails, or Ctrl-C, leaves the old file unchanged.
 */
export async function* convertFile(conversion: FileConversion): AsyncGenerator<Judged> {
  const { ctx, input } = conversion;
  const isFile = input.path !== undefined && isRegularFile(input.path);
  const mark = isFile ? await fileMark(input.path) : undefined;
  const stream = input.path === undefined ? endedBy(ctx.signal, ctx.io.stdin) : openInput(input.path, ctx.signal);
  const reader = readWidgetText(stream, input.name);
  const output = await openOutput(conversion, mark);
  try {
    if (isLinesFile(input.name) || (await reader.isLines())) yield* convertLines(conversion, reader.lines(), output);
    else {
      const text = await reader.whole();
      // Rows of a document are yielded once its file is written.
      yield* await convertDocument(conversion, text, output);
    }
  } finally {
    if (stream instanceof Readable && input.path !== undefined) stream.destroy();
    await output.discard();
  }
}

/** Whether a file holds what a conversion without problems would write there. */
export async function isConverted(conversion: Omit<FileConversion, "goal">, path: string): Promise<boolean> {
  const [wanted, present] = [createHash("sha256"), createHash("sha256")];
  const goal: Goal = { kind: "sink", add: (part) => wanted.update(part) };
  try {
    for await (const row of convertFile({ ...conversion, goal })) if (isLeft(row)) return false;
    for await (const chunk of createReadStream(path)) present.update(chunk);
    return wanted.digest("hex") === present.digest("hex");
  } catch {
    // The conversion itself reports what is wrong with the file.
    return false;
  }
}

async function convertDocument(
  { input, judge, isStrict }: FileConversion,
  text: string,
  output: Output,
): Promise<Judged[]> {
  const document = parseDocument(text, input.name);
  const judged = document.widgets.map((widget, i) => ({
    ...judge(widget, input.name, i + 1),
    lineOf: (path: string) => document.lineOf(i, path),
  }));
  const isChanged = judged.some(({ outcome }) => outcome.verdict === "converted");
  if (isStrict && judged.some(isLeft)) return judged;
  await output.write(isChanged ? rebuilt(document, judged, input.name) : text);
  await output.commit(isChanged);
  return judged;
}

function rebuilt(document: WidgetDocument, judged: readonly Judged[], name: string): string {
  try {
    return document.rebuild(judged.map(({ widget }) => widget));
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw inputError(`${quote(name)} is too deeply nested or too large to write as JSON.`, {
      code: "input.too_deep",
      next: "Remove the widget with the deeply nested value; the file was not changed.",
      cause,
    });
  }
}

const isLeft = ({ outcome }: Judged): boolean => outcome.verdict === "invalid" || outcome.verdict === "failed";

/** Lines are written in parcels of about this many characters. */
const PARCEL = 256 * 1024;

async function* convertLines(
  { ctx, input, judge, isStrict }: FileConversion,
  lines: AsyncIterable<string>,
  output: Output,
): AsyncGenerator<Judged> {
  let waiting = "";
  let lineNumber = 0;
  let place = 0;
  let isChanged = false;
  let isRefused = false;
  for await (const textLine of lines) {
    if (ctx.signal.aborted) return;
    lineNumber += 1;
    const line = lineNumber;
    const { judged, text } = convertLine(textLine, `line ${line}`, (widget) => {
      place += 1;
      return { ...judge(widget, input.name, place), lineOf: () => line };
    });
    for (const row of judged) {
      isChanged ||= row.outcome.verdict === "converted";
      isRefused ||= isStrict && isLeft(row);
      yield row.outcome.file === "" ? { ...row, outcome: { ...row.outcome, file: input.name } } : row;
    }
    waiting += text;
    if (waiting.length < PARCEL || isRefused) continue;
    await output.write(waiting);
    waiting = "";
  }
  if (ctx.signal.aborted || isRefused) return;
  await output.write(waiting);
  await output.commit(isChanged);
}

/** One line, which is a document of its own. One that cannot be read stays as it is. */
function convertLine(
  line: string,
  name: string,
  judge: (widget: unknown) => Judged,
): { readonly judged: readonly Judged[]; readonly text: string } {
  if (line.trim() === "") return { judged: [], text: line };
  try {
    const document = parseDocument(line, name);
    const judged = document.widgets.map(judge);
    if (!judged.some(({ outcome }) => outcome.verdict === "converted")) return { judged, text: line };
    return { judged, text: document.rebuild(judged.map(({ widget }) => widget)) };
  } catch (error) {
    const reason = error instanceof RangeError ? "nested too deeply" : messageOf(error);
    return { judged: [failureRow("", reason, { label: name, verdict: "invalid" })], text: line };
  }
}

/** Receives the new text and decides when it takes effect. */
interface Output {
  write(text: string): Promise<void>;
  commit(isChanged: boolean): Promise<void>;
  discard(): Promise<void>;
}

const nothing = async (): Promise<void> => undefined;

async function openOutput(conversion: FileConversion, mark: FileMark | undefined): Promise<Output> {
  const { ctx, goal, input } = conversion;
  if (goal.kind === "nowhere") return { write: nothing, commit: nothing, discard: nothing };
  if (goal.kind === "stdout") return stdoutOutput(ctx);
  if (goal.kind === "sink") return { write: async (text) => goal.add(text), commit: nothing, discard: nothing };
  const path = goal.kind === "file" ? goal.path : realFile(input.path ?? "");
  const pending = lazily(() => pendingFile(path));
  return {
    write: async (text) => (await pending.get()).write(text),
    discard: async () => (await pending.opened())?.discard(),
    async commit(isChanged) {
      if (input.path !== undefined && mark !== undefined) await checkUnchanged(input.path, input.name, mark);
      if (goal.kind === "inPlace") {
        if (!isChanged) return conversion.onWritten?.(input);
        ctx.say.info(`Saved the old ${input.name} as ${await backUp(path)}.`);
      }
      await (await pending.get()).commit();
      await conversion.onWritten?.(input);
    },
  };
}

function stdoutOutput(ctx: CommandContext): Output {
  // The widgets are the data, whatever -o says; only what could trick an eye is escaped, as in all JSON.
  const write = (text: string): Promise<void> => ctx.io.write(escapeJson(text));
  let last = "\n";
  return {
    async write(text) {
      last = text.slice(-1) || last;
      await write(text);
    },
    // A file may end without a line end; what a program prints does not.
    commit: async () => (last === "\n" ? undefined : write("\n")),
    discard: nothing,
  };
}

/** A file is only made once there is something to write. */
function lazily(make: () => Promise<PendingFile>) {
  let made: Promise<PendingFile> | undefined;
  return {
    get: (): Promise<PendingFile> => {
      made ??= make();
      return made;
    },
    opened: (): Promise<PendingFile | undefined> => made?.catch(() => undefined) ?? Promise.resolve(undefined),
  };
}
