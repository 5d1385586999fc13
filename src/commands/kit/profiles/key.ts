import { MAX_TAGS } from "../../../lib/core/limits.ts";
import type { JsonObject } from "../files/files.ts";
import { documentText, listOf } from "../folders/documents.ts";

/** Tag that says which resource this is in every profile: the id it had where it was first exported. */
const KEY_TAG = "iotdeck_key";

const isKey = (tag: JsonObject): boolean => tag["key"] === KEY_TAG;

/** The key in a list of tags; undefined where there is none. */
export function keyIn(tags: unknown): string | undefined {
  const value = listOf(tags).find(isKey)?.["value"];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Identifies a resource of the files in every profile: the slug of a dictionary, else its key, else its id. */
export function resourceKey(kind: string, document: JsonObject): string {
  if (kind === "dictionary") return documentText(document, "slug");
  return keyIn(document["tags"]) ?? documentText(document, "id");
}

/** A document without its key, which is no difference between two profiles. */
export function withoutKey(document: JsonObject): JsonObject {
  if (keyIn(document["tags"]) === undefined) return document;
  const { tags, ...rest } = document;
  const others = listOf(tags).filter((tag) => !isKey(tag));
  return others.length === 0 ? rest : { ...rest, tags: others };
}

/** Whether one more tag is taken. */
export const hasRoomForKey = (document: JsonObject): boolean => listOf(withoutKey(document)["tags"]).length < MAX_TAGS;

/** A document with this key as its last tag. */
export function withKey(document: JsonObject, key: string): JsonObject {
  if (!hasRoomForKey(document)) return document;
  return { ...document, tags: [...listOf(withoutKey(document)["tags"]), { key: KEY_TAG, value: key }] };
}
