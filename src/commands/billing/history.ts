import type { BillingPaymentHistory, Resources } from "../../index.ts";
import { defined } from "../../lib/core/defined.ts";
import { countOf } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { emptyText } from "../kit/output/empty.ts";

const historyColumns: readonly Column<BillingPaymentHistory>[] = [
  { key: "created_at", header: "date", kind: "time", exact: true },
  { key: "invoice_number", header: "invoice" },
  { key: "total", kind: "number", rank: 1 },
  { key: "currency" },
  { key: "paid", kind: "flag" },
  { key: "status" },
  { key: "card.last4", header: "card", hidden: true },
  { key: "receipt_url", hidden: true },
  { key: "stripe_id", kind: "id", hidden: true },
];

const DEFAULT_LIMIT = 20;
const PAGE = 100;

/** Payments page by page, the newest first: a page begins after the last payment of the one before. */
async function* payments({ billing }: Resources): AsyncGenerator<BillingPaymentHistory> {
  let lastId: string | undefined;
  for (;;) {
    const page = await billing.getPaymentHistory({ amount: PAGE, ...defined({ lastId }) });
    yield* page;
    lastId = page.at(-1)?.stripe_id;
    if (page.length < PAGE || lastId === undefined) return;
  }
}

export const history = defineCommand({
  path: ["history"],
  result: rows(historyColumns),
  effect: "reads",
  summary: "List the payments of the account, newest first",
  options: [
    { name: "limit", kind: "integer", least: 0, summary: `maximum number of payments (${DEFAULT_LIMIT})` },
    { name: "all", summary: "all payments", conflicts: ["limit"] },
    { name: "unpaid", summary: "only open or failed payments" },
  ],
  examples: ["iot billing history --limit 3", "iot billing history --all --fields created_at,total,receipt_url -o csv"],
  related: ["iot billing payment-method", "iot billing pending retry"],
  async run(ctx, input) {
    const limit = input.options.all ? Number.POSITIVE_INFINITY : (input.options.limit ?? DEFAULT_LIMIT);
    const isUnpaid = input.options.unpaid;
    const client = await ctx.client();
    let more = false;
    async function* wanted(): AsyncGenerator<BillingPaymentHistory> {
      let given = 0;
      for await (const payment of payments(client)) {
        if (isUnpaid && payment.paid) continue;
        more = given === limit;
        if (more) return;
        given += 1;
        yield payment;
      }
    }
    const empty = emptyText(limit, "No matching payments.");
    await ctx.out.list(wanted(), { columns: historyColumns, empty, idKey: "stripe_id" });
    if (more) ctx.say.hint(`${countOf(limit, "payment")} shown; more exist. Use --limit <n> or --all.`);
  },
});
