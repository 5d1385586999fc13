import { isDeepStrictEqual } from "node:util";
import type { Credentials } from "../accounts/accounts.ts";
import { LoginAttempts, tooManyTries } from "../accounts/login-attempts.ts";
import { hashPassword, isPassword } from "../accounts/passwords.ts";
import {
  type Codes,
  type FactorHolder,
  type Otp,
  type OtpType,
  otpFlags,
  SecondFactor,
} from "../accounts/second-factor.ts";
import type { Clock } from "../core/clock.ts";
import { invalidBody, PlatformError } from "../core/platform-error.ts";
import type { Collection, EntityDocument } from "../store/document.ts";
import { fold } from "../store/list-query.ts";
import type { Outbox } from "../store/outbox.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { portalGaps } from "./gaps.ts";

interface NewRunUser {
  readonly id?: string;
  readonly name: string;
  readonly email: string;
  /** Absent for an anonymous user, who cannot log in. */
  readonly password?: string;
  readonly active: boolean;
  readonly [member: string]: unknown;
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

/** Wrong passwords before a user is locked out; the lock ends this long after the first of them. */
const MOST_TRIES = 10;
const TRIES_WINDOW_MS = 10 * 60_000;
/** Most small values per user. */
const MAX_ITEMS = 1_000;

/** Users of all portals. */
export class RunUsers {
  readonly #db: SandboxDatabase;
  readonly #clock: Clock;
  readonly #records: Collection;
  readonly #tries: LoginAttempts;
  readonly #secondFactor: SecondFactor;

  constructor({ db, clock, outbox, records }: RunUserParts) {
    this.#db = db;
    this.#clock = clock;
    this.#records = records;
    this.#tries = new LoginAttempts(clock, MOST_TRIES, TRIES_WINDOW_MS);
    this.#secondFactor = new SecondFactor({
      clock,
      outbox,
      saveOtp: (id, otp) => {
        db.run("UPDATE run_user_login SET otp = ? WHERE id = ?", JSON.stringify(otp), id);
        const flags = otpFlags(otp);
        // A two-factor method that waits for its code changes nothing others can see.
        if (!isDeepStrictEqual(records.get(id)?.["otp"], flags)) records.update(id, { otp: flags });
      },
      saveCodes: (id, codes) => {
        db.run("UPDATE run_user_login SET pin = ? WHERE id = ?", JSON.stringify(codes), id);
      },
    });
  }

  setPassword(id: string, password: string): void {
    const row = this.#needRow(id);
    this.#tries.clear(`${row.profile} ${row.email}`);
    this.#db.run("UPDATE run_user_login SET password_hash = ? WHERE id = ?", hashPassword(password), id);
  }

  create(profile: string, { password, ...user }: NewRunUser): EntityDocument {
    if (this.#rowOf(profile, user.email) !== undefined) {
      throw invalidBody({ email: ["This e-mail is already in use"] });
    }
    const document = this.#records.insert(profile, { tags: [], otp: {}, last_login: null, ...user });
    this.#db.run(
      "INSERT INTO run_user_login (id, profile, email, password_hash, otp, pin) VALUES (?, ?, ?, ?, '{}', NULL)",
      document.id,
      profile,
      fold(user.email.trim()),
      password === undefined ? "" : hashPassword(password),
    );
    return document;
  }

  /** Replaces the fields sent; `password` sets a new one. */
  edit(id: string, { password, ...changes }: Readonly<Record<string, unknown>>): EntityDocument {
    if (typeof password === "string") this.setPassword(id, password);
    return this.#records.update(id, changes);
  }

  remove(id: string): void {
    this.#db.run("DELETE FROM run_user_item WHERE run_user = ?", id);
    this.#db.run("DELETE FROM run_user_login WHERE id = ?", id);
    this.#db.run("DELETE FROM entity WHERE kind = 'run_notification' AND parent = ?", id);
    this.#db.run("DELETE FROM token WHERE ref_id = ?", id);
    this.#records.remove(id);
  }

  byEmail(profile: string, email: string): EntityDocument | undefined {
    const row = this.#rowOf(profile, email);
    return row === undefined ? undefined : this.#records.get(row.id);
  }

  /** Checks password and one-time code, like `Accounts.verify`. */
  verify(profile: string, credentials: Credentials): EntityDocument {
    const row = this.#checkPassword(profile, credentials);
    this.#secondFactor.check(this.#holderOf(row), credentials, "login");
    this.#records.touch(row.id, { last_login: new Date(this.#clock.now()).toISOString() });
    return this.#records.need(row.id, profile);
  }

  sendPin(profile: string, credentials: Credentials, type: OtpType): void {
    this.#secondFactor.send(this.#holderOf(this.#checkPassword(profile, credentials)), type);
  }

  enableOtp(id: string, credentials: Credentials, type: OtpType): string {
    return this.#secondFactor.enable(this.#checkOwn(id, credentials), type);
  }

  confirmOtp(id: string, type: OtpType, code: string): void {
    this.#secondFactor.confirm(this.#holderOf(this.#needRow(id)), type, code);
  }

  disableOtp(id: string, credentials: Credentials, type: OtpType): void {
    this.#secondFactor.disable(this.#checkOwn(id, credentials), type);
  }

  item(id: string, key: string): string | null {
    return (
      this.#db.get<{ value: string }>("SELECT value FROM run_user_item WHERE run_user = ? AND key = ?", id, key)
        ?.value ?? null
    );
  }

  setItem(id: string, key: string, value: string): void {
    this.#db.run(
      `INSERT INTO run_user_item (run_user, key, value) VALUES (?, ?, ?)
         ON CONFLICT (run_user, key) DO UPDATE SET value = excluded.value`,
      id,
      key,
      value,
    );
    const held = this.#db.get<{ n: number }>("SELECT count(*) AS n FROM run_user_item WHERE run_user = ?", id)?.n ?? 0;
    if (held <= MAX_ITEMS) return;
    throw new PlatformError(400, `At most ${MAX_ITEMS} values can be stored for a user`).assumed(
      portalGaps.storedValues,
    );
  }

  removeItem(id: string, key: string): void {
    this.#db.run("DELETE FROM run_user_item WHERE run_user = ? AND key = ?", id, key);
  }

  #rowOf(profile: string, email: string): LoginRow | undefined {
    return this.#db.get<LoginRow>(
      "SELECT * FROM run_user_login WHERE profile = ? AND email = ?",
      profile,
      fold(email.trim()),
    );
  }

  #needRow(id: string): LoginRow {
    const row = this.#db.get<LoginRow>("SELECT * FROM run_user_login WHERE id = ?", id);
    if (row === undefined) throw new PlatformError(404, "User Not Found");
    return row;
  }

  #holderOf(row: LoginRow): FactorHolder {
    const phone = this.#records.get(row.id)?.["phone"];
    // Only this file writes the JSON columns.
    const codes = row.pin === null ? {} : (JSON.parse(row.pin) as Codes);
    return {
      id: row.id,
      email: row.email,
      phone: typeof phone === "string" ? phone : null,
      otp: JSON.parse(row.otp) as Otp,
      codes,
    };
  }

  #checkPassword(profile: string, { email, password }: Pick<Credentials, "email" | "password">): LoginRow {
    const key = `${profile} ${fold(email.trim())}`;
    const waitMs = this.#tries.waitMs(key);
    if (waitMs > 0) throw tooManyTries(waitMs);
    const row = this.#rowOf(profile, email);
    const hash = row === undefined || row.password_hash === "" ? undefined : row.password_hash;
    if (!isPassword(password, hash) || row === undefined) {
      this.#tries.fail(key);
      throw new PlatformError(401, "Invalid credentials");
    }
    this.#tries.clear(key);
    if (this.#records.get(row.id)?.["active"] !== true) throw new PlatformError(401, "The user is not active");
    return row;
  }

  #checkOwn(id: string, credentials: Credentials): FactorHolder {
    const row = this.#needRow(id);
    if (fold(credentials.email.trim()) !== row.email) throw new PlatformError(401, "Invalid credentials");
    return this.#holderOf(this.#checkPassword(row.profile, credentials));
  }
}
