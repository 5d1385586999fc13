import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { Resources } from "../index.ts";
import type { Session } from "./api.ts";
import type { Live, LiveEvent, LiveState } from "./live.ts";
import { problem } from "./text.ts";

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

export interface Loaded<T> {
  readonly data: T | undefined;
  readonly error: string | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

interface Outcome<T> {
  readonly key: string;
  readonly round: number;
  readonly data?: T;
  readonly error?: string;
}

/** Loads something, again whenever `key` changes or `reload` is called. What was there stays until the new one is. */
export function useLoad<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const [outcome, setOutcome] = useState<Outcome<T>>();
  const [round, setRound] = useState(0);
  const start = useEffectEvent(load);
  useEffect(() => {
    let isCurrent = true;
    const done = (made: Omit<Outcome<T>, "key" | "round">): void => {
      if (isCurrent) setOutcome({ key, round, ...made });
    };
    start().then(
      (data) => done({ data }),
      (error: unknown) => done({ error: problem(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, round]);
  const reload = useCallback(() => setRound((count) => count + 1), []);
  const own = outcome?.key === key ? outcome : undefined;
  return { data: own?.data, error: own?.error, isLoading: own?.round !== round, reload };
}

/** Calls back with what the stream told, at most ten times a second. */
export function useLive(listener: (events: readonly LiveEvent[]) => void): void {
  const { live } = useConsole();
  const onEvents = useEffectEvent(listener);
  useEffect(() => live.subscribe((events) => onEvents(events)), [live]);
}

export function useLiveState(live: Live): LiveState {
  return useSyncExternalStore(live.onState, live.state);
}

/** Reloads after events that concern a view: at once, then at most every `everyMs`. */
export function useLiveReload(reload: () => void, concerns: (event: LiveEvent) => boolean, everyMs = 1_000): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const lastMs = useRef(0);
  const onDue = useEffectEvent(reload);
  useLive((events) => {
    if (timer.current !== undefined) return;
    if (!events.some((event) => event.type === "reconnected" || concerns(event))) return;
    timer.current = setTimeout(
      () => {
        timer.current = undefined;
        lastMs.current = performance.now();
        onDue();
      },
      Math.max(0, lastMs.current + everyMs - performance.now()),
    );
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}

export interface Doing {
  readonly isBusy: boolean;
  readonly error: string | undefined;
  /** What was done, in words. */
  readonly done: string | undefined;
  /** Does something; the result is the sentence shown after it. */
  readonly run: (work: () => Promise<string>) => void;
  /** Does something that has one sentence, then reads again what it changed. */
  readonly act: (work: () => Promise<unknown>, done: string) => void;
}

/** One thing at a time that the user asked for, and what came of it. */
export function useDoing(reload?: () => void): Doing {
  const [state, setState] = useState<Omit<Doing, "run" | "act">>({ isBusy: false, error: undefined, done: undefined });
  const run = useCallback((work: () => Promise<string>) => {
    setState({ isBusy: true, error: undefined, done: undefined });
    work().then(
      (done) => setState({ isBusy: false, error: undefined, done }),
      (error: unknown) => setState({ isBusy: false, error: problem(error), done: undefined }),
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
