import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Transport } from "../../index.ts";
import { cleanOutput } from "../../text/clean.ts";
import { knowsLinks } from "../../text/link.ts";
import { confirmChange } from "../kit/ask/confirm.ts";
import { lentPrompts } from "../kit/ask/terminal-lent.ts";
import { ownLimits } from "../kit/client/rate-limits.ts";
import type { Effect, RunOptions } from "../kit/command/define.ts";
import type { GlobalFlags } from "../kit/command/flags.ts";
import type { CommandClock, CommandContext, Connection, Prompts, RequestOptions, Target } from "../kit/context.ts";
import { CommandError, usageError } from "../kit/failures/command-error.ts";
import { isObject, type JsonObject } from "../kit/files/files.ts";
import { bytesOf, endedBy, inputFailure, readInputFile } from "../kit/files/input-file.ts";
import type { Io } from "../kit/io.ts";
import { sleep } from "../kit/long-wait.ts";
import { once } from "../kit/once.ts";
import { createOutput } from "../kit/output/create-output.ts";
import { jsonText } from "../kit/output/machines.ts";
import type { Format } from "../kit/output/setup.ts";
import { toJson } from "../kit/output/values.ts";
import { createMessages } from "../kit/say/messages.ts";
import { chosenPager, UserPager } from "../kit/say/pager.ts";
import { redactValue } from "../kit/say/redact.ts";
import { createStatusLine, type StatusLine } from "../kit/say/status-line.ts";
import type { ProjectConfig, ResolvedSetting, UserConfig } from "../kit/settings/config.ts";
import { type ConnectSources, chooseTarget, connect } from "../kit/settings/connect.ts";
import { isStoredSource, readCredentials } from "../kit/settings/credentials.ts";
import { createWhere } from "../kit/settings/where.ts";
import { clientOptions } from "./client-options.ts";
import { createGate, guardTransport } from "./gate.ts";

/** What a context is made from: the process, and what the user chose. */
export interface ContextSetup {
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
  /** Certificates to trust besides the usual ones. Throws when `--ca-file` could not be read. */
  readonly ca?: () => string | undefined;
  /** Replaces the library's own, for `--verbose` and `--debug`. */
  readonly transport?: Transport;
  /** Environment whose name was given before this run: its gate is open. */
  readonly opened?: string | undefined;
  /** Replaces the clock of the system. */
  readonly clock?: CommandClock | undefined;
  /** Throws for a path that the run may not touch. */
  readonly allowFile?: RunOptions["allowFile"] | undefined;
  /** Shared by all contexts of a run. */
  readonly status?: StatusLine;
  /** The context next to this one, for a command that works with two environments. */
  readonly beside?: { target(): Promise<Target>; readonly dryRuns: DryRuns };
}

/** Counts what `--dry-run` printed: all of it is one document. */
interface DryRuns {
  planned: number;
  /** Whether anything has reached stdout. */
  hasWritten: boolean;
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

/** The same process; calls `onWrite` when something is written to stdout. */
function withWatch(io: Io, onWrite: () => void): Io {
  return {
    get stdin() {
      return io.stdin;
    },
    write(text) {
      onWrite();
      return io.write(text);
    },
    writeError: (text) => io.writeError(text),
    stdoutIsTerminal: io.stdoutIsTerminal,
    stderrIsTerminal: io.stderrIsTerminal,
    stdinIsTerminal: io.stdinIsTerminal,
    columns: () => io.columns(),
    rows: () => io.rows?.(),
  };
}

const requestLine = ({ method, path, body }: JsonObject): string =>
  `${String(method)} ${String(path)}${body === undefined ? "" : ` ${toJson(body)}`}`;

/** What commands get. Nothing here opens a file or a connection before it is asked for. */
export function createContext(setup: ContextSetup): CommandContext {
  const dryRuns = setup.beside?.dryRuns ?? { planned: 0, hasWritten: false };
  const { env, flags, signal, user, allowFile } = setup;
  const settings =
    allowFile === undefined ? setup.settings : new Map([...setup.settings].filter(([name]) => name !== "queue"));
  const path = (text: string): string => {
    const whole = resolve(setup.cwd, text);
    allowFile?.(whole);
    return whole;
  };
  const mayWait = setup.io.stdoutIsTerminal && flags.input && !flags.accessible && !env["CI"];
  const pager = chosenPager(settings.get("pager")?.value, env, mayWait);
  const status = setup.status ?? createStatusLine(setup.io, flags, env);
  const io = withWatch(status.io, () => {
    dryRuns.hasWritten = true;
  });
  const mayLink = !flags.accessible && knowsLinks(env);
  const say = createMessages(io, { ...flags, links: mayLink && io.stderrIsTerminal, path });
  const canPrompt = io.stdinIsTerminal && io.stderrIsTerminal && !env["CI"] && flags.input;

  const sources = async (): Promise<ConnectSources> => {
    const { resolveRegion } = await import("../../lib/core/regions.ts");
    return { env, user, settings, credentials: () => readCredentials(env, say.warning), resolveRegion };
  };
  const clock = setup.clock ?? systemClock(signal);
  const target = once(async () => chooseTarget(await sources()));
  const connection = once(async (): Promise<Connection> => {
    const found = connect(await sources());
    await requireOwnToken(found, setup.beside);
    warnOfExpiry(found, say.warning);
    return found;
  });
  const whereOf = createWhere({ target, connection, clientOptions: () => options() });
  const gate = createGate({
    flags,
    canPrompt,
    prompts: () => openPrompts(),
    target,
    where: whereOf,
    opened: setup.opened,
  });
  const others = new Map<string, CommandContext>();
  let made: RequestOptions | undefined;
  const options = (): RequestOptions => {
    const { transport, ca } = setup;
    const guard = (load: () => Promise<Transport>): Transport =>
      guardTransport(load, transport?.name ?? "http", gate, target);
    made ??= clientOptions({ flags, signal, status, say, transport, clock: setup.clock, ca: ca?.(), guard });
    return made;
  };
  const parameters = async (token?: string) => {
    const { api, events, token: own } = await connection();
    return { ...options(), token: token ?? own, region: { api, sse: events } };
  };
  const client = once(async () => new (await import("../../lib/resources/resources.ts")).Resources(await parameters()));
  const openPrompts = once(async (): Promise<Prompts> => {
    if (flags.accessible) return (await import("../kit/ask/plain-prompts.ts")).createPlainPrompts({ io, signal });
    return lentPrompts(await (await import("../kit/ask/prompts.ts")).createPrompts(signal), status);
  });

  /** One request of a dry run in the format of the results: an item of the JSON document, or a line. */
  function plannedText(request: unknown, isFirst: boolean): string {
    if (flags.output !== "json" && flags.output !== "ndjson") {
      const line = isObject(request) ? requestLine(request) : "";
      return `${cleanOutput(line, io.stdoutIsTerminal)}\n`;
    }
    const text = jsonText(request);
    if (flags.output === "ndjson") return `${text}\n`;
    return `${isFirst ? "[\n  " : ",\n  "}${text}`;
  }

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
    out: createOutput({
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
      links: mayLink && io.stdoutIsTerminal,
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
    }),
    say,
    canPrompt,
    async prompts(flag) {
      if (canPrompt) return openPrompts();
      throw usageError(`${flag} is needed.`, {
        code: "usage.no_terminal",
        why: "The value was not given, and there is no terminal to ask on.",
        next: `Add ${flag}.`,
      });
    },
    target,
    connection,
    where: () => whereOf(true),
    label: () => whereOf(false),
    gate,
    clientOptions: options,
    user: { config: user, project: setup.project, settings, problem: setup.problem },
    client,
    deviceClient: async (token) => new (await import("../../lib/clients/device.ts")).Device(await parameters(token)),
    inEnvironment(name) {
      const made = others.get(name);
      if (made !== undefined) return made;
      const chosen = new Map(settings).set("env", { name: "env", value: name, origin: "flag" });
      chosen.delete("profile");
      const other = createContext({ ...setup, status, settings: chosen, beside: { target, dryRuns } });
      others.set(name, other);
      return other;
    },
    async confirm(question) {
      const given = gate.isAnswered ? { givenName: (await target()).envName } : {};
      await confirmChange({ io, flags, canPrompt, prompts: openPrompts, where: whereOf, ...given }, question);
    },
    async dryRun(requests) {
      if (!flags.dryRun) return false;
      for (const request of [requests].flat()) {
        if (dryRuns.planned === 0) say.info(`Dry run: nothing is sent to ${await whereOf(false)}.`);
        await io.write(plannedText(redactValue(request), dryRuns.planned === 0));
        dryRuns.planned += 1;
      }
      return true;
    },
    async done(text) {
      say.info(`${text} in ${(await connection()).label}.`);
    },
    async endResult() {
      if (flags.output !== "json") return;
      if (dryRuns.planned > 0) await io.write("\n]\n");
      // Nothing to do is a plan, too.
      else if (!dryRuns.hasWritten) await io.write(flags.dryRun ? "[]\n" : "null\n");
    },
    async readInput(place, flag) {
      if (place === "-" || place === "@-") return stripMark((await readStdin(setup, flag)).toString("utf8"));
      const shown = place.startsWith("@") ? place.slice(1) : place;
      const bytes = await readInputFile(path(shown), shown, flag, signal);
      return stripMark(bytes.toString("utf8"));
    },
  };
}

/** A token of a variable belongs to the environment in use: it is not sent to the other one, if that is elsewhere. */
async function requireOwnToken(found: Connection, beside: ContextSetup["beside"]): Promise<void> {
  if (beside === undefined || isStoredSource(found.tokenSource)) return;
  if (new URL(found.api).origin === new URL((await beside.target()).api).origin) return;
  throw new CommandError(`There is no credential for ${found.label}.`, {
    code: "auth.missing",
    exit: 4,
    why: `${found.tokenSource} is for the environment in use, and is not sent to another environment.`,
    next: `Run "iot auth login --env ${found.envName}".`,
  });
}

const warnBeforeMs = 7 * 86_400_000;

function warnOfExpiry({ expiresAt, envName }: Connection, warn: (text: string) => void): void {
  if (!(expiresAt instanceof Date) || Number.isNaN(expiresAt.getTime())) return;
  const left = expiresAt.getTime() - Date.now();
  if (left > warnBeforeMs) return;
  const login = `run "iot auth login${envName === "" ? "" : ` --env ${envName}`}"`;
  if (left > 0) warn(`The token expires on ${expiresAt.toISOString().slice(0, 10)}; ${login} for a new one.`);
  else {
    throw new CommandError("The stored token has expired.", {
      code: "auth.expired",
      exit: 4,
      why: `It was valid until ${expiresAt.toISOString()}.`,
      next: `${login.charAt(0).toUpperCase()}${login.slice(1)}.`,
    });
  }
}
