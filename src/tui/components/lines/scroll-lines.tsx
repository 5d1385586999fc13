import { type ReactNode, useState } from "react";
import { useTheme } from "../../hooks/screen-context.ts";
import { useKeys } from "../../hooks/use-keys.ts";
import { scrollAction, scrolled } from "../diff-view/state.ts";
import { clipped, type Line } from "./fit.ts";
import { Lines } from "./lines.tsx";

interface ScrollLinesProps {
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
}

/** Lines in a block of a fixed size. Where they do not fit, the keys that move scroll them. */
export function ScrollLines({ lines, width, height }: ScrollLinesProps): ReactNode {
  const { marks } = useTheme();
  const [top, setTop] = useState(0);
  const from = Math.max(0, Math.min(top, lines.length - height));
  useKeys((key) => {
    const action = scrollAction(key, height - 1);
    if (action !== undefined) setTop(scrolled(from, action, lines.length, height));
  });
  return <Lines lines={clipped(lines.slice(from), height, marks)} width={width} height={height} />;
}
