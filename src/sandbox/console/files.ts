import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
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
};

/** Parts of the console that are loaded on use. Their names hold a hash of what is in them. */
const PART = /^\/assets\/(parts\/[\w-]+\.js)$/;

const pathOf = (file: string): string => join(ownPackageFolder() ?? ".", "dist", file);

function fileAt(path: string): readonly [file: string, type: string] | undefined {
  if (Object.hasOwn(FILES, path)) return FILES[path];
  const [, part] = PART.exec(path) ?? [];
  return part !== undefined && existsSync(pathOf(`web/${part}`)) ? [`web/${part}`, "text/javascript"] : undefined;
}

/**
 * A file of the console in the browser, by the path of its URL. They contain no secret. The returned function takes the address
 * that frames of the page may show.
 */
export function consoleFile(path: string): ((frames?: string) => Reply) | undefined {
  const found = fileAt(path);
  if (found === undefined) return undefined;
  const [file, type] = found;
  return (frames = "'none'") => {
    const headers = hostHeaders({ script: "'self'", style: "'self'", frames });
    return {
      status: 200,
      text: readFileSync(pathOf(file), "utf8"),
      headers: { ...headers, "content-type": `${type}; charset=utf-8` },
    };
  };
}

/** The response, which no cache may store. */
export const unstored = ({ headers, ...rest }: Reply): Reply => ({
  ...rest,
  headers: { ...headers, "cache-control": "no-store" },
});
