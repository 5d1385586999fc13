import { isRecord } from "../../lib/widgets/draw/page.ts";
import { type History, isChanged, startOf } from "./history.ts";
import type { Board } from "./model.ts";

const nameFor = (dashboard: string): string => `iot-edit-${dashboard}`;

const isBoard = (value: unknown): value is Board =>
  isRecord(value) && Array.isArray(value["tabs"]) && Array.isArray(value["places"]) && isRecord(value["widgets"]);

/** What was edited in this tab of the browser and not saved: definitions and positions, without tokens. */
export function draftOf(dashboard: string): History | undefined {
  try {
    const { base, present } = JSON.parse(sessionStorage.getItem(nameFor(dashboard)) ?? "{}");
    return isBoard(base) && isBoard(present) ? startOf(base, present) : undefined;
  } catch {
    // A browser that stores nothing, or something else under this name.
    return undefined;
  }
}

/** Stores what is edited until the tab of the browser is closed; nothing where nothing has changed. */
export function keepDraft(dashboard: string, history: History): void {
  try {
    const { base, present } = history;
    if (isChanged(history)) sessionStorage.setItem(nameFor(dashboard), JSON.stringify({ base, present }));
    else sessionStorage.removeItem(nameFor(dashboard));
  } catch {
    // A browser that stores nothing, or not as much.
  }
}
