import { argument, argumentList } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type ArgumentSpec, type Command, type CommandInput, defineCommand } from "../kit/command/define.ts";
import { one, rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { refuseTags } from "../kit/resource/paging.ts";
import { lookUp, resolveOrPick, type Target } from "../kit/resource/resolve-id.ts";
import {
  deleteTokens,
  goneColumns,
  printNewToken,
  printTokens,
  tokenName,
  tokenOptions,
  wantedToken,
} from "../kit/resource/token-commands.ts";
import { findToken, type TokenOwner, type TokenRow, tokenColumns } from "../kit/resource/tokens.ts";
import { steadyClient } from "../kit/steady-client.ts";
import { networkFinder } from "./finder.ts";

const columns: readonly Column<TokenRow>[] = [...tokenColumns, { key: "serie_number", hidden: true }];
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
  effect: "reads",
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
    const { networks } = (await ctx.client()).integration;
    type Query = Parameters<typeof networks.tokenList>[1];
    await printTokens(ctx, columns, "The network has no tokens.", (request) =>
      lookUp(ctx, networkFinder, id, () => networks.tokenList(id, request as Query)),
    );
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
  effect: "changes",
  summary: "Create a token for a network",
  details: "The token is printed once, in full: it is the result. The servers of the network come in with it.",
  args: [idArgument],
  options: [tokenName, ...tokenOptions],
  groups: ["dryRun"],
  examples: [
    'iot network token create "name:Plant gateway" --name server --expire never',
    'iot network token create "name:Plant gateway" --permission write --expire 30d',
  ],
  exitCodes: [4, 5, 6, 10],
  related: ["iot network token list", "iot network resolve"],
  async run(ctx, input) {
    const wanted = wantedToken(ctx, input);
    const { id, name } = await target(ctx, input);
    const body = { network: id, ...wanted };
    if (await ctx.dryRun({ method: "POST", path: "/integration/network/token", body })) return;
    const { networks } = (await ctx.client()).integration;
    const created = await lookUp(ctx, networkFinder, id, () => networks.tokenCreate(id, wanted));
    await printNewToken(ctx, created, createdColumns);
    const { label } = await ctx.connection();
    ctx.say.info(`Created token "${wanted.name}" (${wanted.permission}) for network "${await name()}" in ${label}.`);
  },
});

const remove = defineCommand({
  path: ["token", "delete"],
  result: rows(goneColumns),
  aliases: ["rm"],
  effect: "deletes",
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
    return deleteTokens(ctx, {
      chosen,
      path: (shown) => `/integration/network/token/${shown}`,
      unit: ["token", "tokens"],
      async about() {
        const name = await network.name();
        return { of: ` of network "${name}"`, name };
      },
      async remover() {
        const steady = (await steadyClient(ctx)).integration.networks;
        return (token) => steady.tokenDelete(token);
      },
    });
  },
});

export const tokenCommands: readonly Command[] = [list, create, remove];
