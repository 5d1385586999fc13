import { PlatformError } from "../core/platform-error.ts";
import { fileGaps } from "./gaps.ts";

/** Longest path, in bytes of UTF-8. */
const MAX_PATH_BYTES = 1024;

/** Segments of a path: trimmed, without empty ones, `.` and `..`. */
function segmentsOf(path: string): string[] {
  return path
    .split("/")
    .map((segment) => segment.trim())
    .filter((segment) => segment !== "" && segment !== "." && segment !== "..");
}

/** A path that stays inside the folder; empty for the root. */
export function cleanPath(text: string): string {
  return segmentsOf(text).join("/");
}

/**
 * The key of a file inside its profile: no leading slash, no `..`, segments trimmed.
 *
 * @throws PlatformError 400 for an invalid path
 */
export function filePath(text: string): string {
  const path = cleanPath(text);
  if (path === "" || text.includes("\0") || Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw new PlatformError(400, "Invalid filename").assumed(fileGaps.paths);
  }
  return path;
}

/** Path as a deletion looks it up: without any `..`, in names too. */
export const deletionPath = (text: string): string => text.replaceAll("..", "");

/** The prefix that all keys of a folder share: `a/b/`, or empty for the root. */
export function folderPrefix(text: string): string {
  const path = cleanPath(text.replaceAll("\0", ""));
  return path === "" ? "" : `${path}/`;
}

/** The last segment. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

const TYPES: Readonly<Record<string, string>> = {
  bin: "application/octet-stream",
  css: "text/css; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  gif: "image/gif",
  gz: "application/gzip",
  htm: "text/html; charset=utf-8",
  html: "text/html; charset=utf-8",
  ico: "image/x-icon",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  md: "text/markdown; charset=utf-8",
  mp4: "video/mp4",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  wasm: "application/wasm",
  webp: "image/webp",
  xml: "application/xml",
  zip: "application/zip",
};

const DEFAULT_CONTENT_TYPE = "application/octet-stream";

/** The usual content type of a file with this name. */
function contentTypeOf(path: string): string {
  const name = baseName(path);
  const extension = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1).toLowerCase() : "";
  return (Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined) ?? DEFAULT_CONTENT_TYPE;
}

/** A content type that is valid in a header; anything else becomes the usual one of the name. */
export function cleanContentType(given: string | undefined, path: string): string {
  const text = given?.trim() ?? "";
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;[\t\x20-\x7e]*)?$/.test(text) && text.length <= 200
    ? text
    : contentTypeOf(path);
}
