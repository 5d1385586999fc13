import { get, list, record, type Source } from "../readers.ts";
import { colorOf, inkOn } from "./color.ts";
import { type Choice, choicesOf, type FormField, isSilent, isVisible, sectionsOf, startOf } from "./fields.ts";
import { glyph, iconIn } from "./icons.ts";
import { esc, label, paint, rect, shorten, tag, VALUE, widthOf } from "./markup.ts";
import { textOf } from "./read.ts";
import type { Draw, Scene } from "./scene.ts";

/** Fields of the sections, as many as have room, and the buttons. */
export const form: Draw = (scene) => {
  const { d, width, height } = scene;
  const sections = sectionsOf(d);
  const values = new Map(
    sections.flatMap(({ fields }) => fields.map((each) => [each.variable + each.origin, startOf(each, scene.records)])),
  );
  const nameOf = namesOf(sections.flatMap(({ fields }) => fields));
  const buttons = list(get(d, "buttons")).slice(0, 6).map(record).map(submit);
  const columns = Math.max(1, Math.min(2, Math.floor((width - 24) / 190)));
  let left = Math.max(columns * 2, columns * Math.floor((height - 60) / 62));
  let hidden = 0;
  let cut = 0;
  const parts = sections.map(({ title, about, fields }) => {
    const shown = fields.filter((field) => !isSilent(field));
    hidden += fields.length - shown.length;
    const kept = shown.slice(0, left);
    cut += shown.length - kept.length;
    left -= kept.length;
    return (
      (title === "" ? "" : tag("p", { class: "iot-section" }, esc(title))) +
      (about === "" ? "" : tag("p", { class: "iot-faint" }, esc(about))) +
      (kept.length === 0
        ? ""
        : tag(
            "div",
            { class: "iot-fields" },
            ...kept.map((field) => {
              const isShown = isVisible(field, (key) => values.get(key));
              return drawField(scene, field, isShown ? "" : shownWhen(field, nameOf));
            }),
          ))
    );
  });
  const notes = [cut > 0 ? `${cut} more fields` : "", hidden > 0 ? `${hidden} not shown` : ""].filter(
    (text) => text !== "",
  );
  const none = sections.length === 0 || (parts.join("") === "" && notes.length === 0);
  return tag(
    "div",
    { class: "iot-form" },
    ...(none ? [tag("p", { class: "iot-empty" }, "No fields")] : parts),
    notes.length === 0 ? "" : tag("p", { class: "iot-foot" }, notes.join(", ")),
    buttons.length === 0 ? "" : tag("div", { class: "iot-buttons" }, ...buttons),
  );
};

const SIGNS_OF: Readonly<Record<string, string>> = {
  "!": "≠",
  "!=": "≠",
  "<=": "≤",
  ">=": "≥",
  "==": "=",
  "*": "has any value",
};

/** What the fields of conditions are called: a condition names one by its variable and origin, written as one word. */
function namesOf(fields: readonly FormField[]): (field: string) => string {
  const labels = new Map(fields.map((each) => [each.variable + each.origin, each.label]));
  const origins = new Set(fields.map(({ origin }) => origin).filter((origin) => origin !== ""));
  return (field) => {
    const origin = [...origins].find((each) => field.endsWith(each) && field !== each) ?? "";
    return labels.get(field) ?? field.slice(0, field.length - origin.length);
  };
}

/** When a field is shown that is not: what its conditions say of other fields. */
function shownWhen({ settings }: FormField, nameOf: (field: string) => string): string {
  const conditions = list(get(settings, "visibility_conditions")).slice(0, 10).map(record);
  const parts = conditions.map((each) => {
    const field = textOf(each, "field");
    const [sign, value, second] = [textOf(each, "condition"), textOf(each, "value"), textOf(each, "second_value")];
    const name = nameOf(field);
    if (sign === "><") return `${name} is ${value} to ${second}`;
    return `${name} ${SIGNS_OF[sign] ?? sign} ${sign === "*" ? "" : value}`.trim();
  });
  return `shown when ${parts.join(" or ")}`;
}

/** A field; one that is not shown is pale, and says when it is. */
function drawField(scene: Scene, field: FormField, hidden: string): string {
  const drawn = fieldOf(scene, field);
  return hidden === ""
    ? drawn
    : tag("div", { class: "iot-hidden" }, drawn, tag("span", { class: "iot-when" }, esc(hidden, 160)));
}

function fieldOf({ records }: Scene, field: FormField): string {
  const { type, label: name, isRequired, settings } = field;
  const star = isRequired ? tag("b", { class: "iot-star" }, " *") : "";
  const value = startOf(field, records);
  if (type === "switch") {
    const isOn = value === "true";
    const [on, off] = [textOf(settings, "label_selected") || "On", textOf(settings, "label_unselected") || "Off"];
    return tag(
      "div",
      { class: "iot-row" },
      toggle(isOn),
      tag("span", {}, esc(name)),
      tag("span", { class: "iot-faint" }, esc(isOn ? on : off)),
    );
  }
  if (type === "checkbox") return tag("div", { class: "iot-row" }, box(3), tag("span", {}, esc(name), star));
  const choices = choicesOf(field, records).slice(0, 6);
  const input =
    type === "radio"
      ? tag("span", { class: "iot-row" }, ...choices.map(({ text }) => box(7) + tag("span", {}, esc(text, 40))))
      : tag(
          "span",
          { class: "iot-input" },
          tag("span", { class: value === "" ? "iot-faint" : "" }, esc(value || placeholder(field, choices), 80)),
          tag("span", { class: "iot-faint" }, esc(textOf(settings, "unit") || (SIGNS[type] ?? ""), 20)),
        );
  return tag("div", { class: "iot-field-row" }, tag("span", { class: "iot-name" }, esc(name, 80), star), input);
}

const SIGNS: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  barcode: "▥",
  calendar: "▦",
  "clock-set": "◷",
  device: "▾",
  dropdown: "▾",
  "dropdown-multi": "▾",
  filtered: "▾",
  "image-select": "▾",
  "incremental-step": "− +",
  qrcode: "▣",
  upload: "↥",
  user: "▾",
});

function placeholder({ type, settings }: FormField, [first]: readonly Choice[]): string {
  if (type === "password") return "••••••";
  return (
    textOf(settings, "placeholder") || (type === "upload" ? "Choose a file" : first?.text || type.replaceAll("-", " "))
  );
}

const box = (radius: number): string =>
  tag("svg", { width: 16, height: 16, "aria-hidden": "true" }, rect(1, 1, 14, 14, { class: "iot-field", rx: radius }));

const toggle = (isOn: boolean): string =>
  tag(
    "svg",
    { width: 38, height: 22, role: "img", "aria-label": isOn ? "on" : "off" },
    rect(1, 1, 36, 20, { class: isOn ? "iot-accent" : "iot-track", rx: 10 }),
    tag("circle", { cx: isOn ? 27 : 11, cy: 11, r: 8, class: "iot-thumb" }),
  );

function submit(button: Source): string {
  const text = shorten(textOf(button, "text") || "Send", 180, 14);
  const color = colorOf(get(button, "color"));
  const ink = color === undefined ? "#fff" : inkOn(color);
  const icon = glyph(20, 17, 16, iconIn(button), { stroke: ink }) ?? "";
  const left = icon === "" ? 0 : 20;
  const width = Math.max(80, widthOf(text, 14, true) + 36) + left;
  return tag(
    "svg",
    { width, height: 34, role: "img", "aria-label": text },
    rect(0, 0, width, 34, { ...paint(color, "iot-accent"), rx: 6 }),
    icon,
    label((width + left) / 2, 22, text, { ...VALUE, size: 14, fill: ink }),
  );
}
