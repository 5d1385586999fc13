import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { CommandError } from "../failures/command-error.ts";
import { isObject } from "../files/files.ts";

/** What identifies a token in the store of the operating system. */
export interface KeychainPlace {
  readonly env: string;
  readonly origin: string;
  readonly profile?: { readonly id: string } | undefined;
}

/** The store of the operating system. Every method throws `auth.keychain` (exit 4) when it cannot be used. */
export interface Keychain {
  get(account: string): string | undefined;
  set(account: string, token: string): void;
  delete(account: string): void;
}

interface Entry {
  getPassword(): string | null;
  setPassword(token: string): void;
  deletePassword(): boolean;
}

type EntryClass = new (service: string, account: string, options: object) => Entry;

const service = "iotdeck";
const packageName = "@napi-rs/keyring";
/** The package would else turn to the kernel's keyring without a word; that one is empty after a restart. */
const options = { linux: { store: "secret-service" } };

type Environment = Readonly<Record<string, string | undefined>>;

/** Why this machine has no keychain, as far as that shows without asking it, which may open a window. */
export function keychainLack(
  env: Environment,
  platform: string = process.platform,
  load: () => unknown = loadPackage,
): string | undefined {
  const bus = join(env["XDG_RUNTIME_DIR"] || "/run/user/none", "bus");
  const needsBus = platform !== "win32" && platform !== "darwin";
  if (needsBus && !env["DBUS_SESSION_BUS_ADDRESS"] && !existsSync(bus)) return "no session bus";
  try {
    load();
    return undefined;
  } catch {
    return `the optional package ${packageName} is not installed`;
  }
}

export function accountOf({ env, origin, profile }: KeychainPlace): string {
  return `${env} ${origin} ${profile?.id ?? ""}`.trimEnd();
}

function unavailable(why: string, cause: unknown): CommandError {
  return new CommandError("The system keychain is not available.", {
    code: "auth.keychain",
    exit: 4,
    why,
    next: 'Unlock or start it, or run "iot config set credential-store file" and log in again: a plain text file, readable only by you.',
    cause,
  });
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const loadPackage = (): unknown => createRequire(import.meta.url)(packageName);

const isEntryClass = (value: unknown): value is EntryClass => typeof value === "function";

/** @param load returns the optional package; called on first use */
export function systemKeychain(load: () => unknown = loadPackage): Keychain {
  function entryClass(): EntryClass {
    let loaded: unknown;
    try {
      loaded = load();
    } catch (error) {
      throw unavailable(`The optional package ${packageName} is not installed, or not for this platform.`, error);
    }
    const found = isObject(loaded) ? loaded["Entry"] : undefined;
    if (isEntryClass(found)) return found;
    throw unavailable(`This version of the package ${packageName} is not supported.`, undefined);
  }

  function using<Result>(account: string, work: (entry: Entry) => Result): Result {
    const Class = entryClass();
    try {
      return work(new Class(service, account, options));
    } catch (error) {
      throw unavailable(`The keychain reported: ${reasonOf(error)}.`, error);
    }
  }

  return {
    get: (account) => using(account, (entry) => entry.getPassword() ?? undefined),
    set: (account, token) => using(account, (entry) => entry.setPassword(token)),
    delete(account) {
      using(account, (entry) => {
        // The package throws for an entry that is not there; what is gone needs no deletion.
        if (entry.getPassword() !== null) entry.deletePassword();
      });
    },
  };
}
