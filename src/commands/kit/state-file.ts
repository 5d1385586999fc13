import { createHash } from "node:crypto";
import { join } from "node:path";
import { userFolders } from "./paths.ts";

/**
 * Where a command keeps how far it is with something, in the folder for state.
 *
 * @param kind `uploads`, `downloads` ...
 * @param key what makes two runs be about the same thing
 */
export function statePath(
  env: Readonly<Record<string, string | undefined>>,
  kind: string,
  key: readonly string[],
): string {
  const name = createHash("sha256").update(JSON.stringify(key)).digest("hex").slice(0, 24);
  return join(userFolders(env).state, kind, `${name}.json`);
}
