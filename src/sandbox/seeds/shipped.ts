import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ownPackageFolder } from "../core/package-folder.ts";

const here = dirname(fileURLToPath(import.meta.url));

let folder: string | undefined;

/** Folder of the built-in scenarios: beside this file in the source tree, beside the program once it is built. */
export function shippedFolder(): string {
  folder ??= findFolder();
  return folder;
}

function findFolder(): string {
  const own = ownPackageFolder() ?? ".";
  const places = [here, join(here, "seeds"), join(own, "src", "sandbox", "seeds"), join(own, "dist", "seeds")];
  return places.find((place) => existsSync(join(place, "demo", "scenario.json"))) ?? here;
}

/** Names of the built-in scenarios. */
export function scenarioNames(): readonly string[] {
  return readdirSync(shippedFolder(), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
