import type { BillingAllocation, Resources } from "../../index.ts";
import { serviceAmounts } from "../kit/billing/service-amounts.ts";
import { serviceNames } from "../kit/billing/service-names.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { profileFinder } from "../kit/finders/profile.ts";
import { resolveId } from "../kit/resource/resolve-id.ts";

interface AllocationRow extends BillingAllocation {
  /** Name of the profile. */
  readonly name: string;
}

const allocationColumns: readonly Column<AllocationRow>[] = [
  { key: "profile", kind: "id" },
  { key: "name" },
  ...serviceNames.map((key) => ({
    key,
    kind: "number" as const,
    hidden: !["input", "output", "data_records"].includes(key),
  })),
  { key: "updated_at", kind: "time", hidden: true },
];

async function allocationsOf({ billing, profiles }: Resources): Promise<AllocationRow[]> {
  const [shares, known] = await Promise.all([billing.getAllocation(), profiles.list()]);
  const names = new Map(known.map(({ id, name }) => [id, name]));
  return shares.map((share) => ({ ...share, name: names.get(share.profile) ?? "" }));
}

const allocation = defineCommand({
  path: ["allocation"],
  result: rows(allocationColumns),
  effect: "reads",
  summary: "List the services allocated to each profile",
  examples: ["iot billing allocation", "iot billing allocation --fields name,sms,email --json"],
  related: ["iot billing allocation update", "iot profile services", "iot billing subscription"],
  async run(ctx) {
    const shares = await allocationsOf(await ctx.client());
    await ctx.out.list(shares, { columns: allocationColumns, empty: "The account has no profiles.", idKey: "profile" });
  },
});

const updateAllocation = defineCommand({
  path: ["allocation", "update"],
  aliases: ["edit"],
  result: rows(allocationColumns),
  effect: "changes",
  summary: "Change the services allocated to a profile",
  details:
    "Allocates services the account has already purchased, so nothing is charged. Other services keep their limits.",
  args: [{ name: "profile", summary: "full id, a unique name:…, or current", required: true, leadsAway: true }],
  options: [{ name: "set", value: "service=n", summary: "service and amount: sms=100", repeat: true }],
  examples: [
    'iot billing allocation update "name:Empty" --set sms=100 --set email=1000',
    "iot billing allocation update current --set data_records=1000000 --dry-run",
  ],
  exitCodes: [1, 6],
  related: ["iot billing allocation", "iot profile services update"],
  async run(ctx, input) {
    const amounts = serviceAmounts(input.options.set, "--set");
    const target = await resolveId(ctx, profileFinder, input.args.profile);
    const body = [{ profile: target.id, ...Object.fromEntries(amounts) }];
    if (await ctx.dryRun({ method: "POST", path: "/account/allocation", body })) return;
    const client = await ctx.client();
    await client.billing.editAllocation(body);
    const after = (await allocationsOf(client)).filter(({ profile }) => profile === target.id);
    await ctx.out.list(after, { columns: allocationColumns, empty: "No allocations.", idKey: "profile" });
    await ctx.done(`Allocated ${[...amounts.keys()].join(", ")} to profile "${await target.name()}"`);
  },
});

export const commands: readonly Command[] = [allocation, updateAllocation];
