import { get, list, record, type Source } from "../readers.ts";
import { matches } from "./conditions.ts";
import { below, idIn, textIn, textOf } from "./read.ts";
import type { Records } from "./records.ts";

/** A field of a form or a control, or what a cell of a table is edited with. */
export interface FormField {
  readonly id: string;
  readonly type: string;
  readonly label: string;
  readonly isRequired: boolean;
  readonly origin: string;
  readonly variable: string;
  readonly settings: Source;
}

interface FormSection {
  readonly title: string;
  readonly about: string;
  readonly fields: readonly FormField[];
}

const MAX_FIELDS = 60;
/** Per field, as the platform allows. */
const MAX_CONDITIONS = 10;

/** The sections of a form or control with their fields. */
export const sectionsOf = (d: Source): readonly FormSection[] =>
  list(get(d, "sections"))
    .slice(0, MAX_FIELDS)
    .map(record)
    .map((section) => ({
      title: textOf(section, "title"),
      about: textOf(section, "description"),
      fields: list(get(section, "fields")).slice(0, MAX_FIELDS).map(record).map(fieldOf),
    }));

/** A field by its settings. */
export function fieldOf(settings: Source): FormField {
  const data = below(settings, "data");
  const [type, variable] = [textOf(settings, "type"), textOf(data, "variable")];
  const origin = idIn(get(data, "origin")) ?? "";
  return {
    id: textOf(settings, "id") || variable + origin,
    type,
    label: textOf(settings, "label") || variable || type,
    isRequired: get(settings, "required") === true,
    origin,
    variable,
    settings,
  };
}

/** Whether a field is one that nobody fills in. */
export const isSilent = ({ type }: FormField): boolean => type === "hidden" || type === "validation";

/** Whether a field is shown: always without conditions, else when one of them is met by the value of another field. */
export function isVisible({ settings }: FormField, answerOf: (variableAndOrigin: string) => unknown): boolean {
  const conditions = list(get(settings, "visibility_conditions")).slice(0, MAX_CONDITIONS).map(record);
  return conditions.length === 0 || conditions.some((each) => matches(each, answerOf(textOf(each, "field"))));
}

const ON: readonly string[] = ["true", "1", "on", "yes"];

/** What stands in a field at first: its fixed value, the last one of its variable, or the option chosen beforehand. */
export function startOf({ type, origin, variable, settings }: FormField, records: Records): string {
  const last = textIn(records.last(variable, origin)?.value);
  if (type === "switch") return String(last !== "" && [...ON, textOf(settings, "label_selected")].includes(last));
  const chosen = list(get(settings, "options"))
    .map(record)
    .find((option) => get(option, "default") === true);
  const start = get(settings, "default_value");
  if (type === "hidden" || start === "fixed") return textOf(settings, "fixed_value");
  return (start === "last" && type !== "password" ? last : "") || textOf(chosen, "value");
}

export interface Choice {
  readonly value: string;
  readonly text: string;
  readonly unit: string;
}

/** What can be chosen: the options of the field, or the values that a variable has. */
export function choicesOf({ type, settings }: FormField, records: Records): readonly Choice[] {
  const from = below(settings, "use_values_from_variable");
  if (type === "filtered" || get(settings, "use_values_from") === "variable") {
    const values = records.of(textOf(from, "variable"), idIn(get(from, "origin"))).map(({ value }) => textIn(value));
    return [...new Set(values)].filter((value) => value !== "").map((value) => ({ value, text: value, unit: "" }));
  }
  return list(get(settings, "options"))
    .map(record)
    .map((option) => ({
      value: textOf(option, "value"),
      text: textOf(option, "label", "value"),
      unit: textOf(option, "unit"),
    }));
}
