import { cleanLine } from "../../text/clean.ts";
import type { KnownOfQuiet, LiveWaiting } from "./types.ts";
import { agoText } from "./words.ts";

/** How often a quiet stream is asked for its reasons. */
const QUIET_MS = 60_000;

export interface Quiet {
  readonly waiting: LiveWaiting;
  /** How much has arrived so far, or when something did last: another number than before once something has arrived. */
  received(): number;
  /** Called with what is known, each time that nothing has arrived since the last. */
  tell(known: KnownOfQuiet): void;
}

export type WaitingText = typeof waitingText;

/** What a view says first while nothing arrives. */
export function waitingText(lastInputMs: number | undefined, nowMs: number): string {
  return `Waiting for data.${lastInputMs === undefined ? "" : ` Last input ${agoText(nowMs - lastInputMs)}.`}`;
}

/**
 * Looks at once, and again after each minute in which nothing arrived, why nothing does. What cannot be read is left out.
 *
 * @returns ends it
 */
export function whileQuiet({ waiting, received, tell }: Quiet, everyMs = QUIET_MS): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let before = received();

  async function look(): Promise<void> {
    const now = received();
    const isQuiet = now === before;
    before = now;
    if (!isQuiet) return;
    const [reasons, lastInputMs] = await Promise.all([
      waiting.reasons?.(signal).catch(() => []),
      waiting.lastInput?.(signal).catch(() => undefined),
    ]);
    if (signal.aborted || received() !== now) return;
    tell({ reasons: (reasons ?? []).map((reason) => cleanLine(reason, 300)), lastInputMs });
  }

  void look();
  const timer = setInterval(() => void look(), everyMs);
  return () => {
    clearInterval(timer);
    ending.abort();
  };
}
