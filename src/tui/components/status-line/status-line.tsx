import { Text } from "ink";
import type { ReactNode } from "react";
import { useTheme } from "../../hooks/screen-context.ts";
import { fitParts, type StatusPart } from "./fit-parts.ts";

/** Facts side by side on one line; the less important ones leave in narrow windows. */
export function StatusLine({
  parts,
  width,
}: {
  readonly parts: readonly StatusPart[];
  readonly width: number;
}): ReactNode {
  const { marks } = useTheme();
  return (
    <Text wrap="truncate">
      {fitParts(parts, width, marks.cut).map(({ id, text, color, bold = false }, i) => (
        <Text key={id}>
          {i === 0 ? "" : "   "}
          <Text bold={bold} {...(color === undefined ? {} : { color })}>
            {text}
          </Text>
        </Text>
      ))}
    </Text>
  );
}
