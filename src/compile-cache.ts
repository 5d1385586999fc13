import nodeModule from "node:module";
import { join } from "node:path";
import { userFolders } from "./commands/kit/settings/paths.ts";
import { makeFolder } from "./lib/core/make-folder.ts";

/**
 * Lets Node keep the compiled program between runs, where it can (22.8 and up). In the user's own folder, because what
 * is read from it is run; not with `IOT_CONFIG_DIR`, whose owner wants nothing written elsewhere.
 */
export function enableCompileCache(): void {
  if (!("enableCompileCache" in nodeModule) || process.env["IOT_CONFIG_DIR"]) return;
  const enable = nodeModule.enableCompileCache as (folder: string) => unknown;
  const folder = join(userFolders(process.env).cache, "code");
  try {
    makeFolder(folder, 0o700);
    enable(folder);
  } catch {
    // A start without it is only slower.
  }
}
