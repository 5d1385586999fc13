import { randomBytes } from "node:crypto";
import type { Clock } from "../core/clock.ts";
import type { Gap } from "../core/gap.ts";
import { authenticatorStep, base32Text, newPin, sameText } from "../core/one-time-code.ts";
import { invalidBody, PlatformError } from "../core/platform-error.ts";
import type { Outbox } from "../store/outbox.ts";
import { LoginAttempts } from "./login-attempts.ts";
import { refusalGaps } from "./refusal-gaps.ts";

/** Methods of two-factor authentication. */
export type OtpType = "authenticator" | "sms" | "email";

/** The methods of an account or portal user; those in `pending` wait for their first code. */
export interface Otp {
  /** Secret, base32. */
  readonly authenticator?: string;
  readonly sms?: boolean;
  readonly email?: boolean;
  readonly pending?: { readonly authenticator?: string; readonly sms?: boolean; readonly email?: boolean };
}

/** Codes that were sent, and codes that were used. */
export interface Codes {
  readonly sent?: {
    readonly type: OtpType;
    readonly code: string;
    readonly expiresAt: number;
    /** Purpose it was used for: a login and the token that follows it can share a code. */
    readonly used: readonly string[];
  };
  /** Step of the last authenticator code, by purpose. */
  readonly steps?: Readonly<Record<string, number>>;
}

/** The account or user the methods belong to, as stored. */
export interface FactorHolder {
  readonly id: string;
  readonly email: string;
  readonly phone: string | null;
  readonly otp: Otp;
  readonly codes: Codes;
}

export interface FactorParts {
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly saveOtp: (id: string, otp: Otp) => void;
  readonly saveCodes: (id: string, codes: Codes) => void;
}

/** The one-time code of a caller. */
interface ShownCode {
  readonly otp_type?: string | undefined;
  readonly pin_code?: string | undefined;
}

/** Time an emailed or texted code stays valid. */
const CODE_LIFETIME_MS = 10 * 60_000;
/** Wrong codes before every code is rejected, until a new one is sent or the time of one is over. */
const MOST_TRIES = 5;
const SECRET_BYTES = 20;

const OTP_TYPES: readonly OtpType[] = ["authenticator", "sms", "email"];

/** The enabled methods, in order of preference. */
const enabledTypes = (otp: Otp): readonly OtpType[] =>
  OTP_TYPES.filter((type) => otp[type] !== undefined && otp[type] !== false);

/** The format that accounts and users show. */
export const otpFlags = (otp: Otp): Record<string, true> =>
  Object.fromEntries(enabledTypes(otp).map((type) => [type, true]));

/** The method in a path. */
export function requireOtpType(text: string): OtpType {
  const type = OTP_TYPES.find((each) => each === text);
  if (type === undefined) throw new PlatformError(400, "Invalid OTP type");
  return type;
}

const invalidCode = (gap: Gap): PlatformError => new PlatformError(401, "Invalid pin code").assumed(gap);

const notEnabled = (): PlatformError => invalidBody({ otp_type: ["This second factor is not enabled"] });

function keyOf(holder: FactorHolder, type: OtpType): string {
  return `${holder.id} ${type}`;
}

/** Two-factor authentication of accounts and portal users: authenticator, email and SMS. */
export class SecondFactor {
  readonly #clock: Clock;
  readonly #outbox: Outbox;
  readonly #saveOtp: (id: string, otp: Otp) => void;
  readonly #saveCodes: (id: string, codes: Codes) => void;
  readonly #tries: LoginAttempts;

  constructor({ clock, outbox, saveOtp, saveCodes }: FactorParts) {
    this.#clock = clock;
    this.#outbox = outbox;
    this.#saveOtp = saveOtp;
    this.#saveCodes = saveCodes;
    this.#tries = new LoginAttempts(clock, MOST_TRIES, CODE_LIFETIME_MS);
  }

  /**
   * Rejects a missing or invalid code, unless the account has no method enabled. A code works once for each `purpose`.
   */
  check(holder: FactorHolder, shown: ShownCode, purpose: string): void {
    const types = enabledTypes(holder.otp);
    const type = types.find((each) => each === shown.otp_type) ?? types[0];
    if (type === undefined) return;
    const code = shown.pin_code ?? "";
    if (code === "") throw this.#required(holder, type);
    this.#spend(holder, holder.otp.authenticator, code, type, purpose);
  }

  /** Sends a code for an enabled method. */
  send(holder: FactorHolder, type: OtpType): void {
    if (type === "authenticator" || !enabledTypes(holder.otp).includes(type)) throw notEnabled();
    this.#deliver(holder, type);
  }

  /** Starts to enable a method; returns the link for an authenticator, or that a code was sent. */
  enable(holder: FactorHolder, type: OtpType): string {
    const { otp } = holder;
    if (type !== "authenticator") {
      this.#deliver(holder, type);
      this.#saveOtp(holder.id, { ...otp, pending: { ...otp.pending, [type]: true } });
      return "PIN code sent";
    }
    const secret = base32Text(randomBytes(SECRET_BYTES));
    this.#saveOtp(holder.id, { ...otp, pending: { ...otp.pending, authenticator: secret } });
    return `otpauth://totp/Sandbox:${encodeURIComponent(holder.email)}?secret=${secret}&issuer=Sandbox`;
  }

  /** Completes what `enable` started. */
  confirm(holder: FactorHolder, type: OtpType, code: string): void {
    const { pending = {}, ...inUse } = holder.otp;
    const { [type]: waiting, ...others } = pending;
    if (waiting === undefined) throw notEnabled();
    this.#spend(holder, pending.authenticator, code, type, "confirm");
    this.#saveOtp(holder.id, { ...inUse, [type]: waiting, pending: others });
  }

  disable(holder: FactorHolder, type: OtpType): void {
    const { [type]: current, pending = {}, ...rest } = holder.otp;
    if (current === undefined) throw notEnabled();
    const { [type]: _, ...others } = pending;
    this.#saveOtp(holder.id, { ...rest, pending: others });
  }

  #deliver(holder: FactorHolder, type: "sms" | "email"): void {
    const to = type === "email" ? holder.email : holder.phone;
    if (to === null || to === "") {
      throw invalidBody({ phone: ["There is no phone number to send to"] });
    }
    const code = newPin();
    this.#tries.clear(keyOf(holder, type));
    this.#saveCodes(holder.id, {
      ...holder.codes,
      sent: { type, code, expiresAt: this.#clock.now() + CODE_LIFETIME_MS, used: [] },
    });
    this.#outbox.add(type, { to, subject: "Your PIN code", message: `Your PIN code is ${code}`, pin_code: code });
  }

  /** The codes after this one was used; `undefined` when it is wrong. */
  #used(
    holder: FactorHolder,
    secret: string | undefined,
    shown: string,
    type: OtpType,
    purpose: string,
  ):
    | {
        steps: { [x: string]: number };
        sent?: {
          readonly type: OtpType;
          readonly code: string;
          readonly expiresAt: number;
          readonly used: readonly string[];
        };
      }
    | {
        sent: { used: string[]; type: OtpType; code: string; expiresAt: number };
        steps?: Readonly<Record<string, number>>;
      }
    | undefined {
    const { codes } = holder;
    if (type === "authenticator") {
      const step = secret === undefined ? undefined : authenticatorStep(secret, shown, this.#clock.now());
      if (step === undefined || step <= (codes.steps?.[purpose] ?? -1)) return undefined;
      return { ...codes, steps: { ...codes.steps, [purpose]: step } };
    }
    const { sent } = codes;
    const fits =
      sent !== undefined && sent.type === type && sent.expiresAt > this.#clock.now() && sameText(sent.code, shown);
    if (!fits || sent.used.includes(purpose)) return undefined;
    return { ...codes, sent: { ...sent, used: [...sent.used, purpose] } };
  }

  #spend(holder: FactorHolder, secret: string | undefined, shown: string, type: OtpType, purpose: string): void {
    const key = keyOf(holder, type);
    const isLocked = this.#tries.waitMs(key) > 0;
    const next = isLocked ? undefined : this.#used(holder, secret, shown, type, purpose);
    if (next === undefined) {
      this.#tries.fail(key);
      throw invalidCode(isLocked ? refusalGaps.codes : refusalGaps.wrongLogin);
    }
    this.#tries.clear(key);
    this.#saveCodes(holder.id, next);
  }

  /** Without a code: the error names the method and a code is sent. The client parses the message as JSON. */
  #required(holder: FactorHolder, type: OtpType): PlatformError {
    const error = new PlatformError(401, JSON.stringify({ otp_enabled: true, otp_autosend: type }));
    if (type === "authenticator") return error.assumed(refusalGaps.secondFactor);
    error.afterwards = () => this.#deliver(holder, type);
    return error.assumed(refusalGaps.codeSent);
  }
}
