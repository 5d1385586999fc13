import {
  copied,
  copyNumberOr,
  copyOr,
  derived,
  entry,
  flag,
  get,
  type Out,
  record,
  type Source,
  set,
  text,
} from "./readers.ts";
import { mapRecords, reference } from "./shared.ts";

/** Property names of old form fields. */
export const FIELD_NAMES =
  "allow_multiple allow_time_select always_show clock_visualization decimals default description enable_limit field fieldtype " +
  "filter_origin hide_end_date increment is_default label max_files maximum minimum new_line options path placeholder required " +
  "selection_type show_filter_value show_thousand unit use_camera use_current_value use_values_from use_variable " +
  "validation_message value_type visibility_conditions";

/** Common fields to start from. Each base adds to the one before it. */
type Base = "bare" | "visual" | "value";

/** One kind of form field. */
interface FieldRow {
  readonly base: Base;
  /** Fields of this kind only. `form` is the old form around the field. */
  readonly extra?: (field: Source, form: Source) => Out;
}

const valueOnly: FieldRow = { base: "value" };
const dropdown: FieldRow = { base: "visual", extra: choices };

const rows: ReadonlyMap<unknown, FieldRow> = new Map<unknown, FieldRow>([
  ["text", valueOnly],
  ["barcode", valueOnly],
  ["checkbox", valueOnly],
  ["device", valueOnly],
  ["qrcode", valueOnly],
  ["address", { base: "value", extra: (_, form) => ({ show_map: flag(form, "show_map") }) }],
  ["calendar", { base: "value", extra: calendar }],
  ["clock-set", { base: "value", extra: clockSet }],
  ["email", { base: "value", extra: () => ({ amount: "single" }) }],
  ["incremental-step", { base: "value", extra: incrementalStep }],
  ["number", { base: "value", extra: number }],
  ["dropdown", dropdown],
  ["dropdown-multi", dropdown],
  ["radio", { base: "visual", extra: (field) => ({ options: mapRecords(field, "options", option, "empty") }) }],
  ["image-select", { base: "visual", extra: imageSelect }],
  ["filtered", { base: "visual", extra: filtered }],
  ["upload", { base: "visual", extra: upload }],
  ["password", { base: "visual", extra: password }],
  ["hidden", { base: "bare", extra: hidden }],
  ["validation", { base: "bare", extra: validation }],
  ["user", { base: "bare", extra: (field) => ({ field: copyOr(field, "field", "") }) }],
]);

/** The new form field, or undefined for an unknown kind. */
export function formField(id: string, field: Source, form: Source): Out | undefined {
  const row = rows.get(get(field, "fieldtype"));
  if (row === undefined) return undefined;
  const out: Out = { id, data: fieldData(field), type: copied(field, "fieldtype") };
  if (row.base !== "bare") addVisuals(out, field);
  if (row.base === "value") addValue(out, field);
  return row.extra === undefined ? out : Object.assign(out, row.extra(field, form));
}

function fieldData(field: Source): Out {
  const out: Out = {};
  set(out, "bucket", copied(field, "bucket"));
  set(out, "origin", copied(field, "origin"));
  set(out, "variable", copied(field, "variable"));
  return out;
}

function addVisuals(out: Out, field: Source): void {
  out["icon"] = null;
  set(out, "label", copied(field, "label"));
  out["required"] = flag(field, "required");
  out["show_new_line"] = get(field, "new_line") === undefined ? true : flag(field, "new_line");
  out["visibility_conditions"] = mapRecords(field, "visibility_conditions", visibility);
  set(out, "placeholder", entry(field, "placeholder"));
  set(out, "unit", entry(field, "unit"));
  set(out, "value_type", entry(field, "value_type"));
}

function visibility(condition: Source): Out {
  const name = derived(condition, "origin", text(get(condition, "variable")) + text(get(condition, "origin")));
  const out: Out = { field: derived(condition, "variable", name) };
  set(out, "condition", copied(condition, "condition"));
  set(out, "value", copied(condition, "value"));
  return out;
}

const CURRENT_VALUE = "current_value";

function addValue(out: Out, field: Source): void {
  const current = get(field, "use_current_value");
  const fixed = typeof current === "string" && current !== CURRENT_VALUE;
  out["default_value"] = derived(field, "use_current_value", fixed ? "fixed" : "last");
  set(out, "fixed_value", copied(field, "default"));
}

function calendar(field: Source): Out {
  const hidden = get(field, "hide_end_date");
  return {
    allow_time: flag(field, "allow_time_select"),
    show_end_date: derived(field, "hide_end_date", !hidden),
  };
}

function clockSet(field: Source): Out {
  const out: Out = { define_limits: flag(field, "enable_limit") };
  set(out, "hour_visualization", copied(field, "clock_visualization"));
  set(out, "maximum", copied(field, "maximum"));
  set(out, "minimum", copied(field, "minimum"));
  set(out, "step_value", copied(field, "increment"));
  return out;
}

function incrementalStep(field: Source): Out {
  return {
    maximum: copyNumberOr(field, "maximum", 100),
    minimum: copyNumberOr(field, "minimum", 0),
    step_value: copyNumberOr(field, "increment", 1),
  };
}

function number(field: Source): Out {
  const out: Out = { show_thousand_separator: flag(field, "show_thousand") };
  set(
    out,
    "decimals",
    get(field, "decimals") === "-1" ? derived(field, "decimals", "auto") : copied(field, "decimals"),
  );
  return out;
}

function option(item: Source): Out {
  const out: Out = {};
  set(out, "label", copied(item, "label"));
  set(out, "value", copied(item, "value"));
  set(out, "unit", entry(item, "unit"));
  set(out, "default", entry(item, "is_default"));
  return out;
}

function imageOption(item: Source): Out {
  const out = option(item);
  out["description"] = copyOr(item, "description", "");
  out["link"] = copyOr(item, "url", "");
  return out;
}

function valuesFrom(field: Source): unknown {
  return derived(field, "use_values_from", get(field, "use_values_from") === "variable" ? "variable" : "options");
}

function choices(field: Source): Out {
  return {
    options: mapRecords(field, "options", option, "empty"),
    use_values_from: valuesFrom(field),
    use_values_from_variable: reference(field, "use_variable"),
  };
}

function imageSelect(field: Source): Out {
  return {
    allow_multiple: flag(field, "allow_multiple"),
    options: mapRecords(field, "options", imageOption, "empty"),
    show_filter: flag(field, "show_filter_value"),
    use_values_from: valuesFrom(field),
    use_values_from_variable: reference(field, "use_variable"),
  };
}

function filtered(field: Source): Out {
  const out: Out = {
    filter_amount: copyOr(field, "selection_type", "single"),
    use_values_from_variable: reference(field, "use_variable"),
  };
  set(out, "filter_origin", copied(field, "filter_origin"));
  return out;
}

function upload(field: Source): Out {
  return {
    maximum_files: copyOr(field, "max_files", 1),
    path: copyOr(field, "path", ""),
    use_mobile_camera: flag(field, "use_camera"),
  };
}

function password(field: Source): Out {
  const out: Out = {};
  const current = get(field, "use_current_value") === CURRENT_VALUE;
  set(out, "fixed_value", current ? derived(field, "use_current_value", "") : copied(field, "default"));
  return out;
}

function hidden(field: Source): Out {
  const out: Out = { unit: copyOr(field, "unit", "") };
  set(out, "fixed_value", copied(field, "value"));
  return out;
}

function validation(field: Source): Out {
  const message = record(get(field, "validation_message"));
  return {
    fade_out: derived(message, "always_show", !get(message, "always_show")),
    keep_last_validation: false,
    show_markdown: false,
  };
}
