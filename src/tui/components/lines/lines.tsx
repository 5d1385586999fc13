import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { useTheme } from "../../hooks/screen-context.ts";
import { inCells, type Line } from "./fit.ts";

const blank: Line = { text: "" };

interface LinesProps {
  readonly lines: readonly Line[];
  readonly width: number;
  /** Lines there is room for; the rest stays blank. */
  readonly height: number;
}

/** Lines below each other in a block of a fixed size. */
export function Lines({ lines, width, height }: LinesProps): ReactNode {
  const { marks } = useTheme();
  const rows = Array.from({ length: height }, (_, i) => ({ place: i, line: lines[i] ?? blank }));
  return (
    <Box flexDirection="column" width={width} height={height}>
      {rows.map(({ place, line: { text, color, bold = false, dim = false, inverse = false } }) => (
        <Text
          key={place}
          wrap="truncate"
          bold={bold}
          dimColor={dim}
          inverse={inverse}
          {...(color === undefined ? {} : { color })}
        >
          {inCells(text, width, marks.cut)}
        </Text>
      ))}
    </Box>
  );
}
