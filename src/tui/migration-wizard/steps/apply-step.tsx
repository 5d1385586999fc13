import { Box } from "ink";
import type { ReactNode } from "react";
import type { Line } from "../../components/lines/fit.ts";
import { columns } from "../../components/lines/fit.ts";
import { Lines } from "../../components/lines/lines.tsx";
import { Progress } from "../../components/progress/progress.tsx";
import { lastLines } from "../../components/progress/state.ts";
import { useTheme } from "../../hooks/screen-context.ts";
import type { StepProps } from "./place.ts";

const HEAD = 3;

/** Step 5: a snapshot first, then one widget after the other. */
export function ApplyStep({ state, width, height }: StepProps): ReactNode {
  const { colors, marks } = useTheme();
  const lines = lastLines(state.applied, height - HEAD).map(({ label, outcome }): Line => {
    const color = outcome === "converted" ? colors.good : outcome === "failed" ? colors.bad : undefined;
    const text = columns(
      [
        [label === "" ? "(no name)" : label, width - 13],
        [outcome, 12],
      ],
      marks.cut,
    );
    return color === undefined ? { text } : { text, color };
  });
  const total = Math.max(state.total, state.applied.length);
  const where = state.isStopping ? "Stopping after the current request" : (state.busy ?? state.place);
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Progress done={state.applied.length} total={total} width={width} />
      <Lines lines={[{ text: where, bold: true }, { text: "" }]} width={width} height={2} />
      <Lines lines={lines} width={width} height={height - HEAD} />
    </Box>
  );
}
