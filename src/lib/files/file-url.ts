import { InputError } from "../core/errors.ts";
import { type Region, regionsDefinition, resolveRegion } from "../core/regions.ts";

const platformHost = /(^|\.)(tago\.io|tagoio\.net)$/;

/**
 * Origin of file URLs in a region. An API URL from the environment that is not the platform's is a proxy or a test
 * server, which readers of the file may not be able to reach.
 */
export function fileOrigin(region: Region | undefined): string {
  const { api } = resolveRegion(region);
  const isCustom = typeof region === "object" && region !== null;
  const { api: fallback = api } = regionsDefinition["us-e1"];
  return isCustom || platformHost.test(new URL(api).hostname) ? api : fallback;
}

function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw new InputError("The path of the file is not valid Unicode", "path");
  }
}

/** URL of a file. Each part of the path is encoded. */
export function fileUrl(region: Region | undefined, profileId: string, path: string): string {
  const parts = path.split("/").map(encoded).join("/");
  return `${fileOrigin(region)}/file/${encoded(profileId)}/${parts}`;
}

/**
 * Joins folder and name, without `.`, `..` and empty parts; the folder must contain a slash.
 *
 * @throws InputError `Invalid file path: {path}`
 */
export function uploadPath(folder: string | undefined, filename: string): string {
  if (folder === undefined || folder === null || folder === "") return normalized(filename);
  if (typeof folder !== "string" || !folder.includes("/"))
    throw new InputError(`Invalid file path: ${String(folder)}`, "path");
  return normalized(`${folder}/${filename}`);
}

/** A `..` removes the part before it; one without such a part stays. */
function normalized(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    const last = parts.at(-1);
    if (part === ".." && last !== undefined && last !== "..") parts.pop();
    else parts.push(part);
  }
  return parts.join("/") || ".";
}
