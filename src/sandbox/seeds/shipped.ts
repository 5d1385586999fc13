import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ownPackageFolder } from "../package-folder.ts";

/** Where the scenarios of this package are: beside the built program, or in the source tree. */
export function shippedFolder(): string {
  const own = ownPackageFolder() ?? ".";
  const built = join(own, "dist", "seeds");
  return import.meta.url.endsWith(".ts") || !existsSync(built) ? join(own, "src", "sandbox", "seeds") : built;
}

/** Names of the scenarios of this package. */
export function scenarioNames(): readonly string[] {
  return readdirSync(shippedFolder(), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
