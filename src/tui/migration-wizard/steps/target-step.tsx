import type { ReactNode } from "react";
import { countOf } from "../../../text/count.ts";
import type { Line } from "../../components/lines/fit.ts";
import { Lines } from "../../components/lines/lines.tsx";
import { SearchList } from "../../components/search-list/search-list.tsx";
import { windowOf } from "../../components/search-list/state.ts";
import { useTheme } from "../../hooks/screen-context.ts";
import { copyNames } from "../copy-names.ts";
import type { Mode } from "../engine.ts";
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
        title={`Replace ${picker.thing.kind} ${picker.thing.name}`}
        empty="No matches."
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
  const dashboards = countOf(state.ids.length, "dashboard");
  const head: Line = { text: `${countOf(written, "widget")} in ${dashboards} will be converted.`, bold: true };
  return <Lines lines={[head, { text: state.busy ?? "" }, ...lines]} width={width} height={height} />;
}

const applyTexts: Readonly<Record<Mode, string>> = {
  copy: "Apply: create the copy and convert it",
  update: "Apply: update the earlier copy",
  "in-place": "Apply: convert the widgets in place",
};

function updateText({ ids, copies }: Pick<WizardState, "ids" | "copies">): string {
  const rest = ids.length - copies.length;
  const others = rest === 0 ? "" : `; new ones for the other ${rest}`;
  const [first] = copies;
  return copies.length === 1
    ? `Update the earlier copy "${first?.label ?? ""}"${others}`
    : `Update the ${copies.length} earlier copies${others}`;
}

function rowText(
  row: TargetRow,
  state: WizardState,
  marks: { readonly marked: string; readonly unmarked: string },
): string {
  const chosen = (is: boolean): string => `(${is ? marks.marked : " "})`;
  switch (row) {
    case "update":
      return `${chosen(state.mode === "update")} ${updateText(state)}`;
    case "copy":
      return `${chosen(state.mode === "copy")} Create a new copy; keep the original`;
    case "in-place":
      return `${chosen(state.mode === "in-place")} In place, overwriting the old widgets`;
    case "name":
      return `    Name of the copy: ${copyNames(state)}`;
    case "plan":
      return "[w] Save as a plan to apply later";
    case "begin":
      return `[A] ${applyTexts[state.mode]}`;
    default: {
      const other = state.replace.get(row.id);
      return `    ${row.kind} ${row.name}: ${other === undefined ? "keep" : `replace with ${other.name} (${other.id})`}`;
    }
  }
}
