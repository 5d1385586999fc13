/** Source of all dates of the sandbox. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** A clock that only moves when its methods are called. */
export interface ManualClock extends Clock {
  /** Moves to a time, in milliseconds since 1970. */
  set(timeMs: number): void;
  /** Moves forward by milliseconds. */
  advance(byMs: number): void;
}

/** A clock that runs by itself and can also be moved. */
export interface RunningClock extends ManualClock {
  readonly isRunning: true;
  /** How far it was moved, in milliseconds. */
  readonly offsetMs: number;
  /** Undoes every move. */
  reset(): void;
}

/** The system's time, a faster one (`x60`), a fixed date, or a custom clock. */
export type ClockOption = "real" | `x${number}` | Date | Clock;

/** The system's clock. */
export const realClock: Clock = { now: () => Date.now() };

/** Stands still at a date until it is moved. */
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

/** Makes a clock movable. */
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

/** Creates the clock for an option: `real`, `x60`, a date, or a custom clock. It can be moved. */
export function chooseClock(option: ClockOption = "real"): ManualClock {
  if (option === "real") return movableClock(realClock);
  if (option instanceof Date) {
    if (Number.isNaN(option.getTime())) throw new RangeError("The clock was given an invalid date");
    return manualClock(option.getTime());
  }
  if (typeof option !== "string") return isMovable(option) ? option : movableClock(option);
  const factor = Number(option.slice(1));
  if (!(factor > 0)) throw new RangeError(`The clock "${option}" is not known. Use "real", "x60" or a date.`);
  return movableClock(fastClock(factor));
}
