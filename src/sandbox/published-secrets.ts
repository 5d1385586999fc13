import { createHmac, randomBytes } from "node:crypto";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../lib/core/error-code.ts";
import { hashPassword, isPassword } from "./accounts/passwords.ts";
import type { SandboxLogin } from "./options.ts";
import { KEY_FILE } from "./store/open.ts";
import { DataDirectoryError } from "./store/storage-errors.ts";
import type { SandboxDatabase } from "./store/types.ts";

/** A login of the seed with a password that is published in the source. */
export interface PublishedLogin {
  readonly kind: SandboxLogin["kind"];
  readonly id: string;
  readonly email: string;
  readonly password: string;
  /** Published token of a portal user. */
  readonly token?: string;
}

/** Published tokens and passwords of the seed. */
export interface PublishedSecrets {
  readonly tokens: readonly string[];
  /** They give access to their device only: replaced only where other machines reach the sandbox. */
  readonly deviceTokens: readonly string[];
  readonly logins: readonly PublishedLogin[];
}

/** Replacements of the published tokens and passwords. */
export interface Replacements {
  token(published: string): string;
  password(login: PublishedLogin): string;
}

const KEY_BYTES = 32;
const SETTING = "demo_secrets";
const LOGIN_TABLES = { account: "account", portal_user: "run_user_login" } as const;

/** The published tokens and passwords themselves. */
export const published: Replacements = { token: (token) => token, password: ({ password }) => password };

/**
 * The key of a data directory, created on first use: the next start derives the same tokens. Without a directory, a new
 * key per run.
 */
export function secretKey(dataDir: string | undefined): Buffer {
  if (dataDir === undefined) return randomBytes(KEY_BYTES);
  const path = join(dataDir, KEY_FILE);
  const key = readKey(path);
  if (key !== undefined) return key;
  const made = randomBytes(KEY_BYTES);
  writeFileSync(path, `${made.toString("hex")}\n`, { mode: 0o600, flag: "wx", flush: true });
  chmodSync(path, 0o600);
  return made;
}

function readKey(path: string): Buffer | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
  if (/^[0-9a-f]{64}$/.test(text)) return Buffer.from(text, "hex");
  throw new DataDirectoryError(`${path} holds no key. Remove it, and new tokens and passwords are made.`);
}

/** Tokens and passwords derived from a key. Device tokens stay, unless `withDevices`. */
export function derivedFrom(key: Buffer, secrets: PublishedSecrets, withDevices: boolean): Replacements {
  const digest = (text: string): Buffer => createHmac("sha256", key).update(text).digest();
  const kept = new Set(withDevices ? [] : secrets.deviceTokens);
  return {
    token: (token) => (kept.has(token) ? token : tokenLike(token, digest(`token ${token}`))),
    password: ({ id }) => digest(`password ${id}`).toString("base64url").slice(0, 22),
  };
}

/**
 * A token in the format of another: prefix and UUID up to its length, or `at` and 32 digits for service authorizations.
 */
function tokenLike(token: string, random: Buffer): string {
  const bytes = random.subarray(0, 16);
  if (token.startsWith("at")) return `at${bytes.toString("hex")}`;
  // Version 4, variant 1, like random UUIDs.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const uuid = bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  return `${/^[panu]-/.exec(token)?.[0] ?? ""}${uuid}`.slice(0, token.length);
}

/** Current values in a database: by published token the current one, by id the hash that was set here. */
interface Applied {
  readonly tokens: Readonly<Record<string, string>>;
  readonly passwords: Readonly<Record<string, string>>;
}

function readApplied(db: SandboxDatabase): Applied | undefined {
  const row = db.get<{ value: string }>("SELECT value FROM setting WHERE key = ?", SETTING);
  // Only this file writes it.
  return row === undefined ? undefined : (JSON.parse(row.value) as Applied);
}

/**
 * Replaces the published tokens and passwords, or those derived from another key: after seeding, at every start, and
 * after a snapshot or an import replaced everything. What the user removed or changed stays unchanged.
 */
export function applySecrets(db: SandboxDatabase, secrets: PublishedSecrets, replacements: Replacements): void {
  const before = readApplied(db);
  if (before === undefined && replacements === published) return;
  const next: Applied = {
    tokens: replaceTokens(db, secrets, before?.tokens ?? {}, replacements),
    passwords: replacePasswords(db, secrets.logins, before?.passwords ?? {}, replacements),
  };
  db.run("DELETE FROM setting WHERE key = ?", SETTING);
  if (replacements !== published) {
    db.run("INSERT INTO setting (key, value) VALUES (?, ?)", SETTING, JSON.stringify(next));
  }
}

function replaceTokens(
  db: SandboxDatabase,
  { tokens, deviceTokens }: PublishedSecrets,
  before: Applied["tokens"],
  replacements: Replacements,
): Record<string, string> {
  const next: Record<string, string> = {};
  for (const token of [...tokens, ...deviceTokens]) {
    const wanted = replacements.token(token);
    // The published one too: a file written by an older version contains no replacements.
    for (const present of new Set([before[token] ?? token, token])) {
      if (present !== wanted) renameToken(db, present, wanted);
    }
    if (wanted !== token) next[token] = wanted;
  }
  return next;
}

const keyOf = (token: string): string => token.replace(/^[panu]-/, "");

function renameToken(db: SandboxDatabase, from: string, to: string): void {
  const { changes } = db.run("UPDATE OR REPLACE token SET key = ? WHERE key = ?", keyOf(to), keyOf(from));
  if (changes === 0) return;
  db.run("UPDATE token SET last_authorization = ? WHERE last_authorization = ?", to, from);
  db.run(
    `UPDATE profile_setting SET doc = json_set(doc, '$.anonymous_token', ?)
     WHERE name = 'run' AND json_extract(doc, '$.anonymous_token') = ?`,
    to,
    from,
  );
}

const hashOf = (db: SandboxDatabase, { kind, id }: PublishedLogin): string | undefined =>
  db.get<{ hash: string }>(`SELECT password_hash AS hash FROM ${LOGIN_TABLES[kind]} WHERE id = ?`, id)?.hash;

function replacePasswords(
  db: SandboxDatabase,
  logins: readonly PublishedLogin[],
  before: Applied["passwords"],
  replacements: Replacements,
): Record<string, string> {
  const next: Record<string, string> = {};
  for (const login of logins) {
    const hash = hashOf(db, login);
    // A password that the user set stays.
    if (hash === undefined || (before[login.id] !== hash && !isPassword(login.password, hash))) continue;
    const wanted = replacements.password(login);
    const isSet = isPassword(wanted, hash);
    const set = isSet ? hash : hashPassword(wanted);
    if (!isSet) db.run(`UPDATE ${LOGIN_TABLES[login.kind]} SET password_hash = ? WHERE id = ?`, set, login.id);
    next[login.id] = set;
  }
  return next;
}

/** The published logins that exist in the database. */
export function loginsOf(
  db: SandboxDatabase,
  { logins }: PublishedSecrets,
  replacements: Replacements,
): readonly SandboxLogin[] {
  return logins
    .filter((login) => hashOf(db, login) !== undefined)
    .map((login) => ({
      kind: login.kind,
      email: login.email,
      password: replacements.password(login),
      ...(login.token === undefined ? {} : { token: replacements.token(login.token) }),
    }));
}
