import { inputError } from "../kit/command-error.ts";
import { isObject } from "../kit/files.ts";
import { quote } from "../kit/options.ts";

/** A JSON text that holds widgets, and how it was written. */
export interface WidgetDocument {
  readonly widgets: readonly unknown[];
  /** The same text with other widgets in the same places: indentation, line ends and all else stay. */
  rebuild(widgets: readonly unknown[]): string;
}

/** A place in the parsed text where a widget stands. */
interface Slot {
  readonly holder: object;
  readonly key: PropertyKey;
}

/**
 * Reads a widget, a list of widgets, or anything with widgets inside: a dashboard export, a list of them, an answer of
 * the platform.
 */
export function parseDocument(text: string, place: string): WidgetDocument {
  const root = { value: parse(text, place) };
  const slots: Slot[] = [];
  if (!collect(root, "value", slots)) {
    throw inputError(`${quote(place)} holds no widgets.`, {
      code: "widget.no_widgets",
      why: "A widget has a type and a display; a list of them, or an object with widgets, is fine too.",
      next: "Name a file exported from a dashboard.",
    });
  }
  return {
    widgets: slots.map(({ holder, key }) => Reflect.get(holder, key)),
    rebuild(widgets) {
      for (const [i, { holder, key }] of slots.entries()) {
        Object.defineProperty(holder, key, { value: widgets[i], enumerable: true, configurable: true, writable: true });
      }
      return write(root.value, text);
    },
  };
}

function parse(text: string, place: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw inputError(`${quote(place)} is not JSON.`, {
      code: "input.not_json",
      why: cause instanceof Error ? `${cause.message}.` : String(cause),
      next: "Mend the file; it was left as it is.",
      cause,
    });
  }
}

/** Adds the slots of what stands at `holder[key]`; false when it can hold no widgets. */
function collect(holder: object, key: PropertyKey, slots: Slot[]): boolean {
  const value: unknown = Reflect.get(holder, key);
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      if (!isObject(item) || isWidget(item) || !search(item, slots, MAX_DEPTH)) slots.push({ holder: value, key: i });
    }
    return true;
  }
  if (!isObject(value)) return false;
  if (!isWidget(value)) return search(value, slots, MAX_DEPTH);
  slots.push({ holder, key });
  return true;
}

/** How deep below an object its dashboards may lie. */
const MAX_DEPTH = 6;

/** Looks for widgets below an object that is none itself; true when it has a place for them, even an empty one. */
function search(value: object, slots: Slot[], depth: number): boolean {
  let found = false;
  for (const [key, item] of Object.entries(value)) {
    const isNamed = key === "widgets" || key === "widget" || key === "result";
    if (isNamed && isPlaceOfWidgets(key, item)) found = collectNamed(value, key, item, slots) || found;
    else if (depth > 0 && isObject(item)) found = search(item, slots, depth - 1) || found;
    else if (depth > 0 && Array.isArray(item)) {
      for (const below of item) if (isObject(below)) found = search(below, slots, depth - 1) || found;
    }
  }
  return found;
}

function isPlaceOfWidgets(key: string, item: unknown): boolean {
  if (key === "widgets") return Array.isArray(item) || isObject(item);
  return isWidget(item) || (key === "result" && Array.isArray(item) && item.some(isWidget));
}

function collectNamed(holder: object, key: string, item: unknown, slots: Slot[]): boolean {
  if (!isObject(item) || isWidget(item)) return collect(holder, key, slots);
  // Widgets by their ids.
  for (const name of Object.keys(item)) slots.push({ holder: item, key: name });
  return true;
}

function isWidget(value: unknown): boolean {
  if (!isObject(value) || Array.isArray(value["widgets"])) return false;
  return typeof value["type"] === "string" && value["type"] !== "dashboard" && value["type"] !== "blueprint";
}

/** Written as `text` was: indentation, line ends, byte-order mark and the end of the file. */
function write(value: unknown, text: string): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const indent = /[[{]\s*?\r?\n([ \t]+)\S/.exec(text)?.[1] ?? "";
  const tail = text.slice(text.trimEnd().length);
  const json = JSON.stringify(value, null, indent);
  return `${mark}${/\r\n/.test(text) ? json.replaceAll("\n", "\r\n") : json}${tail}`;
}
