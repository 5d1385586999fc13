import type { Rule } from "../engine.ts";
import { by, copied, flag, isRecord, not, type Out, or, orZero, own, put, putOwn, type Source } from "../readers.ts";
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
        button_type: by(d, "button_type", own(d, "button_type") === "bi-stable" ? "bistable" : "monostable"),
        show_variables: not(d, "hide_variables"),
        state_one: buttonState(own(d, "state_one")),
        state_two: buttonState(own(d, "state_two")),
        theme: { color: { background: null, text: null } },
      },
      d,
      widget,
    ),
};

function buttonState(old: unknown): Out {
  const state: Source = isRecord(old) && !Array.isArray(old) ? old : {};
  const out: Out = {};
  for (const key of Object.keys(state)) {
    if (key !== "text_color") putOwn(out, key, copied(state, key));
  }
  out["type"] = or(state, "type", "text");
  out["color"] = own(state, "text_color") ? copied(state, "text_color") : or(state, "color", "");
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
    put(color, "button", copied(d, "conditions_button"));
    put(color, "value", copied(d, "conditions_text"));
    const out: Out = {
      hour_visualization: or(d, "clock_visualization", ""),
      limit: {
        enabled: flag(d, "enable_limit"),
        maximum: orZero(d, "maximum", 100),
        minimum: orZero(d, "minimum", 0),
      },
      number_format: { decimals: -1, show_thousand: false },
      show_unit: flag(d, "show_unit"),
      show_variables: not(d, "hide_variables"),
      step_value: orZero(d, "increment", 1),
      theme: { color },
      unit: or(d, "unit", ""),
    };
    put(out, "type", copied(d, "input_type"));
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
    put(color, "background", copied(d, "main_color"));
    put(color, "click", copied(d, "click_color"));
    const out: Out = {
      buttons: or(d, "buttons", []),
      play_audio: flag(d, "play_audio"),
      send_run_user: flag(d, "send_run_user"),
      show_asterisk: flag(d, "show_asterisk"),
      show_digits_bar: flag(d, "show_digits_bar"),
      show_last_column: flag(d, "show_last_column"),
      show_last_row: flag(d, "show_last_row"),
      show_number_sign: flag(d, "show_number_sign"),
      theme: { color },
    };
    put(out, "bypass_bucket", copied(d, "bypass_bucket"));
    put(out, "message_variable", copied(d, "message_variable"));
    return out;
  },
};

export const buttons: readonly Rule[] = [push, step, keypad];
