import { isRecord } from "../../lib/core/json.ts";
import { MAX_CHAIN } from "../analyses/analyses.ts";
import type { WireRow } from "../data/types.ts";
import type { SignalMap } from "../signals.ts";
import type { EntityDocument } from "../store/document.ts";
import type { Kinds } from "../store/kinds.ts";
import { carriesTag, looksAt, matchingRow, type Trigger } from "./condition.ts";
import type { PerformParts } from "./perform.ts";
import { type Firing, perform } from "./perform.ts";
import type { Poster } from "./post.ts";
import type { RunStates } from "./state.ts";

export interface EngineParts extends PerformParts {
  readonly kinds: Kinds;
  readonly log: (message: string) => void;
}

/** Times an action can fire while its own effects are still running, before it counts as a loop. */
const MAX_STREAK = 1_000;

/** An active action with its parsed triggers. */
interface ReadyAction {
  readonly document: EntityDocument;
  readonly type: string;
  readonly triggers: readonly Trigger[];
  readonly unlocks: readonly Trigger[];
}

function prepare(document: EntityDocument): ReadyAction {
  const all = Array.isArray(document["trigger"]) ? document["trigger"].filter(isRecord) : [];
  return {
    document,
    type: String(document["type"]),
    triggers: all.filter(({ unlock }) => unlock !== true),
    unlocks: all.filter(({ unlock }) => unlock === true),
  };
}

/** Rows to test and pass on: a message on a topic is one row (docs/internals/platform/server.md, Networks and MQTT). */
function rowsOfMessage(topic: string, message: unknown): unknown[] {
  const text = typeof message === "string" ? message : JSON.stringify(message);
  try {
    const parsed: unknown = JSON.parse(text);
    const rows: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
    const areRows = rows.length > 0 && rows.every((row) => isRecord(row) && typeof row["variable"] === "string");
    if (areRows) return rows;
  } catch {
    // Anything that is not JSON is a raw payload.
  }
  return [{ variable: "payload", value: text, metadata: { topic } }];
}

/** MQTT wildcards: `+` is one level, `#` the rest. */
function matchesTopic(pattern: unknown, topic: string): boolean {
  if (typeof pattern !== "string" || pattern === "") return true;
  const asked = pattern.split("/");
  const levels = topic.split("/");
  const rest = asked.indexOf("#");
  const fixed = rest < 0 ? asked : asked.slice(0, rest);
  if (rest < 0 ? levels.length !== asked.length : levels.length < rest) return false;
  return fixed.every((part, index) => part === "+" || part === levels[index]);
}

function firstMatch(
  triggers: readonly Trigger[],
  device: EntityDocument,
  rows: readonly WireRow[],
): WireRow | undefined {
  for (const trigger of triggers) {
    if (!looksAt(trigger, device)) continue;
    const row = matchingRow(trigger, rows);
    if (row !== undefined) return row;
  }
  return undefined;
}

/** Tests stored rows and changes against the active actions, and performs those that fire. */
export class Engine {
  readonly #app: EngineParts;
  readonly #states: RunStates;
  readonly #poster: Poster;
  #revision = Number.NaN;
  #ready = new Map<string, ReadyAction[]>();
  /** Times the action has fired while its effects were still running. */
  readonly #streaks = new Map<string, number>();
  readonly #reported = new Set<string>();
  /** Current depth in a chain of actions. */
  #current = 0;

  constructor(app: EngineParts, states: RunStates, poster: Poster) {
    this.#app = app;
    this.#states = states;
    this.#poster = poster;
  }

  /** The active actions of a type, of one profile or all. */
  actions(type: string, profile?: string): readonly ReadyAction[] {
    const now = this.#states.revision();
    if (now !== this.#revision) {
      this.#ready = new Map();
      const rows = this.#app.db.all<{ doc: string }>("SELECT doc FROM entity WHERE kind = 'action' ORDER BY id");
      for (const { doc } of rows) {
        // Only collections write the column.
        const document = JSON.parse(doc) as EntityDocument;
        if (document["active"] === false) continue;
        const action = prepare(document);
        this.#ready.set(action.type, [...(this.#ready.get(action.type) ?? []), action]);
      }
      this.#revision = now;
    }
    const list = this.#ready.get(type) ?? [];
    return profile === undefined ? list : list.filter(({ document }) => document.profile === profile);
  }

  /** Fires an action that is due, or was triggered by something other than device data. */
  fire(firing: Omit<Firing, "depth">): void {
    this.#fireAt(firing, this.#current);
  }

  dataStored(event: SignalMap["dataStored"]): void {
    if (event.records.length === 0) return;
    for (const type of ["condition", "condition_geofence"]) {
      for (const action of this.actions(type, event.profile)) this.#testAction(action, event);
    }
  }

  resourceChanged({ profile, kind, event, document, principal }: SignalMap["resourceChanged"]): void {
    const names = this.#app.kinds.get(kind)?.trigger;
    if (names === undefined) return;
    const when = event === "edit" ? "update" : event;
    const fits = (trigger: Trigger): boolean =>
      names.includes(String(trigger["resource"])) && trigger["when"] === when && carriesTag(document, trigger);
    for (const { document: action, triggers } of this.actions("resource", profile)) {
      // An action does not watch its own record, since it causes every edit of it.
      if (action.id === document.id || !triggers.some(fits)) continue;
      this.#fireAt({ action, scope: [document], state: "", when }, this.#depthOf(principal));
    }
  }

  mqttPublished({ profile, device, topic, message, principal }: SignalMap["mqttPublished"]): void {
    const fits = (trigger: Trigger): boolean => {
      const names = trigger["device"] || trigger["tag_key"];
      return matchesTopic(trigger["topic"], topic) && (!names || (device !== undefined && looksAt(trigger, device)));
    };
    for (const { document: action, triggers } of this.actions("mqtt_topic", profile)) {
      if (!triggers.some(fits)) continue;
      this.#fireAt({ action, scope: rowsOfMessage(topic, message), device, state: "" }, this.#depthOf(principal));
    }
  }

  #isBusy({ id, action }: EntityDocument & { action?: unknown }): boolean {
    const scripts: readonly unknown[] = isRecord(action) && Array.isArray(action["script"]) ? action["script"] : [];
    return (
      this.#poster.busy(id) > 0 ||
      scripts.some((script) => typeof script === "string" && this.#app.analyses.isWorking(script))
    );
  }

  #isLoop(action: EntityDocument, depth: number): boolean {
    const streak = this.#isBusy(action) ? (this.#streaks.get(action.id) ?? 0) + 1 : 0;
    this.#streaks.set(action.id, streak);
    if (depth < MAX_CHAIN && streak < MAX_STREAK) {
      this.#reported.delete(action.id);
      return false;
    }
    if (!this.#reported.has(action.id))
      this.#app.log(`The action ${String(action["name"])} (${action.id}) fires itself: stopped`);
    this.#reported.add(action.id);
    return true;
  }

  #fireAt(firing: Omit<Firing, "depth">, depth: number): void {
    const { action } = firing;
    if (this.#isLoop(action, depth)) return;
    this.#app.collection("action").touch(action.id, { last_triggered: new Date(this.#app.clock.now()).toISOString() });
    const before = this.#current;
    this.#current = depth + 1;
    try {
      // An action that fails must not undo what triggered it, nor stop the others.
      this.#app.db.transaction(() => perform(this.#app, this.#poster, { ...firing, depth: depth + 1 }));
    } catch (error) {
      this.#app.log(`The action ${String(action["name"])} (${action.id}) failed: ${String(error)}`);
    } finally {
      this.#current = before;
    }
  }

  #depthOf(principal: SignalMap["dataStored"]["principal"]): number {
    return principal?.kind === "analysis"
      ? Math.max(this.#current, this.#app.analyses.depth(principal.refId))
      : this.#current;
  }

  /** See docs/internals/platform/queries.md, Locks of actions. */
  #testAction(
    { document: action, triggers, unlocks }: ReadyAction,
    { device, records, principal }: SignalMap["dataStored"],
  ): void {
    const depth = this.#depthOf(principal);
    if (unlocks.length > 0 && this.#states.isLocked(action.id)) {
      const row = firstMatch(unlocks, device, records);
      if (row === undefined) return;
      this.#states.setLocked(action.id, false);
      this.#app.collection("action").touch(action.id, { lock: false });
      if (action["trigger_when_unlock"] === true) {
        this.#fireAt({ action, scope: records, device, row, state: "unlocked" }, depth);
      }
      return;
    }
    const row = firstMatch(triggers, device, records);
    if (row === undefined) return;
    if (unlocks.length > 0) {
      this.#states.setLocked(action.id, true);
      this.#app.collection("action").touch(action.id, { lock: true });
    }
    this.#fireAt({ action, scope: records, device, row, state: unlocks.length > 0 ? "locked" : "" }, depth);
  }
}
