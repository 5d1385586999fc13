import type { ReactNode } from "react";
import { countOf } from "../../../text/count.ts";
import { useTheme } from "../../hooks/screen-context.ts";
import type { Theme } from "../../theme.ts";
import { inCells, type Line } from "../lines/fit.ts";
import { Lines } from "../lines/lines.tsx";
import { type DiffLine, type DiffRow, diffLines } from "./state.ts";

/** Widths from which on old and new stand beside each other. */
const SPLIT_FROM = 64;

/** The lines a diff takes at this width. */
export function diffRowsAt(rows: readonly DiffRow[], width: number): readonly DiffLine[] {
  return diffLines(rows, width >= SPLIT_FROM);
}

interface DiffViewProps {
  readonly lines: readonly DiffLine[];
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Old and new text; what is gone has a minus, what is new a plus. */
export function DiffView({ lines, top, width, height }: DiffViewProps): ReactNode {
  const theme = useTheme();
  const drawn = lines.slice(top, top + height).map((line) => drawLine(line, width, theme));
  return <Lines lines={drawn} width={width} height={height} />;
}

function drawLine(line: DiffLine, width: number, { colors, marks }: Theme): Line {
  switch (line.kind) {
    case "gap":
      return { text: `  ${marks.line.repeat(2)} ${countOf(line.count, "unchanged line")}`, dim: true };
    case "same":
      return { text: `  ${line.text}` };
    case "old":
      return { text: `- ${line.text}`, color: colors.removed };
    case "new":
      return { text: `+ ${line.text}`, color: colors.added };
    case "pair": {
      const half = Math.floor((width - 3) / 2);
      const left = line.old === "" ? "" : `- ${line.old}`;
      const right = line.new === "" ? "" : `+ ${line.new}`;
      const text = `${inCells(left, half, marks.cut)} ${marks.upright} ${right}`;
      return line.old === ""
        ? { text, color: colors.added }
        : line.new === ""
          ? { text, color: colors.removed }
          : { text };
    }
  }
}
