import { currencyOf, money, paidName } from "../kit/billing/price.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { expectNumber } from "../kit/resource/reply.ts";

const pendingColumns = [
  { key: "processing", kind: "flag" },
  { key: "past_due", kind: "flag" },
  { key: "not_enough_balance", kind: "flag" },
  { key: "schedule", kind: "flag" },
] as const;

function pending(verb: "retry" | "cancel"): Command {
  const isRetry = verb === "retry";
  return defineCommand({
    path: ["pending", verb],
    result: one(pendingColumns),
    effect: "changes",
    summary: isRetry ? "Retry a failed payment" : "Cancel a change whose payment failed",
    details: isRetry
      ? 'Shows the amount due first. Confirm with the environment name, or "billing" if there is no environment.'
      : 'The subscription stays as it was. Confirm with the environment name, or "billing" if there is no environment.',
    groups: ["confirm", "dryRun"],
    examples: [`iot billing pending ${verb} --dry-run`, `iot billing pending ${verb} --confirm billing`],
    exitCodes: [1],
    related: ["iot billing summary", `iot billing pending ${isRetry ? "cancel" : "retry"}`],
    async run(ctx) {
      const client = await ctx.client();
      const { billing } = client;
      const { past_due: due, processing, upcoming_invoice_total: upcoming } = await billing.getSubscription();
      expectNumber(upcoming, "with the subscription");
      const currency = await currencyOf(client);
      const open = due === undefined ? "no open invoice" : `${money(due.amount_due, currency)} due`;
      const state = processing ? ", payment for a change in progress" : "";
      ctx.say.warning(`Payments: ${open}${state}; the next invoice is ${money(upcoming, currency)}.`);
      if (await ctx.dryRun({ method: "POST", path: `/account/subscription/pending/${verb}` })) return;
      const action = isRetry ? "Retry the last payment" : "Cancel the change waiting for payment";
      await ctx.confirm({ level: 2, action, name: await paidName(ctx) });
      if (isRetry) await billing.retryLastPayment();
      else await billing.cancelLastOperation();
      await ctx.out.item(await billing.getSubscriptionSummary(), { columns: pendingColumns, idKey: "processing" });
      const done = isRetry ? "Requested the payment again" : "Cancelled the change";
      await ctx.done(done);
    },
  });
}

export const commands: readonly Command[] = [pending("retry"), pending("cancel")];
