import { SEED_ANALYSIS, SEED_DEVICES } from "../names.ts";
import { common, type LegacyWidget, perField, perVariable, source } from "./parts.ts";

const { settings } = SEED_DEVICES;
const target = (variable: string): object => ({ origin: settings, bucket: settings, variable });

const form: LegacyWidget = {
  label: "Plant settings",
  type: "input",
  analysis_run: SEED_ANALYSIS,
  data: [source(settings, ["operator", "target_temperature", "alarm_limit"])],
  display: {
    ...common,
    input_type: "form",
    form: {
      label_submit: "Save",
      message_submit: "Write these settings to the plant?",
      confirm_before_submit: true,
      bypass_bucket: false,
      fields: perField(settings, {
        operator: {
          ...target("operator"),
          fieldtype: "dropdown",
          label: "Operator",
          required: true,
          options: [
            { label: "Ines", value: "Ines", is_default: true },
            { label: "Otto", value: "Otto" },
          ],
        },
        target_temperature: {
          ...target("target_temperature"),
          fieldtype: "number",
          label: "Target",
          unit: "°C",
          decimals: "1",
          use_current_value: "current_value",
        },
        alarm_limit: {
          ...target("alarm_limit"),
          fieldtype: "incremental-step",
          label: "Alarm above",
          minimum: -10,
          maximum: 20,
          increment: 1,
          new_line: false,
        },
        task: { ...target("task"), fieldtype: "text", label: "Next task", placeholder: "What has to be done" },
      }),
    },
  },
};

const switches: LegacyWidget = {
  label: "Switches",
  type: "input",
  data: [source(settings, ["pump", "maintenance"])],
  display: {
    ...common,
    input_type: "switches",
    controls: [
      { ...target("pump"), name: "Pump", type: "switch", label_yes: "on", label_no: "off" },
      { ...target("maintenance"), name: "Maintenance", type: "switch", label_yes: "true", label_no: "false" },
    ],
  },
};

const step = {
  ...common,
  input_type: "number",
  increment: 0.5,
  enable_limit: true,
  minimum: -30,
  maximum: -10,
  numberformat: "0.0",
  unit: "°C",
  show_unit: true,
  conditions_button: [{ condition: "*", value: "", color: "rgb(60, 120, 200)" }],
  conditions_text: [],
  vars_labels: perVariable(settings, { target_temperature: "Target" }),
};

export const forms: readonly LegacyWidget[] = [form, switches];

export const buttons: readonly LegacyWidget[] = [
  {
    label: "Target, in steps",
    type: "step_button",
    data: [source(settings, ["target_temperature"])],
    display: step,
  },
  {
    label: "Alarm limit, in steps",
    type: "incremental_button",
    data: [source(settings, ["alarm_limit"])],
    display: {
      ...step,
      increment: 1,
      minimum: -10,
      maximum: 20,
      vars_labels: perVariable(settings, { alarm_limit: "Alarm above" }),
    },
  },
  {
    label: "Pump",
    type: "push_button",
    data: [source(settings, ["pump"])],
    display: {
      ...common,
      button_type: "bi-stable",
      hide_variables: false,
      state_one: { label: "Start", value: "on", type: "text", text_color: "rgb(255, 255, 255)" },
      state_two: { label: "Stop", value: "off", type: "text", text_color: "rgb(255, 255, 255)" },
      vars_labels: perVariable(settings, { pump: "Pump" }),
      vars_format: {},
    },
  },
  {
    label: "Door code",
    type: "keypad",
    data: [source(settings, ["access_code"])],
    display: {
      ...common,
      buttons: [{ type: "send", label: "Open", variable: "access_code", origin: settings }],
      bypass_bucket: false,
      show_digits_bar: true,
      show_asterisk: true,
      show_number_sign: true,
      show_last_row: true,
      show_last_column: false,
      play_audio: false,
      main_color: "rgb(40, 70, 110)",
      click_color: "rgb(90, 140, 200)",
    },
  },
];
