import { isRecord } from "../../lib/core/json.ts";
import type { Clock } from "../core/clock.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { Principal } from "../core/principal.ts";
import { shownToken } from "../http/auth.ts";
import type { Collection, EntityDocument } from "../store/document.ts";
import type { StoredToken, TokenStore } from "../store/tokens.ts";
import type { SandboxDatabase } from "../store/types.ts";
import type { Hub } from "../stream/hub.ts";
import { Consoles } from "./console.ts";
import { Lineage } from "./lineage.ts";
import { type RunningScript, runScript, type ScriptEnd } from "./process.ts";
import { programOf } from "./programs.ts";
import { Reaper } from "./reaper.ts";
import type { ScriptStore } from "./scripts.ts";
import type { ConsoleLine, OwnedAnalyses, RunOptions, RunVariable, StoredLine } from "./types.ts";
import { Workspace } from "./workspace.ts";

/** Concurrent processes; further runs wait. */
const MAX_PROCESSES = 4;
const MAX_WAITING = 1_000;
/** Lines of a script are stored this often. */
const PRINT_MS = 40;
const DEFAULT_TIMEOUT_MS = 120_000;
/** Actions and analyses that can trigger each other before the chain counts as a loop. */
export const MAX_CHAIN = 25;

export interface AnalysesParts {
  readonly db: SandboxDatabase;
  readonly clock: Clock;
  readonly hub: Hub;
  readonly tokens: TokenStore;
  readonly collection: Collection;
  readonly scripts: ScriptStore;
  /** Called with the duration of each script. */
  readonly onRunEnded: (profile: string, tookMs: number) => void;
  /** The secrets an analysis may read. */
  readonly secrets: (analysis: EntityDocument) => readonly EntityDocument[];
  /** False: scripts do not run. */
  readonly runsScripts: boolean;
  /** Longest time of a script. Default 120 seconds. */
  readonly timeoutMs?: number;
  /** Directory in which scripts find their packages. Default the working directory of the process. */
  readonly folder?: string;
}

interface Waiting {
  readonly analysis: EntityDocument;
  readonly scope: unknown;
  readonly environment: readonly RunVariable[];
  readonly token: string;
  readonly depth: number;
}

/** Response to a run request when scripts are switched off. */
const SCRIPTS_OFF = 'This sandbox runs no scripts: start it with "--scripts", or run the analysis as an external one';

/** The token of an analysis: the newest one. */
export function analysisToken(tokens: TokenStore, analysisId: string): StoredToken | undefined {
  return tokens.list("analysis", analysisId).at(-1);
}

/** Response to a request to run an analysis. */
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

/** The variables of an analysis, and the secrets it can read; a variable overrides a secret with the same key. */
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

type Printed = Omit<ConsoleLine, "timestampMs">;

/** Runs analyses: external ones over the stream, the others as processes; inactive ones do not run. */
export class AnalysisRunner implements OwnedAnalyses {
  readonly #parts: AnalysesParts;
  readonly #db: SandboxDatabase;
  readonly #clock: Clock;
  readonly #hub: Hub;
  readonly #tokens: TokenStore;
  readonly #collection: Collection;
  readonly #scripts: ScriptStore;
  readonly timeoutMs: number;
  readonly #consoles: Consoles;
  readonly #lineage = new Lineage();
  readonly #reaper = new Reaper();
  readonly #running = new Map<RunningScript, string>();
  #waiting: Waiting[] = [];
  #workspace: Workspace | undefined;
  #origin: string | undefined;
  #trust: Readonly<Record<string, string>> = {};
  #closed = false;

  constructor(parts: AnalysesParts) {
    this.#parts = parts;
    this.#db = parts.db;
    this.#clock = parts.clock;
    this.#hub = parts.hub;
    this.#tokens = parts.tokens;
    this.#collection = parts.collection;
    this.#scripts = parts.scripts;
    this.timeoutMs = parts.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#consoles = new Consoles(this.#db, this.#hub);
  }

  run(analysisId: string, scope: unknown, options: RunOptions = {}): StoredToken | undefined {
    const analysis = this.#collection.get(analysisId);
    if (analysis === undefined) return undefined;
    const token = analysisToken(this.#tokens, analysisId);
    if (analysis["active"] === false) {
      this.#fail(analysisId, "The analysis is not active");
      return token;
    }
    if ((options.depth ?? 0) > MAX_CHAIN) {
      this.#fail(
        analysisId,
        `The run was left out: ${MAX_CHAIN} actions and analyses led to each other, which is taken for a loop`,
      );
      return token;
    }
    this.#collection.touch(analysisId, { last_run: new Date(this.#clock.now()).toISOString() });
    const own = variablesOf(analysis, this.#parts.secrets(analysis));
    const more = Object.entries(options.environment ?? {}).map(([key, value]) => ({ key, value }));
    const run: Waiting = {
      analysis,
      scope: typeof scope === "object" && scope !== null ? scope : [],
      environment: [...own, ...more],
      token: token?.token ?? "",
      depth: options.depth ?? 0,
    };
    this.#db.afterCommit(() => this.#start(run));
    return token;
  }

  refusal(analysisId: string): PlatformError | undefined {
    const analysis = this.#collection.get(analysisId);
    if (this.#parts.runsScripts || analysis === undefined || analysis["run_on"] === "external") return undefined;
    const error = new PlatformError(400, SCRIPTS_OFF);
    error.afterwards = () => this.#fail(analysisId, SCRIPTS_OFF);
    return error;
  }

  log(analysis: EntityDocument, lines: readonly ConsoleLine[]): void {
    this.#consoles.append(analysis, lines);
  }

  console(analysisId: string): StoredLine[] {
    return this.#consoles.list(analysisId);
  }

  secrets(analysis: EntityDocument): readonly EntityDocument[] {
    return this.#parts.secrets(analysis);
  }

  depth(analysisId: string): number {
    return this.#lineage.depth(analysisId);
  }

  isWorking(analysisId: string): boolean {
    return (
      this.#waiting.some(({ analysis }) => analysis.id === analysisId) ||
      [...this.#running.values()].includes(analysisId)
    );
  }

  stop(analysisId?: string): void {
    this.#waiting = analysisId === undefined ? [] : this.#waiting.filter(({ analysis }) => analysis.id !== analysisId);
    for (const [script, id] of this.#running) if (analysisId === undefined || id === analysisId) script.kill();
    if (analysisId === undefined) this.#lineage.clear();
  }

  forget(analysisId: string): void {
    this.#consoles.remove(analysisId);
    this.#db.afterCommit(() => this.stop(analysisId));
  }

  serveAt(address: string, variables: Readonly<Record<string, string>> = {}): void {
    this.#origin = address;
    this.#trust = variables;
    this.#next();
  }

  get busy(): number {
    return this.#running.size + this.#waiting.length;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.stop();
    await Promise.allSettled([...this.#running.keys()].map(({ ended }) => ended));
    this.#reaper.close();
    this.#workspace?.close();
    this.#workspace = undefined;
  }

  /** Lines of a run can arrive after the analysis was deleted or the sandbox was closed. */
  #say(analysisId: string, ...lines: readonly Printed[]): void {
    if (this.#closed) return;
    const analysis = this.#collection.get(analysisId);
    if (analysis === undefined) return;
    const timestampMs = this.#clock.now();
    this.#consoles.append(
      analysis,
      lines.map((line) => ({ ...line, timestampMs })),
    );
  }

  #fail(analysisId: string, message: string): void {
    this.#say(analysisId, { message, isError: true });
  }

  /** Collects the lines of a run briefly: a script that prints a lot must not cost a write for each line. */
  #printer(analysisId: string): { print(lines: readonly string[], isError: boolean): void; flush(): void } {
    const held: Printed[] = [];
    let timer: NodeJS.Timeout | undefined;
    const flush = (): void => {
      clearTimeout(timer);
      timer = undefined;
      if (held.length > 0) this.#say(analysisId, ...held.splice(0));
    };
    return {
      print: (lines, isError) => {
        for (const message of lines) held.push({ message, isError });
        timer ??= setTimeout(flush, PRINT_MS).unref();
      },
      flush,
    };
  }

  #trigger({ analysis, scope, environment, token, depth }: Waiting): void {
    if (!this.#hub.listeningFor("analysis_trigger", analysis.id)) {
      this.#fail(analysis.id, "The analysis is not connected");
      return;
    }
    this.#lineage.external(analysis.id, depth);
    this.#hub.publish({
      channel: "analysis_trigger",
      audience: analysis.id,
      profile: analysis.profile,
      payload: { analysis_id: analysis.id, environment, data: scope, token },
    });
  }

  async #begin(run: Waiting): Promise<void> {
    const { analysis, environment, scope, token, depth } = run;
    const { id, runtime } = analysis;
    const program = programOf(runtime);
    if (program === undefined) {
      this.#fail(id, `The sandbox runs Node, Deno and Python scripts, not ${String(runtime)}`);
      return;
    }
    const stored = this.#scripts.get(id);
    if (stored === undefined) {
      this.#fail(id, "The analysis has no script: upload one");
      return;
    }
    if (this.#workspace === undefined) {
      this.#workspace = new Workspace(this.#parts.folder ?? process.cwd());
      this.#reaper.clean(this.#workspace.root);
    }
    const folder = this.#workspace.prepare(stored.fileName, stored.content, program);
    const endLineage = this.#lineage.begin(id, depth);
    const startedAtMs = performance.now();
    this.#say(id, { message: "Analysis started" });
    const printed = this.#printer(id);
    const script = runScript({
      program,
      folder,
      reaper: this.#reaper,
      timeoutMs: this.timeoutMs,
      modulePaths: this.#workspace.modulePaths,
      print: printed.print,
      environment: {
        T_ANALYSIS_CONTEXT: "tago-io",
        T_ANALYSIS_ID: id,
        T_ANALYSIS_TOKEN: token,
        T_ANALYSIS_ENV: JSON.stringify(environment),
        T_ANALYSIS_DATA: JSON.stringify(scope),
        TAGOIO_API: this.#origin ?? "",
        TAGO_API: this.#origin ?? "",
        TAGOIO_SSE: `${this.#origin}/events`,
        TAGOIO_PDF: `${this.#origin}/pdf`,
        ...this.#trust,
      },
    });
    this.#running.set(script, id);
    try {
      const end = await script.ended;
      printed.flush();
      const tookMs = performance.now() - startedAtMs;
      if (!this.#closed) this.#parts.onRunEnded(analysis.profile, tookMs);
      const isError = end.kind !== "ended" || end.code !== 0;
      this.#say(id, { message: endText(end, this.timeoutMs, tookMs), isError });
    } finally {
      this.#running.delete(script);
      endLineage();
      folder.remove();
      this.#next();
    }
  }

  #next(): void {
    while (!this.#closed && this.#origin !== undefined && this.#running.size < MAX_PROCESSES) {
      const run = this.#waiting.shift();
      if (run === undefined) return;
      this.#begin(run).catch((error: unknown) => {
        this.#fail(
          run.analysis.id,
          `The analysis could not be run: ${error instanceof Error ? error.message : String(error)}`,
        );
      });
    }
  }

  #start(run: Waiting): void {
    if (this.#closed) return;
    const { analysis } = run;
    if (analysis["run_on"] === "external") {
      this.#trigger(run);
    } else if (!this.#parts.runsScripts) {
      this.#fail(analysis.id, SCRIPTS_OFF);
    } else if (this.#waiting.length >= MAX_WAITING) {
      this.#fail(analysis.id, `The run was left out: ${MAX_WAITING} others are waiting`);
    } else {
      this.#waiting.push(run);
      this.#next();
    }
  }
}
