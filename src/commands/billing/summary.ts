import type { BillingSubscriptionSummary } from "../../index.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";

const summaryColumns: readonly Column<BillingSubscriptionSummary>[] = [
  { key: "processing", kind: "flag" },
  { key: "payment_error.message", header: "payment_error" },
  { key: "past_due", kind: "flag" },
  { key: "not_enough_balance", kind: "flag" },
  { key: "schedule", header: "downgrade_waits", kind: "flag" },
];

export const summary = defineCommand({
  path: ["summary"],
  result: one(summaryColumns),
  effect: "reads",
  summary: "Show payment status and scheduled changes",
  examples: ["iot billing summary", "iot billing summary --json"],
  related: ["iot billing subscription", "iot billing pending retry"],
  async run(ctx) {
    const { billing } = await ctx.client();
    await ctx.out.item(await billing.getSubscriptionSummary(), { columns: summaryColumns, idKey: "processing" });
  },
});
