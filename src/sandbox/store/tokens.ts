import type { Clock } from "../core/clock.ts";
import { addDuration, parseDuration } from "../core/duration.ts";
import type { IdSource } from "../core/ids.ts";
import { invalidBody } from "../core/platform-error.ts";
import type { Permission, TokenKind } from "../core/principal.ts";
import type { SandboxDatabase, SqlStatement } from "./types.ts";

/** A new token. */
interface NewToken {
  readonly kind: TokenKind;
  readonly profile: string;
  readonly refId: string;
  readonly name: string;
  readonly permission?: Permission;
  /** "never", ISO 8601 or a duration ("3 months"); default never. */
  readonly expireTime?: string;
  /** The token with or without prefix (seed); default a random one. */
  readonly token?: string;
  readonly serieNumber?: string | null;
  readonly lastAuthorization?: string | null;
  readonly createdBy?: string | null;
  readonly verificationCode?: string | null;
}

export interface StoredToken {
  /** As returned to clients: with its prefix. */
  readonly token: string;
  readonly kind: TokenKind;
  readonly profile: string;
  readonly refId: string;
  readonly name: string;
  readonly permission: Permission;
  /** ISO 8601 or "never". */
  readonly expireTime: string;
  readonly serieNumber: string | null;
  readonly lastAuthorization: string | null;
  readonly verificationCode: string | null;
  readonly createdBy: string | null;
  readonly createdAt: string;
}

export interface TokenStore {
  create(token: NewToken): StoredToken;
  find(token: string): StoredToken | undefined;
  list(kind: TokenKind, refId: string): StoredToken[];
  remove(token: string): boolean;
  removeOf(refId: string): void;
  /** Stores the service authorization that a device token was used with, on both. */
  noteAuthorization(token: string, authorization: string): void;
  /** Sets the serial number of the first token of a device. */
  setSerial(deviceId: string, serial: string): void;
  /** The additional parameter of a service authorization. */
  setVerificationCode(token: string, code: string | null): void;
}

/** Prefix of a token (docs/internals/platform/server.md, Tokens). Device and embed tokens have none. */
const PREFIXES: Readonly<Partial<Record<TokenKind, string>>> = {
  profile: "p-",
  analysis: "a-",
  run_user: "u-",
  network: "n-",
};

interface TokenRow {
  readonly key: string;
  readonly kind: TokenKind;
  readonly profile: string;
  readonly ref_id: string;
  readonly name: string;
  readonly permission: Permission;
  readonly expires_at: number | null;
  readonly serie_number: string | null;
  readonly last_authorization: string | null;
  readonly verification_code: string | null;
  readonly created_by: string | null;
  readonly created_at: number;
}

/** A token and whether its device is active. */
interface FoundToken extends StoredToken {
  readonly key: string;
  readonly isDeviceActive: boolean;
}

/** Tokens are compared without their prefix: those made before prefixes existed stay valid. */
function tokenKey(token: string): string {
  return token.replace(/^[panu]-/, "");
}

/**
 * The time of an `expire_time`, `null` for never. Accepts "never", dates and durations; anything else is rejected with
 * the messages of a body check.
 */
export function expiryOf(text: string | undefined, nowMs: number): number | null {
  if (text === undefined || text === "" || text.toLowerCase() === "never") return null;
  const duration = parseDuration(text);
  if (duration !== undefined) return addDuration(nowMs, duration);
  const moment = Date.parse(text);
  if (!Number.isNaN(moment)) return moment;
  throw invalidBody({
    expire_time: ['Must be "never", a date or a duration such as "3 months"'],
  });
}

const isoText = (timeMs: number): string => new Date(timeMs).toISOString();

function toStored(row: TokenRow): StoredToken {
  return {
    token: `${PREFIXES[row.kind] ?? ""}${row.key}`,
    kind: row.kind,
    profile: row.profile,
    refId: row.ref_id,
    name: row.name,
    permission: row.permission,
    expireTime: row.expires_at === null ? "never" : isoText(row.expires_at),
    serieNumber: row.serie_number,
    lastAuthorization: row.last_authorization,
    verificationCode: row.verification_code,
    createdBy: row.created_by,
    createdAt: isoText(row.created_at),
  };
}

/** A token has 36 characters including its prefix; those of services have 34. */
function newKey(kind: TokenKind, ids: IdSource): string {
  if (kind === "service") return `at${ids.uuid().replaceAll("-", "")}`;
  return ids.uuid().slice(0, 36 - (PREFIXES[kind] ?? "").length);
}

/** The tokens of all kinds. Expired ones count as unknown. */
export class Tokens implements TokenStore {
  readonly #db: SandboxDatabase;
  readonly #clock: Clock;
  readonly #ids: IdSource;
  readonly #byKey: SqlStatement<TokenRow & { active: number | null }>;
  #version = 0;

  constructor(db: SandboxDatabase, clock: Clock, ids: IdSource) {
    this.#db = db;
    this.#clock = clock;
    this.#ids = ids;
    this.#byKey = db.prepare<TokenRow & { active: number | null }>(
      `SELECT t.*, json_extract(e.keys, '$.active') AS active
     FROM token t LEFT JOIN entity e ON e.id = t.ref_id AND e.kind = 'device' WHERE t.key = ?`,
    );
  }

  /** Rises whenever tokens or serial numbers may have been added: for those who keep something made of them. */
  get version(): number {
    return this.#version;
  }

  create(token: NewToken): StoredToken {
    this.#version += 1;
    const nowMs = this.#clock.now();
    const key = token.token === undefined ? newKey(token.kind, this.#ids) : tokenKey(token.token);
    const expiresAt = expiryOf(token.expireTime, nowMs);
    const next = this.#db.get<{ n: number }>(
      "SELECT coalesce(max(position), 0) + 1 AS n FROM token WHERE ref_id = ?",
      token.refId,
    );
    this.#db.run(
      `INSERT INTO token (key, kind, profile, ref_id, name, permission, expires_at, serie_number, last_authorization,
         verification_code, created_by, created_at, position) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      key,
      token.kind,
      token.profile,
      token.refId,
      token.name,
      token.permission ?? "full",
      expiresAt,
      token.serieNumber,
      token.lastAuthorization,
      token.verificationCode,
      token.createdBy,
      nowMs,
      next?.n ?? 1,
    );
    const row = this.#byKey.get(key);
    if (row === undefined) throw new Error("A token that was just stored cannot be found");
    return toStored(row);
  }

  /** Finds a token that has not expired, for authorisation. */
  authorize(token: string): FoundToken | undefined {
    const row = this.#byKey.get(tokenKey(token));
    if (row === undefined) return undefined;
    if (row.expires_at !== null && row.expires_at <= this.#clock.now()) return undefined;
    return { ...toStored(row), key: row.key, isDeviceActive: row.active !== 0 };
  }

  find(token: string): StoredToken | undefined {
    const row = this.#byKey.get(tokenKey(token));
    return row === undefined ? undefined : toStored(row);
  }

  list(kind: TokenKind, refId: string): StoredToken[] {
    return this.#db
      .all<TokenRow>("SELECT * FROM token WHERE kind = ? AND ref_id = ? ORDER BY position", kind, refId)
      .map((row) => toStored(row));
  }

  remove(token: string): boolean {
    return this.#db.run("DELETE FROM token WHERE key = ?", tokenKey(token)).changes > 0;
  }

  removeOf(refId: string): void {
    this.#db.run("DELETE FROM token WHERE ref_id = ?", refId);
  }

  /** Stores the service authorization that a device token was used with, on both. */
  noteAuthorization(token: string, authorization: string): void {
    const note = "UPDATE token SET last_authorization = ? WHERE key = ?";
    this.#db.run(note, authorization, tokenKey(token));
    this.#db.run(note, isoText(this.#clock.now()), tokenKey(authorization));
  }

  /** Sets the serial number of the first token of a device. */
  setSerial(deviceId: string, serial: string): void {
    this.#version += 1;
    this.#db.run(
      `UPDATE token SET serie_number = ? WHERE kind = 'device' AND ref_id = ?
           AND position = (SELECT min(position) FROM token WHERE kind = 'device' AND ref_id = ?)`,
      serial,
      deviceId,
      deviceId,
    );
  }

  /** Moves a profile token to another profile. */
  transfer(key: string, profile: string): void {
    const last = this.#db.get<{ n: number }>(
      "SELECT coalesce(max(position), 0) AS n FROM token WHERE ref_id = ?",
      profile,
    );
    const position = (last?.n ?? 0) + 1;
    this.#db.run(
      "UPDATE token SET profile = ?, ref_id = ?, position = ? WHERE key = ?",
      profile,
      profile,
      position,
      key,
    );
  }

  /** The additional parameter of a service authorization. */
  setVerificationCode(token: string, code: string | null): void {
    this.#db.run("UPDATE token SET verification_code = ? WHERE key = ?", code, tokenKey(token));
  }

  /** Devices of the profile with a token that has this serial number. */
  devicesWithSerial(profile: string, serial: string): string[] {
    return [...new Set(this.tokensWithSerial(profile, serial).map(({ refId }) => refId))];
  }

  /** Tokens of devices of the profile that have this serial number. */
  tokensWithSerial(profile: string, serial: string): StoredToken[] {
    return this.#db
      .all<TokenRow>("SELECT * FROM token WHERE kind = 'device' AND profile = ? AND serie_number = ?", profile, serial)
      .map((row) => toStored(row));
  }

  /** All service authorizations. */
  services(): StoredToken[] {
    return this.#db.all<TokenRow>("SELECT * FROM token WHERE kind = 'service'").map((row) => toStored(row));
  }

  /** Serial numbers of the devices of a profile. */
  serials(profile: string): string[] {
    const sql = "SELECT DISTINCT serie_number AS serial FROM token WHERE kind = 'device' AND profile = ?";
    return this.#db.all<{ serial: string | null }>(sql, profile).flatMap(({ serial }) => serial ?? []);
  }
}
