import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandContext } from "../kit/context.ts";
import { isInPath } from "../kit/process/in-path.ts";
import { keychainLack } from "../kit/settings/keychain.ts";
import { type Diagnosis, ok, warning } from "./check.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What is looked at on the machine. */
export interface Machine {
  readonly platform: string;
  readonly env: Environment;
  /** Why there is no keychain. */
  readonly keychain: string | undefined;
  readonly canLink: boolean;
}

/** What iot does without on a machine, each with what that means. */
export function lacking({ platform, env, keychain, canLink }: Machine): readonly string[] {
  const isWindows = platform === "win32";
  const hasPager = Boolean(env["IOT_PAGER"] || env["PAGER"]) || isInPath("less", env, platform);
  return [
    ...(keychain === undefined ? [] : [`no keychain (${keychain}): tokens are stored in a file`]),
    ...(hasPager ? [] : ["no less: long output is not paged"]),
    ...(isInPath("sh", env, platform) ? [] : ["no sh: write --exec commands and scripts for the system's own shell"]),
    ...(canLink ? [] : ["no symbolic links without administrator rights or developer mode"]),
    ...(isWindows
      ? [
          "no file modes: files with tokens have the permissions of your profile folder",
          "no SIGTERM: iot sandbox stop ends a sandbox at once; Ctrl-Z does not suspend screens",
          "no memory limit for the buffers of payload parsers",
        ]
      : []),
    ...(isWindows && !env["WT_SESSION"] && !env["TERM_PROGRAM"] && !env["TERM"]
      ? ["no Windows Terminal: screens and symbols may look broken"]
      : []),
  ];
}

function canLink(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "iot-doctor-"));
  try {
    symlinkSync("nowhere", join(folder, "link"));
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function platform({ env, user }: CommandContext): Diagnosis {
  const keychain = keychainLack(env);
  const found = lacking({ platform: process.platform, env, keychain, canLink: canLink() });
  const detail = found.length === 0 ? "everything iot can use is here" : found.join("; ");
  const isMissed = keychain !== undefined && user.settings.get("credential-store")?.value === "keychain";
  return isMissed
    ? warning("platform", detail, 'Provide the keychain, or run "iot config set credential-store file".')
    : ok("platform", detail);
}
