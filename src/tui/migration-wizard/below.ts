import { matching, windowOf } from "../components/search-list/state.ts";
import { dashboardItems, pickerItems, targetRows, widgetItems } from "./items.ts";
import type { KeyPlace } from "./keys.ts";
import type { WizardState } from "./model.ts";

/** How many lines of the step are below the screen, in words; empty when none is. */
export function belowText(state: WizardState, place: KeyPlace, height: number): string {
  if (state.isHelp || state.question !== undefined) return "";
  const count = linesBelow(state, place, height);
  return count > 0 ? `${count} more below (down, PgDn)` : "";
}

function linesBelow(state: WizardState, { rows, lines }: KeyPlace, height: number): number {
  const inList = (count: number, cursor: number, room: number): number => count - windowOf(count, cursor, room).to;
  switch (state.step) {
    case "choose":
      return inList(matching(dashboardItems(state), state.choose.query).length, state.choose.cursor, height - 1);
    case "scan":
      return lines - state.scanTop - rows;
    case "review":
      return state.pane === "detail"
        ? lines - state.top - rows
        : inList(matching(widgetItems(state), state.list.query).length, state.list.cursor, height - 1);
    case "target": {
      const { picker } = state;
      if (picker === undefined) return inList(targetRows(state).length, state.row, height - 2);
      return inList(matching(pickerItems(picker), picker.list.query).length, picker.list.cursor, height - 1);
    }
    case "report":
      return lines - state.reportTop - rows;
    case "apply":
      return 0;
  }
}
