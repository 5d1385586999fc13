import { z } from "zod";
import { LONG_TEXT_MAX_CHARS, NAME_MAX_CHARS } from "../lib/core/limits.ts";
import type {
  ProfileAddOns,
  ProfileCreateInfo,
  ProfileCredentials,
  ProfileServiceLimit,
  ServiceAmounts,
  TeamInfo,
} from "../lib/resources/index.ts";
import { emailAddress } from "./account.ts";
import { otpType, pinCode } from "./common.ts";

const name = z.string().min(1).max(NAME_MAX_CHARS);
const url = z.string().max(2_000).nullable();

/** Body of `POST /profile`. */
export const profileCreate = z.object({
  name,
  logo_url: url.exactOptional(),
  banner_url: url.exactOptional(),
}) satisfies z.ZodType<ProfileCreateInfo>;

/** Body of `PUT /profile/:id`. */
export const profileEdit = z.object({
  name: name.exactOptional(),
  logo_url: url.exactOptional(),
  banner_url: url.exactOptional(),
}) satisfies z.ZodType<Partial<ProfileCreateInfo>>;

/** Body of `DELETE /profile/:id`, and of what reads or deletes a backup. */
export const profileCredentials = z.object({
  password: z.string().min(1).max(1_000),
  pin_code: pinCode.exactOptional(),
  otp_type: otpType.exactOptional(),
}) satisfies z.ZodType<ProfileCredentials>;

/** Body of `POST /profile/:id/team`. */
export const teamInvite = z.object({ email: emailAddress }) satisfies z.ZodType<Pick<TeamInfo, "email">>;

/** Body of `POST /profile/:id/addons`. */
export const addonEdit = z.object({
  custom_dns: z.boolean().exactOptional(),
  mobile: z.boolean().exactOptional(),
  control_tower: z.boolean().exactOptional(),
}) satisfies z.ZodType<Partial<ProfileAddOns>>;

const amount = z.number().min(0).max(1e15);
const service = z.union([amount, z.object({ limit: amount })]).exactOptional();

/** Body of `POST /profile/:id/services`: how much of each service, as a number or `{limit}`. */
export const serviceEdit = z.object({
  input: service,
  output: service,
  analysis: service,
  data_records: service,
  sms: service,
  email: service,
  run_users: service,
  push_notification: service,
  file_storage: service,
}) satisfies z.ZodType<{ [Key in keyof ServiceAmounts]?: ProfileServiceLimit | number }>;

const secrets = z.record(z.string().max(100), z.string().max(100));

/** Body of `PUT /profile/:id/service`: the email and SMS services; `secrets` are ids. */
export const profileServices = z.object({
  email: z
    .object({
      provider: z.enum(["sendgrid", "ses", "smtp"]),
      from: z.string().max(320).exactOptional(),
      secrets: secrets.exactOptional(),
    })
    .exactOptional(),
  sms: z
    .object({
      provider: z.enum(["twilio", "sns"]),
      from: z.string().max(100).exactOptional(),
      secrets: secrets.exactOptional(),
    })
    .exactOptional(),
}) satisfies z.ZodType<Partial<Record<"email" | "sms", object>>>;

/** Body of `POST /profile/:id/service/test/:type`. */
export const serviceTest = z.object({
  to: z.string().min(1).max(320),
  subject: z.string().max(1_000).exactOptional(),
  message: z.string().max(LONG_TEXT_MAX_CHARS).exactOptional(),
}) satisfies z.ZodType<{ to: string }>;
