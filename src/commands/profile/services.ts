import { serviceAmounts } from "../kit/billing/service-amounts.ts";
import { serviceNames, serviceUnits } from "../kit/billing/service-names.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { chosenProfile, profileArgument, profileFinder } from "../kit/finders/profile.ts";
import { expectObjects } from "../kit/resource/reply.ts";
import { lookUp, type ResourceTarget } from "../kit/resource/resolve-id.ts";

interface ServiceRow {
  readonly service: string;
  readonly limit: number | null;
  readonly unit: string;
}

const serviceColumns: readonly Column<ServiceRow>[] = [
  { key: "service", kind: "id" },
  { key: "limit", kind: "number" },
  { key: "unit" },
];

async function servicesOf(ctx: CommandContext, target: ResourceTarget): Promise<ServiceRow[]> {
  const { profiles } = await ctx.client();
  const profile = await lookUp(ctx, profileFinder, target.id, () => profiles.info(target.id));
  expectObjects(profile, ["allocation"], "with the profile");
  const limits = new Map<string, unknown>(Object.entries(profile.allocation));
  return serviceNames.map((service) => {
    const limit = limits.get(service);
    return { service, limit: typeof limit === "number" ? limit : null, unit: serviceUnits[service] ?? "" };
  });
}

const services = defineCommand({
  path: ["services"],
  result: rows(serviceColumns),
  effect: "reads",
  summary: "Show the service limits of a profile",
  args: [profileArgument],
  examples: ["iot profile services", 'iot profile services "name:Empty" --json'],
  related: ["iot profile services update", "iot profile limits", "iot billing allocation"],
  async run(ctx, input) {
    const found = await servicesOf(ctx, await chosenProfile(ctx, input.args.id));
    await ctx.out.list(found, { columns: serviceColumns, empty: "The profile has no services.", idKey: "service" });
  },
});

const setServices = defineCommand({
  path: ["services", "update"],
  aliases: ["edit"],
  result: rows(serviceColumns),
  effect: "changes",
  summary: "Change the service limits of a profile",
  details:
    "Allocates services the account has already purchased, so nothing is charged. Other services keep their limits.",
  args: [profileArgument],
  options: [{ name: "set", value: "service=n", summary: "service and its new limit", repeat: true }],
  examples: [
    "iot profile services update --set sms=500 --set email=10000",
    'iot profile services update "name:Empty" --set data_records=1000000 --dry-run',
  ],
  exitCodes: [1],
  related: ["iot profile services", "iot billing allocation"],
  async run(ctx, input) {
    const amounts = serviceAmounts(input.options.set, "--set");
    const target = await chosenProfile(ctx, input.args.id);
    const body = Object.fromEntries([...amounts].map(([service, limit]) => [service, { limit }]));
    if (await ctx.dryRun({ method: "POST", path: `/profile/${target.id}/services`, body })) return;
    const { profiles } = await ctx.client();
    await lookUp(ctx, profileFinder, target.id, () => profiles.serviceEdit(target.id, body));
    const after = (await servicesOf(ctx, target)).filter(({ service }) => amounts.has(service));
    await ctx.out.list(after, { columns: serviceColumns, empty: "No services.", idKey: "service" });
    await ctx.done(`Set ${[...amounts.keys()].join(", ")} of profile "${await target.name()}"`);
  },
});

export const commands: readonly Command[] = [services, setServices];
