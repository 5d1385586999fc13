import { type FormEvent, useId, useRef, useState } from "react";
import type { WidgetDataCreate } from "../../index.ts";
import { ALL_ROWS_AMOUNT } from "../../lib/core/limits.ts";
import {
  below,
  choicesOf,
  type FormField,
  isSilent,
  isVisible,
  sectionsOf,
  startOf,
  textOf,
} from "../../lib/widgets/draw/page.ts";
import { countOf } from "../../text/count.ts";
import { useConsole, useLoad } from "../hooks.ts";
import { recordsOf, shown } from "../text.ts";
import { State, type Tone, Wrong } from "./basics.tsx";
import { Confirm } from "./confirm.tsx";
import { type Entry, FieldInput, readingOf } from "./fields.tsx";
import type { WidgetParts } from "./widget-parts.ts";

const TONES: Readonly<Record<string, Tone>> = { success: "good", warning: "warn", danger: "bad", error: "bad" };

/** What the analysis of a form said last, of all that is aimed at no single viewer. */
function Validation({ field, records }: { readonly field: FormField; readonly records: WidgetParts["records"] }) {
  const said = records
    .of(field.variable, field.origin)
    .findLast(({ raw }) => textOf(below(raw, "metadata"), "session_id") === "");
  if (said === undefined) return null;
  const kind = textOf(below(said.raw, "metadata"), "type").replace(/_.*/, "");
  return <State tone={TONES[kind] ?? "plain"}>{shown(said.value, 300)}</State>;
}

/** The devices that fields of that kind let choose from. */
function useDevices(isNeeded: boolean) {
  const { resources } = useConsole();
  const load = async () =>
    isNeeded ? resources.devices.list({ amount: ALL_ROWS_AMOUNT, fields: ["id", "name"] }) : [];
  const { data } = useLoad(`devices of a form ${isNeeded}`, load);
  return (data ?? []).map(({ id, name }) => ({ value: id, text: name, unit: "" }));
}

/** A form or control of a dashboard: writes its records as the platform does, then runs the analysis of its button. */
export function WidgetForm({ widget, display, records, resources, doing, reload, blueprint }: WidgetParts) {
  const [entries, setEntries] = useState<Readonly<Record<string, Entry>>>({});
  const [files, setFiles] = useState<Readonly<Record<string, readonly File[]>>>({});
  const [turn, setTurn] = useState(0);
  /** Ids of the fields behind the records that were sent last: errors name records by their index. */
  const [sent, setSent] = useState<readonly string[]>([]);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const fields = sectionsOf(display).flatMap((section) => section.fields);
  const devices = useDevices(fields.some(({ type }) => type === "device"));
  const entryOf = (field: FormField): Entry => {
    const start = startOf(field, records);
    return (
      entries[field.id] ?? (start === "" ? [] : field.type === "calendar" ? [start.slice(0, 10)] : start.split(";"))
    );
  };
  const answerOf = (key: string): unknown => {
    const field = fields.find(({ variable, origin }) => variable + origin === key);
    return field && entryOf(field).join(";");
  };
  const choicesFor = (field: FormField) => (field.type === "device" ? devices : choicesOf(field, records));
  // What is hidden is not written.
  const visible = fields.filter((field) => isVisible(field, answerOf));

  const uploaded = async (field: FormField, file: File): Promise<WidgetDataCreate> => {
    const folder = textOf(field.settings, "path").replace(/^\/|\/$/g, "") || `devices/${field.origin}`;
    const path = `${folder}/${file.name}`;
    const place = {
      dashboard: widget.dashboard,
      widget: widget.id,
      fieldId: field.id,
      blueprint_devices: [...blueprint],
    };
    const { file: url } = await resources.files.uploadFile(file, path, { ...place, contentType: file.type });
    // Portal users may store files that they may not read.
    const md5 = await resources.files.getFileMD5(url).catch(() => "");
    return { origin: field.origin, variable: field.variable, value: file.name, metadata: { file: { url, md5, path } } };
  };
  const written = async (field: FormField): Promise<WidgetDataCreate[]> => {
    const { origin, variable } = field;
    if (variable === "" || field.type === "validation") return [];
    if (field.type === "upload") return Promise.all((files[field.id] ?? []).map((file) => uploaded(field, file)));
    const entry = entryOf(field);
    return entry.join("") === "" ? [] : [{ origin, variable, ...readingOf(field, entry, choicesFor(field)) }];
  };
  const send = (button: Readonly<Record<string, unknown>> | undefined): void =>
    doing.run(async () => {
      const made = await Promise.all(visible.map(written));
      const rows = made.flat();
      if (rows.length === 0) throw new Error("Fill in a field first");
      setSent(visible.flatMap((field, place) => (made[place] ?? []).map(() => field.id)));
      const pressed = textOf(button, "id");
      const signed = pressed === "" ? rows : rows.map((row) => ({ ...row, input_form_button_id: pressed }));
      const isBypassed = button?.["send_data"] === false;
      await resources.dashboards.widgets.sendData(widget.dashboard, widget.id, signed, isBypassed);
      if (button?.["clear_form"] === true) setEntries({});
      setFiles({});
      // Inputs of files cannot be emptied, only made again.
      setTurn(turn + 1);
      reload();
      return `Sent ${countOf(rows.length, "record")}`;
    });
  if (fields.length === 0) return <p className="none">This form has no fields.</p>;
  const buttons = recordsOf(display["buttons"]);
  const all = buttons.length === 0 ? [{ text: "Send" }] : buttons;
  const asks = ({ show_confirmation: isAsked }: Readonly<Record<string, unknown>>): boolean => isAsked === true;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const pressed = event.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null;
    send(all[Number(pressed?.getAttribute("value") ?? 0)]);
  };
  return (
    <>
      <form ref={form} id={id} className="row" onSubmit={submit}>
        <Wrong value={doing.fields}>
          {visible
            .filter((field) => !isSilent(field))
            .map((field) => (
              <FieldInput
                key={`${field.id} ${field.type === "upload" ? turn : ""}`}
                name={sent.includes(field.id) ? String(sent.indexOf(field.id)) : undefined}
                field={field}
                entry={entryOf(field)}
                choices={choicesFor(field)}
                onChange={(entry) => setEntries({ ...entries, [field.id]: entry })}
                onFiles={(chosen) => setFiles({ ...files, [field.id]: chosen })}
              />
            ))}
        </Wrong>
      </form>
      <div className="row">
        {all.map((button, place) => {
          const text = shown(button["text"], 60) || "Send";
          const key = `${place} ${text}`;
          return asks(button) ? (
            <Confirm
              key={key}
              label={text}
              look="main"
              question={shown(button["confirmation_message"], 500) || `${text}?`}
              disabled={doing.isBusy}
              onYes={() => form.current?.reportValidity() === true && send(button)}
            />
          ) : (
            <button key={key} type="submit" form={id} value={place} disabled={doing.isBusy}>
              {text}
            </button>
          );
        })}
      </div>
      {visible
        .filter(({ type }) => type === "validation")
        .map((field) => (
          <Validation key={field.id} field={field} records={records} />
        ))}
    </>
  );
}
