import { useEffect, useState, useSyncExternalStore } from "react";
import { useLend } from "../hooks/screen-context.ts";
import type { EngineWatch, FailureChoice, MigrationEngine, WizardReport } from "./engine.ts";
import { choicesOf } from "./items.ts";
import { type Action, type Effect, firstState, type WizardState } from "./model.ts";
import { reduce } from "./state.ts";

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The state of the wizard, and what the engine does when it changes. */
class WizardStore {
  readonly #engine: MigrationEngine;
  readonly #lend: ReturnType<typeof useLend>;
  readonly #leave: (report: WizardReport | undefined) => void;
  readonly #listeners = new Set<() => void>();
  readonly #counted = new Set<string>();
  readonly #firstEffect: Effect | undefined;
  #state: WizardState;
  #answer: (choice: FailureChoice) => void = () => undefined;

  constructor(
    engine: MigrationEngine,
    chosen: readonly string[],
    lend: ReturnType<typeof useLend>,
    leave: (report: WizardReport | undefined) => void,
  ) {
    this.#engine = engine;
    this.#lend = lend;
    this.#leave = leave;
    [this.#state, this.#firstEffect] = firstState(engine, chosen);
  }

  readonly #watch: EngineWatch = {
    dashboard: (label, place, of) =>
      this.dispatch({ type: "at-dashboard", text: `Dashboard ${place} of ${of}: ${label}` }),
    widget: (label, outcome) => this.dispatch({ type: "widget-done", label, outcome }),
    isStopped: () => this.#state.isStopping,
    failed: (label, message) =>
      new Promise((resolve) => {
        this.#answer = resolve;
        this.dispatch({ type: "failure", text: `${label} could not be written. ${message}` });
      }),
  };

  start(): void {
    if (this.#firstEffect !== undefined) void this.#perform(this.#firstEffect);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /** The state as it is, also before it is drawn: several keys may arrive at once. */
  readonly now = (): WizardState => this.#state;

  readonly dispatch = (action: Action): void => {
    const [next, effect] = reduce(this.#state, action);
    this.#state = next;
    for (const listener of this.#listeners) listener();
    if (effect !== undefined) void this.#perform(effect);
  };

  /** Reads dashboards for their counts, without anybody waiting. */
  readonly count = (ids: readonly string[]): void => {
    const fresh = ids.filter((id) => !this.#counted.has(id) && !this.#state.scanned.has(id));
    for (const id of fresh) this.#counted.add(id);
    // A count that fails shows nothing; the scan says why.
    if (fresh.length > 0) this.#scan(fresh).catch(() => undefined);
  };

  async #perform(effect: Effect): Promise<void> {
    try {
      await this.#work(effect);
    } catch (error) {
      this.dispatch({ type: "problem", text: textOf(error) });
    }
  }

  async #scan(ids: readonly string[]): Promise<void> {
    await this.#engine.scan(ids, (dashboard) => this.dispatch({ type: "scanned", dashboard }));
  }

  async #work(effect: Effect): Promise<void> {
    const engine = this.#engine;
    const dispatch = this.dispatch;
    const now = this.#state;
    if ("typed" in effect && effect.typed !== undefined) await engine.giveName(effect.typed);
    switch (effect.do) {
      case "load":
        return dispatch({ type: "loaded", entries: await engine.dashboards() });
      case "scan":
        await this.#scan(now.ids);
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
        const result = await this.#lend(() => engine.edit(widget));
        return dispatch({ type: "edited", id, widget, result });
      }
      case "draw":
        return dispatch({ type: "drawn", path: await engine.openDrawing(effect.widget, effect.after) });
      case "save":
        return dispatch({ type: "saved", command: engine.savePlan(effect.path, choicesOf(now)) });
      case "apply":
        return dispatch({ type: "ended", report: await engine.apply(choicesOf(now), this.#watch) });
      case "resume":
        return dispatch({ type: "ended", report: await engine.resume(this.#watch) });
      case "undo": {
        dispatch({ type: "undone", count: await engine.undo() });
        if (this.#state.step === "choose") await this.#work({ do: "load" });
        return;
      }
      case "answer":
        return this.#answer(effect.choice);
      case "leave":
        return this.#leave(this.#state.report);
    }
  }
}

/** A wizard as its view uses it. */
type Wizard = Pick<WizardStore, "now" | "dispatch" | "count"> & { readonly state: WizardState };

/** Joins the states of the wizard to the engine that does the work. */
export function useWizard(
  engine: MigrationEngine,
  chosen: readonly string[],
  leave: (report: WizardReport | undefined) => void,
): Wizard {
  const lend = useLend();
  const [store] = useState(() => new WizardStore(engine, chosen, lend, leave));
  const state = useSyncExternalStore(store.subscribe, store.now);
  useEffect(() => store.start(), [store]);
  return { state, now: store.now, dispatch: store.dispatch, count: store.count };
}
