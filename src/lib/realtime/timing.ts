import { onAbort } from "../core/signals.ts";
import { timerMs } from "../core/times.ts";

/**
 * Wait before the next connection. The first one is exact; later ones double and are spread, so that many clients do
 * not come back at one moment.
 *
 * @param failures connections in a row that failed or ended soon, from 1
 */
export function reconnectDelayMs(baseMs: number, failures: number, maxMs: number): number {
  if (failures <= 1) return baseMs;
  const doubledMs = Math.min(baseMs * 2 ** (failures - 1), Math.max(maxMs, baseMs));
  return Math.max(baseMs, doubledMs * (0.5 + Math.random() / 2));
}

/** Resolves after `delayMs`, or at once when the signal is aborted. */
export function sleepUntilAborted(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      release();
      resolve();
    }, timerMs(delayMs));
    const release = onAbort(signal, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Looks after a connection that may have died without a word. */
export interface SilenceWatch {
  /** Something arrived, or reading goes on. */
  seen(): void;
  /** Reading stops on our side: what follows is not silence. */
  pause(): void;
  stop(): void;
  /** True once the silence was too long. */
  readonly timedOut: boolean;
}

/** Calls `onSilence` once when nothing was seen for `silenceMs`; 0 never does. */
export function watchSilence(silenceMs: number, onSilence: () => void): SilenceWatch {
  let seenAt = performance.now();
  let isPaused = false;
  let timedOut = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  // One timer that looks at a time stamp is far cheaper than one that is set again for every piece of text.
  const check = (): void => {
    const quietMs = isPaused ? 0 : performance.now() - seenAt;
    if (quietMs < silenceMs) {
      timer = setTimeout(check, Math.ceil(silenceMs - quietMs));
      return;
    }
    timedOut = true;
    onSilence();
  };
  if (silenceMs > 0) timer = setTimeout(check, silenceMs);

  return {
    seen() {
      seenAt = performance.now();
      isPaused = false;
    },
    pause() {
      isPaused = true;
    },
    stop: () => clearTimeout(timer),
    get timedOut() {
      return timedOut;
    },
  };
}
