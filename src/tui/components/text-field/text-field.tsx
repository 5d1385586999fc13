import { Text } from "ink";
import type { ReactNode } from "react";
import { cut, widthOf } from "../../../text/width.ts";
import { useTheme } from "../../hooks/screen-context.ts";
import { type Field, partsOf } from "./state.ts";

/** A field with its cursor. When it is too narrow for the text, the part around the cursor is shown. */
export function TextField({ field, width }: { readonly field: Field; readonly width: number }): ReactNode {
  const { color, marks } = useTheme();
  const [before, at, after] = partsOf(field);
  // Without colours nothing is inverse: a line marks the end then.
  const under = at === " " && !color ? "_" : at;
  const head = tail(before, width - widthOf(under));
  const rest = cut(after, Math.max(0, width - widthOf(head) - widthOf(under)), marks.cut);
  return (
    <Text wrap="truncate">
      {head}
      <Text inverse={under === at}>{under}</Text>
      {rest}
    </Text>
  );
}

/** The end of a text, as much of it as fits. */
function tail(text: string, width: number): string {
  let rest = text;
  while (rest !== "" && widthOf(rest) > width) rest = rest.slice(1);
  return rest;
}
