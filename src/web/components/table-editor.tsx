import { type FormEvent, useState } from "react";
import {
  below,
  choicesOf,
  type FormField,
  fieldOf,
  idIn,
  type Point,
  textIn,
  textOf,
} from "../../lib/widgets/draw/page.ts";
import { moment, recordsOf, shown } from "../text.ts";
import { Confirm } from "./confirm.tsx";
import { FieldInput, readingOf } from "./fields.tsx";
import { Table } from "./table.tsx";
import type { WidgetParts } from "./widget-parts.ts";

/** A cell that may be edited: a record, or a field of a device. */
interface Cell {
  readonly key: string;
  readonly field: FormField;
  readonly value: unknown;
  readonly save: (value: string | number | boolean) => Promise<unknown>;
}

interface Row {
  readonly key: string;
  readonly title: string;
  readonly cells: readonly Cell[];
  /** `{record}:{device}` of what is deleted with the row. */
  readonly ids: readonly string[];
}

type Settings = Readonly<Record<string, unknown>>;

/** Rows of a list of devices: what `editable` names. */
function deviceRows({ widget, records, resources }: WidgetParts): Row[] {
  const columns = recordsOf(widget.resource).filter(({ editable }) => textIn(editable) !== "");
  return records.rows.map((row) => {
    const device = textOf(row, "device");
    const cells = columns.map((column): Cell => {
      const name = textOf(column, "editable");
      const label = textOf(column, "label", "alias") || name.replace(/^(?:tags|param)\./, "");
      const save = (value: Cell["value"]) =>
        resources.dashboards.widgets.editResource(widget.dashboard, widget.id, { device, [name]: textIn(value) });
      return { key: `${device} ${name}`, field: fieldOf({ label, type: "text" }), value: row[name], save };
    });
    return { key: device, title: textOf(row, "name") || device, cells, ids: [] };
  });
}

const pairOf = ({ raw, origin }: Point): string => `${textOf(raw, "id")}:${origin ?? ""}`;

/** A record as a cell; the settings of its column say how it is edited. */
function cellOf({ widget, resources }: WidgetParts, column: Settings, point: Point): Cell {
  const { origin = "", variable, value, raw } = point;
  const label = textOf(column, "alias") || variable;
  const save = (changed: string | number | boolean) =>
    resources.dashboards.widgets.editData(widget.dashboard, widget.id, {
      id: textOf(raw, "id"),
      origin,
      value: changed,
    });
  return { key: pairOf(point), field: fieldOf({ ...below(column, "edit"), label }), value, save };
}

const isEditable = (column: Settings): boolean => below(column, "edit")["enabled"] === true;

/** Rows of a dynamic table, or the one of a static table, with the records that may be edited. */
function recordRows(parts: WidgetParts): Row[] {
  const { display, records, type } = parts;
  const columns = recordsOf(display["variables"]).map((column) => {
    const from = column["data"] === undefined ? column : below(column, "data");
    return { column, variable: textOf(from, "variable"), origin: idIn(from["origin"]) };
  });
  const editable = columns.filter(({ column }) => isEditable(column));
  if (type === "static_table") {
    const cells = editable.flatMap(({ column, variable, origin }) => {
      const point = records.last(variable, origin);
      return point === undefined ? [] : [cellOf(parts, column, point)];
    });
    return cells.length === 0 ? [] : [{ key: "cells", title: "Cells", cells, ids: [] }];
  }
  const canDelete = columns.some(({ column }) => column["is_control"] === true && column["show_delete"] === true);
  return records.rowsOf(columns.map(({ variable }) => variable)).map(({ timeMs, points }) => {
    const cells = editable.flatMap(({ column, variable, origin }) => {
      const point = points.get(variable)?.find((each) => origin === undefined || each.origin === origin);
      return point === undefined ? [] : [cellOf(parts, column, point)];
    });
    const ids = canDelete ? [...points.values()].flat().map(pairOf) : [];
    return { key: `${timeMs} ${cells[0]?.key ?? ids[0]}`, title: moment(new Date(timeMs)), cells, ids };
  });
}

function CellEditor({ cell, parts: { doing, records, reload } }: { readonly cell: Cell; readonly parts: WidgetParts }) {
  const { field, value, save } = cell;
  const [entry, setEntry] = useState<readonly string[]>();
  const choices = choicesOf(field, records);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    doing.run(async () => {
      const { value: changed = "" } = readingOf(field, entry ?? [], choices);
      // A text field of a variable with numbers writes numbers.
      const number = typeof value === "number" && changed !== "" ? Number(changed) : Number.NaN;
      await save(Number.isNaN(number) ? changed : number);
      setEntry(undefined);
      reload();
      return `Saved ${shown(field.label, 60)}`;
    });
  };
  return (
    <form className="row" onSubmit={submit}>
      <FieldInput field={field} entry={entry ?? [textIn(value)]} choices={choices} onChange={setEntry} />
      {entry !== undefined && (
        <button type="submit" disabled={doing.isBusy}>
          Save
        </button>
      )}
    </form>
  );
}

/** What a viewer may change in a table; nothing where the widget allows nothing. */
export function TableEditor(parts: WidgetParts) {
  const { widget, resources, doing, reload } = parts;
  const rows = [...deviceRows(parts), ...recordRows(parts)].filter(({ cells, ids }) => cells.length + ids.length > 0);
  if (rows.length === 0) return null;
  const remove = (ids: readonly string[]): void =>
    doing.run(async () => {
      await resources.dashboards.widgets.deleteData(widget.dashboard, widget.id, ids);
      reload();
      return "Deleted the row";
    });
  return (
    <details>
      <summary>Edit the table</summary>
      <Table
        caption="Values that may be changed"
        rows={rows}
        rowKey={({ key }) => key}
        empty=""
        pageSize={10}
        columns={[
          { title: "Row", cell: ({ title }) => shown(title, 100) },
          {
            title: "Values",
            kind: "actions",
            cell: ({ cells }) => cells.map((cell) => <CellEditor key={cell.key} cell={cell} parts={parts} />),
          },
          {
            title: "Actions",
            kind: "actions",
            cell: ({ title, ids }) =>
              ids.length > 0 && (
                <Confirm label="Delete" question={`Delete the row ${shown(title, 100)}?`} onYes={() => remove(ids)} />
              ),
          },
        ]}
      />
    </details>
  );
}
