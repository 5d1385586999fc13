import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import type { AnalysisInfo } from "../../index.ts";
import { ApiError } from "../../lib/core/errors.ts";
import { cleanLine, cleanOutput } from "../../text/clean.ts";
import type { Runtime } from "../kit/analyses/runtimes.ts";
import { runtimeOf, runtimes } from "../kit/analyses/runtimes.ts";
import { readScope, scopeFile } from "../kit/analyses/scope.ts";
import { batchClient } from "../kit/client/batch-client.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Arguments, Input, Options } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { conflictError, usageError } from "../kit/failures/command-error.ts";
import { analysisFinder } from "../kit/finders/analysis.ts";
import { afterMs } from "../kit/long-wait.ts";
import { messageOf } from "../kit/resource/batch.ts";
import { lookUp, resolveId } from "../kit/resource/resolve-id.ts";
import { maskToken, rememberSecret } from "../kit/say/redact.ts";
import type { ScriptLine } from "./dev-child.ts";
import { childEnvironment } from "./dev-environment.ts";
import { keepNote, restoreLeftovers, runningNote } from "./dev-note.ts";
import { devProgram } from "./dev-program.ts";
import { runDev } from "./dev-session.ts";
import { createLineQueue } from "./line-queue.ts";
import { analysisSource, isIdForm, type NamedAnalysis, namedAnalysis, projectAnalyses } from "./project.ts";

const columns: readonly Column<ScriptLine>[] = [
  { key: "time", kind: "time", exact: true },
  { key: "stream" },
  { key: "message", rank: 1 },
];

/** A word that is no id: a file, or a name of the project. */
const fileWord = (word: string): string | undefined => (isIdForm(word) ? undefined : word);
const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

interface Chosen {
  readonly id: string;
  readonly file: string;
  /** Runtime of the project file. */
  readonly language?: Runtime | undefined;
}

const args = [
  {
    name: "name",
    file: fileWord,
    summary: "name in the project file, an id together with --file, or a file",
    required: true,
  },
] as const satisfies Arguments;

const options = [
  { name: "file", file: "in", value: "path", summary: "source file, instead of the one in the project file" },
  { name: "id", value: "id", summary: "analysis of a file that is not in the project file" },
  { name: "watch", summary: "do not restart when a source file changes", negatable: true },
  { name: "inspect", summary: "listen for a debugger at 127.0.0.1:9229 (Node and Deno)" },
  { name: "language", value: "runtime", summary: "runtime, instead of the analysis's own", choices: runtimes },
  { name: "vars-file", file: "in", value: "file", summary: "file of KEY=value lines for the script" },
  { name: "env-file", file: "in", value: "file", summary: "same as --vars-file, on Node 24 and later" },
  {
    name: "trigger",
    file: scopeFile,
    value: "file",
    summary: "run once with this scope when ready: a file, - or JSON",
  },
  { name: "for", kind: "duration", summary: "stop after this time" },
] as const satisfies Options;

type Given = Input<typeof args, typeof options>;

/** What to run as which analysis: a name of the project, an id with `--file`, or a file with `--id`. */
async function chosen(ctx: CommandContext, input: Given): Promise<Chosen> {
  const word = input.args.name;
  const project = projectAnalyses(ctx);
  const path = project.some(({ name }) => name === word) || fileWord(word) === undefined ? undefined : ctx.path(word);
  if (path === undefined || !isFile(path)) {
    const named = await namedAnalysis(ctx, word);
    const { language } = named.project ?? {};
    return { id: named.target.id, file: analysisSource(ctx, named, input.options.file), language };
  }
  const entry = project.find(({ file }) => file === path);
  const asked = input.options.id ?? entry?.id;
  if (asked === undefined) {
    throw usageError(`No analysis given for the script ${quote(word)}.`, {
      code: "usage.missing_value",
      why: "The project file has no entry for it.",
      next: 'Add --id "name:…", or add the file under "analyses" in the project file.',
    });
  }
  const named: NamedAnalysis = { target: await resolveId(ctx, analysisFinder, asked) };
  return { id: named.target.id, file: path, language: entry?.language };
}

/** The mode of an analysis for as long as this program runs. */
interface Borrowed {
  readonly info: AnalysisInfo;
  giveBack(): Promise<void>;
}

/** Runs the program once more, for when nothing can be awaited any more. */
function giveBackAtOnce(ctx: CommandContext, id: string): void {
  const program = process.argv[1];
  if (program === undefined) return;
  const named = ctx.user.settings.get("env");
  const env = named?.origin === "flag" && named.value !== undefined ? ["--env", named.value] : [];
  spawnSync(process.execPath, [program, "analysis", "mode", id, "--quiet", "--no-input", ...env], {
    cwd: ctx.cwd,
    env: ctx.env,
    stdio: ["ignore", "ignore", "inherit"],
    timeout: 10_000,
  });
}

/** Sets `run_on` to external, and notes what it was before it does: the note is what survives a kill. */
async function borrow(ctx: CommandContext, before: AnalysisInfo): Promise<Borrowed> {
  const { id, name } = before;
  const { api, label } = await ctx.connection();
  if (before.run_on === "external") return { info: before, giveBack: async () => undefined };
  const runOn = before.run_on ?? "tago";
  const note = keepNote(ctx.env, { id, name, api, runOn, pid: process.pid });
  const atExit = (): void => giveBackAtOnce(ctx, id);
  process.on("exit", atExit);
  const client = await batchClient(ctx);
  const giveBack = async (): Promise<void> => {
    try {
      await client.analysis.edit(id, { run_on: runOn });
      process.off("exit", atExit);
      note.end();
      ctx.say.info(`Analysis "${name}" in ${label} runs on ${runOn} again.`);
    } catch (error) {
      process.off("exit", atExit);
      note.leave();
      ctx.say.warning(`Analysis "${name}" in ${label} still runs on external: ${messageOf(error)}`);
      ctx.say.hint(`Run "iot analysis mode ${id} ${runOn}" when the platform is reachable.`);
    }
  };
  let isSwitched = false;
  try {
    await client.analysis.edit(id, { run_on: "external" });
    isSwitched = true;
    return { info: await client.analysis.info(id), giveBack };
  } catch (error) {
    if (error instanceof ApiError && !isSwitched) {
      // The platform rejected it, so nothing has changed.
      process.off("exit", atExit);
      note.end();
    } else await giveBack();
    throw error;
  }
}

/** Prints what the script printed, but for tokens: its own and the one of this program. Other text is the user's own. */
function printerOf(
  ctx: CommandContext,
  tokens: readonly string[],
): { print(line: ScriptLine): void; end(): Promise<void> } {
  const isChosen = ctx.user.settings.get("output")?.origin !== "default" || ctx.flags.jq !== undefined;
  const queue = createLineQueue<ScriptLine>();
  const asked = isChosen
    ? ctx.out.list(queue.lines, { columns, empty: "The script printed nothing.", idKey: "message" })
    : printPlain(ctx, queue.lines);
  return {
    print: (line) =>
      queue.add({
        ...line,
        message: tokens.reduce((text, token) => text.replaceAll(token, maskToken(token)), line.message),
      }),
    async end() {
      queue.end();
      await asked;
    },
  };
}

/** What the script prints goes where it printed it. */
async function printPlain(ctx: CommandContext, lines: AsyncIterable<ScriptLine>): Promise<void> {
  for await (const { stream, message } of lines) {
    const isTerminal = stream === "stdout" ? ctx.io.stdoutIsTerminal : ctx.io.stderrIsTerminal;
    const text = `${isTerminal ? cleanLine(message) : cleanOutput(message, false)}\n`;
    if (stream === "stdout") await ctx.io.write(text);
    else ctx.io.writeError(text);
  }
}

/** The signal, aborted after a time as well. */
function endingAfter(
  signal: AbortSignal,
  forMs: number | undefined,
): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const stopTimer = forMs === undefined ? undefined : afterMs(forMs, stop);
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  return { signal: controller.signal, release: () => stopTimer?.() };
}

async function dev(ctx: CommandContext, input: Given): Promise<void> {
  const { for: forMs } = input.options;
  const trigger = await readScope(ctx, input.options.trigger, "--trigger");
  const { id, file, language } = await chosen(ctx, input);
  const { api, label, token } = await ctx.connection();
  await restoreLeftovers(ctx);
  const client = await ctx.client();
  const before = await lookUp(ctx, analysisFinder, id, () => client.analysis.info(id));
  const { name } = before;
  const runtime = input.options.language ?? language ?? before.runtime ?? runtimeOf(file);
  const program = await devProgram(ctx, { file, runtime, inspect: input.options.inspect });
  if (runningNote(ctx.env, id, api) !== undefined) {
    throw conflictError(`Another "iot analysis dev" on this machine is running analysis "${name}".`, {
      code: "analysis.dev_running",
      next: "Stop it first.",
    });
  }
  const isBorrowed = before.run_on !== "external";
  if (isBorrowed && (await ctx.dryRun({ method: "PUT", path: `/analysis/${id}`, body: { run_on: "external" } })))
    return;
  if (before.active === false) ctx.say.warning(`Analysis "${name}" is inactive, so it receives no triggers.`);

  const borrowed = await borrow(ctx, before);
  const printer = printerOf(ctx, [borrowed.info.token, token]);
  const time = endingAfter(ctx.signal, forMs);
  const reaper = program.endsWithParent ? undefined : new (await import("../../sandbox/analyses/reaper.ts")).Reaper();
  try {
    rememberSecret(borrowed.info.token);
    const env = { ...(await childEnvironment(ctx, input.options, borrowed.info, file)), ...program.variables };
    ctx.say.info(`Running ${file} as analysis "${name}" in ${label}. Ctrl-C stops.`);
    const ready = (): void => {
      if (trigger === undefined) return;
      const sent = client.analysis.run(id, trigger).then(() => ctx.say.info("Sent the trigger."));
      sent.catch((error: unknown) => ctx.say.warning(`The trigger was not sent: ${messageOf(error)}`));
    };
    await runDev({
      file,
      cwd: ctx.cwd,
      env,
      program,
      reaper,
      watch: input.options.watch,
      say: ctx.say,
      signal: time.signal,
      print: printer.print,
      ready,
    });
  } finally {
    time.release();
    reaper?.close();
    await borrowed.giveBack();
    await printer.end();
  }
}

export const devCommand: Command = defineCommand({
  path: ["dev"],
  effect: "changes",
  summary: "Run an analysis on this machine, restarting on changes",
  details:
    "Sets the analysis to run on external, starts the source with its token, and restores the mode when it " +
    'stops; after a kill, the next "iot analysis dev" or "iot analysis mode" restores it. The platform creates a ' +
    "new token at both changes.\n\n" +
    "Python files run in python3, scripts of a Deno runtime bundled in deno, all others bundled in Node; Deno scripts can use " +
    "the network and read files, not write any.\n\n" +
    "The script gets T_ANALYSIS_TOKEN, T_ANALYSIS_ID, T_ANALYSIS_ENV, TAGOIO_API and TAGOIO_SSE in its environment, but no " +
    "IOT_* variables. A script that crashes is restarted after a pause. In a protected environment the mode change " +
    "requires --confirm.",
  args,
  options,
  groups: ["confirm", "dryRun"],
  result: rows(columns),
  examples: [
    'iot analysis dev "name:report" --file examples/analyses/freezer-report.ts --for 1s',
    "iot analysis dev examples/analyses/freezer-report.ts --id \"name:report\" --trigger '[]' --for 2s",
  ],
  exitCodes: [1, 3, 6, 7, 143],
  related: ["iot analysis deploy", "iot analysis run", "iot analysis mode"],
  run: dev,
});
