import type { ReactNode } from "react";
import { columns } from "../../components/lines/fit.ts";
import { SearchList } from "../../components/search-list/search-list.tsx";
import { useTheme } from "../../hooks/screen-context.ts";
import { countsOf, dashboardItems } from "../items.ts";
import { summedUp } from "../words.ts";
import type { StepProps } from "./place.ts";

/** Step 1: the dashboards with the counts of their widgets. */
export function ChooseStep({ state, width, height }: StepProps): ReactNode {
  const { marks } = useTheme();
  const marked = state.choose.marks.size;
  const counts = (id: string, widgets: number): readonly string[] => {
    const scanned = state.scanned.get(id);
    if (scanned === undefined) return [`${widgets} widgets`];
    const { legacy, current, unknown } = summedUp(countsOf(scanned.widgets));
    return [`${legacy} legacy`, `${current} new`, `${unknown} unknown`];
  };
  return (
    <SearchList
      items={dashboardItems(state)}
      state={state.choose}
      width={width}
      height={height}
      title={`Dashboards${marked === 0 ? "" : `, ${marked} marked`}`}
      hasMarks={true}
      empty={state.busy ?? (state.choose.query === "" ? "There are no dashboards here." : "Nothing fits.")}
      line={({ entry }, room) => {
        const parts = counts(entry.id, entry.widgets).map((part) => [part, 11] as const);
        const rest = room - 36;
        const cells = parts.length === 3 ? parts : [...parts, ["", 11] as const, ["", 11] as const];
        return { text: columns([[entry.label, Math.max(8, rest)], ...cells], marks.cut) };
      }}
    />
  );
}
