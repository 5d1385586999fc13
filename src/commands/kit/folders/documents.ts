import { isObject, type JsonObject } from "../files/files.ts";

export function idOf(document: JsonObject): string {
  return documentText(document, "id");
}

/** The objects of a list; nothing when it is none. */
export function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function documentText(document: JsonObject, key: string): string {
  const value = document[key];
  return typeof value === "string" ? value : "";
}

/** The text of a file: two spaces, the keys of every object in the order of their letters, one line feed at the end. */
export function fileText(value: unknown): string {
  return `${JSON.stringify(inOrder(value), undefined, 2)}\n`;
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, inOrder(value[key])]),
  );
}
