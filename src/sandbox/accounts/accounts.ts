import { isRecord } from "../../lib/core/json.ts";
import type { Clock } from "../core/clock.ts";
import type { IdSource } from "../core/ids.ts";
import { invalidBody, PlatformError } from "../core/platform-error.ts";
import { fold } from "../store/list-query.ts";
import type { Outbox } from "../store/outbox.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { LoginAttempts, tooManyTries } from "./login-attempts.ts";
import { hashPassword, isPassword } from "./passwords.ts";
import { Profiles } from "./profiles.ts";
import { refusalGaps } from "./refusal-gaps.ts";
import { type Codes, type FactorHolder, type Otp, type OtpType, otpFlags, SecondFactor } from "./second-factor.ts";
import type { NewAccount } from "./types.ts";

export type { ProfileDocument } from "./profiles.ts";

/** Credentials of a caller. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly otp_type?: string | undefined;
  readonly pin_code?: string | undefined;
}

export interface AccountDocument {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly company: string;
  readonly phone: string | null;
  readonly plan: string;
  readonly active: boolean;
  readonly [key: string]: unknown;
}

interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly password_hash: string;
  readonly otp: string;
  readonly pin: string | null;
  readonly doc: string;
}

/** Wrong passwords before an account is locked; the lock ends this long after the first of them. */
const MOST_TRIES = 10;
const TRIES_WINDOW_MS = 10 * 60_000;

const emailInUse = (): PlatformError => invalidBody({ email: ["This e-mail is already in use"] });

const wrongLogin = (): PlatformError => new PlatformError(401, "Invalid credentials").assumed(refusalGaps.wrongLogin);

const members = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

function newDocument(account: NewAccount, id: string, createdAt: string): AccountDocument {
  return {
    id,
    name: account.name,
    email: account.email,
    company: account.company ?? "",
    phone: account.phone ?? null,
    timezone: account.timezone ?? "UTC",
    language: account.language ?? "en-us",
    plan: account.plan ?? "scale",
    type: "user",
    active: account.active ?? true,
    blocked: false,
    newsletter: account.newsletter ?? false,
    send_invoice: false,
    stripe_id: null,
    options: {
      user_view_welcome: false,
      decimal_separator: ".",
      thousand_separator: ",",
      date_format: "YYYY-MM-DD",
      time_format: "24",
      last_whats_new: null,
    },
    last_login: null,
    created_at: createdAt,
    updated_at: createdAt,
  };
}

// Only this file writes the JSON columns of accounts.
function otpOf(row: AccountRow): Otp {
  return JSON.parse(row.otp) as Otp;
}

function documentOf(row: AccountRow): AccountDocument {
  return JSON.parse(row.doc) as AccountDocument;
}

/** Accounts, their logins, two-factor authentication and profiles. */
export class Accounts extends Profiles {
  readonly #db: SandboxDatabase;
  readonly #clock: Clock;
  readonly #ids: IdSource;
  readonly #tries: LoginAttempts;
  readonly #secondFactor: SecondFactor;

  constructor(db: SandboxDatabase, clock: Clock, ids: IdSource, outbox: Outbox) {
    super(db, clock, ids);
    this.#db = db;
    this.#clock = clock;
    this.#ids = ids;
    this.#tries = new LoginAttempts(clock, MOST_TRIES, TRIES_WINDOW_MS);
    this.#secondFactor = new SecondFactor({
      clock,
      outbox,
      saveOtp: (id, otp) => {
        db.run("UPDATE account SET otp = ? WHERE id = ?", JSON.stringify(otp), id);
      },
      saveCodes: (id, codes) => {
        db.run("UPDATE account SET pin = ? WHERE id = ?", JSON.stringify(codes), id);
      },
    });
  }

  create(account: NewAccount): { readonly id: string } {
    const createdAt = account.createdAt ?? this.#nowText();
    const id = account.id ?? this.#ids.id(account.createdAt === undefined ? undefined : Date.parse(createdAt));
    if (this.#rowOf(account.email) !== undefined) throw emailInUse();
    this.#db.run(
      "INSERT INTO account (id, email, password_hash, otp, pin, doc) VALUES (?, ?, ?, ?, NULL, ?)",
      id,
      fold(account.email.trim()),
      hashPassword(account.password),
      JSON.stringify(account.otp ?? {}),
      JSON.stringify(newDocument(account, id, createdAt)),
    );
    return { id };
  }

  get(id: string): AccountDocument | undefined {
    const row = this.#db.get<AccountRow>("SELECT * FROM account WHERE id = ?", id);
    return row === undefined ? undefined : this.#toDocument(row);
  }

  byEmail(email: string): AccountDocument | undefined {
    const row = this.#rowOf(email);
    return row === undefined ? undefined : this.#toDocument(row);
  }

  /** Replaces the fields sent; `options` is merged. */
  edit(id: string, changes: Readonly<Record<string, unknown>>): AccountDocument {
    const row = this.#needRow(id);
    const before = documentOf(row);
    const email = typeof changes["email"] === "string" ? changes["email"].trim() : before.email;
    const holder = this.#rowOf(email);
    if (holder !== undefined && holder.id !== id) throw emailInUse();
    const options = { ...members(before["options"]), ...members(changes["options"]) };
    const next = { ...before, ...changes, email, options, id, updated_at: this.#nowText() };
    this.#db.run("UPDATE account SET email = ?, doc = ? WHERE id = ?", fold(email), JSON.stringify(next), id);
    return this.#toDocument(this.#needRow(id));
  }

  setPassword(id: string, password: string): void {
    this.#tries.clear(this.#needRow(id).email);
    this.#db.run("UPDATE account SET password_hash = ? WHERE id = ?", hashPassword(password), id);
  }

  /** Removes the account; its profiles are removed before. */
  remove(id: string): void {
    this.#db.run("DELETE FROM account_setting WHERE owner = ?", id);
    this.#db.run("DELETE FROM payment WHERE account = ?", id);
    this.#db.run("DELETE FROM profile_share WHERE account = ?", id);
    this.#db.run("DELETE FROM account WHERE id = ?", id);
  }

  /**
   * Checks password and one-time code; rejects with the errors of the platform. A code works once for each `purpose`:
   * the token that follows a login can be created with the code of the login.
   */
  verify(credentials: Credentials, purpose = "login"): AccountDocument {
    const row = this.#checkPassword(credentials);
    this.#secondFactor.check(this.#holderOf(row), credentials, purpose);
    this.#db.run("UPDATE account SET doc = json_set(doc, '$.last_login', ?) WHERE id = ?", this.#nowText(), row.id);
    return this.#toDocument(this.#needRow(row.id));
  }

  /** Like `verify` for a known account, without counting as a login. */
  verifyAccount(id: string, credentials: Omit<Credentials, "email">, purpose: string): void {
    const row = this.#checkPassword({ email: this.#needRow(id).email, password: credentials.password });
    this.#secondFactor.check(this.#holderOf(row), credentials, purpose);
  }

  /** Sends a one-time code to the outbox. */
  sendPin(credentials: Credentials, type: OtpType): void {
    const row = this.#checkPassword(credentials);
    this.#secondFactor.send(this.#holderOf(row), type);
  }

  /** Starts to enable two-factor authentication, with email and password of the account itself. */
  enableOtp(id: string, credentials: Credentials, type: OtpType): string {
    return this.#secondFactor.enable(this.#checkOwn(id, credentials), type);
  }

  confirmOtp(id: string, type: OtpType, code: string): void {
    this.#secondFactor.confirm(this.#holderOf(this.#needRow(id)), type, code);
  }

  disableOtp(id: string, credentials: Credentials, type: OtpType): void {
    this.#secondFactor.disable(this.#checkOwn(id, credentials), type);
  }

  #nowText(): string {
    return new Date(this.#clock.now()).toISOString();
  }

  #toDocument(row: AccountRow): AccountDocument {
    return { ...documentOf(row), otp: otpFlags(otpOf(row)) };
  }

  #rowOf(email: string): AccountRow | undefined {
    return this.#db.get<AccountRow>("SELECT * FROM account WHERE email = ?", fold(email.trim()));
  }

  #needRow(id: string): AccountRow {
    const row = this.#db.get<AccountRow>("SELECT * FROM account WHERE id = ?", id);
    if (row === undefined) throw new PlatformError(404, "Account Not Found");
    return row;
  }

  #holderOf(row: AccountRow): FactorHolder {
    const { email, phone } = documentOf(row);
    return {
      id: row.id,
      email,
      phone,
      otp: otpOf(row),
      codes: row.pin === null ? {} : (JSON.parse(row.pin) as Codes),
    };
  }

  #checkPassword({ email, password }: Pick<Credentials, "email" | "password">): AccountRow {
    const key = fold(email.trim());
    const waitMs = this.#tries.waitMs(key);
    if (waitMs > 0) throw tooManyTries(waitMs);
    const row = this.#rowOf(email);
    if (!isPassword(password, row?.password_hash) || row === undefined) {
      this.#tries.fail(key);
      throw wrongLogin();
    }
    this.#tries.clear(key);
    if (documentOf(row).active === false) throw new PlatformError(401, "The account is not confirmed yet");
    return row;
  }

  /** Email and password must be those of the account itself. */
  #checkOwn(id: string, credentials: Credentials): FactorHolder {
    const row = this.#needRow(id);
    if (fold(credentials.email.trim()) !== row.email) throw wrongLogin();
    return this.#holderOf(this.#checkPassword(credentials));
  }
}
