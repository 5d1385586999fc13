import type { Rule } from "../engine.ts";
import {
  copied,
  copyNumberOr,
  copyOr,
  derived,
  flag,
  get,
  isSource,
  not,
  type Out,
  type Source,
  set,
  setOwn,
} from "../readers.ts";
import { fold } from "../shared.ts";

const push: Rule = {
  from: "push_button",
  type: "push_button",
  legacy: {
    truthy: ["vars_labels", "vars_format", "vars_formula"],
    nested: [
      ["state_one", "text_color"],
      ["state_two", "text_color"],
    ],
  },
  keys: "button_type hide_variables state_one state_two",
  below: "text_color type",
  data: "list",
  analysisRun: "copy",
  display: (d, widget) =>
    fold(
      {
        button_type: derived(d, "button_type", get(d, "button_type") === "bi-stable" ? "bistable" : "monostable"),
        show_variables: not(d, "hide_variables"),
        state_one: buttonState(get(d, "state_one")),
        state_two: buttonState(get(d, "state_two")),
        theme: { color: { background: null, text: null } },
      },
      d,
      widget,
    ),
};

function buttonState(old: unknown): Out {
  const state: Source = isSource(old) && !Array.isArray(old) ? old : {};
  const out: Out = {};
  for (const key of Object.keys(state)) {
    if (key !== "text_color") setOwn(out, key, copied(state, key));
  }
  out["type"] = copyOr(state, "type", "text");
  out["color"] = get(state, "text_color") ? copied(state, "text_color") : copyOr(state, "color", "");
  return out;
}

const step: Rule = {
  from: ["step_button", "incremental_button"],
  type: "step_button",
  legacy: { truthy: ["input_type", "vars_labels", "vars_format", "conditions_button"] },
  keys: "clock_visualization conditions_text enable_limit hide_variables increment maximum minimum released_time show_unit unit",
  data: "list",
  analysisRun: "truthy",
  display(d, widget) {
    const color: Out = { background: null, text: null };
    set(color, "button", copied(d, "conditions_button"));
    set(color, "value", copied(d, "conditions_text"));
    const out: Out = {
      hour_visualization: copyOr(d, "clock_visualization", ""),
      limit: {
        enabled: flag(d, "enable_limit"),
        maximum: copyNumberOr(d, "maximum", 100),
        minimum: copyNumberOr(d, "minimum", 0),
      },
      number_format: { decimals: -1, show_thousand: false },
      show_unit: flag(d, "show_unit"),
      show_variables: not(d, "hide_variables"),
      step_value: copyNumberOr(d, "increment", 1),
      theme: { color },
      unit: copyOr(d, "unit", ""),
    };
    set(out, "type", copied(d, "input_type"));
    return fold(out, d, widget);
  },
};

const keypad: Rule = {
  from: "keypad",
  type: "keypad",
  legacy: { truthy: ["click_color"], present: ["watermark"] },
  keys:
    "buttons bypass_bucket main_color message_variable play_audio send_run_user show_asterisk show_digits_bar show_last_column " +
    "show_last_row show_number_sign",
  data: "list",
  analysisRun: "truthy",
  display(d) {
    const color: Out = { header: null };
    set(color, "background", copied(d, "main_color"));
    set(color, "click", copied(d, "click_color"));
    const out: Out = {
      buttons: copyOr(d, "buttons", []),
      play_audio: flag(d, "play_audio"),
      send_run_user: flag(d, "send_run_user"),
      show_asterisk: flag(d, "show_asterisk"),
      show_digits_bar: flag(d, "show_digits_bar"),
      show_last_column: flag(d, "show_last_column"),
      show_last_row: flag(d, "show_last_row"),
      show_number_sign: flag(d, "show_number_sign"),
      theme: { color },
    };
    set(out, "bypass_bucket", copied(d, "bypass_bucket"));
    set(out, "message_variable", copied(d, "message_variable"));
    return out;
  },
};

export const buttons: readonly Rule[] = [push, step, keypad];
