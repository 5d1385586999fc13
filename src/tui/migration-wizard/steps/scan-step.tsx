import { Box } from "ink";
import type { ReactNode } from "react";
import type { PlannedVerdict } from "../../../lib/widgets/plan.ts";
import { columns, type Line } from "../../components/lines/fit.ts";
import { Lines } from "../../components/lines/lines.tsx";
import { Progress } from "../../components/progress/progress.tsx";
import { useTheme } from "../../hooks/screen-context.ts";
import type { Theme } from "../../theme.ts";
import { countsOf, widgetItems } from "../items.ts";
import type { WizardState } from "../model.ts";
import { verdictWords } from "../words.ts";
import type { StepProps } from "./place.ts";

/** Lines above the list of widgets. */
export const SCAN_HEAD = 3;

export function scanLineCount(state: WizardState): number {
  return widgetItems(state).length;
}

export function verdictColor(verdict: PlannedVerdict, { colors }: Theme): { readonly color?: string } {
  if (verdict === "converts") return { color: colors.good };
  if (verdict === "notes") return { color: colors.waiting };
  return verdict === "current" ? {} : { color: colors.bad };
}

/** Step 2: how far the reading is, and what is known of each widget. */
export function ScanStep({ state, width, height }: StepProps): ReactNode {
  const theme = useTheme();
  const items = widgetItems(state);
  const counts = countsOf(items.map(({ widget }) => widget));
  const words = Object.entries(verdictWords).map(([verdict, word]) => {
    const count = counts[verdict as PlannedVerdict];
    return `${count} ${verdict === "converts" && count !== 1 ? "convert" : word}`;
  });
  const done = state.ids.filter((id) => state.scanned.has(id)).length;
  const rows = items.slice(state.scanTop, state.scanTop + height - SCAN_HEAD).map(({ dashboard, widget }): Line => {
    const label = widget.label === "" ? "(no name)" : widget.label;
    const change = widget.newType === widget.type ? widget.type : `${widget.type} -> ${widget.newType}`;
    const verdict = verdictWords[widget.verdict];
    const wide = width - 14;
    // With one dashboard there is room for what becomes of the type.
    const cells: readonly (readonly [string, number])[] =
      state.ids.length === 1
        ? [
            [label, Math.ceil(wide * 0.5)],
            [change, Math.floor(wide * 0.5)],
            [verdict, 12],
          ]
        : [
            [label, Math.ceil((wide - 24) * 0.6)],
            [dashboard, Math.floor((wide - 24) * 0.4)],
            [widget.type, 22],
            [verdict, 12],
          ];
    return { text: columns(cells, theme.marks.cut), ...verdictColor(widget.verdict, theme) };
  });
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Progress done={done} total={state.ids.length} width={width} />
      <Lines lines={[{ text: words.join(", "), bold: true }, { text: "" }]} width={width} height={2} />
      <Lines lines={rows} width={width} height={height - SCAN_HEAD} />
    </Box>
  );
}
