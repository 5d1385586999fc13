import { InputError } from "../core/errors.ts";
import { type Region, regionsDefinition, resolveRegion } from "../core/regions.ts";

const platformHost = /(^|\.)(tago\.io|tagoio\.net)$/;

/**
 * Origin of file URLs in a region. An API URL from the environment that is not the platform's is a proxy or a test
 * server, which readers of the file may not be able to reach.
 */
function fileOrigin(region: Region | undefined): string {
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
 * Joins folder and name: leading slashes are removed, and the folder must contain a slash.
 *
 * @throws InputError `Invalid file path: {path}`
 */
export function uploadPath(folder: string | undefined, filename: string): string {
  const name = filename.replace(/^\/+/, "");
  if (folder === undefined || folder === null || folder === "") return name;
  if (typeof folder !== "string" || !folder.includes("/"))
    throw new InputError(`Invalid file path: ${String(folder)}`, "path");
  const clean = folder.replace(/^\/+/, "").replace(/\/+$/, "");
  return clean === "" ? name : `${clean}/${name}`;
}
