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

/** What stands in a field before anybody changes it. */
function startEntry(field: FormField, records: WidgetParts["records"]): Entry {
  const start = startOf(field, records);
  if (start === "") return [];
  return field.type === "calendar" ? [start.slice(0, 10)] : start.split(";");
}

/** Stores a file of a field. Its record says where. */
async function uploaded(parts: WidgetParts, field: FormField, file: File): Promise<WidgetDataCreate> {
  const { widget, resources, blueprint } = parts;
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
}

type Settings = Readonly<Record<string, unknown>>;

/** What stands in the fields of a form, and the way to send it. */
function useForm(parts: WidgetParts) {
  const { widget, display, records, resources, doing, reload } = parts;
  const [entries, setEntries] = useState<Readonly<Record<string, Entry>>>({});
  const [files, setFiles] = useState<Readonly<Record<string, readonly File[]>>>({});
  const [turn, setTurn] = useState(0);
  /** Ids of the fields behind the records that were sent last: errors name records by their index. */
  const [sent, setSent] = useState<readonly string[]>([]);
  const fields = sectionsOf(display).flatMap((section) => section.fields);
  const devices = useDevices(fields.some(({ type }) => type === "device"));
  const entryOf = (field: FormField): Entry => entries[field.id] ?? startEntry(field, records);
  const answerOf = (key: string): unknown => {
    const field = fields.find(({ variable, origin }) => variable + origin === key);
    return field && entryOf(field).join(";");
  };
  const choicesFor = (field: FormField) => (field.type === "device" ? devices : choicesOf(field, records));
  // What is hidden is not written.
  const visible = fields.filter((field) => isVisible(field, answerOf));

  const written = async (field: FormField): Promise<WidgetDataCreate[]> => {
    const { origin, variable } = field;
    if (variable === "" || field.type === "validation") return [];
    if (field.type === "upload")
      return Promise.all((files[field.id] ?? []).map((file) => uploaded(parts, field, file)));
    const entry = entryOf(field);
    return entry.join("") === "" ? [] : [{ origin, variable, ...readingOf(field, entry, choicesFor(field)) }];
  };
  const send = (button: Settings | undefined): void =>
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
  const inputOf = (field: FormField) => ({
    name: sent.includes(field.id) ? String(sent.indexOf(field.id)) : undefined,
    field,
    entry: entryOf(field),
    choices: choicesFor(field),
    onChange: (entry: Entry) => setEntries({ ...entries, [field.id]: entry }),
    onFiles: (chosen: readonly File[]) => setFiles({ ...files, [field.id]: chosen }),
  });
  return { fields, visible, turn, send, inputOf };
}

interface ButtonsProps {
  readonly of: readonly Settings[];
  /** Id of the form that they send. */
  readonly form: string;
  readonly isBusy: boolean;
  readonly onConfirmed: (button: Settings) => void;
}

/** The buttons of a form. Those that ask first do not submit it themselves. */
function Buttons({ of, form, isBusy, onConfirmed }: ButtonsProps) {
  const asks = ({ show_confirmation: isAsked }: Settings): boolean => isAsked === true;
  return (
    <div className="row">
      {of.map((button, place) => {
        const text = shown(button["text"], 60) || "Send";
        const key = `${place} ${text}`;
        return asks(button) ? (
          <Confirm
            key={key}
            label={text}
            look="main"
            question={shown(button["confirmation_message"], 500) || `${text}?`}
            disabled={isBusy}
            onYes={() => onConfirmed(button)}
          />
        ) : (
          <button key={key} type="submit" form={form} value={place} disabled={isBusy}>
            {text}
          </button>
        );
      })}
    </div>
  );
}

/** A form or control of a dashboard: writes its records as the platform does, then runs the analysis of its button. */
export function WidgetForm(parts: WidgetParts) {
  const { display, records, doing } = parts;
  const { fields, visible, turn, inputOf, send } = useForm(parts);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  if (fields.length === 0) return <p className="none">This form has no fields.</p>;
  const buttons = recordsOf(display["buttons"]);
  const all = buttons.length === 0 ? [{ text: "Send" }] : buttons;
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
              <FieldInput key={`${field.id} ${field.type === "upload" ? turn : ""}`} {...inputOf(field)} />
            ))}
        </Wrong>
      </form>
      <Buttons
        of={all}
        form={id}
        isBusy={doing.isBusy}
        onConfirmed={(button) => form.current?.reportValidity() === true && send(button)}
      />
      {visible
        .filter(({ type }) => type === "validation")
        .map((field) => (
          <Validation key={field.id} field={field} records={records} />
        ))}
    </>
  );
}
