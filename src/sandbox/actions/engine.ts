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

/** Firings of an action while its own effects are still at work, before it is taken for a loop. */
const MAX_STREAK = 1_000;

/** An active action with its triggers apart. */
interface ReadyAction {
  readonly document: EntityDocument;
  readonly type: string;
  readonly triggers: readonly Trigger[];
  readonly unlocks: readonly Trigger[];
}

export interface Engine {
  /** The active actions of a type, of one profile or all. */
  actions(type: string, profile?: string): readonly ReadyAction[];
  /** Fires an action that is due, or asked for by something else than device data. */
  fire(firing: Omit<Firing, "depth">): void;
  dataStored(event: SignalMap["dataStored"]): void;
  resourceChanged(event: SignalMap["resourceChanged"]): void;
  mqttPublished(event: SignalMap["mqttPublished"]): void;
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

/** Rows as they are tested and handed on: what came in on a topic is one row (SERVER.md section 11). */
function rowsOfMessage(topic: string, message: unknown): unknown[] {
  const text = typeof message === "string" ? message : JSON.stringify(message);
  try {
    const parsed: unknown = JSON.parse(text);
    const rows: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
    const areRows = rows.length > 0 && rows.every((row) => isRecord(row) && typeof row["variable"] === "string");
    if (areRows) return rows;
  } catch {
    // Anything that is no JSON is a raw payload.
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

export function createEngine(app: EngineParts, states: RunStates, poster: Poster): Engine {
  let revision = Number.NaN;
  let ready = new Map<string, ReadyAction[]>();
  /** Firings since the action last had nothing at work. */
  const streaks = new Map<string, number>();
  const reported = new Set<string>();
  /** How deep in a chain of actions what happens right now is. */
  let current = 0;

  /** Actions are read again only after one has changed. */
  const actions = (type: string, profile?: string): readonly ReadyAction[] => {
    const now = states.revision();
    if (now !== revision) {
      ready = new Map();
      const rows = app.db.all<{ doc: string }>("SELECT doc FROM entity WHERE kind = 'action' ORDER BY id");
      for (const { doc } of rows) {
        // Only collections write the column.
        const document = JSON.parse(doc) as EntityDocument;
        if (document["active"] === false) continue;
        const action = prepare(document);
        ready.set(action.type, [...(ready.get(action.type) ?? []), action]);
      }
      revision = now;
    }
    const list = ready.get(type) ?? [];
    return profile === undefined ? list : list.filter(({ document }) => document.profile === profile);
  };

  const isBusy = ({ id, action }: EntityDocument & { action?: unknown }): boolean => {
    const scripts: readonly unknown[] = isRecord(action) && Array.isArray(action["script"]) ? action["script"] : [];
    return (
      poster.busy(id) > 0 || scripts.some((script) => typeof script === "string" && app.analyses.isWorking(script))
    );
  };

  const isLoop = (action: EntityDocument, depth: number): boolean => {
    const streak = isBusy(action) ? (streaks.get(action.id) ?? 0) + 1 : 0;
    streaks.set(action.id, streak);
    if (depth < MAX_CHAIN && streak < MAX_STREAK) {
      reported.delete(action.id);
      return false;
    }
    if (!reported.has(action.id)) app.log(`The action ${String(action["name"])} (${action.id}) fires itself: stopped`);
    reported.add(action.id);
    return true;
  };

  const fireAt = (firing: Omit<Firing, "depth">, depth: number): void => {
    const { action } = firing;
    if (isLoop(action, depth)) return;
    app.collection("action").touch(action.id, { last_triggered: new Date(app.clock.now()).toISOString() });
    const before = current;
    current = depth + 1;
    try {
      // One action that cannot be carried out must not undo what caused it, nor stop the others.
      app.db.transaction(() => perform(app, poster, { ...firing, depth: depth + 1 }));
    } catch (error) {
      app.log(`The action ${String(action["name"])} (${action.id}) failed: ${String(error)}`);
    } finally {
      current = before;
    }
  };

  const depthOf = (principal: SignalMap["dataStored"]["principal"]): number =>
    principal?.kind === "analysis" ? Math.max(current, app.analyses.depth(principal.refId)) : current;

  const firstMatch = (
    triggers: readonly Trigger[],
    device: EntityDocument,
    rows: readonly WireRow[],
  ): WireRow | undefined => {
    for (const trigger of triggers) {
      if (!looksAt(trigger, device)) continue;
      const row = matchingRow(trigger, rows);
      if (row !== undefined) return row;
    }
    return undefined;
  };

  /** QUERY.md section 6, rules 4 and 5. */
  const testAction = (
    { document: action, triggers, unlocks }: ReadyAction,
    { device, records, principal }: SignalMap["dataStored"],
  ): void => {
    const depth = depthOf(principal);
    if (unlocks.length > 0 && states.isLocked(action.id)) {
      const row = firstMatch(unlocks, device, records);
      if (row === undefined) return;
      states.setLocked(action.id, false);
      app.collection("action").touch(action.id, { lock: false });
      if (action["trigger_when_unlock"] === true) {
        fireAt({ action, scope: records, device, row, state: "unlocked" }, depth);
      }
      return;
    }
    const row = firstMatch(triggers, device, records);
    if (row === undefined) return;
    if (unlocks.length > 0) {
      states.setLocked(action.id, true);
      app.collection("action").touch(action.id, { lock: true });
    }
    fireAt({ action, scope: records, device, row, state: unlocks.length > 0 ? "locked" : "" }, depth);
  };

  return {
    actions,
    fire: (firing) => fireAt(firing, current),
    dataStored: (event) => {
      if (event.records.length === 0) return;
      for (const type of ["condition", "condition_geofence"]) {
        for (const action of actions(type, event.profile)) testAction(action, event);
      }
    },
    resourceChanged: ({ profile, kind, event, document, principal }) => {
      const names = app.kinds.get(kind)?.trigger;
      if (names === undefined) return;
      const when = event === "edit" ? "update" : event;
      const fits = (trigger: Trigger): boolean =>
        names.includes(String(trigger["resource"])) && trigger["when"] === when && carriesTag(document, trigger);
      for (const { document: action, triggers } of actions("resource", profile)) {
        // An action does not watch its own record: every edit of it would be its own doing.
        if (action.id === document.id || !triggers.some(fits)) continue;
        fireAt({ action, scope: [document], state: "", when }, depthOf(principal));
      }
    },
    mqttPublished: ({ profile, device, topic, message, principal }) => {
      const fits = (trigger: Trigger): boolean => {
        const names = trigger["device"] || trigger["tag_key"];
        return matchesTopic(trigger["topic"], topic) && (!names || (device !== undefined && looksAt(trigger, device)));
      };
      for (const { document: action, triggers } of actions("mqtt_topic", profile)) {
        if (!triggers.some(fits)) continue;
        fireAt({ action, scope: rowsOfMessage(topic, message), device, state: "" }, depthOf(principal));
      }
    },
  };
}
