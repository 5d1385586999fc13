import type { ServicePrice } from "../../index.ts";
import { serviceUnits } from "../kit/billing/service-names.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { expectLists } from "../kit/resource/reply.ts";

interface PriceRow {
  readonly kind: "plan" | "addon" | "service";
  readonly name: string;
  readonly amount: number | null;
  readonly unit: string;
  readonly price: number;
  readonly prorated: number | null;
}

const priceColumns: readonly Column<PriceRow>[] = [
  { key: "kind" },
  { key: "name", kind: "id" },
  { key: "amount", kind: "number" },
  { key: "unit", hidden: true },
  { key: "price", header: "price_a_month", kind: "number" },
  { key: "prorated", header: "rest_of_month", kind: "number" },
];

interface NamedPrice {
  readonly name: string;
  readonly price: number;
}

function namedRows(
  kind: "plan" | "addon",
  monthly: readonly NamedPrice[],
  prorated: readonly NamedPrice[],
): PriceRow[] {
  return monthly.map(({ name, price }) => ({
    kind,
    name,
    amount: null,
    unit: "",
    price,
    prorated: prorated.find((one) => one.name === name)?.price ?? null,
  }));
}

function stepRows(service: string, monthly: readonly ServicePrice[], prorated: readonly ServicePrice[]): PriceRow[] {
  return monthly.map(({ amount, price }) => ({
    kind: "service",
    name: service,
    amount,
    unit: serviceUnits[service] ?? "",
    price,
    prorated: prorated.find((step) => step.amount === amount)?.price ?? null,
  }));
}

export const pricing = defineCommand({
  path: ["pricing"],
  result: rows(priceColumns),
  effect: "reads",
  summary: "List the prices of plans, add-ons and services",
  details:
    "price_a_month is the price of a full month, rest_of_month the prorated price until the end of this one. Services are sold " +
    "in tiers; a tier is the total amount, not an addition. Amounts above the largest tier are charged at its rate.",
  options: [{ name: "name", value: "name", summary: "only this plan, add-on or service: sms" }],
  examples: ["iot billing pricing", "iot billing pricing --name sms --json"],
  exitCodes: { only: [4, 10] },
  related: ["iot billing subscription update", "iot profile limits"],
  async run(ctx, input) {
    const client = await ctx.client();
    const [monthly, prorated] = await Promise.all([client.billing.getPrices(), client.billing.getProratedPrices()]);
    for (const prices of [monthly, prorated]) expectLists(prices, ["plans", "addons"], "with the prices");
    const later = new Map<string, unknown>(Object.entries(prorated));
    const steps = (given: unknown): readonly ServicePrice[] => (Array.isArray(given) ? given : []);
    const all = [
      ...namedRows("plan", monthly.plans, prorated.plans),
      ...namedRows("addon", monthly.addons, prorated.addons),
      ...Object.entries(monthly)
        .filter(([name]) => name !== "plans" && name !== "addons")
        .flatMap(([name, prices]) => stepRows(name, steps(prices), steps(later.get(name)))),
    ];
    const name = input.options.name;
    const kept = name === undefined ? all : all.filter((row) => row.name === name);
    await ctx.out.list(kept, { columns: priceColumns, empty: "No matching prices.", idKey: "name" });
  },
});
