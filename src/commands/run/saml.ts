import type { RunSAMLEditInfo, RunSAMLInfo } from "../../index.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { type Pair, quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { didYouMean } from "../kit/failures/unknown-word.ts";

const columns: readonly Column<RunSAMLInfo>[] = [
  { key: "sp.entity_id", header: "entity_id" },
  { key: "sp.acs_url", header: "acs_url" },
  { key: "idp.issuer", header: "issuer" },
  { key: "mapping", kind: "json" },
  { key: "sp.metadata", header: "metadata", hidden: true },
];

const saml = defineCommand({
  path: ["saml"],
  result: one(columns),
  effect: "reads",
  summary: "Show the portal's SAML single sign-on settings",
  details:
    "entity_id, acs_url and metadata are for the identity provider; issuer and mapping describe the provider to the portal.",
  examples: ["iot run saml", "iot run saml --json --jq .sp.metadata"],
  related: ["iot run saml update"],
  async run(ctx) {
    const { run } = await ctx.client();
    await ctx.out.item(await run.ssoSAMLInfo(), { columns, idKey: "sp.entity_id" });
  },
});

const members = ["email", "firstName", "lastName", "phone", "company", "language", "timezone"];

/** `field=claim` pairs; `tags.role=department` fills the tag role. */
function mappingOf(pairs: readonly Pair[]): NonNullable<RunSAMLEditInfo["mapping"]> {
  const mapping: Record<string, string> = {};
  const tags: Record<string, string> = {};
  for (const { key, value } of pairs) {
    if (key.startsWith("tags.") && key.length > 5) tags[key.slice(5)] = value;
    else if (members.includes(key)) mapping[key] = value;
    else {
      throw usageError(`Unknown field ${quote(key)} in --map.`, {
        why: `Valid fields: ${members.join(", ")} and tags.<key>.`,
        ...didYouMean(key, members),
      });
    }
  }
  return { ...mapping, ...(Object.keys(tags).length === 0 ? {} : { tags }) };
}

const update = defineCommand({
  path: ["saml", "update"],
  aliases: ["edit"],
  result: one(columns),
  effect: "changes",
  summary: "Update the portal's SAML single sign-on settings",
  options: [
    { name: "metadata", file: "in", value: "file", summary: "XML metadata of the identity provider; - is stdin" },
    {
      name: "map",
      kind: "pair",
      value: "member=claim",
      summary: "map a field to a claim: email=mail, tags.role=group",
      repeat: true,
    },
  ],
  examples: [
    "iot run saml update --map email=mail --map tags.role=department",
    "echo '<EntityDescriptor entityID=\"https://idp.example.test\"/>' | iot run saml update --metadata - --dry-run",
  ],
  exitCodes: [1, 3],
  related: ["iot run saml"],
  async run(ctx, input) {
    const place = input.options.metadata;
    const mapping = mappingOf(input.options.map);
    const hasMapping = Object.keys(mapping).length > 0;
    if (place === undefined && !hasMapping) {
      throw usageError("No changes given.", { next: "Add --metadata <file> or --map email=mail." });
    }
    const xml = place === undefined ? undefined : await ctx.readInput(place, "--metadata");
    const body: RunSAMLEditInfo = {
      ...(xml === undefined ? {} : { idp_metadata: Buffer.from(xml, "utf8").toString("base64") }),
      ...(hasMapping ? { mapping } : {}),
    };
    if (await ctx.dryRun({ method: "PUT", path: "/run/sso/saml", body })) return;
    const { run } = await ctx.client();
    await run.ssoSAMLEdit(body);
    await ctx.out.item(await run.ssoSAMLInfo(), { columns, idKey: "sp.entity_id" });
    await ctx.done(`Updated the SAML settings`);
  },
});

export const commands: readonly Command[] = [saml, update];
