import {
  createContext,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { Resources } from "../index.ts";
import type { SandboxSession, Session } from "./api.ts";
import type { Live, LiveEvent, LiveState } from "./live.ts";
import { Reading, type ReadingState } from "./reading.ts";
import { type FieldTexts, fieldTexts, problem } from "./text.ts";

/** What every view may use. */
export interface Console {
  readonly session: Session;
  readonly resources: Resources;
  readonly live: Live;
  /** Reads the session again: something of the sandbox was changed. */
  readonly refresh: () => void;
}

export const ConsoleContext = createContext<Console | undefined>(undefined);

export function useConsole(): Console {
  const found = useContext(ConsoleContext);
  if (found === undefined) throw new Error("A view stands outside the console");
  return found;
}

/** Of views that only a sandbox has. */
export function useSandbox(): SandboxSession {
  const { session } = useConsole();
  if (session.capabilities !== undefined) throw new Error("Only a sandbox has this view");
  return session;
}

/** Whether the page may write through widgets. */
export const useWrites = (): boolean => useConsole().session.capabilities?.writes ?? true;

/** Something loaded, to be shown. */
export interface Loadable<T> extends ReadingState<T> {
  readonly data: T | undefined;
  readonly reload: () => void;
}

export interface Loaded<T> extends Loadable<T> {
  /** Changes what was read without reading it again. The reply of a read in flight is changed as well. */
  readonly change: (make: (data: T) => T) => void;
}

const FIRST = { data: undefined, isLoading: true } as const;

interface LoadOutcome<T> {
  readonly key: string;
  readonly subject: string;
  readonly state: ReadingState<T>;
}

/** What is shown while another key of the same thing is loaded. */
function stateFor<T>(outcome: LoadOutcome<T> | undefined, key: string, subject: string): ReadingState<T> {
  if (outcome?.key === key) return outcome.state;
  return outcome?.subject === subject && outcome.state.data !== undefined
    ? { data: outcome.state.data, isLoading: true }
    : FIRST;
}

/**
 * Loads something, again whenever `key` changes or `reload` is called. What was there stays until the new one is; when the key
 * changes, only that of the same `subject`.
 */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>, subject = key): Loaded<T> {
  const { live } = useConsole();
  const [outcome, setOutcome] = useState<LoadOutcome<T>>();
  const reading = useRef<Reading<T>>(undefined);
  const start = useEffectEvent(load);
  useEffect(() => {
    const made = new Reading<T>(
      (signal) => start(signal),
      (state) => setOutcome({ key, subject, state }),
    );
    reading.current = made;
    made.reload();
    return () => made.stop();
  }, [key, subject]);
  const state = stateFor(outcome, key, subject);
  const isStale = state.staleSinceMs !== undefined;
  useEffect(() => (isStale ? live.fallBehind() : undefined), [live, isStale]);
  const reload = useCallback(() => reading.current?.reload(), []);
  const change = useCallback((make: (data: T) => T) => reading.current?.change(make), []);
  return { ...state, data: state.data, reload, change };
}

/** A value once it has stayed the same for this long: a request for each letter that is typed would be too many. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

/** Calls back when the pointer or the focus goes outside of the element with this ref, while `isOpen`. */
export function useOutside(isOpen: boolean, onOutside: () => void): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  const close = useEffectEvent(onOutside);
  useEffect(() => {
    if (!isOpen) return;
    const left = ({ target }: Event): void => {
      if (target instanceof Node && !place.current?.contains(target)) close();
    };
    for (const type of ["focusin", "pointerdown"]) document.addEventListener(type, left);
    return () => {
      for (const type of ["focusin", "pointerdown"]) document.removeEventListener(type, left);
    };
  }, [isOpen]);
  return place;
}

/** Calls back with the events of the stream, at most ten times a second. */
export function useLive(listener: (events: readonly LiveEvent[]) => void): void {
  const { live } = useConsole();
  const onEvents = useEffectEvent(listener);
  useEffect(() => live.subscribe((events) => onEvents(events)), [live]);
}

export function useLiveState(live: Live): LiveState {
  return useSyncExternalStore(live.onState, live.state);
}

/**
 * Returns a function that calls `work` soon: at once, then at most every `everyMs`. A hidden tab waits until it is seen. Of an
 * account nothing is read more often than the session says, counted from the first time.
 */
export function usePaced(work: () => void, ownEveryMs: number): () => void {
  const { session } = useConsole();
  const leastMs = session.capabilities?.readEveryMs ?? 0;
  const everyMs = Math.max(ownEveryMs, leastMs);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isDue = useRef(false);
  const lastMs = useRef(0);
  useEffect(() => {
    if (leastMs > 0) lastMs.current = performance.now();
  }, [leastMs]);
  const onDue = useEffectEvent(work);
  const ask = useCallback(() => {
    isDue.current = true;
    if (timer.current !== undefined || document.hidden) return;
    const run = (): void => {
      timer.current = undefined;
      if (document.hidden) return;
      isDue.current = false;
      lastMs.current = performance.now();
      onDue();
    };
    timer.current = setTimeout(run, Math.max(0, lastMs.current + everyMs - performance.now()));
  }, [everyMs]);
  useEffect(() => {
    const seen = (): void => {
      if (isDue.current) ask();
    };
    document.addEventListener("visibilitychange", seen);
    return () => {
      document.removeEventListener("visibilitychange", seen);
      clearTimeout(timer.current);
    };
  }, [ask]);
  return ask;
}

/** Reloads after events that concern a view. */
export function useLiveReload(reload: () => void, concerns: (event: LiveEvent) => boolean, everyMs = 1_000): void {
  const ask = usePaced(reload, everyMs);
  useLive((events) => {
    if (events.some((event) => event.type === "reconnected" || concerns(event))) ask();
  });
}

interface Held<Row> {
  readonly rows: readonly Row[];
  /** Rows that have arrived since. */
  readonly fresh: number;
  /** Leaves out a row that was removed: the oldest one looks as if newer ones had replaced it. */
  readonly forget: (row: Row) => void;
}

/**
 * Rows in their order, newest first, that do not move while `isHeld`: somebody reads past the first page. Changed rows
 * change, and removed ones leave.
 */
export function useHeld<Row>(
  rows: readonly Row[],
  isHeld: boolean,
  keyOf: (row: Row) => string,
  msOf: (row: Row) => number,
): Held<Row> {
  const [held, setHeld] = useState(isHeld ? rows : undefined);
  if (isHeld !== (held !== undefined)) setHeld(isHeld ? rows : undefined);
  const forget = (row: Row): void => setHeld(held?.filter((each) => keyOf(each) !== keyOf(row)));
  if (held === undefined) return { rows, fresh: 0, forget };
  const current = new Map(rows.map((row) => [keyOf(row), row]));
  const oldest = rows.at(-1);
  // Older ones are not among those that are kept or read; the others were removed.
  const isOlder = (row: Row): boolean => oldest !== undefined && msOf(row) < msOf(oldest);
  const shown = held.flatMap((row) => current.get(keyOf(row)) ?? (isOlder(row) ? row : []));
  for (const row of held) current.delete(keyOf(row));
  return { rows: shown, fresh: current.size, forget };
}

export interface Doing {
  readonly isBusy: boolean;
  readonly error: string | undefined;
  /** What of the error is about single fields. */
  readonly fields: FieldTexts;
  /** What was done, in words. */
  readonly done: string | undefined;
  /** Does something; the result is the sentence shown after it. */
  readonly run: (work: () => Promise<string>) => void;
  /** Does something that has one sentence, then reads again what it changed. */
  readonly act: (work: () => Promise<unknown>, done: string) => void;
}

const idle = { isBusy: false, error: undefined, fields: {}, done: undefined };

/** One thing at a time that the user asked for, and what came of it. */
export function useDoing(reload?: () => void): Doing {
  const [state, setState] = useState<Omit<Doing, "run" | "act">>(idle);
  const run = useCallback((work: () => Promise<string>) => {
    setState({ ...idle, isBusy: true });
    work().then(
      (done) => setState({ ...idle, done }),
      (error: unknown) => setState({ ...idle, error: problem(error), fields: fieldTexts(error) }),
    );
  }, []);
  const act = (work: () => Promise<unknown>, done: string): void =>
    run(async () => {
      await work();
      reload?.();
      return done;
    });
  return { ...state, run, act };
}
