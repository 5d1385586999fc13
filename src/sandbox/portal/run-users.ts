import { isDeepStrictEqual } from "node:util";
import type { Credentials } from "../accounts/accounts.ts";
import { createTries, tooManyTries } from "../accounts/login-attempts.ts";
import { hashPassword, isPassword } from "../accounts/passwords.ts";
import {
  type Codes,
  createSecondFactor,
  type FactorHolder,
  type Otp,
  type OtpType,
  otpFlags,
} from "../accounts/second-factor.ts";
import type { Clock } from "../core/clock.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { Collection, EntityDocument } from "../store/document.ts";
import { fold } from "../store/list-query.ts";
import type { Outbox } from "../store/outbox.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { portalGaps } from "./gaps.ts";

interface NewRunUser {
  readonly id?: string;
  readonly name: string;
  readonly email: string;
  /** An anonymous user has none, and cannot log in. */
  readonly password?: string;
  readonly active: boolean;
  readonly [member: string]: unknown;
}

/** Users of all portals. */
export interface RunUsers {
  create(profile: string, user: NewRunUser): EntityDocument;
  /** Members sent replace; `password` sets a new one. */
  edit(id: string, changes: Readonly<Record<string, unknown>>): EntityDocument;
  setPassword(id: string, password: string): void;
  remove(id: string): void;
  byEmail(profile: string, email: string): EntityDocument | undefined;
  /** Checks password and second factor, as `Accounts.verify`. */
  verify(profile: string, credentials: Credentials): EntityDocument;
  sendPin(profile: string, credentials: Credentials, type: OtpType): void;
  enableOtp(id: string, credentials: Credentials, type: OtpType): string;
  confirmOtp(id: string, type: OtpType, code: string): void;
  disableOtp(id: string, credentials: Credentials, type: OtpType): void;
  item(id: string, key: string): string | null;
  setItem(id: string, key: string, value: string): void;
  removeItem(id: string, key: string): void;
}

export interface RunUserParts {
  readonly db: SandboxDatabase;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly records: Collection;
}

interface LoginRow {
  readonly id: string;
  readonly profile: string;
  readonly email: string;
  readonly password_hash: string;
  readonly otp: string;
  readonly pin: string | null;
}

/** Wrong passwords after which a user is shut out, until this long after the first of them. */
const MOST_TRIES = 10;
const TRIES_WINDOW_MS = 10 * 60_000;
/** Small values one user can keep. */
const MAX_ITEMS = 1_000;

export function createRunUsers({ db, clock, outbox, records }: RunUserParts): RunUsers {
  const tries = createTries(clock, MOST_TRIES, TRIES_WINDOW_MS);
  const secondFactor = createSecondFactor({
    clock,
    outbox,
    saveOtp: (id, otp) => {
      db.run("UPDATE run_user_login SET otp = ? WHERE id = ?", JSON.stringify(otp), id);
      const flags = otpFlags(otp);
      // A factor that waits for its code changes nothing others can see.
      if (!isDeepStrictEqual(records.get(id)?.["otp"], flags)) records.update(id, { otp: flags });
    },
    saveCodes: (id, codes) => {
      db.run("UPDATE run_user_login SET pin = ? WHERE id = ?", JSON.stringify(codes), id);
    },
  });

  const rowOf = (profile: string, email: string): LoginRow | undefined =>
    db.get<LoginRow>("SELECT * FROM run_user_login WHERE profile = ? AND email = ?", profile, fold(email.trim()));

  const needRow = (id: string): LoginRow => {
    const row = db.get<LoginRow>("SELECT * FROM run_user_login WHERE id = ?", id);
    if (row === undefined) throw new PlatformError(404, "User Not Found");
    return row;
  };

  const holderOf = (row: LoginRow): FactorHolder => {
    const phone = records.get(row.id)?.["phone"];
    // Only this file writes the JSON columns.
    const codes = row.pin === null ? {} : (JSON.parse(row.pin) as Codes);
    return {
      id: row.id,
      email: row.email,
      phone: typeof phone === "string" ? phone : null,
      otp: JSON.parse(row.otp) as Otp,
      codes,
    };
  };

  const checkPassword = (profile: string, { email, password }: Pick<Credentials, "email" | "password">): LoginRow => {
    const key = `${profile} ${fold(email.trim())}`;
    const waitMs = tries.waitMs(key);
    if (waitMs > 0) throw tooManyTries(waitMs);
    const row = rowOf(profile, email);
    const hash = row === undefined || row.password_hash === "" ? undefined : row.password_hash;
    if (!isPassword(password, hash) || row === undefined) {
      tries.fail(key);
      throw new PlatformError(401, "Invalid credentials");
    }
    tries.clear(key);
    if (records.get(row.id)?.["active"] !== true) throw new PlatformError(401, "The user is not active");
    return row;
  };

  const checkOwn = (id: string, credentials: Credentials): FactorHolder => {
    const row = needRow(id);
    if (fold(credentials.email.trim()) !== row.email) throw new PlatformError(401, "Invalid credentials");
    return holderOf(checkPassword(row.profile, credentials));
  };

  const setPassword = (id: string, password: string): void => {
    const row = needRow(id);
    tries.clear(`${row.profile} ${row.email}`);
    db.run("UPDATE run_user_login SET password_hash = ? WHERE id = ?", hashPassword(password), id);
  };

  return {
    setPassword,
    create: (profile, { password, ...user }) => {
      if (rowOf(profile, user.email) !== undefined) {
        throw new PlatformError(400, "Error on Body parameters", { email: ["This e-mail is already in use"] });
      }
      const document = records.insert(profile, { tags: [], otp: {}, last_login: null, ...user });
      db.run(
        "INSERT INTO run_user_login (id, profile, email, password_hash, otp, pin) VALUES (?, ?, ?, ?, '{}', NULL)",
        document.id,
        profile,
        fold(user.email.trim()),
        password === undefined ? "" : hashPassword(password),
      );
      return document;
    },
    edit: (id, { password, ...changes }) => {
      if (typeof password === "string") setPassword(id, password);
      return records.update(id, changes);
    },
    remove: (id) => {
      db.run("DELETE FROM run_user_item WHERE run_user = ?", id);
      db.run("DELETE FROM run_user_login WHERE id = ?", id);
      db.run("DELETE FROM entity WHERE kind = 'run_notification' AND parent = ?", id);
      db.run("DELETE FROM token WHERE ref_id = ?", id);
      records.remove(id);
    },
    byEmail: (profile, email) => {
      const row = rowOf(profile, email);
      return row === undefined ? undefined : records.get(row.id);
    },
    verify: (profile, credentials) => {
      const row = checkPassword(profile, credentials);
      secondFactor.check(holderOf(row), credentials, "login");
      records.touch(row.id, { last_login: new Date(clock.now()).toISOString() });
      return records.need(row.id, profile);
    },
    sendPin: (profile, credentials, type) => secondFactor.send(holderOf(checkPassword(profile, credentials)), type),
    enableOtp: (id, credentials, type) => secondFactor.enable(checkOwn(id, credentials), type),
    confirmOtp: (id, type, code) => secondFactor.confirm(holderOf(needRow(id)), type, code),
    disableOtp: (id, credentials, type) => secondFactor.disable(checkOwn(id, credentials), type),
    item: (id, key) =>
      db.get<{ value: string }>("SELECT value FROM run_user_item WHERE run_user = ? AND key = ?", id, key)?.value ??
      null,
    setItem: (id, key, value) => {
      db.run(
        `INSERT INTO run_user_item (run_user, key, value) VALUES (?, ?, ?)
         ON CONFLICT (run_user, key) DO UPDATE SET value = excluded.value`,
        id,
        key,
        value,
      );
      const held = db.get<{ n: number }>("SELECT count(*) AS n FROM run_user_item WHERE run_user = ?", id)?.n ?? 0;
      if (held <= MAX_ITEMS) return;
      throw new PlatformError(400, `At most ${MAX_ITEMS} values can be stored for a user`).assumed(
        portalGaps.storedValues,
      );
    },
    removeItem: (id, key) => {
      db.run("DELETE FROM run_user_item WHERE run_user = ? AND key = ?", id, key);
    },
  };
}
