import type { PlanInfo, PlanSetInfo } from "../../index.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { type BodyField, bodyOptions, needChange, readBody } from "../kit/resource/body.ts";
import { paidName, planPrice, servicesPrice, showPrice } from "./price.ts";

const planColumns: readonly Column<PlanInfo>[] = [
  { key: "plan", kind: "id" },
  { key: "price", kind: "number" },
  { key: "next_plan" },
  { key: "end_date", header: "cycle_end", kind: "time" },
  ...["sms", "email", "data_records", "device_request", "analysis"].map((key) => ({ key, kind: "number" as const })),
  { key: "created_at", kind: "time", hidden: true },
];

const plan = defineCommand({
  path: ["plan"],
  result: one(planColumns),
  effect: "reads",
  summary: "Show the account plan (legacy API)",
  examples: ["iot billing plan", "iot billing plan --json"],
  related: ["iot billing subscription", "iot billing pricing"],
  async run(ctx) {
    const client = await ctx.client();
    await ctx.out.item(await client.plan.getActivePlan(), { columns: planColumns, idKey: "plan" });
  },
});

const planFields: readonly BodyField[] = [
  { flag: "plan", summary: "account plan", choices: ["free", "starter", "scale"] },
  { flag: "sms", kind: "number", summary: "text messages per month" },
  { flag: "email", kind: "number", summary: "emails per month" },
  { flag: "data-records", kind: "number", summary: "stored records" },
  { flag: "device-request", kind: "number", summary: "device requests per month" },
  { flag: "analysis", kind: "number", summary: "analysis minutes per month" },
];

const updatePlan = defineCommand({
  path: ["plan", "update"],
  aliases: ["edit"],
  result: one(planColumns),
  effect: "changes",
  summary: "Change the account plan (legacy API)",
  details:
    "Changes what the account pays; prefer iot billing subscription update. Shows the price first. Confirm with the " +
    'environment name, or "billing" if there is no environment.',
  options: bodyOptions(planFields),
  groups: ["confirm", "dryRun"],
  examples: [
    "iot billing plan update --plan scale --dry-run",
    "iot billing plan update --plan scale --confirm billing",
  ],
  exitCodes: [1, 3],
  related: ["iot billing subscription update"],
  async run(ctx, input) {
    const body: PlanSetInfo = await readBody(ctx, input, planFields);
    needChange({ ...body }, "--plan scale");
    const client = await ctx.client();
    const { plan: wanted, device_request: requests, ...amounts } = body;
    const limits = new Map<string, number>(Object.entries(amounts));
    if (requests !== undefined) limits.set("input", requests);
    if (wanted !== undefined) await showPrice(ctx, client, `Plan ${wanted}`, planPrice(wanted));
    if (limits.size > 0) await showPrice(ctx, client, [...limits.keys()].join(", "), servicesPrice(limits));
    if (await ctx.dryRun({ method: "POST", path: "/account/plan", body })) return;
    await ctx.confirm({ level: 2, action: "Change the account plan", name: await paidName(ctx) });
    await client.plan.setPlanParameters(body);
    await ctx.out.item(await client.plan.getActivePlan(), { columns: planColumns, idKey: "plan" });
    await ctx.done("Changed the plan");
  },
});

export const commands: readonly Command[] = [plan, updatePlan];
