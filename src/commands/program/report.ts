import { join } from "node:path";
import { VERSION } from "../../lib/core/version.ts";
import { escapeJson } from "../../text/clean.ts";
import { writeWhole } from "../kit/files/files.ts";
import { redact } from "../kit/say/redact.ts";
import { showPath, userFolders } from "../kit/settings/paths.ts";

/** Flags and command words; values stay out of a report. */
function shapeOf(line: readonly string[]): string[] {
  return line.map((word, i) =>
    word.startsWith("--") ? (word.split("=")[0] ?? "") : i < 3 && /^[a-z-]+$/.test(word) ? word : "…",
  );
}

/**
 * Writes what a report of an internal error needs, without secrets.
 *
 * @returns the path, as people write it; undefined if it could not be written
 */
export function writeFaultReport(
  error: unknown,
  line: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const stamp = new Date().toISOString();
  const path = join(userFolders(env).state, "reports", `fault-${stamp.replace(/[:.]/g, "-")}.json`);
  const report = {
    time: stamp,
    version: VERSION,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    command: shapeOf(line),
    error: redact(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    cause:
      error instanceof Error && error.cause instanceof Error ? redact(error.cause.stack ?? error.cause.message) : null,
  };
  try {
    writeWhole(path, `${escapeJson(JSON.stringify(report, null, 2))}\n`, { file: 0o600, folder: 0o700 });
    return showPath(path);
  } catch {
    // The fault itself is what the user must hear about, not that its report found no room.
    return undefined;
  }
}
