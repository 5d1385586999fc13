import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { cut, widthOf } from "../../../text/width.ts";
import { KeyHints } from "../../components/key-hints/key-hints.tsx";
import { TextField } from "../../components/text-field/text-field.tsx";
import { useTheme } from "../../hooks/screen-context.ts";
import { hints } from "../fleet-keys.ts";
import type { FleetState } from "../fleet-state.ts";

const QUESTION = "Filter: ";

/** The filter while it is typed, what happened last, or the keys. */
export function Foot({ state, width }: { readonly state: FleetState; readonly width: number }): ReactNode {
  const { colors, marks } = useTheme();
  const { field, notice, filter, sort, isReversed } = state;
  if (field !== undefined) {
    return (
      <Box width={width} height={1} overflow="hidden">
        <Text bold>{QUESTION}</Text>
        <TextField field={field} width={width - widthOf(QUESTION)} />
      </Box>
    );
  }
  if (notice !== "")
    return (
      <Text color={colors.waiting} wrap="truncate">
        {cut(notice, width, marks.cut)}
      </Text>
    );
  const words = [
    ...(filter === "" ? [] : [`filter "${filter}"`]),
    ...(sort === "worst first" && !isReversed ? [] : [`${sort}${isReversed ? " reversed" : ""}`]),
  ].join(", ");
  const chosen = words === "" ? "" : `[${cut(words, Math.floor(width / 2), marks.cut)}]  `;
  return (
    <Text wrap="truncate">
      <Text color={colors.waiting}>{chosen}</Text>
      <KeyHints hints={hints} width={width - widthOf(chosen)} />
    </Text>
  );
}
