import { z } from "zod";
import { id, jsonObject } from "../common.ts";
import { offset } from "./durations.ts";

const services = ["input", "output", "analysis", "email", "sms", "push_notification", "dashboard_output"] as const;

/** What the account paid, what changed, and what was used. */
export function ledgerSchema() {
  const amount = z.number().nonnegative();
  return z.strictObject({
    card: z.record(z.string(), z.union([z.string(), z.number()])),
    address: jsonObject,
    /** One on the first of each of the last months. */
    payments: z.strictObject({
      months: z.number().int().min(0).max(120),
      total: amount,
      currency: z.string(),
      prefix: z.string(),
    }),
    /** Entries of the audit log. `who` is the owner of the profile, unless it is said. */
    changes: z
      .array(z.strictObject({ resource: z.string(), id, message: z.string(), who: id.optional(), at: offset() }))
      .default([]),
    usage: z.strictObject({
      days: z.number().int().min(0).max(400),
      /** What a usual day uses; weekends have half of it. */
      daily: z.partialRecord(z.enum(services), amount),
      data_records: z.strictObject({ per_day: amount }),
      /** The first that is older than this many days, the last one for the others. */
      run_users: z.array(z.strictObject({ amount, older_than: z.number().optional() })).min(1),
      file_storage: z.strictObject({ now: amount, per_day: amount }),
    }),
  });
}
