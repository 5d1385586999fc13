/** What the sandbox takes its moments from. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** A clock that only moves when told to. */
export interface ManualClock extends Clock {
  /** Moves to a moment, milliseconds since 1970. */
  set(timeMs: number): void;
  /** Moves on by milliseconds. */
  advance(byMs: number): void;
}

/** A clock that runs by itself and can be moved all the same. */
export interface RunningClock extends ManualClock {
  readonly isRunning: true;
  /** How far it was moved, in milliseconds. */
  readonly offsetMs: number;
  /** Undoes every move. */
  reset(): void;
}

/** The system's time, a faster one (`x60`), one that stands still, or an own clock. */
export type ClockOption = "real" | `x${number}` | Date | Clock;

/** The system's clock. */
export const realClock: Clock = { now: () => Date.now() };

/** Stands still at a moment until it is moved. */
export function manualClock(startMs: number): ManualClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    set: (timeMs) => {
      nowMs = timeMs;
    },
    advance: (byMs) => {
      nowMs += byMs;
    },
  };
}

/** Runs faster than the system's clock, from now on. */
function fastClock(factor: number): Clock {
  const startMs = Date.now();
  return { now: () => Math.round(startMs + (Date.now() - startMs) * factor) };
}

/** The same clock, which can be moved. */
function movableClock(clock: Clock): RunningClock {
  let offsetMs = 0;
  const now = (): number => clock.now() + offsetMs;
  return {
    isRunning: true,
    get offsetMs() {
      return offsetMs;
    },
    reset: () => {
      offsetMs = 0;
    },
    now,
    set: (timeMs) => {
      offsetMs += timeMs - now();
    },
    advance: (byMs) => {
      offsetMs += byMs;
    },
  };
}

function isMovable(clock: Clock): clock is ManualClock {
  return "set" in clock && "advance" in clock;
}

/** True for a clock that also moves by itself. */
export function isRunning(clock: ManualClock): clock is RunningClock {
  return "isRunning" in clock;
}

/** Makes the clock an option names: `real`, `x60`, a fixed moment, or a clock of the caller's own. It can be moved. */
export function chooseClock(option: ClockOption = "real"): ManualClock {
  if (option === "real") return movableClock(realClock);
  if (option instanceof Date) {
    if (Number.isNaN(option.getTime())) throw new RangeError("The clock was given an invalid date");
    return manualClock(option.getTime());
  }
  if (typeof option !== "string") return isMovable(option) ? option : movableClock(option);
  const factor = Number(option.slice(1));
  if (!(factor > 0)) throw new RangeError(`The clock "${option}" is not known. Use "real", "x60" or a moment.`);
  return movableClock(fastClock(factor));
}
