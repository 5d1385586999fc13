import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLend } from "../hooks/screen-context.ts";
import type { EngineWatch, FailureChoice, MigrationEngine, WizardReport } from "./engine.ts";
import { choicesOf } from "./items.ts";
import { type Action, type Effect, firstState, type WizardState } from "./model.ts";
import { reduce } from "./state.ts";

export interface Wizard {
  readonly state: WizardState;
  /** The state as it is, also before it is drawn: several keys may arrive at once. */
  now(): WizardState;
  dispatch(action: Action): void;
  /** Reads dashboards for their counts, without anybody waiting. */
  count(ids: readonly string[]): void;
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Joins the states of the wizard to the engine that does the work. */
export function useWizard(
  engine: MigrationEngine,
  chosen: readonly string[],
  leave: (report: WizardReport | undefined) => void,
): Wizard {
  const lend = useLend();
  const [first] = useState(() => firstState(engine, chosen));
  const store = useRef<WizardState>(first[0]);
  const [state, setState] = useState<WizardState>(first[0]);
  const answer = useRef<(choice: FailureChoice) => void>(() => undefined);
  const counted = useRef(new Set<string>());

  const dispatch = useCallback((action: Action): void => {
    const [next, effect] = reduce(store.current, action);
    store.current = next;
    setState(next);
    if (effect !== undefined) void perform.current(effect);
  }, []);

  const watch: EngineWatch = {
    dashboard: (label, place, of) => dispatch({ type: "at-dashboard", text: `Dashboard ${place} of ${of}: ${label}` }),
    widget: (label, outcome) => dispatch({ type: "widget-done", label, outcome }),
    isStopped: () => store.current.isStopping,
    failed: (label, message) =>
      new Promise((resolve) => {
        answer.current = resolve;
        dispatch({ type: "failure", text: `${label} could not be written. ${message}` });
      }),
  };

  async function work(effect: Effect): Promise<void> {
    const now = store.current;
    if ("typed" in effect && effect.typed !== undefined) await engine.giveName(effect.typed);
    switch (effect.do) {
      case "load":
        return dispatch({ type: "loaded", entries: await engine.dashboards() });
      case "scan":
        await engine.scan(now.ids, (dashboard) => dispatch({ type: "scanned", dashboard }));
        return dispatch({ type: "scan-ended" });
      case "used":
        return dispatch({
          type: "used",
          things: await engine.used(now.ids),
          copies: await engine.earlierCopies(now.ids),
        });
      case "find": {
        const found = await engine.find(effect.thing.kind, effect.text);
        return dispatch({ type: "found", id: effect.thing.id, found });
      }
      case "edit": {
        const { id, widget } = effect;
        const result = await lend(() => engine.edit(widget));
        return dispatch({ type: "edited", id, widget, result });
      }
      case "draw":
        return dispatch({ type: "drawn", path: await engine.openDrawing(effect.widget, effect.after) });
      case "save":
        return dispatch({ type: "saved", command: engine.savePlan(effect.path, choicesOf(now)) });
      case "apply":
        return dispatch({ type: "ended", report: await engine.apply(choicesOf(now), watch) });
      case "resume":
        return dispatch({ type: "ended", report: await engine.resume(watch) });
      case "undo": {
        dispatch({ type: "undone", count: await engine.undo() });
        if (store.current.step === "choose") await work({ do: "load" });
        return;
      }
      case "answer":
        return answer.current(effect.choice);
      case "leave":
        return leave(store.current.report);
    }
  }

  // The newest closure is called; keys and answers may come from older ones.
  const perform = useRef<(effect: Effect) => Promise<void>>(async () => undefined);
  useLayoutEffect(() => {
    perform.current = async (effect) => {
      try {
        await work(effect);
      } catch (error) {
        dispatch({ type: "problem", text: textOf(error) });
      }
    };
  });

  useEffect(() => {
    if (first[1] !== undefined) void perform.current(first[1]);
  }, [first]);

  const count = useCallback(
    (ids: readonly string[]): void => {
      const fresh = ids.filter((id) => !counted.current.has(id) && !store.current.scanned.has(id));
      for (const id of fresh) counted.current.add(id);
      // A count that fails shows nothing; the scan says why.
      if (fresh.length > 0)
        void engine.scan(fresh, (dashboard) => dispatch({ type: "scanned", dashboard })).catch(() => undefined);
    },
    [engine, dispatch],
  );

  return { state, now: () => store.current, dispatch, count };
}
