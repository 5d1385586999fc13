import { Text } from "ink";
import type { ReactNode } from "react";
import { useTheme } from "../../hooks/screen-context.ts";
import { type ProgressState, progressOf } from "./state.ts";

/** A bar, and the same in words. */
export function Progress({ done, total, width }: ProgressState & { readonly width: number }): ReactNode {
  const { marks } = useTheme();
  const cells = Math.max(4, Math.min(50, width - 20));
  const { filled, text } = progressOf({ done, total }, cells);
  return (
    <Text wrap="truncate">
      {marks.bar.repeat(filled)}
      {marks.barRest.repeat(cells - filled)} {text}
    </Text>
  );
}
