import type { EntityDocument } from "../store/document.ts";
import { runButton } from "./buttons.ts";
import type { EngineParts } from "./engine.ts";
import { Engine } from "./engine.ts";
import type { PosterParts } from "./post.ts";
import { Poster } from "./post.ts";
import { countFrom, nextDue, type Plan, planOf } from "./schedule.ts";
import { RunStates } from "./state.ts";
import type { UsageParts } from "./usage.ts";
import { checkUsage } from "./usage.ts";

type ActionParts = EngineParts & PosterParts & UsageParts;

/** Time between two ticks, in real time. */
const TICK_MS = 250;
/** Usage is measured on every nth tick. */
const USAGE_TICKS = 4;
/** Missed runs of one schedule that are made up for when the clock jumps; if there are more, the last ones. */
const MAX_MISSED = 1_000;

interface Planned {
  readonly record: EntityDocument;
  readonly plan: Plan;
  readonly run: () => void;
  dueMs: number | undefined;
}

/** Runs the actions of type interval and schedule when they are due. */
class DuePlans {
  readonly #app: ActionParts;
  readonly #states: RunStates;
  readonly #engine: Engine;
  #planned: Planned[] = [];
  #revision = Number.NaN;
  /** Start of all schedules. */
  #sinceMs: number;
  #latestMs: number;

  constructor(app: ActionParts, states: RunStates, engine: Engine) {
    this.#app = app;
    this.#states = states;
    this.#engine = engine;
    this.#sinceMs = app.clock.now();
    this.#latestMs = this.#sinceMs;
    this.#refresh();
  }

  /** Runs what has become due since the last call. */
  run(): void {
    this.#followClockBack();
    this.#refresh();
    const nowMs = this.#app.clock.now();
    for (const each of this.#planned) if (each.dueMs !== undefined && each.dueMs <= nowMs) this.#runDue(each, nowMs);
  }

  /** Restarts the schedules from now: all stored data was replaced. */
  restart(): void {
    this.#sinceMs = this.#app.clock.now();
    this.#revision = Number.NaN;
  }

  /** Restarts the schedules from now after the clock was set back: what was due is due again. */
  #followClockBack(): void {
    const nowMs = this.#app.clock.now();
    if (nowMs < this.#latestMs) {
      this.#sinceMs = Math.min(this.#sinceMs, nowMs);
      this.#revision = Number.NaN;
    }
    this.#latestMs = nowMs;
  }

  /** Schedules are computed again only after an action has changed. */
  #refresh(): void {
    const now = this.#states.revision();
    if (now === this.#revision) return;
    this.#planned = this.#plans();
    for (const each of this.#planned) {
      const from = countFrom(each.plan, each.record, this.#states.lastDue(each.record.id), this.#sinceMs);
      each.dueMs = nextDue(each.plan, Math.min(from, this.#app.clock.now()));
    }
    this.#revision = now;
  }

  #plans(): Planned[] {
    return [...this.#engine.actions("interval"), ...this.#engine.actions("schedule")].flatMap(
      ({ document, triggers }) =>
        triggers.flatMap((trigger) => {
          const plan = planOf(trigger);
          const run = (): void => this.#engine.fire({ action: document, scope: [], state: "" });
          return plan === undefined ? [] : [{ record: document, plan, run, dueMs: undefined }];
        }),
    );
  }

  #runDue(each: Planned, nowMs: number): void {
    const missed: number[] = [];
    for (let due = each.dueMs; due !== undefined && due <= nowMs; due = nextDue(each.plan, due)) {
      missed.push(due);
      if (missed.length > MAX_MISSED) missed.shift();
      each.dueMs = nextDue(each.plan, due);
    }
    const last = missed.at(-1);
    if (last === undefined) return;
    this.#app.db.transaction(() => {
      this.#states.setLastDue(each.record.id, last);
      for (const _ of missed) each.run();
    });
  }
}

/** Starts actions: on stored data, on changes, and on the clock. Stops with the sandbox. */
export function startActions(app: ActionParts): void {
  const { signals } = app;
  const states = new RunStates(app.db);
  const poster = new Poster(app);
  const engine = new Engine(app, states, poster);
  signals.on("dataStored", (event) => engine.dataStored(event));
  signals.on("resourceChanged", (event) => engine.resourceChanged(event));
  signals.on("mqttPublished", (event) => engine.mqttPublished(event));
  signals.on("buttonPressed", (event) => runButton(app, poster, event));

  const plans = new DuePlans(app, states, engine);
  let ticks = 0;
  const tick = (): void => {
    try {
      ticks += 1;
      if (ticks % USAGE_TICKS === 0) checkUsage(app, engine, states);
      plans.run();
    } catch (error) {
      app.log(`What was due could not be run: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  signals.on("clockMoved", tick);
  signals.on("everythingReplaced", () => plans.restart());
  const timer = setInterval(tick, TICK_MS).unref();
  signals.on("closing", () => {
    clearInterval(timer);
    poster.close();
  });
}
