import type { Column } from "./kit/command/columns.ts";
import { type Command, defineCommand } from "./kit/command/define.ts";
import { one } from "./kit/command/result.ts";
import { objectOf } from "./kit/files/files.ts";
import { lookUp, resolveOrPick } from "./kit/resource/resolve-id.ts";
import { resource, unhidden } from "./kit/resource/resource.ts";
import { simpleFinder } from "./kit/resource/simple-finder.ts";
import { rememberSecret } from "./kit/say/redact.ts";

interface CoreRow {
  readonly id: string;
  readonly name?: string;
  readonly os?: { readonly name?: string; readonly version?: string; readonly arch?: string } | null;
  readonly computer_usage?: readonly { readonly title?: string; readonly used?: number; readonly total?: number }[];
  readonly summary?: Readonly<Record<string, number>>;
}

const columns: readonly Column<CoreRow>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "connected", kind: "flag" },
  { key: "active", kind: "flag" },
  { key: "tcore_version", header: "version" },
  { key: "last_connection", kind: "time" },
  { key: "tags", kind: "tags" },
  { key: "internet_ip", hidden: true },
  { key: "local_ips", hidden: true },
  { key: "machine_id", hidden: true },
  { key: "system_start_time", kind: "time", hidden: true },
  { key: "tcore_start_time", kind: "time", hidden: true },
  { key: "created_at", kind: "time", hidden: true },
  { key: "updated_at", kind: "time", hidden: true },
];

const percent = (used = 0, total = 0): string => (total > 0 ? `${Math.round((used / total) * 100)} %` : "?");

const detailColumns: readonly Column<CoreRow>[] = [
  ...unhidden(columns),
  { key: "os", kind: "json", value: ({ os }) => [os?.name, os?.version, os?.arch].filter(Boolean).join(" ") },
  {
    key: "computer_usage",
    header: "usage",
    kind: "json",
    value: ({ computer_usage: usage }) =>
      usage?.map(({ title, used, total }) => `${title ?? "?"} ${percent(used, total)}`).join(", "),
  },
  {
    key: "summary",
    header: "holds",
    kind: "json",
    value: ({ summary }) =>
      Object.entries(summary ?? {})
        .map(([name, amount]) => `${name} ${amount}`)
        .join(", "),
  },
];

const coreFinder = simpleFinder({
  noun: "core",
  plural: "core instances",
  title: "core instance",
  forms: ["name", "tag"],
  api: ({ tagocores }) => tagocores,
});

const plainCommands = resource<CoreRow>({
  finder: coreFinder,
  route: "/tcore/instance",
  api: ({ tagocores }) => tagocores,
  async info(client, id) {
    const { token: _, ...core } = await client.tagocores.info(id);
    return core;
  },
  columns,
  fields: [
    { name: "name", kind: "content", summary: "name of the core instance" },
    { name: "active", off: "inactive", summary: "whether it can connect" },
  ],
  tags: true,
  list: {
    filterable: ["id", "name", "active"],
    sortable: ["name", "active", "created_at", "updated_at", "last_connection"],
    filters: [
      { name: "name", value: "text", summary: "only instances with this name; * matches any text" },
      {
        name: "active",
        summary: "only active instances",
        off: { name: "inactive", summary: "only inactive instances" },
      },
    ],
    examples: ["iot core list", "iot core list --fields name,connected,last_connection"],
  },
  get: {
    details: "Also shows the load of the machine and what the instance contains. The token is not shown.",
    examples: ['iot core get "name:Hall gateway"', 'iot core get "name:Hall gateway" --json'],
    columns: detailColumns,
    async info(client, id) {
      const { token: _, ...core } = await client.tagocores.info(id, true);
      return core;
    },
  },
  update: {
    change: '--name "Hall" or --tag site=7',
    examples: [
      'iot core update "name:Hall gateway" --tag site=hall',
      'iot core update "name:Office gateway" --name "Office" --inactive --dry-run',
    ],
  },
  delete: {
    examples: ['iot core delete "name:Office gateway" --dry-run', 'iot core delete "name:Hall gateway" --dry-run'],
  },
});

const tokenColumns: readonly Column<{ readonly id: string; readonly token: string }>[] = [
  { key: "id", kind: "id" },
  { key: "token", kind: "id" },
];

const newToken = defineCommand({
  path: ["token"],
  result: one(tokenColumns),
  effect: "changes",
  summary: "Create a new token for a core instance",
  details: "Prints the token once, in full. The instance can no longer connect with its old token.",
  args: [{ name: "id", summary: "Full id, or a unique name:…, tag:key=value" }],
  groups: ["confirm", "dryRun"],
  examples: ['iot core token "name:Hall gateway" --dry-run', 'iot core token "name:Office gateway" --yes -o json'],
  related: ["iot core get"],
  async run(ctx, input) {
    const core = await resolveOrPick(ctx, coreFinder, input.args.id);
    if (await ctx.dryRun({ method: "GET", path: `/tcore/instance/${core.id}/token` })) return;
    const name = await core.name();
    await ctx.confirm({ level: 1, action: `Replace the token of core instance "${name}"`, name });
    const { tagocores } = await ctx.client();
    const answer: unknown = await lookUp(ctx, coreFinder, core.id, () => tagocores.tokenGenerate(core.id));
    const token = tokenOf(answer);
    rememberSecret(token);
    if (ctx.out.format === "table" || ctx.out.format === "id") await ctx.out.value(token);
    else await ctx.out.item({ id: core.id, token }, { columns: tokenColumns });
    await ctx.done(`Created a new token for core instance "${name}"`);
  },
});

/** The platform returns the token alone, or an object that holds it. */
function tokenOf(answer: unknown): string {
  return String(objectOf(answer)["token"] ?? answer);
}

export const commands: readonly Command[] = [...plainCommands, newToken];
