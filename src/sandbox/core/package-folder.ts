import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Name of this package. */
export const OWN_PACKAGE = "iotdeck";

/** The folder of the package the running code is part of. */
export function ownPackageFolder(): string | undefined {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (packageName(join(folder, "package.json")) === OWN_PACKAGE) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function packageName(file: string): unknown {
  try {
    const content: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof content === "object" && content !== null && "name" in content ? content.name : undefined;
  } catch {
    return undefined;
  }
}
