import type { BillingPaymentMethod } from "../../index.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { secretValue } from "../kit/resource/body.ts";
import { rememberSecret } from "../kit/say/redact.ts";

const methodColumns: readonly Column<BillingPaymentMethod>[] = [
  { key: "card.brand", header: "brand" },
  { key: "card.last4", header: "last4" },
  { key: "card.name", header: "name" },
  { key: "card.funding", header: "funding", hidden: true },
  { key: "card.exp_month", header: "exp_month", kind: "number" },
  { key: "card.exp_year", header: "exp_year", kind: "number" },
  { key: "balance.amount", header: "balance", kind: "number" },
  { key: "balance.currency", header: "currency" },
  { key: "coupon.code", header: "coupon" },
];

const paymentMethod = defineCommand({
  path: ["payment-method"],
  result: one(methodColumns),
  effect: "reads",
  summary: "Show the payment method of the account",
  examples: ["iot billing payment-method", "iot billing payment-method --json"],
  related: ["iot billing payment-method update", "iot billing history"],
  async run(ctx) {
    const { billing } = await ctx.client();
    await ctx.out.item(await billing.getPaymentMethod(), { columns: methodColumns, idKey: "card.last4" });
  },
});

async function printMethod(ctx: CommandContext, done: string): Promise<void> {
  const { billing } = await ctx.client();
  await ctx.out.item(await billing.getPaymentMethod(), { columns: methodColumns, idKey: "card.last4" });
  await ctx.done(done);
}

const updateMethod = defineCommand({
  path: ["payment-method", "update"],
  aliases: ["edit"],
  result: one(methodColumns),
  effect: "changes",
  summary: "Update the payment card",
  details:
    "Takes the card token created by the payment provider, from stdin or a prompt; card numbers never pass through this " +
    "program. Nothing is charged now; future payments use the new card.",
  options: [{ name: "token-stdin", summary: "read the card token from stdin" }],
  groups: ["confirm", "dryRun"],
  examples: [
    "echo tok_visa | iot billing payment-method update --token-stdin --yes",
    "iot billing payment-method update --token-stdin --dry-run < token.txt",
  ],
  exitCodes: [1, 3],
  related: ["iot billing payment-method"],
  async run(ctx, input) {
    const token = await secretValue(ctx, input, "token", "Card token");
    rememberSecret(token);
    if (await ctx.dryRun({ method: "POST", path: "/account/payment_method", body: { token: "…" } })) return;
    await ctx.confirm({ level: 1, action: "Update the payment card", name: "card" });
    const { billing } = await ctx.client();
    await billing.editPaymentMethod(token);
    await printMethod(ctx, "Updated the payment card");
  },
});

const deleteMethod = defineCommand({
  path: ["payment-method", "delete"],
  aliases: ["rm"],
  result: one(methodColumns),
  effect: "deletes",
  summary: "Remove the payment card",
  details: "Payments fail until another card is added.",
  examples: ["iot billing payment-method delete --dry-run", "iot billing payment-method delete --dry-run --json"],
  exitCodes: [1],
  related: ["iot billing payment-method update"],
  async run(ctx) {
    if (await ctx.dryRun({ method: "DELETE", path: "/account/payment_method" })) return;
    const { billing } = await ctx.client();
    const { card } = await billing.getPaymentMethod();
    const shown = card?.brand === undefined ? "the card" : `the ${card.brand} card ending in ${card.last4}`;
    await ctx.confirm({ level: 1, action: `Remove ${shown}`, name: card?.last4 ?? "card" });
    await billing.removePaymentMethod();
    await printMethod(ctx, `Removed ${shown}`);
  },
});

export const commands: readonly Command[] = [paymentMethod, updateMethod, deleteMethod];
