import { reverseKey } from "../engine.ts";
import { get, list, type Out, record, type Source } from "../readers.ts";
import { colors, isShown, pairsOf, type Read, settingsOf, variablesOf } from "./legacy-settings.ts";
import { below, idIn, textOf } from "./read.ts";

export const dynamicTable: Read = (d, widget) => {
  const fields = below(below(d, "form"), "fields");
  const pairs = pairsOf(widget);
  const isEditable = pairs.some((pair) => get(record(get(fields, reverseKey(pair))), "editable"));
  const control = { is_control: true, alias: "Controls", show_edit: isEditable, show_delete: get(d, "show_delete") };
  return {
    variables: [
      ...variablesOf(d, widget, (pair) => ({
        alignment: get(below(d, "column_alignments"), pair.key),
        icon_conditions: get(below(d, "conditions"), pair.key),
        override_color: get(d, "override_color"),
        edit: editOf(record(get(fields, reverseKey(pair)))),
        content_type: get(below(d, "vars_that_have_conditions"), pair.key) ? "icon" : "value",
      })),
      ...(get(d, "show_time") ? [{ is_date: true, alias: "Date and Time" }] : []),
      ...(get(d, "show_delete") || isEditable ? [control] : []),
    ],
    show_search: get(d, "show_search"),
  };
};

const editOf = (old: Source): Out => ({
  enabled: get(old, "editable") === true,
  type: get(old, "fieldtype"),
  required: get(old, "required"),
  options: choicesIn(get(old, "options")),
});

export const staticTable: Read = (d) => {
  const cells = below(d, "cell");
  return {
    variables: Object.keys(cells).map((place): Out => {
      const cell = record(get(cells, place));
      const [row, column] = place.split("_").map(Number);
      const position = { x: column || 0, y: row || 0 };
      if (get(cell, "type") === "constant")
        return { position, data_type: "text", text_content: get(cell, "constant"), show_bold: true };
      const source = below(cell, "variables");
      const variable = textOf(source, "variable");
      const origin = idIn(get(source, "device"));
      const key = (origin ?? "") + variable;
      const settings = settingsOf(d, {
        key,
        variable,
        item: { origin },
        names: [variable],
        index: 0,
        originText: origin ?? "",
      });
      const conditions = get(below(d, "conditions"), key);
      return {
        ...settings,
        position,
        data_type: "variable",
        alignment: get(below(d, "column_alignments"), key),
        icon_conditions: conditions,
        content_type: conditions ? "icon" : "value",
      };
    }),
  };
};

export const push: Read = (d, widget) => {
  const state = (key: string): Out => ({ ...below(d, key), color: textOf(below(d, key), "text_color", "color") });
  return {
    variables: variablesOf(d, widget),
    button_type: get(d, "button_type") === "bi-stable" ? "bistable" : "monostable",
    show_variables: isShown(d, "hide_variables"),
    state_one: state("state_one"),
    state_two: state("state_two"),
  };
};

export const step: Read = (d, widget) => ({
  variables: variablesOf(d, widget),
  limit: { enabled: Boolean(get(d, "enable_limit")), minimum: get(d, "minimum"), maximum: get(d, "maximum") },
  step_value: get(d, "increment") ?? 1,
  show_unit: get(d, "show_unit"),
  unit: get(d, "unit"),
  show_variables: isShown(d, "hide_variables"),
  ...colors({ button: get(d, "conditions_button"), value: get(d, "conditions_text") }),
});

export const form: Read = (d) => {
  const old = below(d, "form");
  const fields = below(old, "fields");
  const send = {
    text: textOf(old, "label_submit") || "Send",
    show_confirmation: get(old, "confirm_before_submit"),
    confirmation_message: get(old, "message_submit"),
    send_data: !get(old, "bypass_bucket"),
  };
  return {
    sections: [{ fields: Object.keys(fields).map((id) => formField(id, record(get(fields, id)))) }],
    buttons: [send],
  };
};

function formField(id: string, old: Source): Out {
  const current = get(old, "use_current_value");
  const shownIf = list(get(old, "visibility_conditions")).map(record);
  return {
    ...old,
    id,
    type: get(old, "fieldtype"),
    data: { origin: get(old, "origin"), variable: get(old, "variable") },
    default_value: typeof current === "string" && current !== "current_value" ? "fixed" : "last",
    fixed_value: get(old, "value") ?? get(old, "default"),
    options: choicesIn(get(old, "options")),
    visibility_conditions: shownIf.map((each) => ({
      ...each,
      field: textOf(each, "variable") + textOf(each, "origin"),
    })),
    maximum_files: get(old, "max_files"),
    allow_time: get(old, "allow_time_select"),
    show_end_date: !get(old, "hide_end_date"),
    step_value: get(old, "increment"),
    use_values_from_variable: get(old, "use_variable"),
  };
}

const choicesIn = (old: unknown): readonly Out[] =>
  list(old)
    .map(record)
    .map((each) => ({ ...each, default: get(each, "is_default") }));

export const control: Read = (d) => ({
  sections: [
    {
      fields: list(get(d, "controls"))
        .map(record)
        .map((each) => ({
          type: get(each, "type") === "switch" ? "switch" : "text",
          label: get(each, "name"),
          label_selected: get(each, "label_yes"),
          label_unselected: get(each, "label_no"),
          data: { origin: get(each, "origin"), variable: get(each, "variable") },
        })),
    },
  ],
});

export const keypad: Read = (d) => ({
  ...d,
  ...colors({ background: get(d, "main_color"), click: get(d, "click_color") }),
});
