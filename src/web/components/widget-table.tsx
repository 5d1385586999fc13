import { useDeferredValue, useMemo, useState } from "react";
import {
  below,
  idIn,
  numberIn,
  type Row,
  readTable,
  type TableColumn,
  textIn,
  textOf,
} from "../../lib/widgets/draw/page.ts";
import { countOf } from "../../text/count.ts";
import { useHeld } from "../hooks.ts";
import { moment, recordsOf, shown } from "../text.ts";
import { Input } from "./basics.tsx";
import { Question } from "./confirm.tsx";
import { DrawnCell } from "./drawing.tsx";
import { type Cell, deviceCell, EditDialog, pairOf, recordCell } from "./edit-dialog.tsx";
import { Pages } from "./table.tsx";
import type { WidgetParts } from "./widget-parts.ts";

/** More rows than fit: the table scrolls in its place, below its heading. */
const PAGE_ROWS = 25;

const keyOf = ({ raw, points, timeMs }: Row): string =>
  points.size > 0 ? textOf(raw, "group", "serie") || String(timeMs) : textOf(raw, "device", "user", "id");
const msOf = ({ timeMs }: Row): number => timeMs;
const titleOf = ({ raw, timeMs }: Row): string =>
  shown(timeMs === 0 ? textOf(raw, "name") || textOf(raw, "device", "user", "id") : moment(new Date(timeMs)), 100);

interface Sorting {
  readonly column: TableColumn["title"];
  readonly isDescending: boolean;
}

/** Numbers by size, all else by its text; what is missing comes last. */
function compared(a: unknown, b: unknown): number {
  const [one, two] = [numberIn(a), numberIn(b)];
  if (one !== undefined && two !== undefined) return one - two;
  const [left, right] = [textIn(a), textIn(b)];
  if (left === "" || right === "") return Number(left === "") - Number(right === "");
  return left.localeCompare(right, undefined, { numeric: true });
}

function sorted(rows: readonly Row[], columns: readonly TableColumn[], sorting: Sorting | undefined): readonly Row[] {
  const column = columns.find(({ title }) => title === sorting?.column);
  if (column === undefined) return rows;
  const sign = sorting?.isDescending === true ? -1 : 1;
  return rows.toSorted((a, b) => sign * compared(column.value(a), column.value(b)));
}

/** The words of a row as it is shown, in small letters. */
const wordsOf = (row: Row, columns: readonly TableColumn[]): string =>
  columns.map(({ cell }) => cell(row).replace(/<[^>]*>/g, " ")).join(" ").toLowerCase();

function Head({
  column: { title, align },
  sorting,
  onSort,
}: {
  readonly column: TableColumn;
  readonly sorting: Sorting | undefined;
  readonly onSort: (sorting: Sorting) => void;
}) {
  const isSorted = sorting?.column === title;
  const direction = sorting?.isDescending === true ? "descending" : "ascending";
  return (
    <th scope="col" className={align || undefined} aria-sort={isSorted ? direction : undefined}>
      <button
        type="button"
        className="sort"
        onClick={() => onSort({ column: title, isDescending: isSorted && direction === "ascending" })}
      >
        {shown(title, 60)}
      </button>
    </th>
  );
}

/** The rows of a page, and the way to the others. */
function usePages(all: readonly Row[], columns: readonly TableColumn[]) {
  const [search, setSearch] = useState("");
  const [sorting, setSorting] = useState<Sorting>();
  const [asked, setPage] = useState(0);
  const held = useHeld(all, keyOf, msOf);
  const searched = useDeferredValue(search).toLowerCase();
  const found = useMemo(() => {
    const matching = held.rows.filter((row) => searched === "" || wordsOf(row, columns).includes(searched));
    return sorted(matching, columns, sorting);
  }, [held.rows, columns, searched, sorting]);
  const pages = Math.ceil(found.length / PAGE_ROWS);
  const page = Math.max(0, Math.min(asked, pages - 1));
  const turn = (next: number): void => {
    setPage(next);
    held.hold(next > 0);
  };
  const sort = (next: Sorting): void => {
    setSorting(next);
    turn(0);
  };
  const visible = found.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS);
  const { fresh, forget } = held;
  return { search, setSearch, sorting, sort, found: found.length, fresh, forget, visible, page, pages, turn };
}

interface RowWork {
  readonly cellsOf: (row: Row) => readonly Cell[];
  /** `{record}:{device}` of what is deleted with a row. */
  readonly idsOf: (row: Row) => readonly string[];
}

/** What may be done with the rows of a table. */
function rowWork(parts: WidgetParts, columns: readonly TableColumn[]): RowWork {
  const canDelete = columns.some(({ isControl, settings }) => isControl && settings["show_delete"] === true);
  return {
    cellsOf: (row) =>
      columns.flatMap(({ settings, point }) =>
        row.points.size > 0 ? recordCell(parts, settings, point(row)) : deviceCell(parts, settings, row),
      ),
    idsOf: ({ points }) => (canDelete ? [...points.values()].flat().map(pairOf) : []),
  };
}

interface Asked {
  readonly row: Row;
  readonly kind: "edit" | "delete";
}

interface RowButtonsProps extends RowWork {
  readonly row: Row;
  readonly isBusy: boolean;
  readonly onAsk: (asked: Asked) => void;
}

function RowButtons({ row, cellsOf, idsOf, isBusy, onAsk }: RowButtonsProps) {
  const name = <span className="unseen"> {titleOf(row)}</span>;
  return (
    <td className="controls">
      {cellsOf(row).length > 0 && (
        <button type="button" disabled={isBusy} onClick={() => onAsk({ row, kind: "edit" })}>
          Edit{name}
        </button>
      )}
      {idsOf(row).length > 0 && (
        <button type="button" className="danger" disabled={isBusy} onClick={() => onAsk({ row, kind: "delete" })}>
          Delete{name}
        </button>
      )}
    </td>
  );
}

/** The question or the fields that a button of a row opens; above the rows, which may move meanwhile. */
function RowDialog({
  asked,
  parts,
  work,
  onDeleted,
  onClose,
}: {
  readonly asked: Asked;
  readonly parts: WidgetParts;
  readonly work: RowWork;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}) {
  const { widget, resources, doing, reload } = parts;
  const { row, kind } = asked;
  if (kind === "edit")
    return <EditDialog title={titleOf(row)} cells={work.cellsOf(row)} parts={parts} onClose={onClose} />;
  const remove = (): void =>
    doing.run(async () => {
      await resources.dashboards.widgets.deleteData(widget.dashboard, widget.id, work.idsOf(row));
      onDeleted();
      reload();
      return "Deleted the row";
    });
  return <Question label="Delete" question={`Delete the row ${titleOf(row)}?`} onYes={remove} onClose={onClose} />;
}

/** The table of a dashboard with all rows: searched, sorted, in pages that fit its place, with buttons that work. */
export function WidgetTable(parts: WidgetParts) {
  const { widget, result, display, doing, readOlder } = parts;
  const [columns, rows, data] = useMemo(() => {
    const table = readTable(result.widget, result.content);
    return [table.columns, table.rows, table.columns.filter(({ isControl }) => !isControl)];
  }, [result]);
  const pages = usePages(rows, data);
  const [asked, setAsked] = useState<Asked>();
  const work = rowWork(parts, columns);
  const hasWork = rows.some((row) => work.cellsOf(row).length + work.idsOf(row).length > 0);
  const name = shown(widget.label, 100) || "the table";
  if (data.length === 0) return <p className="none">No columns</p>;
  return (
    <div className="widget-table">
      {display["show_search"] === true && (
        <span className="quiet">
          <Input
            label={`Search ${name}`}
            placeholder="Search"
            type="search"
            value={pages.search}
            onChange={pages.setSearch}
          />
        </span>
      )}
      <div className="iot-widget iot-scroll">
        <table>
          <caption className="unseen">{name}</caption>
          <thead>
            <tr>
              {data.map((column) => (
                <Head key={column.title} column={column} sorting={pages.sorting} onSort={pages.sort} />
              ))}
              {hasWork && <th className="controls" scope="col" aria-label="Actions" />}
            </tr>
          </thead>
          <tbody>
            {pages.visible.map((row) => (
              <tr key={keyOf(row)}>
                {data.map(({ title, cell, align }) => (
                  <DrawnCell key={title} html={cell(row)} align={align} />
                ))}
                {hasWork && <RowButtons {...work} row={row} isBusy={doing.isBusy} onAsk={setAsked} />}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {pages.found === 0 && <p className="none">{rows.length === 0 ? "No data" : "No rows match."}</p>}
      {pages.fresh > 0 && (
        <button type="button" onClick={() => pages.turn(0)}>
          {countOf(pages.fresh, "new row")}
        </button>
      )}
      <Pages of={name} page={pages.page} pages={pages.pages} rows={pages.found} onPage={pages.turn} />
      {readOlder !== undefined && pages.page >= pages.pages - 1 && (
        <button type="button" onClick={readOlder}>
          Load older rows
        </button>
      )}
      {asked !== undefined && (
        <RowDialog
          asked={asked}
          parts={parts}
          work={work}
          onDeleted={() => pages.forget(asked.row)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}

/** A button that edits the records in the cells of a static table; nothing where none may be edited. */
export function StaticTableEdit(parts: WidgetParts) {
  const { display, records, doing, widget } = parts;
  const [isOpen, setOpen] = useState(false);
  const cells = recordsOf(display["variables"]).flatMap((cell) => {
    const from = cell["data"] === undefined ? cell : below(cell, "data");
    return recordCell(parts, cell, records.last(textOf(from, "variable"), idIn(from["origin"])));
  });
  if (cells.length === 0) return null;
  const title = shown(widget.label, 100) || "Cells";
  return (
    <div className="row">
      <button type="button" disabled={doing.isBusy} onClick={() => setOpen(true)}>
        Edit cells
      </button>
      {isOpen && <EditDialog title={title} cells={cells} parts={parts} onClose={() => setOpen(false)} />}
    </div>
  );
}
