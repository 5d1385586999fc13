import type { ReactNode } from "react";
import type { Line } from "../../components/lines/fit.ts";
import { Lines } from "../../components/lines/lines.tsx";
import { SearchList } from "../../components/search-list/search-list.tsx";
import { windowOf } from "../../components/search-list/state.ts";
import { useTheme } from "../../hooks/screen-context.ts";
import { isWritten, pickerItems, type TargetRow, targetRows, widgetItems } from "../items.ts";
import type { WizardState } from "../model.ts";
import type { StepProps } from "./place.ts";

/** Step 4: where the new widgets go, and which devices and analyses they use. */
export function TargetStep({ state, width, height }: StepProps): ReactNode {
  const { marks } = useTheme();
  const { picker } = state;
  if (picker !== undefined) {
    return (
      <SearchList
        items={pickerItems(picker)}
        state={picker.list}
        width={width}
        height={height}
        title={`Instead of ${picker.thing.kind} ${picker.thing.name}`}
        empty="Nothing has this in its name."
        line={({ thing }) => ({
          text: thing.id === picker.thing.id ? `keep ${thing.name}` : `${thing.name}  ${thing.id}`,
        })}
      />
    );
  }
  const rows = targetRows(state);
  const { from, to } = windowOf(rows.length, state.row, height - 2);
  const lines = rows.slice(from, to).map((row, i): Line => {
    const isCurrent = from + i === state.row;
    return {
      text: `${isCurrent ? marks.selected : " "} ${rowText(row, state, marks)}`,
      inverse: isCurrent,
      bold: isCurrent,
    };
  });
  const written = widgetItems(state).filter(({ widget }) => isWritten(state, widget)).length;
  const dashboards = state.ids.length === 1 ? "1 dashboard" : `${state.ids.length} dashboards`;
  const head: Line = { text: `${written} widgets of ${dashboards} will be converted.`, bold: true };
  return <Lines lines={[head, { text: state.busy ?? "" }, ...lines]} width={width} height={height} />;
}

function rowText(
  row: TargetRow,
  state: WizardState,
  marks: { readonly marked: string; readonly unmarked: string },
): string {
  const chosen = (is: boolean): string => `(${is ? marks.marked : " "})`;
  switch (row) {
    case "copy":
      return `${chosen(state.mode === "copy")} Into a copy; the original stays`;
    case "in-place":
      return `${chosen(state.mode === "in-place")} In place, over the old widgets`;
    case "name":
      return `    Name of the copy: ${state.name}`;
    case "plan":
      return "[w] Save as a plan, to be applied later";
    case "begin":
      return state.mode === "copy" ? "[Enter] Make the copy and convert it" : "[Enter] Convert the widgets in place";
    default: {
      const other = state.replace.get(row.id);
      return `    ${row.kind} ${row.name}: ${other === undefined ? "stays" : `becomes ${other.name} (${other.id})`}`;
    }
  }
}
