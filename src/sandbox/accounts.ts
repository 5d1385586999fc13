import { randomBytes, scryptSync } from "node:crypto";
import { fold } from "./list-query.ts";
import { isAuthenticatorCode, newPin, sameText } from "./one-time-code.ts";
import {
  type AccountStore,
  type Clock,
  type IdSource,
  type NewAccount,
  type Outbox,
  PlatformError,
  type SandboxDatabase,
} from "./types.ts";

/** Kinds of second factor. */
export type OtpType = "authenticator" | "sms" | "email";

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
  readonly [key: string]: unknown;
}

export interface ProfileDocument {
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly logo_url: string | null;
  readonly banner_url: string | null;
  readonly region: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface ProfileListItem {
  readonly id: string;
  readonly name: string;
  readonly logo_url: string | null;
  readonly account: string;
  readonly from_share?: boolean;
}

/** Accounts and profiles as the handlers see them. */
export interface Accounts extends AccountStore {
  get(id: string): AccountDocument | undefined;
  /** Checks password and second factor; refuses with the errors of SERVER.md section 5. */
  verify(credentials: Credentials): AccountDocument;
  /** Sends a one-time code to the outbox. */
  sendPin(credentials: Credentials, type: OtpType): void;
  profiles(accountId: string): ProfileListItem[];
  profile(id: string): ProfileDocument | undefined;
  /** From now on these accounts cannot log in: their passwords are printed in documents. */
  refuse(emails: readonly string[]): void;
}

interface AccountRow {
  readonly id: string;
  readonly password_hash: string;
  readonly otp: string;
  readonly pin: string | null;
  readonly doc: string;
}

interface Otp {
  readonly authenticator?: string;
  readonly sms?: boolean;
  readonly email?: boolean;
}

interface Pin {
  readonly type: string;
  readonly code: string;
  readonly expiresAt: number;
}

/** Time a mailed or texted code stays valid. */
const PIN_LIFETIME_MS = 10 * 60_000;
/** Cheap on purpose: these are demo passwords on a local machine, still never stored in the clear. */
const SCRYPT = { N: 1024, r: 8, p: 1 } as const;

function hashPassword(password: string, salt = randomBytes(16).toString("hex")): string {
  return `${salt}:${scryptSync(password, salt, 32, SCRYPT).toString("hex")}`;
}

function isPassword(password: string, hash: string): boolean {
  const [salt = ""] = hash.split(":");
  return sameText(hashPassword(password, salt), hash);
}

const OTP_TYPES: readonly OtpType[] = ["authenticator", "sms", "email"];

const enabledTypes = (otp: Otp): readonly OtpType[] =>
  OTP_TYPES.filter((type) => otp[type] !== undefined && otp[type] !== false);

/** Missing pin: the client reads this text as JSON. */
const otpRequired = (type: OtpType): PlatformError =>
  new PlatformError(401, JSON.stringify({ otp_enabled: true, otp_autosend: type }));

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
    active: true,
    blocked: false,
    developer: false,
    newsletter: false,
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

  // Only this file writes the JSON columns of accounts and profiles.
  const otpOf = (row: AccountRow): Otp => JSON.parse(row.otp) as Otp;
  const toDocument = (row: AccountRow): AccountDocument => {
    const flags = Object.fromEntries(enabledTypes(otpOf(row)).map((type) => [type, true]));
    return { ...(JSON.parse(row.doc) as AccountDocument), otp: flags };
  };
  const rowOf = (email: string): AccountRow | undefined =>
    db.get<AccountRow>("SELECT * FROM account WHERE email = ?", fold(email.trim()));

  const refused = new Set<string>();

  const checkPassword = (credentials: Credentials): AccountRow => {
    const row = rowOf(credentials.email);
    if (row === undefined || !isPassword(credentials.password, row.password_hash)) {
      throw new PlatformError(401, "Invalid credentials");
    }
    if (refused.has(fold(credentials.email.trim()))) {
      throw new PlatformError(401, "The demo accounts are not served on an address that other machines reach");
    }
    return row;
  };

  const isPin = (row: AccountRow, otp: Otp, type: OtpType, code: string): boolean => {
    const nowMs = clock.now();
    if (type === "authenticator") return isAuthenticatorCode(otp.authenticator ?? "", code, nowMs);
    if (row.pin === null) return false;
    const pin = JSON.parse(row.pin) as Pin;
    return pin.type === type && pin.expiresAt > nowMs && sameText(pin.code, code);
  };

  const checkSecondFactor = (row: AccountRow, credentials: Credentials): void => {
    const otp = otpOf(row);
    const types = enabledTypes(otp);
    const [first] = types;
    if (first === undefined) return;
    const type = types.find((each) => each === credentials.otp_type) ?? first;
    const code = credentials.pin_code ?? "";
    if (code === "") throw otpRequired(type);
    if (!isPin(row, otp, type, code)) throw new PlatformError(401, "Invalid pin code");
    // A code that was sent works once.
    if (type !== "authenticator") db.run("UPDATE account SET pin = NULL WHERE id = ?", row.id);
  };

  const toListItem = (text: string): ProfileListItem => {
    const { id, name, logo_url, account } = JSON.parse(text) as ProfileDocument;
    return { id, name, logo_url, account };
  };

  return {
    create: (account) => {
      const createdAt = account.createdAt ?? nowText();
      const id = account.id ?? ids.id(Date.parse(createdAt));
      if (rowOf(account.email) !== undefined) {
        throw new PlatformError(400, "Error on Body parameters", { email: ["This e-mail is already in use"] });
      }
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
    createProfile: (profile) => {
      const createdAt = profile.createdAt ?? nowText();
      const document: ProfileDocument = {
        id: profile.id ?? ids.id(Date.parse(createdAt)),
        account: profile.account,
        name: profile.name,
        logo_url: profile.logoUrl ?? null,
        banner_url: null,
        region: "us-1",
        created_at: createdAt,
        updated_at: createdAt,
      };
      db.run(
        "INSERT INTO profile (id, account, doc) VALUES (?, ?, ?)",
        document.id,
        document.account,
        JSON.stringify(document),
      );
      return document.id;
    },
    share: (profileId, accountId) => {
      db.run("INSERT OR IGNORE INTO profile_share (profile, account) VALUES (?, ?)", profileId, accountId);
    },
    get: (id) => {
      const row = db.get<AccountRow>("SELECT * FROM account WHERE id = ?", id);
      return row === undefined ? undefined : toDocument(row);
    },
    refuse: (emails) => {
      for (const email of emails) refused.add(fold(email));
    },
    verify: (credentials) => {
      const row = checkPassword(credentials);
      checkSecondFactor(row, credentials);
      db.run("UPDATE account SET doc = json_set(doc, '$.last_login', ?) WHERE id = ?", nowText(), row.id);
      return toDocument(row);
    },
    sendPin: (credentials, type) => {
      const row = checkPassword(credentials);
      if (!enabledTypes(otpOf(row)).includes(type) || type === "authenticator") {
        throw new PlatformError(400, "Error on Body parameters", { otp_type: ["This second factor is not enabled"] });
      }
      const document = toDocument(row);
      const code = newPin();
      const pin: Pin = { type, code, expiresAt: clock.now() + PIN_LIFETIME_MS };
      db.run("UPDATE account SET pin = ? WHERE id = ?", JSON.stringify(pin), row.id);
      const to = type === "email" ? document.email : document.phone;
      outbox.add(type, { to, subject: "Your PIN code", message: `Your PIN code is ${code}`, pin_code: code });
    },
    profiles: (accountId) => {
      const own = db.all<{ doc: string }>("SELECT doc FROM profile WHERE account = ? ORDER BY id", accountId);
      const shared = db.all<{ doc: string }>(
        "SELECT p.doc AS doc FROM profile_share s JOIN profile p ON p.id = s.profile WHERE s.account = ? ORDER BY p.id",
        accountId,
      );
      return [
        ...own.map((row) => toListItem(row.doc)),
        ...shared.map((row) => ({ ...toListItem(row.doc), from_share: true })),
      ];
    },
    profile: (id) => {
      const row = db.get<{ doc: string }>("SELECT doc FROM profile WHERE id = ?", id);
      return row === undefined ? undefined : (JSON.parse(row.doc) as ProfileDocument);
    },
  };
}
