import { dirname } from "node:path";
import type { Reaper } from "../../sandbox/analyses/reaper.ts";
import type { Script } from "../kit/analyses/bundle.ts";
import type { Messages } from "../kit/context.ts";
import { CommandError } from "../kit/failures/command-error.ts";
import { watchFiles } from "../kit/files/watch.ts";
import { messageOf } from "../kit/resource/batch.ts";
import { type RunningChild, type ScriptLine, scriptFolder, startChild } from "./dev-child.ts";
import type { DevProgram } from "./dev-program.ts";

export interface DevOptions {
  readonly file: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly program: DevProgram;
  readonly watch: boolean;
  readonly say: Messages;
  readonly signal: AbortSignal;
  /** Ends scripts that do not end with this program. */
  readonly reaper: Reaper | undefined;
  print(line: ScriptLine): void;
  /** Called when a script has said that it waits for triggers, or after a while. */
  ready(): void;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** A script that ran this long counts as one that can start. */
const LIVED_MS = 10_000;
const READY_MS = 5_000;
const readyLine = /waiting for trigger/i;

function whyOf(error: unknown): string {
  return error instanceof CommandError && error.why !== undefined ? `${error.message} ${error.why}` : messageOf(error);
}

/**
 * Runs a script until the signal: again after every change of its sources, and after a pause when it fell over. Resolves
 * when the signal comes, or when a script that is not watched has ended by itself.
 */
export function runDev(options: DevOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const session = new DevSession(options, (error) => (error === undefined ? resolve() : reject(error)));
    session.begin();
  });
}

/** A script that is kept running. */
class DevSession {
  readonly #options: DevOptions;
  readonly #folder = scriptFolder();
  readonly #settle: (error: unknown) => void;
  readonly #watcher: ReturnType<typeof watchFiles> | undefined;
  #script: Script | undefined;
  #child: RunningChild | undefined;
  #startedMs = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #timer: NodeJS.Timeout | undefined;
  #readyTimer: NodeJS.Timeout | undefined;
  // One thing at a time: a change during a build waits for it.
  #work = Promise.resolve();
  readonly #stop = (): void => this.#finish();

  /** @param settle called once everything has ended, with what went wrong */
  constructor(options: DevOptions, settle: (error: unknown) => void) {
    this.#options = options;
    this.#settle = settle;
    const inputs = (): readonly string[] => this.#script?.inputs ?? [options.file];
    const rebuild = (path: string): void => this.#queue(() => this.#rebuild(path));
    this.#watcher = options.watch ? watchFiles(inputs, rebuild) : undefined;
  }

  begin(): void {
    const { signal } = this.#options;
    signal.addEventListener("abort", this.#stop, { once: true });
    this.#queue(() => this.#firstStart());
    if (signal.aborted) this.#finish();
  }

  #queue(step: () => Promise<void>): void {
    this.#work = this.#work
      .then(() => (this.#options.signal.aborted ? undefined : step()))
      .catch((error: unknown) => this.#finish(error));
  }

  #finish(error?: unknown): void {
    this.#options.signal.removeEventListener("abort", this.#stop);
    this.#watcher?.close();
    clearTimeout(this.#timer);
    clearTimeout(this.#readyTimer);
    const last = this.#child;
    this.#child = undefined;
    void (last?.stop() ?? Promise.resolve()).then(() => {
      this.#folder.remove();
      this.#settle(error);
    });
  }

  async #firstStart(): Promise<void> {
    const { program, watch, say } = this.#options;
    try {
      this.#script = await program.build();
    } catch (error) {
      if (!watch) throw error;
      say.warning(`${whyOf(error)} Waiting for a change.`);
    }
    await this.#start();
  }

  async #rebuild(path: string): Promise<void> {
    const { program, say } = this.#options;
    try {
      const next = await program.build();
      if (next.hash === this.#script?.hash && this.#child !== undefined) return;
      this.#script = next;
    } catch (error) {
      say.warning(
        `${whyOf(error)} ${this.#child === undefined ? "Waiting for a change." : "The previous version keeps running."}`,
      );
      return;
    }
    this.#pauseMs = FIRST_PAUSE_MS;
    say.info(`${path} changed; restarting the script.`);
    await this.#start();
  }

  async #start(): Promise<void> {
    const { file, env, program, reaper, signal } = this.#options;
    clearTimeout(this.#timer);
    await this.#child?.stop();
    if (this.#script === undefined || signal.aborted) return;
    this.#startedMs = Date.now();
    this.#child = startChild(this.#script, {
      folder: this.#folder.path,
      cwd: dirname(file),
      env,
      source: file,
      program,
      reaper,
      print: (line) => {
        this.#options.print(line);
        if (readyLine.test(line.message)) this.#announce();
      },
      ended: (code, killedBy) => this.#ended(code, killedBy),
    });
    this.#readyTimer = setTimeout(() => this.#announce(), READY_MS);
  }

  #announce(): void {
    if (this.#readyTimer === undefined) return;
    clearTimeout(this.#readyTimer);
    this.#readyTimer = undefined;
    if (this.#child !== undefined) this.#options.ready();
  }

  #ended(code: number | null, killedBy: string | null): void {
    const { say, signal, watch } = this.#options;
    this.#child = undefined;
    clearTimeout(this.#readyTimer);
    this.#readyTimer = undefined;
    if (signal.aborted) return;
    if (code === 0) {
      say.info(`The script exited.${watch ? " Waiting for a change." : ""}`);
      if (!watch) this.#finish();
      return;
    }
    if (Date.now() - this.#startedMs > LIVED_MS) this.#pauseMs = FIRST_PAUSE_MS;
    const how = code === null ? `was killed by ${killedBy ?? "a signal"}` : `exited with code ${code}`;
    say.warning(`The script ${how}; restarting in ${this.#pauseMs / 1000} s${watch ? ", or on a change" : ""}.`);
    this.#timer = setTimeout(() => this.#queue(() => this.#start()), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }
}
