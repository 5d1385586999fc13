import { chmodSync, type Stats, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { CommandContext } from "../context.ts";
import { CommandError, inputError } from "../failures/command-error.ts";
import { isObject, parseObject, readTextIfThere, realTarget, writePrivate } from "../files/files.ts";
import { rememberSecret } from "../say/redact.ts";
import { underLock } from "../state/lock.ts";
import { accountOf, type Keychain, systemKeychain } from "./keychain.ts";
import { showPath, userFolders } from "./paths.ts";

/** A stored token. It is bound to the API origin it was made for and never sent to another one. */
export interface Credential {
  readonly env: string;
  /** Origin of the API: `https://api.tago.io`. */
  readonly origin: string;
  /** Of a credential in the keychain: fetched there at each reading, which throws `auth.keychain` or `auth.missing`. */
  readonly token: string;
  /** Where the token is: in the keychain of the operating system, or, when absent, in plain storage. */
  readonly store?: "keychain";
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
  if (stats === undefined || (stats.mode & 0o077) === 0 || !isOurs(stats)) return undefined;
  chmodSync(path, 0o600);
  return `Other users of this machine could read ${showPath(path)}; its mode is now 600. If someone may have read it, run "iot auth logout" and log in again.`;
}

const isOurs = ({ uid }: Stats): boolean => uid === process.getuid?.();

/** Closes the folder of the credentials to others. The home folder and shared ones (sticky) are not ours to change. */
function repairFolder(folder: string): string | undefined {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (process.platform === "win32" || stats === undefined || (stats.mode & 0o077) === 0) return undefined;
  const isOpen = (stats.mode & 0o022) !== 0;
  const mayChange = isOurs(stats) && (stats.mode & 0o1000) === 0 && folder !== homedir();
  if (mayChange) chmodSync(folder, 0o700);
  if (!isOpen) return undefined;
  const found = `Other users of this machine could change the files in ${showPath(folder)}`;
  return mayChange
    ? `${found}; its mode is now 700.`
    : `${found}. Store credentials in a folder only you can write to.`;
}

function foreignOwner(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (process.platform === "win32" || stats === undefined || isOurs(stats)) return undefined;
  return `${showPath(path)} belongs to another user of this machine (${stats.uid}), who can read and change it.`;
}

const keychainSource = "keychain";
const fileSource = "credentials file";

/** Where a stored token came from, for people. */
export const sourceOf = ({ store }: Pick<Credential, "store">): string =>
  store === undefined ? fileSource : keychainSource;

/** Whether a token came from storage, not from a variable or flag. */
export const isStoredSource = (source: string): boolean => source === fileSource || source === keychainSource;

/** The same entry, with a token that is fetched only where it is used: a list of entries opens no keychain. */
function withKeychain(entry: Omit<Credential, "token">, keychain: Keychain): Credential {
  return {
    ...entry,
    store: "keychain",
    get token() {
      const token = keychain.get(accountOf(entry));
      if (token !== undefined) {
        rememberSecret(token);
        return token;
      }
      throw new CommandError(`The keychain no longer has a token for ${entry.env}.`, {
        code: "auth.missing",
        exit: 4,
        why: "Another program deleted it.",
        next: `Run "iot auth login --env ${entry.env}".`,
      });
    },
  };
}

/** The token, or undefined if the keychain does not return it. */
export function tokenIfThere(credential: Credential): string | undefined {
  try {
    return credential.token;
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

function credentialOf(value: unknown, shownPath: string, keychain: Keychain): Credential {
  const isCredential =
    isObject(value) &&
    ["env", "origin", "created"].every((key) => typeof value[key] === "string") &&
    (value["store"] === "keychain" || (value["store"] === undefined && typeof value["token"] === "string")) &&
    ["name", "expires"].every((key) => value[key] === undefined || typeof value[key] === "string");
  if (!isCredential) {
    throw inputError(`${shownPath} contains an invalid entry.`, {
      code: "config.invalid",
      next: "Fix the file, or remove it and log in again.",
    });
  }
  const { env, origin, token, created, name, expires, profile } = value;
  const owner =
    isObject(profile) && typeof profile["id"] === "string"
      ? { id: profile["id"], name: String(profile["name"] ?? "") }
      : undefined;
  const entry = {
    env: String(env),
    origin: String(origin),
    created: String(created),
    ...(name === undefined ? {} : { name: String(name) }),
    ...(expires === undefined ? {} : { expires: String(expires) }),
    ...(owner === undefined ? {} : { profile: owner }),
  };
  return value["store"] === "keychain" ? withKeychain(entry, keychain) : { ...entry, token: String(token) };
}

/** Reads the stored credentials; `warn` gets a line when others could read the file. */
export function readCredentials(
  env: Environment,
  warn: (text: string) => void,
  keychain: Keychain = systemKeychain(),
): readonly Credential[] {
  const path = credentialsPath(env);
  const text = readTextIfThere(path);
  if (text === undefined) return [];
  for (const warning of [repairMode(path), repairFolder(dirname(realTarget(path))), foreignOwner(path)])
    if (warning !== undefined) warn(warning);
  const shown = showPath(path);
  const list = parseObject(text, shown)["credentials"];
  if (!Array.isArray(list))
    throw inputError(`${shown} contains no list of credentials.`, {
      code: "config.invalid",
      next: "Fix or remove the file.",
    });
  const credentials = list.map((entry: unknown) => credentialOf(entry, shown, keychain));
  for (const one of credentials) if (one.store === undefined) rememberSecret(one.token);
  return credentials;
}

const isFetched = (one: Credential): boolean => Object.getOwnPropertyDescriptor(one, "token")?.get !== undefined;

/** What the file holds of a credential. */
function fileEntry(one: Credential): object {
  if (one.store === undefined) return one;
  const { env, origin, store, name, profile, expires, created } = one;
  return { env, origin, store, name, profile, expires, created };
}

/**
 * Keeps these credentials and no others. Tokens of the keychain go there first, and those that no credential has any
 * more leave it, so that a keychain that cannot be used ends the command before the file changes.
 */
export function writeCredentials(
  env: Environment,
  credentials: readonly Credential[],
  keychain: Keychain = systemKeychain(),
): void {
  const inKeychain = credentials.filter((one) => one.store === "keychain");
  for (const one of inKeychain) if (!isFetched(one)) keychain.set(accountOf(one), one.token);
  const kept = new Set(inKeychain.map(accountOf));
  const before = readCredentials(env, () => undefined, keychain);
  for (const one of before) {
    if (one.store === undefined || kept.has(accountOf(one))) continue;
    const isReplaced = credentials.some((other) => other.env === one.env && other.profile?.id === one.profile?.id);
    forget(one, keychain, isReplaced);
  }
  const text = `${JSON.stringify({ credentials: credentials.map(fileEntry) }, null, 2)}\n`;
  writePrivate(credentialsPath(env), text);
}

/** Changes the stored credentials as they are now, while no other process does. */
export function changeCredentials(
  { env, say }: Pick<CommandContext, "env" | "say">,
  change: (credentials: readonly Credential[]) => readonly Credential[],
): void {
  underLock(credentialsPath(env), () => writeCredentials(env, change(readCredentials(env, say.warning))));
}

/** A new login must not fail for the old token's sake: a keychain that is gone is why people go back to plain storage. */
function forget(one: Credential, keychain: Keychain, isReplaced: boolean): void {
  try {
    keychain.delete(accountOf(one));
  } catch (error) {
    if (!isReplaced) throw error;
  }
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
