import { z } from "zod";
import type { LoginParams, TokenCreateInfo } from "../lib/resources/account.ts";
import { id, otpType, pinCode } from "./common.ts";
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
export const accountPin = z.object({ ...credentials, otp_type: otpType });

/** Body of `POST /account/profile/token`. */
export const accountTokenCreate = z.object({
  ...credentials,
  profile_id: id,
  name: z.string().min(1).max(100),
  expire_time: z.string().exactOptional(),
}) satisfies z.ZodType<TokenCreateInfo>;

/** Body of `POST /profile/:id/token`. Credentials may come along; they are not needed on the sandbox. */
export const profileTokenCreate = z.object({
  ...tokenMembers,
  email: z.string().optional(),
  password: z.string().optional(),
  otp_type: otpType.optional(),
  pin_code: pinCode.optional(),
});
