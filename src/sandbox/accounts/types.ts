/** A second factor: authenticator secrets are base32 text. */
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
  /** Default true; false until a mail is answered. */
  readonly active?: boolean;
  readonly otp?: { readonly authenticator?: string; readonly sms?: boolean; readonly email?: boolean };
  readonly createdAt?: string;
}
