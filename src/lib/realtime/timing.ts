import { onAbort } from "../core/signals.ts";
import { timerMs } from "../core/times.ts";

/**
 * Delay before the next connection. The first one is exact; later ones double with jitter, so that many clients do not
 * reconnect at the same time.
 *
 * @param failures consecutive connections that failed or closed early, from 1
 */
export function reconnectDelayMs(baseMs: number, failures: number, maxMs: number): number {
  if (failures <= 1) return baseMs;
  const doubledMs = Math.min(baseMs * 2 ** (failures - 1), Math.max(maxMs, baseMs));
  return Math.max(baseMs, doubledMs * (0.5 + Math.random() / 2));
}

/** Resolves after `delayMs`, or as soon as the signal is aborted. */
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

/** Detects a connection that died silently. */
export interface SilenceWatch {
  /** Data arrived, or reading continues. */
  seen(): void;
  /** Reading pauses on our side: what follows is not silence. */
  pause(): void;
  stop(): void;
  /** True after `silenceMs` of silence. */
  readonly timedOut: boolean;
}

/** Calls `onSilence` once after `silenceMs` of silence; 0 disables it. */
export function watchSilence(silenceMs: number, onSilence: () => void): SilenceWatch {
  let seenAt = performance.now();
  let isPaused = false;
  let timedOut = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  // One timer that checks a timestamp is far cheaper than resetting a timer for every chunk.
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
