import { fillPath } from "./route.ts";

/** Path parameters that contain a secret. */
const secretName = /token|authorization|code/i;
const tokenForm = /^(?:(?:[a-z]-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{10,12}|at[0-9a-f]{32})/i;
const idForm = /^[0-9a-f]{24}$/i;

const ends = (secret: string): string => (secret.length > 12 ? `${secret.slice(0, 4)}...${secret.slice(-4)}` : "...");

/** A raw path has no parameter names: a part counts as a token if it looks like one, or follows `token`. */
function shownText(path: string): string {
  const parts = path.split("/");
  const shown = parts.map((part, index) => {
    const isNamedToken = parts[index - 1] === "token" && !idForm.test(part);
    return part !== "" && (isNamedToken || tokenForm.test(part)) ? ends(part) : part;
  });
  return shown.join("/");
}

/**
 * The path of a request for errors: tokens in it are shortened to their ends, and the query is left out.
 */
export function redactPath(path: string, params: Readonly<Record<string, string>> | undefined): string {
  const [bare = ""] = path.split("?", 1);
  if (params === undefined) return shownText(bare);
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(params)) shown[name] = secretName.test(name) ? ends(String(value)) : value;
  return fillPath(bare, shown);
}
