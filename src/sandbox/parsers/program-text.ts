import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ownPackageFolder } from "../core/package-folder.ts";

const FILE = "decoder-program.cjs";
let text: string | undefined;

/**
 * The program of the process that runs payload parsers. The build puts it into dist.
 *
 * @throws Error if the sandbox was bundled into another program without its files
 */
export function decoderProgram(): string {
  text ??= readFileSync(programFile(), "utf8");
  return text;
}

function programFile(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const own = ownPackageFolder() ?? here;
  const places = [here, join(own, "src", "sandbox", "parsers"), join(own, "dist")].map((folder) => join(folder, FILE));
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw new Error(
    `Payload parsers cannot run: ${FILE} is missing. The sandbox reads files of its package, so it cannot be bundled into one file. Keep iotdeck external in your bundler, or install it again.`,
  );
}
