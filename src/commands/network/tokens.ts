import { argument, argumentList, option } from "../kit/arguments.ts";
import { runBatch } from "../kit/batch.ts";
import type { CommandContext } from "../kit/context.ts";
import { type ArgumentSpec, type Command, type CommandInput, defineCommand } from "../kit/define.ts";
import type { Column } from "../kit/output.ts";
import { listRequest, paged, refuseTags } from "../kit/paging.ts";
import { maskToken } from "../kit/redact.ts";
import { lookUp, resolveOrPick, type Target } from "../kit/resolve-id.ts";
import { one, rows } from "../kit/result.ts";
import { steadyClient } from "../kit/steady-client.ts";
import {
  expireTime,
  findToken,
  type KnownToken,
  permissionOf,
  shownTokens,
  type TokenOwner,
  type TokenRow,
  tokenColumns,
} from "../kit/tokens.ts";
import { networkFinder } from "./finder.ts";

const columns: readonly Column<TokenRow>[] = [...tokenColumns, { key: "serie_number", hidden: true }];
const fields = columns.map(({ key }) => key);
const owner: TokenOwner = {
  title: "The network",
  code: "network.token_not_found",
  list: "iot network token list",
};

const idArgument: ArgumentSpec = { name: "id", summary: "network: full id, or a unique name:…" };

const target = (ctx: CommandContext, input: CommandInput): Promise<Target> =>
  resolveOrPick(ctx, networkFinder, argument(input, "id"));

const list = defineCommand({
  path: ["token", "list"],
  result: rows(columns),
  aliases: ["ls"],
  summary: "List the tokens of a network",
  details: "Tables on a terminal show the ends of each token; every other format has it in full.",
  args: [idArgument],
  groups: ["list"],
  examples: [
    'iot network token list "name:Plant gateway"',
    'iot network token list "name:Plant gateway" --fields name,permission,expire_time',
  ],
  exitCodes: [4, 5, 6, 10],
  related: ["iot network token create"],
  async run(ctx, input) {
    refuseTags(ctx, "tokens");
    const { id } = await target(ctx, input);
    const request = listRequest(ctx, fields);
    const { networks } = (await ctx.client()).integration;
    type Query = Parameters<typeof networks.tokenList>[1];
    const read = (page: number, amount: number) =>
      lookUp(ctx, networkFinder, id, () => networks.tokenList(id, { ...request, page, amount } as Query));
    const listing = paged<TokenRow>(ctx, read);
    await ctx.out.list(listing.rows, {
      columns: shownTokens(ctx, columns),
      empty: "The network has no tokens.",
      more: listing.more,
      idKey: "token",
    });
  },
});

const createdColumns: readonly Column<Record<string, unknown>>[] = [
  { key: "token", kind: "id" },
  { key: "name" },
  { key: "network", kind: "id" },
];

const create = defineCommand({
  path: ["token", "create"],
  result: one(createdColumns),
  summary: "Create a token for a network",
  details: "The token is printed once, in full: it is the result. The servers of the network come in with it.",
  args: [idArgument],
  options: [
    { name: "name", value: "text", summary: "name of the token", default: "iot" },
    {
      name: "permission",
      value: "kind",
      summary: "what it may do",
      choices: ["full", "write", "read"],
      default: "full",
    },
    { name: "expire", value: "when", summary: "30d, 2027-01-31 or never" },
  ],
  groups: ["dryRun"],
  examples: [
    'iot network token create "name:Plant gateway" --name server --expire never',
    'iot network token create "name:Plant gateway" --permission write --expire 30d',
  ],
  exitCodes: [4, 5, 6, 10],
  related: ["iot network token list", "iot network resolve"],
  async run(ctx, input) {
    const expire = option(input, "expire");
    const wanted = {
      name: option(input, "name") ?? "iot",
      permission: permissionOf(option(input, "permission")),
      ...(expire === undefined ? {} : { expire_time: expireTime(expire, ctx.clock.now()) }),
    };
    const { id, name } = await target(ctx, input);
    const body = { network: id, ...wanted };
    if (await ctx.dryRun({ method: "POST", path: "/integration/network/token", body })) return;
    const { networks } = (await ctx.client()).integration;
    const created = await lookUp(ctx, networkFinder, id, () => networks.tokenCreate(id, wanted));
    if (ctx.out.format === "table" || ctx.out.format === "id") await ctx.out.value(created.token);
    else await ctx.out.item({ ...created }, { columns: createdColumns });
    const { label } = await ctx.connection();
    ctx.say.info(`Created token "${wanted.name}" (${wanted.permission}) for network "${await name()}" in ${label}.`);
  },
});

const goneColumns: readonly Column<KnownToken>[] = [{ key: "token" }, { key: "name" }];

const remove = defineCommand({
  path: ["token", "delete"],
  result: rows(goneColumns),
  aliases: ["rm"],
  summary: "Delete tokens of a network",
  details: "A token is named by its name, by its ends as the list shows them (abcd…wxyz, or abcd...wxyz), or in full.",
  args: [
    { ...idArgument, required: true },
    { name: "tokens", summary: "names or ends of the tokens", required: true, variadic: true },
  ],
  groups: ["confirm", "dryRun"],
  examples: [
    'iot network token delete "name:Plant gateway" "Demo network" --dry-run',
    'iot network token rm "name:Plant gateway" "Demo network" --dry-run --json',
  ],
  exitCodes: [4, 5, 6, 8, 10, 130],
  related: ["iot network token list"],
  async run(ctx, input) {
    const network = await target(ctx, input);
    const { networks } = (await ctx.client()).integration;
    const known: readonly TokenRow[] = await networks.tokenList(network.id, {
      fields: ["name", "token", "permission"],
      amount: 1_000,
    });
    const chosen = [...new Set(argumentList(input, "tokens").map((text) => findToken(known, text, owner)))];
    for (const { token } of ctx.flags.dryRun ? chosen : [])
      await ctx.dryRun({ method: "DELETE", path: `/integration/network/token/${maskToken(token)}` });
    if (ctx.flags.dryRun) return;
    const name = await network.name();
    const what = chosen.length === 1 ? `token "${chosen[0]?.name ?? ""}"` : `${chosen.length} tokens`;
    await ctx.confirm({
      level: chosen.length === 1 ? 1 : 2,
      action: `Delete ${what} of network "${name}"`,
      name,
      items: chosen.map((row) => `${maskToken(row.token)} ${row.name ?? ""}`),
    });
    const steady = (await steadyClient(ctx)).integration.networks;
    return runBatch(ctx, {
      items: chosen,
      title: (row) => `token "${row.name ?? ""}" of network "${name}"`,
      done: "Deleted",
      unit: ["token", "tokens"],
      run: ({ token }) => steady.tokenDelete(token),
      print: (done) =>
        ctx.out.list(
          done.map((row) => ({ token: maskToken(row.token), name: row.name ?? "" })),
          { columns: goneColumns, empty: "Nothing was deleted.", idKey: "token" },
        ),
    });
  },
});

export const tokenCommands: readonly Command[] = [list, create, remove];
