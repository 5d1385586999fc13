import { type GenericModuleParams, Module } from "../api/module.ts";
import { InputError } from "../core/errors.ts";
import { environment } from "../core/platform.ts";
import { resolveRegion, setRuntimeRegion } from "../core/regions.ts";
import type { ConnectionTuning } from "../realtime/connection.ts";
import { type AnalysisFunction, platformTrigger, type ScopeRow, setEnvironmentWhenUnset } from "./context.ts";
import { runExternally } from "./external.ts";

/** Placeholder for a missing token, as in the official SDK; on the platform none is needed. */
const NO_TOKEN = "unknown";

/** Parameters of an analysis. Client options, such as `timeoutMs`, apply to its own calls. */
export interface AnalysisParams extends GenericModuleParams, ConnectionTuning {
  /** False: the analysis runs only after `start()`. @default true */
  autostart?: boolean | undefined;
  /** Not used: tokens and addresses come from the options and the environment. */
  loadEnvOnProcess?: boolean | undefined;
  /** Stops waiting for triggers, as `stop()` does. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a function as an analysis. On the platform (`T_ANALYSIS_CONTEXT` is set) it runs once, at once. Anywhere else
 * it listens to the event stream and runs for each trigger of the external analysis of the token. Runs are concurrent;
 * an error in one is written to the console of the analysis and stops only that run.
 *
 * @example
 * ```ts
 * import { Analysis } from "iotdeck";
 *
 * new Analysis(
 *   async (context, scope) => {
 *     context.log("Rows:", scope.length);
 *   },
 *   { token: "a-your-analysis-token" },
 * );
 * ```
 */
export class Analysis<Scope = ScopeRow[]> extends Module {
  /** True from `start()` to `stop()`. */
  started = false;
  /** Called with whatever comes, so that an `Analysis` of any scope is an `Analysis`. */
  readonly #analysis: AnalysisFunction<never>;
  readonly #settings: AnalysisParams;
  #abort = new AbortController();

  /**
   * @param analysis function to run; it may be async
   * @param params without parameters the analysis runs on the platform only
   * @throws InputError `Invalid analysis function`, `Invalid Token`, and those of `start()` unless `autostart` is false
   */
  constructor(analysis: AnalysisFunction<Scope>, params: AnalysisParams = { token: NO_TOKEN }) {
    super(params);
    if (typeof analysis !== "function") throw new InputError("Invalid analysis function", "analysis");
    this.#analysis = analysis;
    this.#settings = params;
    if (params.autostart !== false) this.start();
  }

  /**
   * Starts the analysis; does nothing when it is already started. On the platform, errors of a synchronous function are
   * thrown to the caller, so that the run counts as failed.
   *
   * @throws InputError `To run analysis locally, you needs a token` outside the platform without a token, `Invalid region`
   * @example
   * ```ts
   * const analysis = new Analysis(async (run) => run.log("started"), { token, autostart: false });
   * analysis.start();
   * ```
   */
  start(): void {
    if (this.started) return;
    if (environment("T_ANALYSIS_CONTEXT") !== undefined) {
      this.started = true;
      this.#runOnPlatform();
      return;
    }
    const { token = NO_TOKEN, signal, reconnectMs, maxReconnectMs, silenceMs } = this.#settings;
    if (token === NO_TOKEN) throw new InputError("To run analysis locally, you needs a token", "token");
    const abort = new AbortController();
    const ended = runExternally(this.#analysis, {
      client: this.client,
      token,
      tuning: { reconnectMs, maxReconnectMs, silenceMs },
      signal: signal === undefined ? abort.signal : AbortSignal.any([signal, abort.signal]),
    });
    this.#abort = abort;
    this.started = true;
    void ended.then(() => {
      if (this.#abort === abort) this.started = false;
    });
  }

  /**
   * Stops waiting for triggers; current runs finish. The analysis can be started again.
   *
   * @example
   * ```ts
   * const analysis = new Analysis(async (run) => run.log("started"), { token });
   * process.once("SIGTERM", () => analysis.stop());
   * ```
   */
  stop(): void {
    this.started = false;
    this.#abort.abort();
  }

  #runOnPlatform(): void {
    const { token = "", environment: settings, analysis_id, data } = platformTrigger();
    // The platform reads the output of the process, so sending a line as well would duplicate it.
    const log = (...values: unknown[]): void => console.log(...values);
    this.#analysis({ log, token, environment: settings, analysis_id }, data as never);
  }

  /**
   * Runs a function as an analysis, and makes its token and region the defaults of later calls: of `new Resources()`,
   * `Resources.devices` and so on. `T_ANALYSIS_TOKEN` is not changed when it is set.
   *
   * @example
   * ```ts
   * import { Analysis, Resources } from "iotdeck";
   *
   * Analysis.use(
   *   async (context) => {
   *     const devices = await Resources.devices.list({ amount: 5 });
   *     context.log("Devices:", devices.length);
   *   },
   *   { token: "a-your-analysis-token", region: "eu-w1" },
   * );
   * ```
   *
   * @throws InputError as the constructor
   */
  static use<Scope = ScopeRow[]>(
    analysis: AnalysisFunction<Scope>,
    params: AnalysisParams = { token: NO_TOKEN },
  ): Analysis<Scope> {
    // Validated before the defaults of later calls change.
    const instance = new Analysis(analysis, { ...params, autostart: false });
    if (params.region !== undefined) {
      resolveRegion(params.region);
      setRuntimeRegion(params.region);
    }
    if (params.token !== undefined && params.token !== NO_TOKEN)
      setEnvironmentWhenUnset("T_ANALYSIS_TOKEN", params.token);
    if (params.autostart !== false) instance.start();
    return instance;
  }
}
