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

/** How often the clock is looked at, in real time. */
const TICK_MS = 250;
/** Usage is measured at every so many looks at the clock. */
const USAGE_TICKS = 4;
/** Moments of one plan that are made up for when the clock jumps; of more, the last ones. */
const MAX_MISSED = 1_000;

interface Planned {
  readonly record: EntityDocument;
  readonly plan: Plan;
  readonly run: () => void;
  dueMs: number | undefined;
}

/** Lets actions work: on what is stored and changed, and on the clock. Ends with the sandbox. */
export function startActions(app: ActionParts): void {
  const { db, clock, signals } = app;
  const states = new RunStates(db);
  const poster = new Poster(app);
  const engine = new Engine(app, states, poster);
  signals.on("dataStored", (event) => engine.dataStored(event));
  signals.on("resourceChanged", (event) => engine.resourceChanged(event));
  signals.on("mqttPublished", (event) => engine.mqttPublished(event));
  signals.on("buttonPressed", (event) => runButton(app, poster, event));

  let sinceMs = clock.now();
  let planned: Planned[] = [];
  let revision = Number.NaN;

  const actionPlans = (): Planned[] =>
    [...engine.actions("interval"), ...engine.actions("schedule")].flatMap(({ document, triggers }) =>
      triggers.flatMap((trigger) => {
        const plan = planOf(trigger);
        const run = (): void => engine.fire({ action: document, scope: [], state: "" });
        return plan === undefined ? [] : [{ record: document, plan, run, dueMs: undefined }];
      }),
    );

  /** Plans are made again only after an action has changed. */
  const refresh = (): void => {
    const now = states.revision();
    if (now === revision) return;
    planned = actionPlans();
    for (const each of planned) {
      const from = countFrom(each.plan, each.record, states.lastDue(each.record.id), sinceMs);
      each.dueMs = nextDue(each.plan, Math.min(from, clock.now()));
    }
    revision = now;
  };

  const runDue = (each: Planned, nowMs: number): void => {
    const missed: number[] = [];
    for (let due = each.dueMs; due !== undefined && due <= nowMs; due = nextDue(each.plan, due)) {
      missed.push(due);
      if (missed.length > MAX_MISSED) missed.shift();
      each.dueMs = nextDue(each.plan, due);
    }
    const last = missed.at(-1);
    if (last === undefined) return;
    db.transaction(() => {
      states.setLastDue(each.record.id, last);
      for (const _ of missed) each.run();
    });
  };

  let ticks = 0;
  let latestMs = sinceMs;

  /** Plans count from the present again once the clock was set back: what was due is due again. */
  const followClockBack = (): void => {
    const nowMs = clock.now();
    if (nowMs < latestMs) {
      sinceMs = Math.min(sinceMs, nowMs);
      revision = Number.NaN;
    }
    latestMs = nowMs;
  };

  const tick = (): void => {
    try {
      ticks += 1;
      followClockBack();
      if (ticks % USAGE_TICKS === 0) checkUsage(app, engine, states);
      refresh();
      const nowMs = clock.now();
      for (const each of planned) if (each.dueMs !== undefined && each.dueMs <= nowMs) runDue(each, nowMs);
    } catch (error) {
      app.log(`What was due could not be run: ${error instanceof Error ? error.message : String(error)}`);
    }
  };

  signals.on("clockMoved", tick);
  signals.on("everythingReplaced", () => {
    sinceMs = clock.now();
    revision = Number.NaN;
  });
  const timer = setInterval(tick, TICK_MS).unref();
  signals.on("closing", () => {
    clearInterval(timer);
    poster.close();
  });
  refresh();
}
