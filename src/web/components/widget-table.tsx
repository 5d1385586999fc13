import { useDeferredValue, useMemo, useState } from "react";
import { below, idIn, type Row, readTable, type TableColumn, textOf } from "../../lib/widgets/draw/page.ts";
import { countOf } from "../../text/count.ts";
import { useHeld, useWrites } from "../hooks.ts";
import { setParams, useParam } from "../router.ts";
import { moment, recordsOf, shown } from "../text.ts";
import { Input } from "./basics.tsx";
import { Question } from "./confirm.tsx";
import { DrawnCell } from "./drawing.tsx";
import { type Cell, deviceCell, EditDialog, pairOf, recordCell } from "./edit-dialog.tsx";
import { inOrder, Pages, SortHead } from "./table.tsx";
import type { WidgetParts } from "./widget-parts.ts";

/** More rows than fit: the table scrolls by itself, below its heading. */
const PAGE_ROWS = 25;

const keyOf = ({ raw, points, timeMs }: Row): string =>
  points.size > 0 ? textOf(raw, "group", "serie") || String(timeMs) : textOf(raw, "device", "user", "id");
const msOf = ({ timeMs }: Row): number => timeMs;
const titleOf = ({ raw, timeMs }: Row): string =>
  shown(timeMs === 0 ? textOf(raw, "name") || textOf(raw, "device", "user", "id") : moment(new Date(timeMs)), 100);

/** The words of a row as it is shown, in small letters. */
const wordsOf = (row: Row, columns: readonly TableColumn[]): string =>
  columns
    .map(({ cell }) => cell(row).replace(/<[^>]*>/g, " "))
    .join(" ")
    .toLowerCase();

/** The rows of a page, and the way to the others; the address has it, under the id of the widget. */
function usePages(widget: string, all: readonly Row[], columns: readonly TableColumn[]) {
  const at = (param: string): string => `${widget}.${param}`;
  const [search] = useParam(at("search"));
  const [order] = useParam(at("sort"));
  const [asked] = useParam(at("page"));
  const held = useHeld(all, asked !== "", keyOf, msOf);
  const searched = useDeferredValue(search).toLowerCase();
  const found = useMemo(() => {
    const matching = held.rows.filter((row) => searched === "" || wordsOf(row, columns).includes(searched));
    return inOrder(matching, order, (name) => columns.find(({ key }) => key === name)?.value);
  }, [held.rows, columns, searched, order]);
  const pages = Math.ceil(found.length / PAGE_ROWS);
  const page = Math.max(0, Math.min((Number.parseInt(asked, 10) || 1) - 1, pages - 1));
  const { fresh, forget } = held;
  return {
    ...{ search, order, found: found.length, fresh, forget, page, pages },
    visible: found.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS),
    setSearch: (text: string) => setParams({ [at("search")]: text, [at("page")]: "" }),
    sort: (next: string) => setParams({ [at("sort")]: next, [at("page")]: "" }),
    turn: (next: number) => setParams({ [at("page")]: next === 0 ? "" : String(next + 1) }),
  };
}

interface RowWork {
  readonly cellsOf: (row: Row) => readonly Cell[];
  /** `{record}:{device}` of what is deleted with a row. */
  readonly idsOf: (row: Row) => readonly string[];
}

/** What may be done with the rows of a table. */
function rowWork(parts: WidgetParts, columns: readonly TableColumn[], writes: boolean): RowWork {
  if (!writes) return { cellsOf: () => [], idsOf: () => [] };
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

type TablePages = ReturnType<typeof usePages>;

/** The field above the rows that searches them. */
function TableSearch({ of, pages }: { readonly of: string; readonly pages: TablePages }) {
  return (
    <span className="quiet">
      <Input
        label={`Search ${of}`}
        placeholder="Search"
        type="search"
        value={pages.search}
        onChange={pages.setSearch}
      />
    </span>
  );
}

interface TableHeadProps {
  readonly columns: readonly TableColumn[];
  readonly pages: TablePages;
  /** Whether the rows have buttons. */
  readonly hasWork: boolean;
}

/** The titles of the columns, which sort the rows, and one for the buttons of the rows. */
function TableHead({ columns, pages, hasWork }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <SortHead
            key={column.key}
            name={column.key}
            title={shown(column.title, 60)}
            className={column.align || undefined}
            order={pages.order}
            onOrder={pages.sort}
          />
        ))}
        {hasWork && (
          <th className="controls" scope="col">
            <span className="unseen">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

/** The table of a dashboard with all rows: searched, sorted, in pages that fit its cell, with buttons that work. */
export function WidgetTable(parts: WidgetParts) {
  const { widget, result, display, doing, readOlder } = parts;
  const [columns, rows, data] = useMemo(() => {
    const table = readTable(result.widget, result.content);
    return [table.columns, table.rows, table.columns.filter(({ isControl }) => !isControl)];
  }, [result]);
  const pages = usePages(widget.id, rows, data);
  const [asked, setAsked] = useState<Asked>();
  const work = rowWork(parts, columns, useWrites());
  const hasWork = rows.some((row) => work.cellsOf(row).length + work.idsOf(row).length > 0);
  const name = shown(widget.label, 100) || "the table";
  if (data.length === 0) return <p className="none">No columns</p>;
  return (
    <div className="widget-table">
      {display["show_search"] === true && <TableSearch of={name} pages={pages} />}
      <div className="iot-widget iot-scroll">
        <table>
          <caption className="unseen">{name}</caption>
          <TableHead columns={data} pages={pages} hasWork={hasWork} />
          <tbody>
            {pages.visible.map((row) => (
              <tr key={keyOf(row)}>
                {data.map(({ key, cell, align }) => (
                  <DrawnCell key={key} html={cell(row)} align={align} />
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
