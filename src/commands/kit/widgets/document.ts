import { quote } from "../command/values.ts";
import { inputError } from "../failures/command-error.ts";
import { isObject } from "../files/files.ts";
import { lineOfPath, partsOf } from "./lines.ts";
import { findSpans, type Path } from "./spans.ts";

/** A JSON text that holds widgets, and how it was written. */
export interface WidgetDocument {
  readonly widgets: readonly unknown[];
  /** The line of a value in a widget, or of the closest value around it. */
  lineOf(widget: number, path: string): number;
  /** The same text with other widgets at the same positions. Unchanged ones stay as they are, byte for byte. */
  rebuild(widgets: readonly unknown[]): string;
}

/** A slot in the parsed text that holds a widget. */
interface Slot {
  readonly holder: object;
  readonly key: PropertyKey;
  readonly path: Path;
}

/**
 * Reads a widget, a list of widgets, or anything with widgets inside: a dashboard export, a list of them, a response of
 * the platform.
 */
export function parseDocument(text: string, place: string): WidgetDocument {
  const root = { value: parse(text, place) };
  const slots: Slot[] = [];
  if (!collect(root, "value", [], slots)) {
    throw inputError(`No widgets found in ${quote(place)}.`, {
      code: "widget.no_widgets",
      why: "A widget has the properties type and display; a list of widgets or an object with widgets also works.",
      next: "Give a file exported from a dashboard.",
    });
  }
  const found: readonly unknown[] = slots.map(({ holder, key }) => Reflect.get(holder, key));
  return {
    widgets: found,
    lineOf: (widget, path) => lineOfPath(text, [...(slots[widget]?.path ?? []), ...partsOf(path)]),
    rebuild: (widgets) => replaceChanged(text, slots, found, widgets),
  };
}

function replaceChanged(
  text: string,
  slots: readonly Slot[],
  before: readonly unknown[],
  after: readonly unknown[],
): string {
  const changed = slots.flatMap(({ path }, i) => (before[i] === after[i] ? [] : [{ path, widget: after[i] }]));
  const style = styleOf(text);
  const spans = findSpans(
    text,
    changed.map(({ path }) => path),
  );
  const places = changed.map(({ widget }, i) => ({ widget, span: spans[i] ?? { start: 0, end: text.length } }));
  const parts: string[] = [];
  let end = 0;
  for (const { widget, span } of places.sort((a, b) => a.span.start - b.span.start)) {
    parts.push(
      text.slice(end, span.start),
      write(widget, style, style.indent === "" ? "" : lineStart(text, span.start)),
    );
    end = span.end;
  }
  return [...parts, text.slice(end)].join("");
}

function parse(text: string, place: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw inputError(`${quote(place)} is not valid JSON.`, {
      code: "input.not_json",
      why: cause instanceof Error ? `${cause.message}.` : String(cause),
      next: "Fix the file; it was not changed.",
      cause,
    });
  }
}

/** Adds the slots of `holder[key]`; false when it can hold no widgets. */
function collect(holder: object, key: PropertyKey, path: Path, slots: Slot[]): boolean {
  const value: unknown = Reflect.get(holder, key);
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      const below = [...path, String(i)];
      if (!isObject(item) || isWidget(item) || !search(item, below, slots, MAX_DEPTH))
        slots.push({ holder: value, key: i, path: below });
    }
    return true;
  }
  if (!isObject(value)) return false;
  if (!isWidget(value)) return search(value, path, slots, MAX_DEPTH);
  slots.push({ holder, key, path });
  return true;
}

/** How deep below an object its dashboards may lie. */
const MAX_DEPTH = 6;

/** Looks for widgets below an object that is none itself; true if it has a slot for them, even an empty one. */
function search(value: object, path: Path, slots: Slot[], depth: number): boolean {
  let found = false;
  for (const [key, item] of Object.entries(value)) {
    const here = [...path, key];
    const isNamed = key === "widgets" || key === "widget" || key === "result";
    if (isNamed && isPlaceOfWidgets(key, item)) found = collectNamed(value, key, item, here, slots) || found;
    else if (depth > 0 && isObject(item)) found = search(item, here, slots, depth - 1) || found;
    else if (depth > 0 && Array.isArray(item)) {
      for (const [i, below] of item.entries())
        if (isObject(below)) found = search(below, [...here, String(i)], slots, depth - 1) || found;
    }
  }
  return found;
}

function isPlaceOfWidgets(key: string, item: unknown): boolean {
  if (key === "widgets") return Array.isArray(item) || isObject(item);
  return isWidget(item) || (key === "result" && Array.isArray(item) && item.some(isWidget));
}

function collectNamed(holder: object, key: string, item: unknown, path: Path, slots: Slot[]): boolean {
  if (!isObject(item) || isWidget(item)) return collect(holder, key, path, slots);
  // Widgets by their ids.
  for (const name of Object.keys(item)) slots.push({ holder: item, key: name, path: [...path, name] });
  return true;
}

function isWidget(value: unknown): boolean {
  if (!isObject(value) || Array.isArray(value["widgets"])) return false;
  return typeof value["type"] === "string" && value["type"] !== "dashboard" && value["type"] !== "blueprint";
}

interface Style {
  readonly indent: string;
  readonly lineEnd: string;
}

const styleOf = (text: string): Style => ({
  indent: /[[{]\s*?\r?\n([ \t]+)\S/.exec(text)?.[1] ?? "",
  lineEnd: text.includes("\r\n") ? "\r\n" : "\n",
});

/** The indent of the line of an offset. */
function lineStart(text: string, place: number): string {
  const start = text.lastIndexOf("\n", place - 1) + 1;
  return start === 0 ? "" : (/^[ \t]*/.exec(text.slice(start, place))?.[0] ?? "");
}

/** Written as the text around it is. */
function write(value: unknown, { indent, lineEnd }: Style, base: string): string {
  const json = JSON.stringify(value, null, indent);
  return indent === "" ? json : json.replaceAll("\n", `${lineEnd}${base}`);
}
