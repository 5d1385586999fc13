import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ownPackageFolder } from "./package-folder.ts";

/**
 * The file of a program that the sandbox runs as a process of its own. The build puts it into dist.
 *
 * @param folder of its source in `src/sandbox`
 * @param what cannot run without it
 * @throws Error if the sandbox was bundled into another program without its files
 */
export function ownProgram(folder: string, file: string, what: string): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const own = ownPackageFolder() ?? here;
  const places = [here, join(own, "src", "sandbox", folder), join(own, "dist")].map((place) => join(place, file));
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw new Error(
    `${what} cannot run: ${file} is missing. The sandbox reads files of its package, so it cannot be bundled into one file. Keep iotdeck external in your bundler, or install it again.`,
  );
}
