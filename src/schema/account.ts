import { z } from "zod";
import { NAME_MAX_CHARS } from "../lib/core/limits.ts";
import type {
  AccountCreateInfo,
  AccountEditInfo,
  Credentials,
  LoginParams,
  ProfileTokenCreate,
  TokenCreateInfo,
} from "../lib/resources/index.ts";
import { id, type Nullish, otpType, pinCode } from "./common.ts";
import { tokenMembers } from "./device.ts";

const credentials = {
  email: z.string().min(1).max(320),
  password: z.string().min(1).max(1_000),
  otp_type: otpType.exactOptional(),
  pin_code: pinCode.exactOptional(),
};

/** Body of `POST /account/login`. */
export const accountLogin = z.object(credentials) satisfies z.ZodType<LoginParams>;

/** Body of `POST /account/login/otp`. */
export const accountPin = z.object({ ...credentials, otp_type: otpType }) satisfies z.ZodType<Credentials>;

/** Body of `POST /account/profile/token`. */
export const accountTokenCreate = z.object({
  ...credentials,
  profile_id: id,
  name: z.string().min(1).max(NAME_MAX_CHARS),
  expire_time: z.string().exactOptional(),
}) satisfies z.ZodType<TokenCreateInfo>;

/** Body of `POST /profile/:id/token`. Credentials are accepted; the sandbox does not require them. */
export const profileTokenCreate = z.object({
  ...tokenMembers,
  email: z.string().optional(),
  password: z.string().optional(),
  otp_type: otpType.optional(),
  pin_code: pinCode.optional(),
}) satisfies z.ZodType<Nullish<ProfileTokenCreate>>;

const name = z.string().min(1).max(NAME_MAX_CHARS);
const email = z
  .string()
  .trim()
  .min(3)
  .max(320)
  .regex(/^[^\s@]+@[^\s@]+$/, "Invalid e-mail");
const password = z.string().min(1).max(1_000);
const text = z.string().max(1_000);

/** An email address. */
export const emailAddress = email;

/** Body of `POST /account`. */
export const accountCreate = z
  .object({
    name,
    email,
    password,
    cpassword: z.string().exactOptional(),
    timezone: text.min(1),
    country: text.exactOptional(),
    company: text.exactOptional(),
    newsletter: z.boolean().exactOptional(),
    developer: z.boolean().exactOptional(),
  })
  .refine((body) => body.cpassword === undefined || body.cpassword === body.password, {
    message: "The passwords differ",
    path: ["cpassword"],
  }) satisfies z.ZodType<Omit<AccountCreateInfo, "cpassword">>;

const accountOptions = z.object({
  user_view_welcome: z.boolean().exactOptional(),
  decimal_separator: text.exactOptional(),
  thousand_separator: text.exactOptional(),
  date_format: text.exactOptional(),
  time_format: z.enum(["12", "24"]).exactOptional(),
  show_last_updated_at: text.exactOptional(),
  last_whats_new: text.nullable().exactOptional(),
});

/** Body of `PUT /account`, without the fields that only the server sets. */
export const accountEdit = z.object({
  name: name.exactOptional(),
  email: email.exactOptional(),
  timezone: text.exactOptional(),
  company: text.exactOptional(),
  newsletter: z.boolean().exactOptional(),
  language: text.exactOptional(),
  phone: text.nullable().exactOptional(),
  send_invoice: z.boolean().exactOptional(),
  options: accountOptions.exactOptional(),
}) satisfies z.ZodType<Omit<AccountEditInfo, "options">>;

/** Body of `POST /account/passwordreset`. */
export const passwordChange = z.object({ password }) satisfies z.ZodType<Pick<AccountCreateInfo, "password">>;

/** Body of `POST /account/otp/:type/enable` and `disable`. */
export const otpCredentials = z.object(credentials) satisfies z.ZodType<Credentials>;

/** Body of `POST /account/otp/:type/confirm`. */
export const otpConfirm = z.object({ pin_code: pinCode }) satisfies z.ZodType<Pick<LoginParams, "pin_code">>;
