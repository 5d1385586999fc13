import { addonPrice, showPrice } from "../kit/billing/price.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Arguments, Input } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { unknownWord } from "../kit/failures/unknown-word.ts";
import { chosenProfile, profileArgument, profileFinder } from "../kit/finders/profile.ts";
import { expectLists, expectObjects } from "../kit/resource/reply.ts";
import { lookUp, type ResourceTarget } from "../kit/resource/resolve-id.ts";

interface AddonRow {
  readonly name: string;
  readonly active: boolean;
  /** A month, for one profile; null where the price list has none. */
  readonly price: number | null;
}

const addonColumns: readonly Column<AddonRow>[] = [
  { key: "name", kind: "id" },
  { key: "active", kind: "flag" },
  { key: "price", header: "price_a_month", kind: "number" },
];

async function addonsOf(ctx: CommandContext, target: ResourceTarget): Promise<AddonRow[]> {
  const { profiles, billing } = await ctx.client();
  const [profile, prices] = await Promise.all([
    lookUp(ctx, profileFinder, target.id, () => profiles.info(target.id)),
    billing.getPrices(),
  ]);
  expectObjects(profile, ["addons"], "with the profile");
  expectLists(prices, ["addons"], "with the prices");
  return Object.entries(profile.addons)
    .filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean")
    .map(([name, active]) => ({
      name,
      active,
      price: prices.addons.find((addon) => addon.name === name)?.price ?? null,
    }));
}

const addons = defineCommand({
  path: ["addons"],
  result: rows(addonColumns),
  effect: "reads",
  summary: "List the paid features of a profile",
  args: [profileArgument],
  examples: ["iot profile addons", 'iot profile addons "name:Empty" --json'],
  related: ["iot profile addons enable", "iot profile addons disable", "iot billing pricing"],
  async run(ctx, input) {
    const found = await addonsOf(ctx, await chosenProfile(ctx, input.args.id));
    await ctx.out.list(found, { columns: addonColumns, empty: "The platform offers no add-ons.", idKey: "name" });
  },
});

const changeArguments = [
  { name: "addon", summary: "mobile, custom_dns or control_tower", required: true },
  profileArgument,
] as const satisfies Arguments;

async function needAddon(ctx: CommandContext, name: string, target: ResourceTarget): Promise<AddonRow> {
  const known = await addonsOf(ctx, target);
  const found = known.find((addon) => addon.name === name);
  if (found !== undefined) return found;
  const names = known.map((addon) => addon.name);
  throw unknownWord("add-on", name, names);
}

async function changeAddon(
  ctx: CommandContext,
  input: Input<typeof changeArguments, []>,
  active: boolean,
): Promise<void> {
  const target = await chosenProfile(ctx, input.args.id);
  const addon = await needAddon(ctx, input.args.addon, target);
  const name = await target.name();
  const client = await ctx.client();
  if (addon.active === active) {
    ctx.say.info(`The add-on ${addon.name} of profile "${name}" is already ${active ? "on" : "off"}.`);
  } else {
    if (active) await showPrice(ctx, client, `Add-on ${addon.name}`, addonPrice(addon.name, 1));
    const path = `/profile/${target.id}`;
    const request = active
      ? { method: "POST", path: `${path}/addons`, body: { [addon.name]: true } }
      : { method: "DELETE", path: `${path}/${addon.name}` };
    if (await ctx.dryRun(request)) return;
    const action = active
      ? `Buy add-on ${addon.name} for profile "${name}"`
      : `Remove add-on ${addon.name} from profile "${name}"`;
    await ctx.confirm({ level: 2, action, name });
    if (active) await client.profiles.addonEdit(target.id, { [addon.name]: true });
    else await client.profiles.removeAddOn(target.id, addon.name);
  }
  const after = (await addonsOf(ctx, target)).filter((one) => one.name === addon.name);
  await ctx.out.list(after, { columns: addonColumns, empty: "No add-on found.", idKey: "name" });
  if (addon.active === active) return;
  await ctx.done(`Turned add-on ${addon.name} of profile "${name}" ${active ? "on" : "off"}`);
}

const enableAddon = defineCommand({
  path: ["addons", "enable"],
  result: rows(addonColumns),
  effect: "changes",
  summary: "Buy a paid feature for a profile",
  details: "Shows the price for the rest of this month and for each following month, then asks for the profile's name.",
  args: changeArguments,
  groups: ["confirm", "dryRun"],
  examples: [
    "iot profile addons enable mobile --dry-run",
    'iot profile addons enable custom_dns --confirm "Demo Plant"',
  ],
  exitCodes: [1],
  related: ["iot profile addons", "iot billing pricing"],
  run: (ctx, input) => changeAddon(ctx, input, true),
});

const disableAddon = defineCommand({
  path: ["addons", "disable"],
  result: rows(addonColumns),
  effect: "changes",
  summary: "Remove a paid feature from a profile",
  args: changeArguments,
  groups: ["confirm", "dryRun"],
  examples: [
    'iot profile addons disable custom_dns --confirm "Demo Plant"',
    'iot profile addons disable mobile "name:Empty" --dry-run',
  ],
  exitCodes: [1],
  related: ["iot profile addons"],
  run: (ctx, input) => changeAddon(ctx, input, false),
});

export const commands: readonly Command[] = [addons, enableAddon, disableAddon];
