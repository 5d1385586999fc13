import { resolve } from "node:path";
import { ApiError, RequestError } from "../../lib/core/errors.ts";
import { knowsLinks } from "../../text/link.ts";
import type { Command, CommandInput, Program, RunOptions } from "../kit/command/define.ts";
import { effectOf, greatestEffect } from "../kit/command/effect.ts";
import type { GlobalFlags } from "../kit/command/flags.ts";
import { readOptions } from "../kit/command/parse-options.ts";
import type { CommandContext } from "../kit/context.ts";
import type { FailurePlace, TokenKind } from "../kit/failures/failures.ts";
import { checkingLine } from "../kit/failures/lost-write.ts";
import { isObject } from "../kit/files/files.ts";
import type { Io } from "../kit/io.ts";
import { copyEnvironment } from "../kit/process/in-path.ts";
import { createStatusLine, type StatusLine } from "../kit/say/status-line.ts";
import { type ContextSetup, createContext, readAuthority } from "./create-context.ts";
import { type Given, inputOf } from "./input.ts";
import { passGate } from "./pass-gate.ts";
import { settleSettings } from "./settle.ts";
import { watchSignals } from "./signals.ts";
import type { Reading, Word } from "./word.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** One run of the program. What is learnt on the way helps to explain a failure. */
export interface Run extends RunOptions {
  readonly io: Io;
  readonly cwd: string;
  /** The words; those of an alias once it is expanded. */
  line: readonly string[];
  readonly env: Environment;
  place: FailurePlace;
  /** What is known of the line, whether it could be understood or not. */
  reading?: Reading;
  /** Whether this is the line of the process, not one that another command runs: only then plugins start. */
  readonly isOfProcess?: boolean;
  /** How many aliases have been expanded. */
  aliases?: number;
  /** The format in force, once the settings are known. */
  format?: string;
  /** Whether messages have links, once the settings are known. */
  hasLinks?: boolean;
  /** Variables that decide about the update notice, once a command was to run that may be followed by it. */
  noticeEnv?: Environment;
}

/** Runs a command to its exit code. What is learnt on the way is left in the run. */
export async function runCommand(run: Run, program: Program, word: Word, command: Command): Promise<number> {
  const { io, cwd } = run;
  const { title } = word;
  const { args, texts, shared, renamed } = inputOf(word, command);
  const fromFile = await variablesIn(shared, cwd);
  // A variable that is set goes before the same name in a file, as everywhere.
  const env = { ...fromFile, ...copyEnvironment(run.env) };
  const settled = settleSettings(
    { ...shared, reveal: texts["reveal"] },
    env,
    cwd,
    command.toleratesBrokenSettings === true,
  );
  run.format = settled.flags.output ?? "table";
  run.hasLinks = io.stderrIsTerminal && !settled.flags.accessible && knowsLinks(env);
  if (!settled.flags.quiet && !/^iot (mcp|completion)\b/.test(title)) run.noticeEnv = env;
  const status = createStatusLine(io, settled.flags, env);
  const ca = readAuthority(settled.flags, cwd);
  const transport = await transportOf(settled.flags, status, ca);
  const announce = (text: string): void => {
    status.interrupt();
    io.writeError(`info: ${text}\n`);
  };
  const stop = watchSignals(announce, run.signal);
  const { opened, clock, allowFile } = run;
  const ctx = createContext({
    ...{ io, status, env, cwd, signal: stop.signal, ca, opened, clock, allowFile },
    effect: greatestEffect(command),
    ...settled,
    ...transport,
  });
  let input: CommandInput = { args, texts, options: {} };
  for (const text of renamed) ctx.say.warning(text);
  try {
    input = { ...input, options: await readOptions(command.options ?? [], texts, { ...ctx, nowMs: ctx.clock.now() }) };
    const { jq, template } = settled.flags;
    // Before a change is made whose result cannot be shown.
    if (jq !== undefined) await (await import("../kit/output/jq.ts")).checkJq(jq);
    if (template !== undefined) (await import("../kit/output/template.ts")).parseTemplate(template);
    await passGate(ctx, command, title, input);
    const code = await command.run(ctx, input, program);
    if (command.passThrough !== true) await ctx.endResult();
    // A child that was passed the signal says itself how it ended.
    if (command.passThrough === true && typeof code === "number") return code;
    return stop.exitCode() ?? (typeof code === "number" ? code : 0);
  } catch (error) {
    const code = stop.exitCode();
    if (code !== undefined) return code;
    const check = checkingLine(word.noun?.name ?? "", word.all, command, input);
    const onlyReads = effectOf(command, input, ctx) === "reads";
    run.place = { ...(await placeOf(ctx, error)), onlyReads, ...(check === undefined ? {} : { check }) };
    throw error;
  } finally {
    status.close();
    stop.release();
  }
}

/** The transport that says what it sends, with `--verbose` or `--debug`. */
async function transportOf(
  { debug, verbose, proxy }: GlobalFlags,
  status: StatusLine,
  ca: () => string | undefined,
): Promise<Pick<ContextSetup, "transport">> {
  if (!debug && !verbose) return {};
  const { spokenTransport } = await import("./debug-transport.ts");
  return { transport: await spokenTransport(status, { debug, proxy, ca: ca() }) };
}

async function variablesIn({ varsFile, envFile }: Given["shared"], cwd: string): Promise<Environment> {
  if (varsFile === undefined && envFile === undefined) return {};
  const { readKnownVars, varsFileOf } = await import("../kit/settings/env-file.ts");
  const file = varsFileOf({ varsFile, envFile });
  return file === undefined ? {} : readKnownVars(resolve(cwd, file));
}

/** What helps to explain a failure of the platform. Finding it out must not fail in its turn. */
async function placeOf(ctx: CommandContext, error: unknown): Promise<FailurePlace> {
  if (!(error instanceof ApiError || error instanceof RequestError)) return {};
  try {
    const target = await ctx.label();
    const { api } = await ctx.target();
    return error.status === 401 ? { target, api, token: await tokenKind(ctx) } : { target, api };
  } catch {
    return {};
  }
}

const probeMs = 5_000;

async function tokenKind(ctx: CommandContext): Promise<TokenKind> {
  const { api, events, token } = await ctx.connection();
  const { rawRequest } = await import("../../lib/api/raw.ts");
  const params = { ...ctx.clientOptions(), region: { api, sse: events }, token, attempts: 1, timeoutMs: probeMs };
  try {
    const { result } = await rawRequest(params, { method: "GET", path: "/info" });
    // Only a device has a bucket.
    return isObject(result) && isObject(result["bucket"]) ? "device" : "other";
  } catch (error) {
    return error instanceof ApiError && error.status === 401 ? "unknown" : "other";
  }
}
