import { isRecord } from "../../lib/core/json.ts";
import type { Clock } from "../core/clock.ts";
import type { IdSource } from "../core/ids.ts";
import { PlatformError } from "../core/platform-error.ts";
import { fold } from "../store/list-query.ts";
import type { Outbox } from "../store/outbox.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { createTries, tooManyTries } from "./login-attempts.ts";
import { hashPassword, isPassword } from "./passwords.ts";
import { createProfiles, type Profiles } from "./profiles.ts";
import { refusalGaps } from "./refusal-gaps.ts";
import {
  type Codes,
  createSecondFactor,
  type FactorHolder,
  type Otp,
  type OtpType,
  otpFlags,
} from "./second-factor.ts";
import type { AccountStore, NewAccount } from "./types.ts";

export type { ProfileDocument } from "./profiles.ts";

/** What a caller shows to prove who it is. */
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

/** Accounts and profiles as the handlers see them. */
export interface Accounts extends AccountStore, Profiles {
  get(id: string): AccountDocument | undefined;
  byEmail(email: string): AccountDocument | undefined;
  /**
   * Checks password and second factor; refuses with the errors of SERVER.md section 5. A code works once for each
   * `purpose`: the token that follows a login may be made with the code of the login.
   */
  verify(credentials: Credentials, purpose?: string): AccountDocument;
  /** As `verify` for an account that is known, without counting as a login. */
  verifyAccount(id: string, credentials: Omit<Credentials, "email">, purpose: string): void;
  /** Members sent replace; `options` is merged. */
  edit(id: string, changes: Readonly<Record<string, unknown>>): AccountDocument;
  setPassword(id: string, password: string): void;
  /** Takes the account away; its profiles go before. */
  remove(id: string): void;
  /** Sends a one-time code to the outbox. */
  sendPin(credentials: Credentials, type: OtpType): void;
  /** Begins a second factor, with e-mail and password of the account itself. */
  enableOtp(id: string, credentials: Credentials, type: OtpType): string;
  confirmOtp(id: string, type: OtpType, code: string): void;
  disableOtp(id: string, credentials: Credentials, type: OtpType): void;
}

interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly password_hash: string;
  readonly otp: string;
  readonly pin: string | null;
  readonly doc: string;
}

/** Wrong passwords after which an account is locked, until this long after the first of them. */
const MOST_TRIES = 10;
const TRIES_WINDOW_MS = 10 * 60_000;

const emailInUse = (): PlatformError =>
  new PlatformError(400, "Error on Body parameters", { email: ["This e-mail is already in use"] });

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

export function createAccounts(db: SandboxDatabase, clock: Clock, ids: IdSource, outbox: Outbox): Accounts {
  const nowText = (): string => new Date(clock.now()).toISOString();
  const tries = createTries(clock, MOST_TRIES, TRIES_WINDOW_MS);
  const secondFactor = createSecondFactor({
    clock,
    outbox,
    saveOtp: (id, otp) => {
      db.run("UPDATE account SET otp = ? WHERE id = ?", JSON.stringify(otp), id);
    },
    saveCodes: (id, codes) => {
      db.run("UPDATE account SET pin = ? WHERE id = ?", JSON.stringify(codes), id);
    },
  });

  // Only this file writes the JSON columns of accounts.
  const otpOf = (row: AccountRow): Otp => JSON.parse(row.otp) as Otp;
  const documentOf = (row: AccountRow): AccountDocument => JSON.parse(row.doc) as AccountDocument;
  const toDocument = (row: AccountRow): AccountDocument => ({ ...documentOf(row), otp: otpFlags(otpOf(row)) });
  const rowOf = (email: string): AccountRow | undefined =>
    db.get<AccountRow>("SELECT * FROM account WHERE email = ?", fold(email.trim()));
  const needRow = (id: string): AccountRow => {
    const row = db.get<AccountRow>("SELECT * FROM account WHERE id = ?", id);
    if (row === undefined) throw new PlatformError(404, "Account Not Found");
    return row;
  };
  const holderOf = (row: AccountRow): FactorHolder => {
    const { email, phone } = documentOf(row);
    return { id: row.id, email, phone, otp: otpOf(row), codes: row.pin === null ? {} : (JSON.parse(row.pin) as Codes) };
  };

  const checkPassword = ({ email, password }: Pick<Credentials, "email" | "password">): AccountRow => {
    const key = fold(email.trim());
    const waitMs = tries.waitMs(key);
    if (waitMs > 0) throw tooManyTries(waitMs);
    const row = rowOf(email);
    if (!isPassword(password, row?.password_hash) || row === undefined) {
      tries.fail(key);
      throw wrongLogin();
    }
    tries.clear(key);
    if (documentOf(row).active === false) throw new PlatformError(401, "The account is not confirmed yet");
    return row;
  };

  /** E-mail and password must be those of the account itself. */
  const checkOwn = (id: string, credentials: Credentials): FactorHolder => {
    const row = needRow(id);
    if (fold(credentials.email.trim()) !== row.email) throw wrongLogin();
    return holderOf(checkPassword(credentials));
  };

  return {
    ...createProfiles(db, clock, ids),
    create: (account) => {
      const createdAt = account.createdAt ?? nowText();
      const id = account.id ?? ids.id(account.createdAt === undefined ? undefined : Date.parse(createdAt));
      if (rowOf(account.email) !== undefined) throw emailInUse();
      db.run(
        "INSERT INTO account (id, email, password_hash, otp, pin, doc) VALUES (?, ?, ?, ?, NULL, ?)",
        id,
        fold(account.email.trim()),
        hashPassword(account.password),
        JSON.stringify(account.otp ?? {}),
        JSON.stringify(newDocument(account, id, createdAt)),
      );
      return { id };
    },
    get: (id) => {
      const row = db.get<AccountRow>("SELECT * FROM account WHERE id = ?", id);
      return row === undefined ? undefined : toDocument(row);
    },
    byEmail: (email) => {
      const row = rowOf(email);
      return row === undefined ? undefined : toDocument(row);
    },
    edit: (id, changes) => {
      const row = needRow(id);
      const before = documentOf(row);
      const email = typeof changes["email"] === "string" ? changes["email"].trim() : before.email;
      const holder = rowOf(email);
      if (holder !== undefined && holder.id !== id) throw emailInUse();
      const options = { ...members(before["options"]), ...members(changes["options"]) };
      const next = { ...before, ...changes, email, options, id, updated_at: nowText() };
      db.run("UPDATE account SET email = ?, doc = ? WHERE id = ?", fold(email), JSON.stringify(next), id);
      return toDocument(needRow(id));
    },
    setPassword: (id, password) => {
      tries.clear(needRow(id).email);
      db.run("UPDATE account SET password_hash = ? WHERE id = ?", hashPassword(password), id);
    },
    remove: (id) => {
      db.run("DELETE FROM account_setting WHERE owner = ?", id);
      db.run("DELETE FROM payment WHERE account = ?", id);
      db.run("DELETE FROM profile_share WHERE account = ?", id);
      db.run("DELETE FROM account WHERE id = ?", id);
    },
    verify: (credentials, purpose = "login") => {
      const row = checkPassword(credentials);
      secondFactor.check(holderOf(row), credentials, purpose);
      db.run("UPDATE account SET doc = json_set(doc, '$.last_login', ?) WHERE id = ?", nowText(), row.id);
      return toDocument(needRow(row.id));
    },
    verifyAccount: (id, credentials, purpose) => {
      const row = checkPassword({ email: needRow(id).email, password: credentials.password });
      secondFactor.check(holderOf(row), credentials, purpose);
    },
    sendPin: (credentials, type) => {
      const row = checkPassword(credentials);
      secondFactor.send(holderOf(row), type);
    },
    enableOtp: (id, credentials, type) => secondFactor.enable(checkOwn(id, credentials), type),
    confirmOtp: (id, type, code) => secondFactor.confirm(holderOf(needRow(id)), type, code),
    disableOtp: (id, credentials, type) => secondFactor.disable(checkOwn(id, credentials), type),
  };
}
