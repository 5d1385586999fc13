import { Box, Text } from "ink";
import { type ReactNode, useSyncExternalStore } from "react";
import { countText } from "../../text/count.ts";
import { cut } from "../../text/width.ts";
import { scrollAction } from "../components/diff-view/state.ts";
import type { KeyHint } from "../components/key-hints/fit-hints.ts";
import { KeyHelp } from "../components/key-hints/key-help.tsx";
import { KeyHints } from "../components/key-hints/key-hints.tsx";
import { StatusLine } from "../components/status-line/status-line.tsx";
import { Table } from "../components/table/table.tsx";
import { tableWindow } from "../components/table/table-state.ts";
import { useTheme, useWindowSize } from "../hooks/screen-context.ts";
import { useKeys } from "../hooks/use-keys.ts";
import { agoText } from "../live/words.ts";
import type { ListModel } from "./list-model.ts";
import type { ListOptions } from "./types.ts";

const hints: readonly KeyHint[] = [
  ["arrows", "move"],
  ["r", "read now"],
  ["?", "help"],
  ["q", "quit"],
];

const helpLines: readonly KeyHint[] = [
  ["arrows, jk", "move up and down"],
  ["PgUp PgDn Home End", "move by page, to the first or last row"],
  ["r", "read the list again now"],
  ["Ctrl-L", "redraw the screen"],
  ["q, Ctrl-C", "quit"],
];

interface ListViewProps {
  readonly model: ListModel;
  readonly options: ListOptions;
  leave(): void;
}

/** A list that is read again and again: the rows that have changed are marked. */
export function ListView({ model, options, leave }: ListViewProps): ReactNode {
  useSyncExternalStore(model.subscribe, model.version);
  const { columns: width, rows: lines } = useWindowSize();
  const { colors, marks } = useTheme();
  const height = lines - 3;
  const { rows, hasMore, atMs } = model.data;
  const at = model.selectedIndex();
  useKeys((key) => {
    if (key.name === "q") leave();
    else if (key.name === "?" || (model.hasHelp && key.name === "escape")) model.toggleHelp();
    else if (key.name === "r") void model.refresh();
    else if (!model.hasHelp) {
      const action = scrollAction(key, height - 1);
      if (action === undefined) return;
      model.move("by" in action ? action.by : action.to === "first" ? -rows.length : rows.length);
    }
  });
  const { from, to, below } = tableWindow(rows.length, at, height - 1);
  const { changed } = model;
  return (
    <>
      <StatusLine
        width={width}
        parts={[
          { id: "title", text: options.title, bold: true },
          { id: "place", text: options.place, leaves: 3 },
          { id: "count", text: `${countText(rows.length)} shown${hasMore ? ", more exist" : ""}`, leaves: 1 },
          {
            id: "changed",
            text: changed.size > 0 ? `${marks.marked} ${countText(changed.size)} changed` : "",
            leaves: 2,
          },
          { id: "age", text: model.isReading ? "reading" : agoText(Date.now() - atMs), leaves: 4 },
        ]}
      />
      <Box height={height} flexDirection="column" overflow="hidden">
        {model.hasHelp ? (
          <KeyHelp lines={helpLines} width={width} height={height} />
        ) : (
          <Table
            columns={options.columns}
            rows={rows.slice(from, to).map(({ id, cells }) => ({ id, cells, isMarked: changed.has(id) }))}
            selected={rows[at]?.id}
            width={width}
            height={height}
            below={below}
            empty={[options.empty]}
          />
        )}
      </Box>
      {model.notice === "" ? (
        <KeyHints hints={hints} width={width} />
      ) : (
        <Text color={colors.waiting} wrap="truncate">
          {cut(model.notice, width, marks.cut)}
        </Text>
      )}
    </>
  );
}
