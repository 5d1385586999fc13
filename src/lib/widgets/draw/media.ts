import { get, isSource, list, record } from "../readers.ts";
import { chosen } from "./color.ts";
import { plainText } from "./format.ts";
import { canvas } from "./frame.ts";
import { picture } from "./images.ts";
import { esc, tag } from "./markup.ts";
import { below, textIn, textOf } from "./read.ts";
import { type Draw, lastReading, type Scene, single } from "./scene.ts";

const framed = (scene: Scene, address: string, glyph: "image" | "video" | "page"): string => {
  const { width, height } = scene;
  const box = { x: 14, y: 8, width: width - 28, height: height - 22 };
  return canvas(scene, `${glyph}. ${address}`, picture(scene, address, box, glyph));
};

export const image: Draw = (scene) => {
  const source = below(scene.d, "source");
  if (get(source, "type") !== "conditional") return framed(scene, textOf(source, "static_image"), "image");
  const met = chosen(get(source, "conditions"), lastReading(scene, single(scene))?.value);
  return framed(scene, met === undefined ? "No condition is met" : textOf(met, "url", "image"), "image");
};

export const video: Draw = (scene) => framed(scene, textOf(below(scene.d, "source"), "static_video"), "video");
export const page: Draw = (scene) => framed(scene, textOf(scene.d, "url"), "page");

const MAX_NOTE = 4_000;

/** Text with paragraphs. HTML in it becomes plain text. */
export const note: Draw = ({ d }) => {
  const value = get(d, "value");
  const parts = isSource(value) ? partsOf(value) : boldParts(plainOf(textIn(value)));
  let left = MAX_NOTE;
  const content = parts.map(({ text, isBold }) => {
    const part = text.slice(0, Math.max(0, left));
    left -= part.length;
    const safe = esc(part, MAX_NOTE);
    return isBold ? `<b>${safe}</b>` : safe;
  });
  const text = content.join("").trim();
  return tag("div", { class: "iot-note" }, text === "" ? tag("span", { class: "iot-faint" }, "Empty note") : text);
};

interface NotePart {
  readonly text: string;
  readonly isBold: boolean;
}

function partsOf(value: object): readonly NotePart[] {
  const operations = list(get(record(value), "ops"))
    .slice(0, 500)
    .map(record);
  return operations.map((each) => ({
    text: textIn(get(each, "insert")),
    isBold: get(below(each, "attributes"), "bold") === true || get(below(each, "attributes"), "header") !== undefined,
  }));
}

/** `**bold**` as in Markdown. */
const boldParts = (text: string): readonly NotePart[] =>
  text.split(/\*\*([^*\n]{1,300})\*\*/).map((part, i) => ({ text: part, isBold: i % 2 === 1 }));

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", "#39": "'" };

function plainOf(text: string): string {
  return text
    .slice(0, MAX_NOTE * 4)
    .replace(/<(?:br|\/p|\/div|\/li|\/h\d)\b[^>]{0,200}>/gi, "\n")
    .replace(/<[a-z/!][^>]{0,500}>/gi, "")
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (whole, name: string) => named[name] ?? whole)
    .replace(/\n{3,}/g, "\n\n");
}

const MAX_JSON = 2_000;

/** A widget of a type that is not drawn: what it says, as JSON. */
export const unknown: Draw = ({ widget, type }) => {
  const { display, data } = { display: get(widget, "display"), data: get(widget, "data") };
  let text: string;
  try {
    text = JSON.stringify({ type: get(widget, "type"), display, data }, null, 2) ?? "";
  } catch {
    text = plainText(type);
  }
  return (
    tag("p", { class: "iot-faint" }, `No drawing for this type: ${esc(type, 100)}`) +
    tag("pre", { class: "iot-json" }, esc(text, MAX_JSON))
  );
};
