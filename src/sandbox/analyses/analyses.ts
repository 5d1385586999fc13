import { isRecord } from "../../lib/core/json.ts";
import type { Clock } from "../core/clock.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { Principal } from "../core/principal.ts";
import { shownToken } from "../http/auth.ts";
import type { Collection, EntityDocument } from "../store/document.ts";
import type { StoredToken, TokenStore } from "../store/tokens.ts";
import type { SandboxDatabase } from "../store/types.ts";
import type { Hub } from "../stream/hub.ts";
import { type Consoles, createConsoles } from "./console.ts";
import { createLineage } from "./lineage.ts";
import { type RunningScript, runScript, type ScriptEnd } from "./process.ts";
import { programOf } from "./programs.ts";
import { createReaper } from "./reaper.ts";
import type { ScriptStore } from "./scripts.ts";
import type { OwnedAnalyses, RunOptions, RunVariable } from "./types.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

/** Processes at one time; further runs wait. */
const MAX_PROCESSES = 4;
const MAX_WAITING = 1_000;
/** Lines of a script are written down this often. */
const PRINT_MS = 40;
const DEFAULT_TIMEOUT_MS = 120_000;
/** Actions and analyses that may lead to each other before the chain is taken for a loop. */
export const MAX_CHAIN = 25;

export interface AnalysesParts {
  readonly db: SandboxDatabase;
  readonly clock: Clock;
  readonly hub: Hub;
  readonly tokens: TokenStore;
  readonly collection: Collection;
  readonly scripts: ScriptStore;
  /** Told how long each script ran. */
  readonly ran: (profile: string, tookMs: number) => void;
  /** The secrets an analysis may read. */
  readonly secrets: (analysis: EntityDocument) => readonly EntityDocument[];
  /** False: no script is run. */
  readonly runsScripts: boolean;
  /** Longest time of a script. Default 120 seconds. */
  readonly timeoutMs?: number;
  /** Where scripts find their packages. Default the working directory of the process. */
  readonly folder?: string;
}

interface Waiting {
  readonly analysis: EntityDocument;
  readonly scope: unknown;
  readonly environment: readonly RunVariable[];
  readonly token: string;
  readonly depth: number;
}

/** What a run is answered where scripts are switched off. */
const SCRIPTS_OFF = 'This sandbox runs no scripts: start it with "--scripts", or run the analysis as an external one';

/** The token of an analysis: the newest one. */
export function analysisToken(tokens: TokenStore, analysisId: string): StoredToken | undefined {
  return tokens.list("analysis", analysisId).at(-1);
}

/** What a request to run an analysis is answered. */
export function runAnswer(principal: Principal, token: StoredToken | undefined): { readonly analysis_token: string } {
  return { analysis_token: token === undefined ? "" : shownToken(principal, token) };
}

/** Pairs of key and value. */
function variablesIn(list: readonly Readonly<Record<string, unknown>>[]): RunVariable[] {
  return list.flatMap(({ key, value }) =>
    typeof key === "string" && (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      ? [{ key, value }]
      : [],
  );
}

/** The variables of an analysis, and the secrets it may read; of two with the same key the variable wins. */
function variablesOf({ variables }: EntityDocument, secrets: readonly EntityDocument[]): RunVariable[] {
  const own = variablesIn(Array.isArray(variables) ? variables.filter(isRecord) : []);
  const keys = new Set(own.map(({ key }) => key));
  return [...own, ...variablesIn(secrets).filter(({ key }) => !keys.has(key))];
}

function endText(end: ScriptEnd, timeoutMs: number, tookMs: number): string {
  if (end.kind === "timeout") return `The analysis was stopped: it ran longer than ${timeoutMs / 1000} seconds`;
  if (end.kind === "killed") return `The analysis was ended by ${end.signal}`;
  if (end.kind === "failed") return `The analysis could not be started: ${end.message}`;
  const took = `${(tookMs / 1000).toFixed(1)} s`;
  return end.code === 0 ? `Analysis ended after ${took}` : `Analysis failed with exit code ${end.code} after ${took}`;
}

/** Runs analyses: inactive ones not at all, external ones over the stream, the others as processes. */
export function createAnalyses(parts: AnalysesParts): OwnedAnalyses {
  const { db, clock, hub, tokens, collection, scripts } = parts;
  const timeoutMs = parts.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const consoles: Consoles = createConsoles(db, hub);
  const lineage = createLineage();
  const reaper = createReaper();
  const running = new Map<RunningScript, string>();
  let waiting: Waiting[] = [];
  let workspace: Workspace | undefined;
  let origin: string | undefined;
  let trust: Readonly<Record<string, string>> = {};
  let closed = false;

  /** Lines of a run may come after the analysis was deleted, or after the end of the sandbox. */
  const say = (analysisId: string, ...messages: readonly string[]): void => {
    if (closed) return;
    const analysis = collection.get(analysisId);
    if (analysis === undefined) return;
    const timestampMs = clock.now();
    consoles.append(
      analysis,
      messages.map((message) => ({ message, timestampMs })),
    );
  };

  /** Collects the lines of a run for a moment: a script that prints a lot must not cost a write for each line. */
  const printer = (analysisId: string): { print(lines: readonly string[]): void; flush(): void } => {
    const held: string[] = [];
    let timer: NodeJS.Timeout | undefined;
    const flush = (): void => {
      clearTimeout(timer);
      timer = undefined;
      if (held.length > 0) say(analysisId, ...held.splice(0));
    };
    return {
      print: (lines) => {
        held.push(...lines);
        timer ??= setTimeout(flush, PRINT_MS).unref();
      },
      flush,
    };
  };

  const trigger = ({ analysis, scope, environment, token, depth }: Waiting): void => {
    if (!hub.listeningFor("analysis_trigger", analysis.id)) {
      say(analysis.id, "The analysis is not connected");
      return;
    }
    lineage.external(analysis.id, depth);
    hub.publish({
      channel: "analysis_trigger",
      audience: analysis.id,
      profile: analysis.profile,
      payload: { analysis_id: analysis.id, environment, data: scope, token },
    });
  };

  const begin = async (run: Waiting): Promise<void> => {
    const { analysis, environment, scope, token, depth } = run;
    const { id, runtime } = analysis;
    const program = programOf(runtime);
    if (program === undefined) {
      say(id, `The sandbox runs Node, Deno and Python scripts, not ${String(runtime)}`);
      return;
    }
    const script = scripts.get(id);
    if (script === undefined) {
      say(id, "The analysis has no script: upload one");
      return;
    }
    if (workspace === undefined) {
      workspace = createWorkspace(parts.folder ?? process.cwd());
      reaper.clean(workspace.root);
    }
    const folder = workspace.prepare(script.fileName, script.content, program);
    const endLineage = lineage.begin(id, depth);
    const startedAtMs = performance.now();
    say(id, "Analysis started");
    const printed = printer(id);
    const process_ = runScript({
      program,
      folder,
      reaper,
      timeoutMs,
      modulePaths: workspace.modulePaths,
      print: printed.print,
      environment: {
        T_ANALYSIS_CONTEXT: "tago-io",
        T_ANALYSIS_ID: id,
        T_ANALYSIS_TOKEN: token,
        T_ANALYSIS_ENV: JSON.stringify(environment),
        T_ANALYSIS_DATA: JSON.stringify(scope),
        TAGOIO_API: origin ?? "",
        TAGO_API: origin ?? "",
        TAGOIO_SSE: `${origin}/events`,
        TAGOIO_PDF: `${origin}/pdf`,
        ...trust,
      },
    });
    running.set(process_, id);
    try {
      const end = await process_.ended;
      printed.flush();
      const tookMs = performance.now() - startedAtMs;
      if (!closed) parts.ran(analysis.profile, tookMs);
      say(id, endText(end, timeoutMs, tookMs));
    } finally {
      running.delete(process_);
      endLineage();
      folder.remove();
      next();
    }
  };

  const next = (): void => {
    while (!closed && origin !== undefined && running.size < MAX_PROCESSES) {
      const run = waiting.shift();
      if (run === undefined) return;
      begin(run).catch((error: unknown) => {
        say(
          run.analysis.id,
          `The analysis could not be run: ${error instanceof Error ? error.message : String(error)}`,
        );
      });
    }
  };

  const start = (run: Waiting): void => {
    if (closed) return;
    const { analysis } = run;
    if (analysis["run_on"] === "external") {
      trigger(run);
    } else if (!parts.runsScripts) {
      say(analysis.id, SCRIPTS_OFF);
    } else if (waiting.length >= MAX_WAITING) {
      say(analysis.id, `The run was left out: ${MAX_WAITING} others are waiting`);
    } else {
      waiting.push(run);
      next();
    }
  };

  const stop = (analysisId?: string): void => {
    waiting = analysisId === undefined ? [] : waiting.filter(({ analysis }) => analysis.id !== analysisId);
    for (const [script, id] of running) if (analysisId === undefined || id === analysisId) script.kill();
    if (analysisId === undefined) lineage.clear();
  };

  return {
    run: (analysisId, scope, options: RunOptions = {}) => {
      const analysis = collection.get(analysisId);
      if (analysis === undefined) return undefined;
      const token = analysisToken(tokens, analysisId);
      if (analysis["active"] === false) {
        say(analysisId, "The analysis is not active");
        return token;
      }
      if ((options.depth ?? 0) > MAX_CHAIN) {
        say(
          analysisId,
          `The run was left out: ${MAX_CHAIN} actions and analyses led to each other, which is taken for a loop`,
        );
        return token;
      }
      collection.touch(analysisId, { last_run: new Date(clock.now()).toISOString() });
      const own = variablesOf(analysis, parts.secrets(analysis));
      const more = Object.entries(options.environment ?? {}).map(([key, value]) => ({ key, value }));
      const run: Waiting = {
        analysis,
        scope: typeof scope === "object" && scope !== null ? scope : [],
        environment: [...own, ...more],
        token: token?.token ?? "",
        depth: options.depth ?? 0,
      };
      db.afterCommit(() => start(run));
      return token;
    },
    refusal: (analysisId) => {
      const analysis = collection.get(analysisId);
      if (parts.runsScripts || analysis === undefined || analysis["run_on"] === "external") return undefined;
      const error = new PlatformError(400, SCRIPTS_OFF);
      error.afterwards = () => say(analysisId, SCRIPTS_OFF);
      return error;
    },
    log: consoles.append,
    console: consoles.list,
    secrets: parts.secrets,
    timeoutMs,
    depth: lineage.depth,
    isWorking: (analysisId) =>
      waiting.some(({ analysis }) => analysis.id === analysisId) || [...running.values()].includes(analysisId),
    stop,
    forget: (analysisId) => {
      consoles.remove(analysisId);
      db.afterCommit(() => stop(analysisId));
    },
    serveAt: (address, variables = {}) => {
      origin = address;
      trust = variables;
      next();
    },
    get busy() {
      return running.size + waiting.length;
    },
    close: async () => {
      closed = true;
      stop();
      await Promise.allSettled([...running.keys()].map(({ ended }) => ended));
      reaper.close();
      workspace?.close();
      workspace = undefined;
    },
  };
}
