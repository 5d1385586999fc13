import { type Command, defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { expectNumber } from "../kit/resource/reply.ts";
import { currencyOf, money, paidName } from "./price.ts";

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
    summary: isRetry ? "Try a payment that failed once more" : "Take back the change whose payment failed",
    details: isRetry
      ? "What is to be paid is shown first; the name of the environment (or the word billing, without one) confirms it."
      : "The account keeps what it had before; the name of the environment (or the word billing, without one) confirms it.",
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
      const open = due === undefined ? "no invoice is open" : `${money(due.amount_due, currency)} are to be paid`;
      const state = processing ? ", a change is being paid for" : "";
      ctx.say.warning(`Payments: ${open}${state}; the next invoice comes to ${money(upcoming, currency)}.`);
      if (await ctx.dryRun({ method: "POST", path: `/account/subscription/pending/${verb}` })) return;
      const action = isRetry ? "Try the last payment again" : "Take back the change that waits for its payment";
      await ctx.confirm({ level: 2, action, name: await paidName(ctx) });
      if (isRetry) await billing.retryLastPayment();
      else await billing.cancelLastOperation();
      await ctx.out.item(await billing.getSubscriptionSummary(), { columns: pendingColumns, idKey: "processing" });
      const done = isRetry ? "Asked for the payment again" : "Took the change back";
      await ctx.done(`${done}`);
    },
  });
}

export const commands: readonly Command[] = [pending("retry"), pending("cancel")];
