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
  const { say, signal } = options;
  const folder = scriptFolder();
  let script: Script | undefined;
  let child: RunningChild | undefined;
  let startedMs = 0;
  let pauseMs = FIRST_PAUSE_MS;
  let timer: NodeJS.Timeout | undefined;
  let readyTimer: NodeJS.Timeout | undefined;
  // One thing at a time: a change during a build waits for it.
  let work = Promise.resolve();

  return new Promise((resolve, reject) => {
    const inputs = (): readonly string[] => script?.inputs ?? [options.file];
    const watcher = options.watch ? watchFiles(inputs, (path) => queue(() => rebuild(path))) : undefined;

    function queue(step: () => Promise<void>): void {
      work = work.then(() => (signal.aborted ? undefined : step())).catch(finish);
    }

    function finish(error?: unknown): void {
      signal.removeEventListener("abort", stop);
      watcher?.close();
      clearTimeout(timer);
      clearTimeout(readyTimer);
      const last = child;
      child = undefined;
      void (last?.stop() ?? Promise.resolve()).then(() => {
        folder.remove();
        if (error === undefined) resolve();
        else reject(error);
      });
    }
    const stop = (): void => finish();
    signal.addEventListener("abort", stop, { once: true });

    async function rebuild(path: string): Promise<void> {
      try {
        const next = await options.program.build();
        if (next.hash === script?.hash && child !== undefined) return;
        script = next;
      } catch (error) {
        say.warning(
          `${whyOf(error)} ${child === undefined ? "Waiting for a change." : "The previous version keeps running."}`,
        );
        return;
      }
      pauseMs = FIRST_PAUSE_MS;
      say.info(`${path} changed; restarting the script.`);
      await start();
    }

    async function start(): Promise<void> {
      clearTimeout(timer);
      await child?.stop();
      if (script === undefined || signal.aborted) return;
      startedMs = Date.now();
      child = startChild(script, {
        folder: folder.path,
        cwd: dirname(options.file),
        env: options.env,
        source: options.file,
        program: options.program,
        reaper: options.reaper,
        print: (line) => {
          options.print(line);
          if (readyLine.test(line.message)) announce();
        },
        ended,
      });
      readyTimer = setTimeout(announce, READY_MS);
    }

    function announce(): void {
      if (readyTimer === undefined) return;
      clearTimeout(readyTimer);
      readyTimer = undefined;
      if (child !== undefined) options.ready();
    }

    function ended(code: number | null, killedBy: string | null): void {
      child = undefined;
      clearTimeout(readyTimer);
      readyTimer = undefined;
      if (signal.aborted) return;
      if (code === 0) {
        say.info(`The script exited.${options.watch ? " Waiting for a change." : ""}`);
        if (!options.watch) finish();
        return;
      }
      if (Date.now() - startedMs > LIVED_MS) pauseMs = FIRST_PAUSE_MS;
      const how = code === null ? `was killed by ${killedBy ?? "a signal"}` : `exited with code ${code}`;
      say.warning(`The script ${how}; restarting in ${pauseMs / 1000} s${options.watch ? ", or on a change" : ""}.`);
      timer = setTimeout(() => queue(start), pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }

    queue(async () => {
      try {
        script = await options.program.build();
      } catch (error) {
        if (!options.watch) throw error;
        say.warning(`${whyOf(error)} Waiting for a change.`);
      }
      await start();
    });
    if (signal.aborted) finish();
  });
}
