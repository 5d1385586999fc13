import { quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";

/** Optional prefix of a platform path, to distinguish it from a local path. */
export const REMOTE_PREFIX = "files:";

/**
 * A path inside the profile as the platform keeps it: no prefix, no slash at its start, no empty parts. A slash at the
 * end stays: it says that a folder is meant.
 *
 * @throws CommandError exit 2, for a text that names nothing
 */
export function remotePath(text: string, flag = "The path"): string {
  const path = plainPath(text);
  if (path !== "") return path;
  throw usageError(`${flag} ${quote(text)} is not the path of a file.`, {
    next: 'Use a path in the profile, such as reports/2024.csv. "iot file list" lists the files.',
  });
}

/** As `remotePath`, and no folder. */
export function fileOnly(text: string): string {
  const path = remotePath(text);
  if (!path.endsWith("/")) return path;
  throw usageError(`"${path}" is a folder.`, { next: "Use the paths of its files." });
}

/** As `remotePath`, but the root is allowed and a folder has its slash: `reports/`, or nothing for the root. */
export function remoteFolder(text: string): string {
  const path = plainPath(text);
  return path === "" || path.endsWith("/") ? path : `${path}/`;
}

function plainPath(text: string): string {
  const bare = text.startsWith(REMOTE_PREFIX) ? text.slice(REMOTE_PREFIX.length) : text;
  const parts = bare
    .split("/")
    .map((part) => part.trim())
    .filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) {
    throw usageError(`The path ${quote(text)} has a part "..".`, {
      next: "Use the path from the root of the files.",
    });
  }
  if (bare.includes("\0")) throw usageError(`The path ${quote(text)} contains a NUL character.`);
  const path = parts.join("/");
  return path !== "" && bare.trimEnd().endsWith("/") ? `${path}/` : path;
}

/** The last part of a path. */
export function lastPart(path: string): string {
  const bare = path.endsWith("/") ? path.slice(0, -1) : path;
  return bare.slice(bare.lastIndexOf("/") + 1);
}

const TYPES: Readonly<Record<string, string>> = {
  bin: "application/octet-stream",
  bmp: "image/bmp",
  css: "text/css; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  doc: "application/msword",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
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
  mjs: "text/javascript; charset=utf-8",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  ndjson: "application/x-ndjson",
  parquet: "application/vnd.apache.parquet",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  tar: "application/x-tar",
  txt: "text/plain; charset=utf-8",
  wasm: "application/wasm",
  webp: "image/webp",
  xls: "application/vnd.ms-excel",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
  zip: "application/zip",
};

/** The media type with which a file of this name is served. */
export function contentTypeOf(path: string): string {
  const ending = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  return (Object.hasOwn(TYPES, ending) ? TYPES[ending] : undefined) ?? "application/octet-stream";
}
