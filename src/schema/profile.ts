import { z } from "zod";
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

const name = z.string().min(1).max(100);
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
