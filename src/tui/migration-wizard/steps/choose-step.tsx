import type { ReactNode } from "react";
import { repeatedLabels } from "../../../text/equal-names.ts";
import { padEnd, padStart } from "../../../text/width.ts";
import { columns } from "../../components/lines/fit.ts";
import { SearchList } from "../../components/search-list/search-list.tsx";
import { useTheme } from "../../hooks/screen-context.ts";
import { countsOf, dashboardItems } from "../items.ts";
import { summedUp } from "../words.ts";
import type { StepProps } from "./place.ts";

/** Cells of the counts. */
const COUNTS = 34;
/** Characters of an id that distinguish dashboards of the same name. */
const ID_END = 8;

const countText = (count: number, word: string): string => `${padStart(String(count), 5)} ${word}`;

/** Step 1: the dashboards with the counts of their widgets. */
export function ChooseStep({ state, width, height }: StepProps): ReactNode {
  const { marks } = useTheme();
  const marked = state.choose.marks.size;
  const repeated = repeatedLabels(state.entries);
  const counts = (id: string, widgets: number): string => {
    const scanned = state.scanned.get(id);
    if (scanned === undefined) return padEnd(countText(widgets, "widgets"), COUNTS);
    const { legacy, current, unknown } = summedUp(countsOf(scanned.widgets));
    return `${countText(legacy, "legacy")}${countText(current, "new")}${countText(unknown, "unknown")}`;
  };
  return (
    <SearchList
      items={dashboardItems(state)}
      state={state.choose}
      width={width}
      height={height}
      title={`Dashboards${marked === 0 ? "" : `, ${marked} marked`}`}
      hasMarks={true}
      empty={state.busy ?? (state.choose.query.text === "" ? "There are no dashboards." : "No dashboard matches.")}
      line={({ entry }, room) => {
        const end = repeated.has(entry.label) ? `${marks.cut}${entry.id.slice(-ID_END)}` : "";
        const ends = end === "" ? 0 : ID_END + 2;
        const cells: readonly (readonly [string, number])[] = [
          [entry.label, Math.max(8, room - COUNTS - 1 - ends)],
          ...(end === "" ? [] : [[end, ID_END + 1] as const]),
          [counts(entry.id, entry.widgets), COUNTS],
        ];
        return { text: columns(cells, marks.cut) };
      }}
    />
  );
}
