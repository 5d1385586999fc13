import { inputError } from "../kit/command-error.ts";
import { quote } from "../kit/options.ts";

/** A JSON text that holds widgets, and how it was written. */
export interface WidgetDocument {
  readonly widgets: readonly unknown[];
  /** The same text with other widgets in the same places: indentation, line ends and all else stay. */
  rebuild(widgets: readonly unknown[]): string;
}

/** Reads a widget, a list of widgets, or anything with a list in `widgets` (a dashboard export). */
export function parseDocument(text: string, place: string): WidgetDocument {
  const value = parse(text, place);
  const style = styleOf(text);
  const write = (document: unknown): string => style.apply(document);
  if (Array.isArray(value)) return { widgets: value, rebuild: write };
  if (isObject(value) && Array.isArray(value["widgets"])) {
    return { widgets: value["widgets"], rebuild: (widgets) => write({ ...value, widgets }) };
  }
  if (isWidget(value)) return { widgets: [value], rebuild: ([widget]) => write(widget) };
  throw inputError(`${quote(place)} holds no widgets.`, {
    code: "widget.no_widgets",
    why: "A widget has a type and a display; a list of them, or an object with widgets, is fine too.",
    next: "Name a file exported from a dashboard.",
  });
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isWidget(value: unknown): boolean {
  return isObject(value) && typeof value["type"] === "string";
}

/** How the text is written: indentation, line ends, byte-order mark and the end of the file. */
function styleOf(text: string): { apply(value: unknown): string } {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const lineEnd = /\r\n/.test(text) ? "\r\n" : "\n";
  const indent = /[[{]\s*?\r?\n([ \t]+)\S/.exec(text)?.[1] ?? "";
  const tail = text.slice(text.trimEnd().length);
  return {
    apply: (value) => `${mark}${JSON.stringify(value, null, indent).replaceAll("\n", lineEnd)}${tail}`,
  };
}
