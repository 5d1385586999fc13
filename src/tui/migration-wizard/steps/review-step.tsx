import { Box } from "ink";
import type { ReactNode } from "react";
import { widthOf } from "../../../text/width.ts";
import { DiffView, diffRowsAt } from "../../components/diff-view/diff-view.tsx";
import type { DiffLine } from "../../components/diff-view/state.ts";
import { columns, type Line, wrapped } from "../../components/lines/fit.ts";
import { Lines } from "../../components/lines/lines.tsx";
import { SearchList } from "../../components/search-list/search-list.tsx";
import { currentItem } from "../../components/search-list/state.ts";
import { useTheme } from "../../hooks/screen-context.ts";
import { type WidgetItem, widgetItems } from "../items.ts";
import { detailViews, type WizardState } from "../model.ts";
import { noteLines, treeLines, verdictWords } from "../words.ts";
import { type ReviewProps, TWO_PANES_FROM } from "./place.ts";
import { verdictColor } from "./scan-step.tsx";

/** What the detail pane holds. */
export type Detail =
  | { readonly kind: "diff"; readonly lines: readonly DiffLine[] }
  | { readonly kind: "text"; readonly lines: readonly string[] };

export function detailOf(state: WizardState, engine: ReviewProps["engine"], width: number, isAscii: boolean): Detail {
  const item = currentItem(state.list, widgetItems(state));
  if (item === undefined) return { kind: "text", lines: [] };
  const { widget } = item;
  const after = state.edited.get(item.id) ?? widget.after;
  if (state.view === "notes") return { kind: "text", lines: noteLines(widget).flatMap((line) => wrapped(line, width)) };
  if (state.view === "tree") return { kind: "text", lines: treeLines(after ?? widget.before, isAscii) };
  if (state.view === "preview") {
    const drawn = engine.draw(after ?? widget.before, width);
    return { kind: "text", lines: [...drawn, "", ...wrapped("A rough preview with sample values.", width)] };
  }
  if (after === undefined) return { kind: "text", lines: wrapped(`Not converted: ${widget.reason}`, width) };
  return { kind: "diff", lines: diffRowsAt(engine.diff(widget.before, after), width) };
}

export function detailWidth(columnsOfScreen: number): number {
  return columnsOfScreen < TWO_PANES_FROM ? columnsOfScreen : columnsOfScreen - listWidth(columnsOfScreen) - 3;
}

const listWidth = (width: number): number => (width < TWO_PANES_FROM ? width : Math.min(60, Math.floor(width * 0.42)));

/** Step 3: the widgets on the left, the old and the new one on the right. */
export function ReviewStep({ state, width, height, engine }: ReviewProps): ReactNode {
  const { marks, ascii } = useTheme();
  const isWide = width >= TWO_PANES_FROM;
  const right = detailWidth(width);
  const detail = detailOf(state, engine, right, ascii);
  const list = <WidgetList state={state} width={listWidth(width)} height={height} />;
  const shown = (
    <Box flexDirection="column" width={right}>
      <Lines lines={[headOf(state, right, marks.cut)]} width={right} height={1} />
      {detail.kind === "diff" ? (
        <DiffView lines={detail.lines} top={state.top} width={right} height={height - 1} />
      ) : (
        <Lines lines={detail.lines.slice(state.top).map((text) => ({ text }))} width={right} height={height - 1} />
      )}
    </Box>
  );
  if (!isWide) return state.pane === "list" ? list : shown;
  const rule = Array.from({ length: height }, (): Line => ({ text: ` ${marks.upright} `, dim: true }));
  return (
    <Box>
      {list}
      <Lines lines={rule} width={3} height={height} />
      {shown}
    </Box>
  );
}

function headOf(state: WizardState, width: number, mark: string): Line {
  const item = currentItem(state.list, widgetItems(state));
  const names = detailViews.map((view) => (view === state.view ? `[${view}]` : view)).join(" ");
  const change = item === undefined ? "" : `${item.widget.type} -> ${item.widget.newType}`;
  const isActive = state.pane === "detail";
  return {
    text: columns(
      [
        [names, widthOf(names)],
        [change, width - widthOf(names) - 1],
      ],
      mark,
    ),
    bold: true,
    inverse: isActive,
  };
}

function WidgetList({ state, width, height }: Pick<ReviewProps, "state" | "width" | "height">): ReactNode {
  const theme = useTheme();
  const word = ({ id, widget }: WidgetItem): string =>
    state.excluded.has(id) ? "excluded" : state.edited.has(id) ? "edited" : verdictWords[widget.verdict];
  return (
    <SearchList
      items={widgetItems(state)}
      state={state.list}
      width={width}
      height={height}
      title="Widgets"
      hasMarks={true}
      isActive={state.pane === "list"}
      empty="No widget matches."
      line={(item, room) => {
        const label = item.widget.label === "" ? item.widget.type : item.widget.label;
        const text = columns(
          [
            [label, room - 12],
            [word(item), 11],
          ],
          theme.marks.cut,
        );
        return { text, ...(state.excluded.has(item.id) ? { dim: true } : verdictColor(item.widget.verdict, theme)) };
      }}
    />
  );
}
