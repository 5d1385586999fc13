import { SUBMIT_COLOR, SUBMIT_TEXT } from "../constants.ts";
import type { NewId, Rule } from "../engine.ts";
import { FIELD_NAMES, formField } from "../form-fields.ts";
import {
  copied,
  copyOr,
  derived,
  drop,
  entry,
  flag,
  get,
  isSource,
  list,
  not,
  type Out,
  record,
  type Source,
  set,
} from "../readers.ts";

function section(fields: unknown, newId: NewId): Out {
  return { id: newId(), title: "", description: "", show_border: false, show_caption: false, fields };
}

const form: Rule = {
  from: "input/form",
  type: "form",
  chosenBy: "input_type",
  legacy: { truthy: ["form", "input_type", "bypass_bucket", "label_submit"], missing: "buttons" },
  below: `${FIELD_NAMES} bypass_bucket confirm_before_submit fields label_submit message_submit reset_button show_map wait_validation_unlock`,
  data: "list",
  display(d, widget, newId) {
    const old = record(get(d, "form"));
    return {
      buttons: [submitButton(old, widget, newId)],
      sections: [section(formFields(old, newId), newId)],
      theme: { color: { background: null, field: null, header: null } },
    };
  },
  warn: (d) => unknownFields(record(get(d, "form"))),
};

function submitButton(old: Source, widget: Source, newId: NewId): Out {
  return {
    analysis: copyOr(widget, "analysis_run", ""),
    clear_form: false,
    color: SUBMIT_COLOR,
    confirmation_cancel: null,
    confirmation_confirm: null,
    confirmation_message: copyOr(old, "message_submit", ""),
    confirmation_title: null,
    icon: null,
    id: newId(),
    identifier: "",
    run_analysis: flag(widget, "analysis_run"),
    send_data: not(old, "bypass_bucket"),
    show_confirmation: flag(old, "confirm_before_submit"),
    text: copyOr(old, "label_submit", SUBMIT_TEXT),
    wait_for_validation: flag(old, "wait_validation_unlock"),
  };
}

function formFields(old: Source, newId: NewId): unknown {
  const fields = record(get(old, "fields"));
  const out: unknown[] = [];
  for (const key of Object.keys(fields)) {
    const field = get(fields, key);
    const made = isSource(field) ? formField(key || newId(), field, old) : undefined;
    if (made === undefined) drop(fields, key, "unknown type of form field");
    else out.push(derived(fields, key, made));
  }
  return derived(old, "fields", out);
}

function unknownFields(old: Source): string[] {
  const names = Object.keys(record(get(old, "fields")));
  const numbered = names.filter((name) => String(Number(name)) === name);
  if (Array.isArray(get(old, "fields")) || numbered.length === 0 || numbered.length === names.length) return [];
  return ["Form fields with a numeric key come first, whatever their order was."];
}

const control: Rule = {
  from: "input/*",
  type: "control",
  chosenBy: "input_type",
  legacy: { truthy: ["input_type"], present: ["watermark"] },
  keys: "controls",
  below: "label_no label_yes name new_line type",
  data: "list",
  analysisRun: "truthy",
  display: (d, _, newId) => ({
    sections: [section(controlFields(d, newId), newId)],
    theme: { color: { background: null, field: null, footer: null } },
  }),
};

function controlFields(d: Source, newId: NewId): unknown {
  const old = list(get(d, "controls"));
  const fields = old.map((item, i) => derived(old, i, controlField(record(item), newId)));
  return derived(d, "controls", fields);
}

function controlField(old: Source, newId: NewId): Out {
  const data: Out = {};
  set(data, "bucket", entry(old, "bucket"));
  set(data, "origin", entry(old, "origin"));
  set(data, "variable", entry(old, "variable"));
  const out: Out = {
    data,
    icon: null,
    id: newId(),
    label_selected: copyOr(old, "label_yes", ""),
    label_type: "text",
    label_unselected: copyOr(old, "label_no", ""),
    send_data: true,
    show_new_line: get(old, "new_line") === undefined ? true : copied(old, "new_line"),
    type: derived(old, "type", get(old, "type") === "switch" ? "switch" : "text"),
  };
  set(out, "label", copied(old, "name"));
  return out;
}

export const forms: readonly Rule[] = [form, control];
