import type { ReactNode } from "react";
import { useTheme } from "../../hooks/screen-context.ts";
import type { Line } from "../lines/fit.ts";
import { Lines } from "../lines/lines.tsx";
import type { Choice } from "./state.ts";

interface SelectProps {
  readonly choices: readonly Choice[];
  readonly cursor: number;
  readonly width: number;
}

/** A few choices below each other, each with its key. */
export function Select({ choices, cursor, width }: SelectProps): ReactNode {
  const { marks } = useTheme();
  const lines = choices.map(({ key, label }, i): Line => {
    const isCurrent = i === cursor;
    return { text: `${isCurrent ? marks.selected : " "} ${key}  ${label}`, inverse: isCurrent, bold: isCurrent };
  });
  return <Lines lines={lines} width={width} height={choices.length} />;
}
