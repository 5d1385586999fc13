import { InputError } from "../core/errors.ts";
import { type Region, regionsDefinition, resolveRegion } from "../core/regions.ts";

const platformHost = /(^|\.)(tago\.io|tagoio\.net)$/;

/**
 * The origin files of a region are read from. Addresses of the environment that are not the platform's own are those of
 * a proxy or a test server, which no reader of the file can be expected to reach.
 */
function fileOrigin(region: Region | undefined): string {
  const { api } = resolveRegion(region);
  const isOwn = typeof region === "object" && region !== null;
  const { api: usual = api } = regionsDefinition["us-e1"];
  return isOwn || platformHost.test(new URL(api).hostname) ? api : usual;
}

function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw new InputError("The path of the file is not valid Unicode", "path");
  }
}

/** Address of a file. Each part of the path is encoded. */
export function fileUrl(region: Region | undefined, profileId: string, path: string): string {
  const parts = path.split("/").map(encoded).join("/");
  return `${fileOrigin(region)}/file/${encoded(profileId)}/${parts}`;
}

/**
 * Joins folder and name (specification, section 5): a slash at the start is removed, and the folder must hold one.
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
