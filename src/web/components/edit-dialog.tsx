import { useEffect, useRef, useState } from "react";
import {
  below,
  choicesOf,
  type FormField,
  fieldOf,
  type Point,
  type Row,
  textIn,
  textOf,
} from "../../lib/widgets/draw/page.ts";
import { FormError, problem, shown } from "../text.ts";
import { Form, State } from "./basics.tsx";
import { type Entry, FieldInput, readingOf } from "./fields.tsx";
import type { WidgetParts } from "./widget-parts.ts";

/** A cell that may be edited: a record, or a field of a device. */
export interface Cell {
  readonly key: string;
  readonly field: FormField;
  readonly value: unknown;
  readonly save: (value: string | number | boolean) => Promise<unknown>;
}

type Settings = Readonly<Record<string, unknown>>;

/** `{record}:{device}`, as deletions name a record. */
export const pairOf = ({ raw, origin }: Point): string => `${textOf(raw, "id")}:${origin ?? ""}`;

/** A record as a cell, if its column or cell of the widget may be edited; the settings say how. */
export function recordCell({ widget, resources }: WidgetParts, settings: Settings, point: Point | undefined): Cell[] {
  if (point === undefined || below(settings, "edit")["enabled"] !== true) return [];
  const { origin = "", variable, value, raw } = point;
  const label = textOf(settings, "alias") || variable;
  const save: Cell["save"] = (changed) =>
    resources.dashboards.widgets.editData(widget.dashboard, widget.id, {
      id: textOf(raw, "id"),
      origin,
      value: changed,
    });
  return [{ key: pairOf(point), field: fieldOf({ ...below(settings, "edit"), label }), value, save }];
}

/** A field of a listed device as a cell, if its column names what is edited. */
export function deviceCell({ widget, resources }: WidgetParts, column: Settings, { raw }: Row): Cell[] {
  const [name, device] = [textOf(column, "editable"), textOf(raw, "device")];
  if (name === "" || device === "") return [];
  const label = textOf(column, "label", "alias") || name.replace(/^(?:tags|param)\./, "");
  const save: Cell["save"] = (value) =>
    resources.dashboards.widgets.editResource(widget.dashboard, widget.id, { device, [name]: textIn(value) });
  return [{ key: `${device} ${name}`, field: fieldOf({ label, type: "text" }), value: raw[name], save }];
}

interface EditDialogProps {
  readonly title: string;
  readonly cells: readonly Cell[];
  readonly parts: WidgetParts;
  readonly onClose: () => void;
}

/** Edits the cells of a row. It stays open until all of them are saved. */
export function EditDialog({ title, cells, parts: { doing, records, reload }, onClose }: EditDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [entries, setEntries] = useState<Readonly<Record<string, Entry>>>({});
  useEffect(() => dialog.current?.showModal(), []);
  const close = (): void => dialog.current?.close();
  const save = async ({ key, field, value, save: write }: Cell): Promise<void> => {
    const { value: changed = "" } = readingOf(field, entries[key] ?? [], choicesOf(field, records));
    // A text field of a variable with numbers writes numbers.
    const number = typeof value === "number" && changed !== "" ? Number(changed) : Number.NaN;
    await write(Number.isNaN(number) ? changed : number).catch((error: unknown) => {
      throw new FormError({ [key]: problem(error) });
    });
  };
  const submit = (): void =>
    doing.run(async () => {
      const changed = cells.filter(({ key }) => entries[key] !== undefined);
      for (const cell of changed) await save(cell);
      close();
      reload();
      return changed.length === 0
        ? "Nothing was changed"
        : `Saved ${changed.map(({ field }) => shown(field.label, 60)).join(", ")}`;
    });
  return (
    <dialog ref={dialog} aria-label={`Edit ${title}`} onClose={onClose}>
      <Form className="" doing={doing} onSubmit={submit}>
        <h3>{title}</h3>
        {cells.map(({ key, field, value }) => (
          <FieldInput
            key={key}
            name={key}
            field={field}
            entry={entries[key] ?? [textIn(value)]}
            choices={choicesOf(field, records)}
            onChange={(entry) => setEntries({ ...entries, [key]: entry })}
          />
        ))}
        {doing.error !== undefined && <State tone="bad">{doing.error}</State>}
        <div className="row">
          <button type="submit" disabled={doing.isBusy}>
            Save
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </Form>
    </dialog>
  );
}
