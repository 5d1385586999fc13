import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import { inputError } from "./command-error.ts";
import { isObject, parseObject, readTextIfThere, writeWhole } from "./files.ts";
import { showPath, userFolders } from "./paths.ts";
import { rememberSecret } from "./redact.ts";

/** A stored token. It is bound to the API origin it was made for and never sent to another one. */
export interface Credential {
  readonly env: string;
  /** Origin of the API: `https://api.tago.io`. */
  readonly origin: string;
  readonly token: string;
  /** Name the token has on the platform. */
  readonly name?: string;
  readonly profile?: { readonly id: string; readonly name: string };
  /** ISO text or `never`. */
  readonly expires?: string;
  readonly created: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function credentialsPath(env: Environment): string {
  return join(userFolders(env).config, "credentials.json");
}

/**
 * Makes the file readable by the user alone again when others could read it.
 *
 * @returns what was found, as a sentence for a warning
 */
export function repairMode(path: string): string | undefined {
  if (process.platform === "win32") return undefined;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || (stats.mode & 0o077) === 0) return undefined;
  chmodSync(path, 0o600);
  return `Other users of this machine could read ${showPath(path)}; its mode is 600 now. If somebody may have read it, run "iot auth logout" and log in again.`;
}

function credentialOf(value: unknown, shownPath: string): Credential {
  const isCredential =
    isObject(value) &&
    ["env", "origin", "token", "created"].every((key) => typeof value[key] === "string") &&
    ["name", "expires"].every((key) => value[key] === undefined || typeof value[key] === "string");
  if (!isCredential) {
    throw inputError(`${shownPath} has an entry that is no credential.`, {
      code: "config.invalid",
      next: "Correct the file, or move it away and log in again.",
    });
  }
  const { env, origin, token, created, name, expires, profile } = value;
  const owner =
    isObject(profile) && typeof profile["id"] === "string"
      ? { id: profile["id"], name: String(profile["name"] ?? "") }
      : undefined;
  return {
    env: String(env),
    origin: String(origin),
    token: String(token),
    created: String(created),
    ...(name === undefined ? {} : { name: String(name) }),
    ...(expires === undefined ? {} : { expires: String(expires) }),
    ...(owner === undefined ? {} : { profile: owner }),
  };
}

/** Reads the stored credentials; `warn` is told when the file was open to others. */
export function readCredentials(env: Environment, warn: (text: string) => void): readonly Credential[] {
  const path = credentialsPath(env);
  const text = readTextIfThere(path);
  if (text === undefined) return [];
  const warning = repairMode(path);
  if (warning !== undefined) warn(warning);
  const shown = showPath(path);
  const list = parseObject(text, shown)["credentials"];
  if (!Array.isArray(list))
    throw inputError(`${shown} has no list of credentials.`, {
      code: "config.invalid",
      next: "Correct the file, or move it away.",
    });
  const credentials = list.map((entry: unknown) => credentialOf(entry, shown));
  for (const { token } of credentials) rememberSecret(token);
  return credentials;
}

export function writeCredentials(env: Environment, credentials: readonly Credential[]): void {
  const text = `${JSON.stringify({ credentials }, null, 2)}\n`;
  writeWhole(credentialsPath(env), text, { file: 0o600, folder: 0o700 });
}

/** Adds a credential; one for the same environment and profile is replaced. */
export function addCredential(list: readonly Credential[], added: Credential): readonly Credential[] {
  return [...list.filter((one) => one.env !== added.env || one.profile?.id !== added.profile?.id), added];
}

/** The credential of an environment: of the asked profile, or the one stored last. */
export function findCredential(
  list: readonly Credential[],
  envName: string,
  profile: string | undefined,
): Credential | undefined {
  const own = list.filter((one) => one.env === envName);
  if (profile === undefined) return own.at(-1);
  return own.findLast((one) => one.profile?.id === profile || one.profile?.name === profile);
}
