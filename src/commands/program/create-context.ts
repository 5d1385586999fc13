import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { knowsLinks } from "../../text/link.ts";
import { lentPrompts } from "../kit/ask/terminal-lent.ts";
import { ownLimits } from "../kit/client/rate-limits.ts";
import type { Output } from "../kit/command/columns.ts";
import type { Effect, RunOptions } from "../kit/command/define.ts";
import type { GlobalFlags } from "../kit/command/flags.ts";
import type { CommandClock, CommandContext, Prompts, Target } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { bytesOf, endedBy, inputFailure, readInputFile } from "../kit/files/input-file.ts";
import type { Io } from "../kit/io.ts";
import { sleep } from "../kit/long-wait.ts";
import { once } from "../kit/once.ts";
import { createOutput } from "../kit/output/create-output.ts";
import type { Format } from "../kit/output/setup.ts";
import { createMessages } from "../kit/say/messages.ts";
import { chosenPager, UserPager } from "../kit/say/pager.ts";
import { createStatusLine, type StatusLine } from "../kit/say/status-line.ts";
import type { ProjectConfig, ResolvedSetting, UserConfig } from "../kit/settings/config.ts";
import { DryRuns } from "./dry-runs.ts";
import { createPlatform, type PlatformSetup, type Surroundings } from "./platform.ts";

/** What a context is made from: the process, and what the user chose. */
export interface ContextSetup extends PlatformSetup {
  readonly io: Io;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly flags: GlobalFlags;
  /** The most that the command can do. */
  readonly effect?: Effect;
  readonly signal: AbortSignal;
  readonly settings: ReadonlyMap<string, ResolvedSetting>;
  readonly user: UserConfig;
  readonly project: ProjectConfig | undefined;
  /** Why the settings could not be read. */
  readonly problem?: unknown;
  /** Throws for a path that the run may not touch. */
  readonly allowFile?: RunOptions["allowFile"] | undefined;
  /** Shared by all contexts of a run. */
  readonly status?: StatusLine;
  /** The context next to this one, for a command that works with two environments. */
  readonly beside?: { target(): Promise<Target>; readonly dryRuns: DryRuns };
}

const systemClock = (signal: AbortSignal): CommandClock => ({
  now: () => Date.now(),
  elapsed: () => Math.round(performance.now()),
  sleep: (ms) => sleep(ms, signal),
});

function wantsColor(setup: ContextSetup): boolean {
  const { flags, env, io } = setup;
  if (flags.color !== "auto") return flags.color === "always";
  if (env["NO_COLOR"]) return false;
  if (env["FORCE_COLOR"] && env["FORCE_COLOR"] !== "0") return true;
  return io.stdoutIsTerminal && env["TERM"] !== "dumb";
}

async function readStdin({ io, signal }: ContextSetup, flag: string): Promise<Buffer> {
  if (io.stdinIsTerminal) {
    throw usageError(`${flag} - reads stdin, and stdin is a terminal.`, { next: "Pipe the text in, or name a file." });
  }
  return bytesOf(endedBy(signal, io.stdin), flag);
}

const stripMark = (text: string): string => (text.startsWith("\ufeff") ? text.slice(1) : text);

/**
 * Reads `--ca-file`; what went wrong is thrown to whoever asks for the text. Called before the program takes signals, as
 * the file may be a pipe that nobody writes to.
 */
export function readAuthority({ caFile: path }: GlobalFlags, cwd: string): () => string | undefined {
  if (path === undefined) return () => undefined;
  try {
    const text = readFileSync(resolve(cwd, path), "utf8");
    return () => text;
  } catch (error) {
    return () => {
      throw inputFailure(error, path, "--ca-file");
    };
  }
}

function surroundingsOf(setup: ContextSetup, dryRuns: DryRuns): Surroundings {
  const { env, flags, signal, user, allowFile } = setup;
  const settings =
    allowFile === undefined ? setup.settings : new Map([...setup.settings].filter(([name]) => name !== "queue"));
  const path = (text: string): string => {
    const whole = resolve(setup.cwd, text);
    allowFile?.(whole);
    return whole;
  };
  const status = setup.status ?? createStatusLine(setup.io, flags, env);
  const io = dryRuns.watch(status.io);
  const clock = setup.clock ?? systemClock(signal);
  return {
    io,
    env,
    cwd: setup.cwd,
    path,
    flags,
    signal,
    clock,
    limits: ownLimits(clock),
    status,
    say: createMessages(io, { ...flags, links: mayLink(setup) && io.stderrIsTerminal, path }),
    canPrompt: io.stdinIsTerminal && io.stderrIsTerminal && !env["CI"] && flags.input,
    user: { config: user, project: setup.project, settings, problem: setup.problem },
  };
}

const mayLink = ({ flags, env }: ContextSetup): boolean => !flags.accessible && knowsLinks(env);

function outputOf(setup: ContextSetup, { io, say, status, user: { settings } }: Surroundings): Output {
  const { env, flags } = setup;
  const mayWait = setup.io.stdoutIsTerminal && flags.input && !flags.accessible && !env["CI"];
  const pager = chosenPager(settings.get("pager")?.value, env, mayWait);
  return createOutput({
    io,
    say,
    format: (flags.output ?? "table") as Format,
    isAsked: settings.get("output")?.origin !== "default",
    ...(flags.fields === undefined ? {} : { fields: flags.fields }),
    isOfChange: (setup.effect ?? "reads") !== "reads",
    ...(flags.limit === undefined ? {} : { limit: flags.limit }),
    ...(flags.page === undefined ? {} : { page: flags.page }),
    ...(flags.jq === undefined ? {} : { jq: flags.jq }),
    ...(flags.template === undefined ? {} : { template: flags.template }),
    header: flags.header,
    csvSafe: flags.csvSafe,
    csvBom: flags.csvBom,
    reveal: flags.reveal,
    bold: wantsColor(setup),
    ascii: flags.ascii,
    links: mayLink(setup) && io.stdoutIsTerminal,
    accessible: flags.accessible,
    ...(pager === undefined ? {} : { pager: () => new UserPager(io, pager, env, () => status.lend()) }),
    time: {
      form: flags.time ?? "auto",
      // In a view that stays open for hours, ages are those at each update.
      get nowMs() {
        return Date.now();
      },
      ...(flags.tz === undefined ? {} : { zone: flags.tz }),
    },
  });
}

/** What commands get. Nothing here opens a file or a connection before it is asked for. */
export function createContext(setup: ContextSetup): CommandContext {
  const dryRuns = setup.beside?.dryRuns ?? new DryRuns();
  const surroundings = surroundingsOf(setup, dryRuns);
  const { io, flags, signal, status, say, canPrompt, path, user } = surroundings;
  const openPrompts = once(async (): Promise<Prompts> => {
    if (flags.accessible) return (await import("../kit/ask/plain-prompts.ts")).createPlainPrompts({ io, signal });
    return lentPrompts(await (await import("../kit/ask/prompts.ts")).createPrompts(signal), status);
  });
  const platform = createPlatform(setup, surroundings, openPrompts);
  const { target, connection, label } = platform;
  const others = new Map<string, CommandContext>();
  return {
    ...surroundings,
    ...platform,
    out: outputOf(setup, surroundings),
    async prompts(flag) {
      if (canPrompt) return openPrompts();
      throw usageError(`${flag} is needed.`, {
        code: "usage.no_terminal",
        why: "The value was not given, and there is no terminal to ask on.",
        next: `Add ${flag}.`,
      });
    },
    inEnvironment(name) {
      const made = others.get(name);
      if (made !== undefined) return made;
      const chosen = new Map(user.settings).set("env", { name: "env", value: name, origin: "flag" });
      chosen.delete("profile");
      const other = createContext({ ...setup, status, settings: chosen, beside: { target, dryRuns } });
      others.set(name, other);
      return other;
    },
    dryRun: (requests) => dryRuns.print({ io, flags, say, label }, requests),
    async done(text) {
      say.info(`${text} in ${(await connection()).label}.`);
    },
    endResult: () => dryRuns.end({ io, flags }),
    async readInput(place, flag) {
      if (place === "-" || place === "@-") return stripMark((await readStdin(setup, flag)).toString("utf8"));
      const shown = place.startsWith("@") ? place.slice(1) : place;
      const bytes = await readInputFile(path(shown), shown, flag, signal);
      return stripMark(bytes.toString("utf8"));
    },
  };
}
