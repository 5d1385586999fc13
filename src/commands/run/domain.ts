import type { CustomDomainInfo } from "../../index.ts";
import { ApiError } from "../../lib/core/errors.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { deleted, deletedRows, one } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { notFoundError } from "../kit/failures/command-error.ts";
import { chosenProfile, profileArgument } from "../kit/finders/profile.ts";
import { type BodyField, bodyOptions, needMembers, readBody } from "../kit/resource/body.ts";
import { expectObjects, expectTexts } from "../kit/resource/reply.ts";

const recordKeys = ["dns_page", "dns_ssl", "dns_email_1", "dns_email_2", "dns_email_3"] as const;

/** The records in one column, as somebody types them into a name server. */
const recordColumn = (key: (typeof recordKeys)[number]) =>
  ({
    key,
    schema: { type: "object" },
    value: (domain: CustomDomainInfo) => {
      const { type, key: host, value, status } = domain[key];
      return `${type} ${host} -> ${value} (${status ? "found" : "missing"})`;
    },
  }) as const;

const columns: readonly Column<CustomDomainInfo>[] = [
  { key: "subdomain" },
  { key: "domain" },
  { key: "email" },
  { key: "active", kind: "flag" },
  recordColumn("dns_page"),
  recordColumn("dns_ssl"),
  recordColumn("dns_email_1"),
  recordColumn("dns_email_2"),
  recordColumn("dns_email_3"),
  { key: "created_at", kind: "time" },
];

/** The routes of domains need the id itself. */
async function profileId(ctx: CommandContext, text: string | undefined): Promise<{ id: string; name: string }> {
  const target = await chosenProfile(ctx, text);
  if (target.id !== "current") return { id: target.id, name: await target.name() };
  const { info } = await (await ctx.client()).profiles.info("current");
  expectTexts([info], ["id", "name"], "with the profile");
  return { id: info.id, name: info.name };
}

async function domainOf(ctx: CommandContext, profile: { id: string; name: string }): Promise<CustomDomainInfo> {
  const { run } = await ctx.client();
  try {
    const domain = await run.getCustomDomain(profile.id);
    expectObjects(domain, recordKeys, "with the domain");
    return domain;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    throw notFoundError(`The portal of profile "${profile.name}" has no custom domain.`, {
      code: "run.domain_not_found",
      why: `GET /run/customdomain/${profile.id} returned 404: "${error.message}".`,
      next: "Set one up with iot run domain create --domain example.org --subdomain portal --email jo@example.org.",
    });
  }
}

const get = defineCommand({
  path: ["domain"],
  result: one(columns),
  effect: "reads",
  summary: "Show the portal's custom domain and its DNS records",
  args: [profileArgument],
  examples: ["iot run domain", "iot run domain --json --jq .dns_page.value"],
  related: ["iot run domain create", "iot run domain regenerate"],
  async run(ctx, input) {
    const profile = await profileId(ctx, (await chosenProfile(ctx, input.args.id)).id);
    await ctx.out.item(await domainOf(ctx, profile), { columns, idKey: "domain" });
  },
});

const fields: readonly BodyField[] = [
  { name: "domain", kind: "content", value: "domain", summary: "domain: example.org" },
  { name: "subdomain", kind: "content", value: "name", summary: "first part of the portal's host name: portal" },
  { name: "email", kind: "email", summary: "sender address of the portal's emails" },
];

const create = defineCommand({
  path: ["domain", "create"],
  result: one(columns),
  effect: "changes",
  summary: "Set up a custom domain for the portal",
  details: "Prints the DNS records to add to the domain; the portal moves there once the platform finds them.",
  args: [profileArgument],
  options: bodyOptions(fields),
  examples: [
    "iot run domain create --domain example.test --subdomain portal --email jo@example.test",
    "iot run domain create --domain example.test --subdomain plant --email jo@example.test --dry-run",
  ],
  exitCodes: [1, 3],
  related: ["iot run domain", "iot profile addons enable custom_dns"],
  async run(ctx, input) {
    const body = await readBody(ctx, input, fields);
    needMembers(body, "domain", {
      domain: "--domain example.org",
      subdomain: "--subdomain portal",
      email: "--email jo@example.org",
    });
    const profile = await profileId(ctx, input.args.id);
    if (await ctx.dryRun({ method: "POST", path: `/run/customdomain/${profile.id}`, body })) return;
    const { run } = await ctx.client();
    await run.createCustomDomain(profile.id, body as unknown as Parameters<typeof run.createCustomDomain>[1]);
    const domain = await domainOf(ctx, profile);
    await ctx.out.item(domain, { columns, idKey: "domain" });
    ctx.say.info(`Set up ${domain.subdomain}.${domain.domain} for the portal of profile "${profile.name}".`);
  },
});

const regenerate = defineCommand({
  path: ["domain", "regenerate"],
  result: one(columns),
  effect: "changes",
  summary: "Regenerate the DNS records of the custom domain",
  details: "The old records stop working: the portal is unreachable at the domain until you add the new ones.",
  args: [profileArgument],
  groups: ["confirm", "dryRun"],
  examples: ["iot run domain regenerate --yes", "iot run domain regenerate --dry-run"],
  exitCodes: [1],
  related: ["iot run domain"],
  async run(ctx, input) {
    const profile = await profileId(ctx, input.args.id);
    if (await ctx.dryRun({ method: "PUT", path: `/run/customdomain/regenerate/${profile.id}` })) return;
    const before = await domainOf(ctx, profile);
    const host = `${before.subdomain}.${before.domain}`;
    await ctx.confirm({ level: 1, action: `Regenerate the DNS records of ${host}`, name: host });
    const { run } = await ctx.client();
    await run.regenerateCustomDomain(profile.id);
    await ctx.out.item(await domainOf(ctx, profile), { columns, idKey: "domain" });
    await ctx.done(`Regenerated the DNS records of ${host}`);
  },
});

const remove = defineCommand({
  path: ["domain", "delete"],
  aliases: ["rm"],
  result: deleted,
  effect: "deletes",
  summary: "Remove the portal's custom domain",
  args: [profileArgument],
  examples: ["iot run domain delete --dry-run", "iot run domain delete current --dry-run --json"],
  exitCodes: [1],
  related: ["iot run domain"],
  async run(ctx, input) {
    const profile = await profileId(ctx, input.args.id);
    if (await ctx.dryRun({ method: "DELETE", path: `/run/customdomain/${profile.id}` })) return;
    const { subdomain, domain } = await domainOf(ctx, profile);
    const host = `${subdomain}.${domain}`;
    await ctx.confirm({ level: 1, action: `Remove ${host} from the portal of "${profile.name}"`, name: host });
    const { run } = await ctx.client();
    await run.deleteCustomDomain(profile.id);
    await ctx.out.list([{ id: profile.id, name: host }], deletedRows);
    await ctx.done(`Removed ${host} from the portal`);
  },
});

export const commands: readonly Command[] = [get, create, regenerate, remove];
