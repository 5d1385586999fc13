import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { cut, padStart, widthOf } from "../../../text/width.ts";
import { useTheme } from "../../hooks/screen-context.ts";
import { inCells, type Line } from "../lines/fit.ts";
import { Lines } from "../lines/lines.tsx";
import { TextField } from "../text-field/text-field.tsx";
import { type ListItem, type ListState, matching, windowOf } from "./state.ts";

interface SearchListProps<Item extends ListItem> {
  readonly items: readonly Item[];
  readonly state: ListState;
  readonly width: number;
  readonly height: number;
  /** Words above the list. */
  readonly title: string;
  /** Whether marks are shown in front of the lines. */
  readonly hasMarks?: boolean;
  readonly isActive?: boolean;
  readonly empty: string;
  line(item: Item, width: number): Line;
}

/** A list that can be searched and marked: a title with the query, then the lines around the cursor. */
export function SearchList<Item extends ListItem>(props: SearchListProps<Item>): ReactNode {
  const { items, state, width, height, title, hasMarks = false, isActive = true, empty, line } = props;
  const { marks } = useTheme();
  const shown = matching(items, state.query);
  const cursor = Math.max(0, Math.min(state.cursor, shown.length - 1));
  const { from, to } = windowOf(shown.length, cursor, height - 1);
  const before = hasMarks ? 4 : 2;
  const lines = shown.slice(from, to).map((item, i): Line => {
    const isCurrent = from + i === cursor;
    const drawn = line(item, width - before);
    const mark = hasMarks ? [state.marks.has(item.id) ? marks.marked : marks.unmarked] : [];
    const text = [isCurrent ? marks.selected : " ", ...mark, drawn.text].join(" ");
    return { ...drawn, text, inverse: isCurrent && isActive, bold: isCurrent || drawn.bold === true };
  });
  const count = shown.length === 0 ? "" : `${cursor + 1}/${shown.length}`;
  const body = lines.length > 0 ? lines : [{ text: empty, dim: true }];
  return (
    <Box flexDirection="column" width={width}>
      <Head title={title} state={state} count={count} width={width} />
      <Lines lines={body} width={width} height={height - 1} />
    </Box>
  );
}

interface HeadProps {
  readonly title: string;
  readonly state: ListState;
  readonly count: string;
  readonly width: number;
}

function Head({ title, state, count, width }: HeadProps): ReactNode {
  const { marks } = useTheme();
  const { query, isTyping } = state;
  const room = width - 10;
  if (!isTyping) {
    const find = query.text === "" ? "" : ` /${query.text}`;
    return <Text bold wrap="truncate">{`${inCells(title + find, room, marks.cut)} ${padStart(count, 9)}`}</Text>;
  }
  const before = `${cut(title, Math.floor(room / 2), marks.cut)} /`;
  const field = Math.max(4, room - widthOf(before));
  return (
    <Box width={width} height={1} overflow="hidden">
      <Text bold>{before}</Text>
      <Box width={field} flexShrink={0}>
        <TextField field={query} width={field} />
      </Box>
      <Text bold>{` ${padStart(count, 9)}`}</Text>
    </Box>
  );
}
