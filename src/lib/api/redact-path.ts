import { fillPath } from "./route.ts";

/** Names of path parts that hold a secret. */
const secretName = /token|authorization|code/i;
const tokenForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const idForm = /^[0-9a-f]{24}$/i;

const ends = (secret: string): string => (secret.length > 12 ? `${secret.slice(0, 4)}...${secret.slice(-4)}` : "...");

/** A path that came as text has no names: a part counts as a token when it looks like one, or follows `token`. */
function shownText(path: string): string {
  const parts = path.split("/");
  const shown = parts.map((part, index) => {
    const isNamedToken = parts[index - 1] === "token" && !idForm.test(part);
    return part !== "" && (isNamedToken || tokenForm.test(part)) ? ends(part) : part;
  });
  return shown.join("/");
}

/**
 * The path of a request as errors show it. A token in a path is a secret in an address: its ends remain. The query is
 * left out.
 */
export function shownPath(path: string, params: Readonly<Record<string, string>> | undefined): string {
  const [bare = ""] = path.split("?", 1);
  if (params === undefined) return shownText(bare);
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(params)) shown[name] = secretName.test(name) ? ends(String(value)) : value;
  return fillPath(bare, shown);
}
