/** A method of two-factor authentication: authenticator secrets are base32. */
export interface NewAccount {
  readonly id?: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly company?: string;
  readonly phone?: string | null;
  readonly timezone?: string;
  readonly language?: string;
  readonly plan?: "free" | "starter" | "scale";
  readonly newsletter?: boolean;
  /** Default true; false until the email address is confirmed. */
  readonly active?: boolean;
  readonly otp?: { readonly authenticator?: string; readonly sms?: boolean; readonly email?: boolean };
  readonly createdAt?: string;
}
