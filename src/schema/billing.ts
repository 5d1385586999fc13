import { z } from "zod";
import type {
  BillingEditAllocation,
  BillingEditInformation,
  BillingEditSubscription,
} from "../lib/resources/billing.ts";
import { planNames } from "../lib/resources/enums.ts";
import type { PaymentMethodCreate } from "../lib/resources/index.ts";
import type { PlanSetInfo } from "../lib/resources/plan.ts";
import { id, jsonObject } from "./common.ts";

const plan = z.enum(planNames);
const amount = z.number().min(0).max(1e15);
const limit = z.object({ limit: amount }).exactOptional();
const profiles = z.array(id).max(100).exactOptional();
const text = z.string().max(1_000);

const services = z.object({
  input: limit,
  output: limit,
  analysis: limit,
  data_records: limit,
  sms: limit,
  email: limit,
  run_users: limit,
  push_notification: limit,
  file_storage: limit,
});

const addons = z.object({ mobile: profiles, custom_dns: profiles, control_tower: profiles });

/** Body of `POST /account/subscription`: one of plan, services and add-ons. */
export const subscriptionEdit = z
  .object({
    plan: plan.exactOptional(),
    services: services.exactOptional(),
    addons: addons.exactOptional(),
    recurrence: text.exactOptional(),
    coupon: text.exactOptional(),
  })
  .refine((body) => [body.plan, body.services, body.addons].filter((part) => part !== undefined).length === 1, {
    message: "Send exactly one of plan, services and addons",
  }) satisfies z.ZodType<BillingEditSubscription>;

/** Body of `POST /account/payment_method`. */
export const paymentMethodCreate = z.object({
  token: text.min(1),
  name: text.exactOptional(),
  brand: text.exactOptional(),
  default_card: z.boolean().exactOptional(),
}) satisfies z.ZodType<Partial<PaymentMethodCreate>>;

const member = text.nullable().exactOptional();

/** Body of `PUT /account/billing`. */
export const billingEdit = z.object({
  company: text.exactOptional(),
  country: member,
  state: member,
  city: member,
  street: member,
  zip_code: member,
  comments: member,
  name: text.exactOptional(),
  address: jsonObject.exactOptional(),
}) satisfies z.ZodType<BillingEditInformation>;

const share = amount.exactOptional();

/** Body of `POST /account/allocation`. */
export const allocationEdit = z
  .array(
    z.object({
      profile: id,
      input: share,
      output: share,
      analysis: share,
      data_records: share,
      sms: share,
      email: share,
      run_users: share,
      push_notification: share,
      file_storage: share,
    }),
  )
  .min(1)
  .max(100) satisfies z.ZodType<BillingEditAllocation[]>;

/** Body of `POST /account/plan`. */
export const planSet = z.object({
  plan: plan.exactOptional(),
  sms: share,
  email: share,
  data_records: share,
  device_request: share,
  analysis: share,
}) satisfies z.ZodType<PlanSetInfo>;
