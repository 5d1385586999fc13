import { type KeyboardEvent, type PointerEvent, type RefObject, useMemo, useRef, useState } from "react";
import type { StoredDashboard } from "../../index.ts";
import type { GridPlace } from "../../lib/widgets/draw/page.ts";
import { nameOf as nameOfType } from "../../lib/widgets/starter.ts";
import { State } from "../components/basics.tsx";
import type { Act } from "./act.ts";
import { useContent } from "./content.ts";
import type { History } from "./history.ts";
import { type Board, COLUMNS, cellFor, cellsOf, type Definition, moved } from "./model.ts";
import { isNew, positionText, sizeText, titleOf } from "./names.ts";
import { Picture } from "./picture.tsx";

interface GridProps {
  readonly dashboard: StoredDashboard;
  readonly history: History;
  readonly tab: string;
  readonly act: Act;
  readonly onOpen: (id: string) => void;
  /** @param next the widget that comes after it, or before it */
  readonly onRemove: (id: string, next: string | undefined) => void;
  /** Says why nothing happened. */
  readonly onNothing: (words: string) => void;
}

type Change = Partial<Omit<GridPlace, "widget">>;

/** A drag that goes on. */
interface Drag {
  readonly id: string;
  readonly kind: "move" | "resize";
  readonly change: Change;
}

/** Width of a column and height of a row, with the gaps behind them. */
function stepsOf(grid: HTMLElement): { readonly x: number; readonly y: number } {
  const { columnGap, rowGap, gridAutoRows } = getComputedStyle(grid);
  return {
    x: (grid.clientWidth + Number.parseFloat(columnGap)) / COLUMNS,
    y: Number.parseFloat(gridAutoRows) + Number.parseFloat(rowGap),
  };
}

interface DragProps {
  readonly grid: RefObject<HTMLElement | null>;
  readonly onChange: (drag: Drag | undefined) => void;
  readonly onEnd: (drag: Drag) => void;
}

/** Returns what starts a drag of a cell: it follows the pointer in whole columns and rows until Escape or the end. */
function useDrag({ grid, onChange, onEnd }: DragProps) {
  return (event: PointerEvent<HTMLElement>, cell: GridPlace, kind: Drag["kind"]): void => {
    const holder = grid.current;
    const target = event.currentTarget;
    if (holder === null || event.button !== 0 || (event.target as HTMLElement).closest("button") !== null) return;
    event.preventDefault();
    target.setPointerCapture(event.pointerId);
    const start = { x: event.clientX, y: event.clientY };
    const before = holder.getBoundingClientRect();
    const ending = new AbortController();
    let drag: Drag = { id: cell.widget, kind, change: {} };
    // The page may be scrolled meanwhile.
    const follow = ({ clientX, clientY }: globalThis.PointerEvent): void => {
      const [now, step] = [holder.getBoundingClientRect(), stepsOf(holder)];
      const columns = Math.round((clientX - start.x - now.left + before.left) / step.x);
      const rows = Math.round((clientY - start.y - now.top + before.top) / step.y);
      const change =
        kind === "move"
          ? { left: cell.left + columns, top: cell.top + rows }
          : { columns: cell.columns + columns, rows: cell.rows + rows };
      drag = { ...drag, change };
      onChange(drag);
    };
    const end = (isDone: boolean): void => {
      ending.abort();
      onChange(undefined);
      if (isDone) onEnd(drag);
    };
    const cancel = ({ key }: globalThis.KeyboardEvent): void => {
      if (key === "Escape") end(false);
    };
    target.addEventListener("pointermove", follow, ending);
    target.addEventListener("pointerup", () => end(true), ending);
    target.addEventListener("pointercancel", () => end(false), ending);
    addEventListener("keydown", cancel, ending);
  };
}

const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Moves and resizes widgets of the board by keys and by dragging; what is dragged is shown where it would be. */
function useMoves({ history, tab, act, onNothing }: Pick<GridProps, "history" | "tab" | "act" | "onNothing">) {
  const grid = useRef<HTMLUListElement>(null);
  const [drag, setDrag] = useState<Drag>();
  const { present } = history;
  const board = useMemo(
    () => (drag === undefined ? present : moved(present, tab, drag.id, drag.change)),
    [present, tab, drag],
  );
  const change = (id: string, wanted: Change, isResize: boolean): void => {
    const title = titleOf(present, id);
    if (moved(present, tab, id, wanted) === present) onNothing(`${title} cannot go further`);
    act(
      (from) => moved(from, tab, id, wanted),
      (to) => {
        const cell = cellFor(to, tab, id);
        if (cell === undefined) return title;
        return isResize ? `${title} is ${sizeText(cell)}` : `${title} is at ${positionText(cell)}`;
      },
    );
  };
  const onDrag = useDrag({
    grid,
    onChange: setDrag,
    onEnd: ({ id, kind, change: wanted }) => {
      if (Object.keys(wanted).length > 0) change(id, wanted, kind === "resize");
    },
  });
  return { grid, board, dragged: drag?.id, change, onDrag };
}

/** The widgets of a tab at their positions, to be moved, resized, opened and deleted. */
export function Grid(props: GridProps) {
  const { dashboard, history, tab, onOpen, onRemove } = props;
  const { grid, board, dragged, change, onDrag } = useMoves(props);
  const cells = [...cellsOf(board, tab)].sort((a, b) => a.top - b.top || a.left - b.left);
  const remove = (id: string): void => {
    const place = cells.findIndex(({ widget }) => widget === id);
    onRemove(id, (cells[place + 1] ?? cells[place - 1])?.widget);
  };
  const onKey = (event: KeyboardEvent, { widget: id, left, top, columns, rows }: GridPlace): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow !== undefined && event.shiftKey) change(id, { columns: columns + arrow[0], rows: rows + arrow[1] }, true);
    else if (arrow !== undefined) change(id, { left: left + arrow[0], top: top + arrow[1] }, false);
    else if (event.key === "Enter") onOpen(id);
    else if (event.key === "Delete" || event.key === "Backspace") remove(id);
    else return;
    event.preventDefault();
  };
  return (
    <div className="scroller">
      <ul className="grid editing" ref={grid} aria-label="Widgets">
        {cells.map((cell) => (
          <Tile
            key={cell.widget}
            dashboard={dashboard.id}
            board={board}
            stored={history.base.widgets[cell.widget]}
            cell={cell}
            isDragged={dragged === cell.widget}
            onDrag={onDrag}
            onKey={onKey}
            onOpen={() => onOpen(cell.widget)}
            onRemove={() => remove(cell.widget)}
          />
        ))}
      </ul>
      {cells.length === 0 && <p className="none">There are no widgets here. Add one.</p>}
    </div>
  );
}

interface TileProps {
  readonly dashboard: string;
  readonly board: Board;
  readonly stored: Definition | undefined;
  readonly cell: GridPlace;
  readonly isDragged: boolean;
  readonly onDrag: ReturnType<typeof useDrag>;
  readonly onKey: (event: KeyboardEvent, cell: GridPlace) => void;
  readonly onOpen: () => void;
  readonly onRemove: () => void;
}

function Tile({ dashboard, board, stored, cell, isDragged, onDrag, onKey, onOpen, onRemove }: TileProps) {
  const { widget: id, left, top, columns, rows } = cell;
  const definition = board.widgets[id];
  const title = titleOf(board, id);
  const type = definition === undefined ? "" : nameOfType(definition.type);
  const place = { gridColumn: `${left + 1} / span ${columns}`, gridRow: `${top + 1} / span ${rows}` };
  return (
    <li style={place} className={isDragged ? "cell dragged" : "cell"}>
      <div
        // Screen readers leave the arrow keys to an application, which has to take the focus. The linter knows no such role (biome.json).
        role="application"
        tabIndex={0}
        className="widget"
        data-widget={id}
        aria-label={`${title}, ${type}, ${positionText(cell)}, ${sizeText(cell)}`}
        aria-describedby="edit-keys"
        onKeyDown={(event) => onKey(event, cell)}
      >
        <header onPointerDown={(event) => onDrag(event, cell, "move")}>
          <h2>{title}</h2>
          {isNew(id) && <State tone="plain">New</State>}
          <button type="button" tabIndex={-1} aria-label={`Settings of ${title}`} onClick={onOpen}>
            Settings
          </button>
          <button type="button" tabIndex={-1} aria-label={`Delete ${title}`} onClick={onRemove}>
            ✕
          </button>
        </header>
        {definition === undefined ? (
          <p className="none">This widget cannot be read. It can be moved and deleted.</p>
        ) : (
          <TileDrawing dashboard={dashboard} id={id} definition={definition} stored={stored} rows={rows} />
        )}
        <span className="corner" onPointerDown={(event) => onDrag(event, cell, "resize")} />
      </div>
    </li>
  );
}

/** Height of a row with its gap, and what the name above the drawing takes, as the style sheet has them. */
const ROW_PX = 84;
const HEADER_PX = 64;

interface TileDrawingProps {
  readonly dashboard: string;
  readonly id: string;
  readonly definition: Definition;
  readonly stored: Definition | undefined;
  readonly rows: number;
}

function TileDrawing({ dashboard, id, definition, stored, rows }: TileDrawingProps) {
  const { content, isSample } = useContent({ dashboard, id, definition, stored });
  return (
    <>
      {isSample && <span className="sample">Sample data</span>}
      <Picture definition={definition} content={content} heightPx={rows * ROW_PX - HEADER_PX} />
    </>
  );
}
