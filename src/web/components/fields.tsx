import type { WidgetDataCreate } from "../../index.ts";
import { type Choice, type FormField, numberIn, textOf } from "../../lib/widgets/draw/page.ts";
import { shown } from "../text.ts";
import { Field } from "./basics.tsx";

/** What stands in a field: the options chosen, the two dates of a calendar, or one text. */
export type Entry = readonly string[];

/** Kinds of fields that are an input of the browser, which also checks what is typed. */
const INPUTS: Readonly<Record<string, string>> = {
  calendar: "date",
  "clock-set": "time",
  email: "email",
  "incremental-step": "number",
  number: "number",
  password: "password",
  upload: "file",
};
const SWITCHES: readonly string[] = ["switch", "checkbox"];
const MULTIPLE = "dropdown-multi";

const isMultiple = ({ type, settings }: FormField): boolean =>
  type === MULTIPLE || settings["allow_multiple"] === true || settings["filter_amount"] === "multiple";

/** Numbers that a field takes, as attributes of its input. */
function limitsOf({ type, settings }: FormField) {
  if (type === "number") {
    const decimals = numberIn(settings["decimals"]);
    return { step: decimals === undefined || decimals < 0 ? "any" : 10 ** -Math.min(10, decimals) };
  }
  if (type !== "incremental-step") return {};
  const { minimum, maximum, step_value: step } = settings;
  return { min: numberIn(minimum), max: numberIn(maximum), step: numberIn(step) ?? "any" };
}

interface FieldInputProps {
  /** What errors call it. */
  readonly name?: string | undefined;
  readonly field: FormField;
  readonly entry: Entry;
  readonly choices: readonly Choice[];
  readonly onChange: (entry: Entry) => void;
  /** Of fields that hold files. */
  readonly onFiles?: (files: readonly File[]) => void;
}

/** The label of a field, with its unit. */
const titleOf = ({ label, settings }: FormField): string => {
  const unit = textOf(settings, "unit");
  return shown(unit === "" ? label : `${label} (${unit})`, 100);
};

/** A switch, or a choice of options. */
function ChoiceField({ name, field, entry, choices, onChange }: FieldInputProps) {
  const { type, isRequired, settings } = field;
  const on = textOf(settings, "label_selected") || "true";
  const off = textOf(settings, "label_unselected") || "false";
  const options = SWITCHES.includes(type)
    ? [
        { value: "true", text: on },
        { value: "false", text: off },
      ]
    : choices;
  const multiple = isMultiple(field);
  return (
    <Field label={titleOf(field)} name={name}>
      {(attributes) => (
        <select
          {...attributes}
          required={isRequired}
          multiple={multiple}
          value={multiple ? [...entry] : (entry[0] ?? "")}
          onChange={({ target }) => onChange([...target.selectedOptions].map(({ value }) => value))}
        >
          {!multiple && <option value="">Choose</option>}
          {options.map(({ value, text }) => (
            <option key={value} value={value}>
              {shown(text, 80)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A field that holds files, no more than its widget allows. */
function FilesField({ name, field, onFiles }: FieldInputProps) {
  const title = titleOf(field);
  const most = numberIn(field.settings["maximum_files"]) ?? 1;
  return (
    <Field label={most > 1 ? `${title} (up to ${most} files)` : title} name={name}>
      {(attributes) => (
        <input
          {...attributes}
          type="file"
          required={field.isRequired}
          multiple={most > 1}
          onChange={({ target }) => {
            const files = [...(target.files ?? [])];
            target.setCustomValidity(files.length > most ? `At most ${most} files` : "");
            onFiles?.(files);
          }}
        />
      )}
    </Field>
  );
}

/** A field to type in; two of them for a calendar with a start and an end. */
function TextFields({ name, field, entry, onChange }: FieldInputProps) {
  const { type, isRequired, settings } = field;
  const title = titleOf(field);
  const common = { required: isRequired, placeholder: textOf(settings, "placeholder") };
  const isTimed = settings["allow_time"] === true;
  const kind = type === "calendar" && isTimed ? "datetime-local" : (INPUTS[type] ?? "text");
  const hasEnd = type === "calendar" && settings["show_end_date"] === true;
  return (hasEnd ? [`${title}, from`, `${title}, to`] : [title]).map((text, place) => (
    <Field key={text} label={text} name={name}>
      {(attributes) => (
        <input
          {...common}
          {...limitsOf(field)}
          {...attributes}
          type={kind}
          min={place === 1 ? entry[0] : limitsOf(field).min}
          value={entry[place] ?? ""}
          onChange={({ target }) => onChange(entry.toSpliced(place, 1, target.value))}
        />
      )}
    </Field>
  ));
}

/** One field of a form, or the editor of a cell. */
export function FieldInput(props: FieldInputProps) {
  const { type } = props.field;
  if (SWITCHES.includes(type) || props.choices.length > 0) return <ChoiceField {...props} />;
  return type === "upload" ? <FilesField {...props} /> : <TextFields {...props} />;
}

type Reading = Pick<WidgetDataCreate, "value" | "unit" | "metadata">;

/** Dates are those of UTC, as in what widgets read. */
const isoOf = (date: string): string => new Date(date.includes("T") ? `${date}Z` : date).toISOString();

/** What a field without files writes. */
export function readingOf(field: FormField, entry: Entry, choices: readonly Choice[]): Reading {
  const { type, label, settings } = field;
  const [text = "", end = ""] = entry;
  const unit = textOf(settings, "unit") || choices.find(({ value }) => value === text)?.unit || "";
  const withUnit = unit === "" ? {} : { unit };
  if (type === "calendar") {
    const dates = { start_date: isoOf(text), end_date: isoOf(end || text) };
    return { value: dates.start_date, metadata: dates };
  }
  if (SWITCHES.includes(type)) return { value: text === "true" };
  if (isMultiple(field)) {
    const sentValues = entry.map((value) => ({
      value,
      label: choices.find((each) => each.value === value)?.text ?? value,
    }));
    return { value: entry.join(";"), metadata: { sentValues } };
  }
  if (INPUTS[type] !== "number") return { value: text, ...withUnit };
  const number = numberIn(text);
  if (number === undefined) throw new Error(`${label}: "${text}" is not a number`);
  return { value: number, ...withUnit };
}
