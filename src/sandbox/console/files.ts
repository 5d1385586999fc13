import { existsSync, readFileSync, statSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { VERSION } from "../../lib/core/version.ts";
import { ownPackageFolder } from "../core/package-folder.ts";
import { OPEN_PATH } from "../http/inspection-key.ts";
import type { Reply } from "../http/respond.ts";
import { hostHeaders } from "../pages/headers.ts";

/** The files of the build, by URL path. */
const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  "/": ["web/index.html", "text/html"],
  [OPEN_PATH]: ["web/index.html", "text/html"],
  "/assets/app.js": ["web/app.js", "text/javascript"],
  "/assets/app.css": ["web/app.css", "text/css"],
  "/assets/browser.js": ["browser.js", "text/javascript"],
  "/assets/draw.js": ["draw.js", "text/javascript"],
  "/assets/shared.js": ["shared.js", "text/javascript"],
  "/assets/editor.css": ["web/editor.css", "text/css"],
};
/** Parts of the console that are loaded on use. Their names hold a hash of what is in them. */
const PART = /^\/assets\/(parts\/[\w-]+\.js)$/;

const FOREVER = "private, max-age=31536000, immutable";

const pathOf = (file: string): string => join(ownPackageFolder() ?? ".", "dist", file);
const read = (file: string): string => readFileSync(pathOf(file), "utf8");

function fileAt(path: string): readonly [file: string, type: string] | undefined {
  if (Object.hasOwn(FILES, path)) return FILES[path];
  const [, part] = PART.exec(path) ?? [];
  return part !== undefined && existsSync(pathOf(`web/${part}`)) ? [`web/${part}`, "text/javascript"] : undefined;
}

/**
 * A file of the console in the browser, by the path of its URL. They contain no secret. The returned function takes the request,
 * and the address that frames of the page may show.
 *
 * A browser keeps the scripts and what it compiled of them. It asks each time whether those are still the same whose name does
 * not say so.
 */
export function consoleFile(path: string): ((request: IncomingMessage, frames?: string) => Reply) | undefined {
  const found = fileAt(path);
  if (found === undefined) return undefined;
  const [file, type] = found;
  return ({ headers: { "if-none-match": known } }, frames = "'none'") => {
    const headers = {
      ...hostHeaders({ script: "'self'", style: "'self'", frames }),
      "content-type": `${type}; charset=utf-8`,
    };
    if (!path.startsWith("/assets/")) return { status: 200, text: read(file), headers };
    if (PART.test(path)) return { status: 200, text: read(file), headers: { ...headers, "cache-control": FOREVER } };
    const { size, mtimeMs } = statSync(pathOf(file));
    const etag = `"${VERSION}-${size}-${mtimeMs}"`;
    const kept = { ...headers, "cache-control": "no-cache", etag };
    return known === etag ? { status: 304, text: "", headers: kept } : { status: 200, text: read(file), headers: kept };
  };
}

/** The response, which no cache may store. */
export const unstored = ({ headers, ...rest }: Reply): Reply => ({
  ...rest,
  headers: { ...headers, "cache-control": "no-store" },
});
