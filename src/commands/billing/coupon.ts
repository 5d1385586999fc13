import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";

const couponColumns = [
  { key: "code", kind: "id" },
  { key: "percentage_off", kind: "number" },
  { key: "amount_off", kind: "number" },
  { key: "applies_to", kind: "json" },
  { key: "duration_cycles", schema: { type: ["number", "string"] } },
  { key: "restrictions", kind: "json" },
] as const;

export const coupon = defineCommand({
  path: ["coupon"],
  result: one(couponColumns),
  effect: "reads",
  summary: "Show a coupon",
  args: [{ name: "code", summary: "coupon code", required: true }],
  examples: ["iot billing coupon DEMO20", "iot billing coupon DEMO20 --json"],
  exitCodes: [6],
  related: ["iot billing subscription update"],
  async run(ctx, input) {
    const { billing } = await ctx.client();
    const found = await billing.checkDiscountCoupon(input.args.code);
    await ctx.out.item(found, { columns: couponColumns, idKey: "code" });
  },
});
