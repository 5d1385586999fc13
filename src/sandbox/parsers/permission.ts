import type { SpawnOptions } from "node:child_process";
import { parse } from "node:path";

/** Node's permission model, by its name in this version of Node. Older ones deny the inspector with everything else. */
function permissionFlags(needsInspector: boolean): string[] {
  const isKnown = (name: string): boolean => process.allowedNodeEnvironmentFlags.has(name);
  const known = ["--permission", "--experimental-permission"].find(isKnown);
  if (known === undefined || !needsInspector) return known === undefined ? [] : [known];
  return isKnown("--allow-inspector") ? [known, "--allow-inspector"] : [];
}

/**
 * Flags for a process that runs foreign code: no files, child processes, threads and addons, and no code from strings
 * outside of the contexts it creates. Nothing is allowed, as its program is not read from a file. To measure coverage,
 * versions of Node that cannot allow only the inspector run without the permission model.
 */
export function confinedFlags(memoryMib: number, needsInspector = false): readonly string[] {
  return [
    ...permissionFlags(needsInspector),
    "--disallow-code-generation-from-strings",
    `--max-old-space-size=${memoryMib}`,
    "--max-semi-space-size=8",
    "--no-deprecation",
    "--no-warnings",
  ];
}

/** Environment, folder and group of such a process. Its timezone is UTC, as on the platform. */
export function confinedOptions(): SpawnOptions {
  const { SystemRoot } = process.env;
  return {
    // Windows cannot start programs without it.
    env: { TZ: "UTC", ...(process.platform === "win32" && SystemRoot !== undefined && { SystemRoot }) },
    cwd: parse(process.execPath).root,
    // A signal for the sandbox's terminal must not end it: the sandbox may still have requests to finish.
    detached: true,
    windowsHide: true,
  };
}
