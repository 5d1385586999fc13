import { argument, argumentList, option } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type ArgumentSpec, type Command, type CommandInput, defineCommand } from "../kit/command/define.ts";
import { one, rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { resolveId, type Target } from "../kit/resource/resolve-id.ts";
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
import { deviceFinder } from "./finder.ts";

const columns: readonly Column<TokenRow>[] = [
  ...tokenColumns,
  { key: "last_authorization", kind: "time", hidden: true },
  { key: "serie_number", hidden: true },
];

const owner: TokenOwner = { title: "The device", code: "device.token_not_found", list: "iot device token list" };

const idArgument: ArgumentSpec = {
  name: "id",
  summary: "device: full id, or a unique name:…, tag:key=value, serial:…",
  required: true,
};

const target = (ctx: CommandContext, input: CommandInput): Promise<Target> =>
  resolveId(ctx, deviceFinder, argument(input, "id") ?? "");

const listTokens = defineCommand({
  path: ["token", "list"],
  result: rows(columns),
  aliases: ["ls"],
  effect: "reads",
  summary: "List the tokens of a device",
  details: "Tables on a terminal show the ends of each token; every other format has it in full.",
  args: [idArgument],
  groups: ["list"],
  examples: [
    'iot device token list "name:Freezer 1"',
    'iot device token list "name:Freezer 1" --fields name,permission,expire_time',
  ],
  exitCodes: [4, 5, 6, 10],
  related: ["iot device token create"],
  async run(ctx, input) {
    const { id } = await target(ctx, input);
    const { devices } = await ctx.client();
    type Query = Parameters<typeof devices.tokenList>[1];
    await printTokens(ctx, columns, "The device has no tokens.", (request) => devices.tokenList(id, request as Query));
  },
});

const createdColumns = [
  { key: "token" },
  { key: "name" },
  { key: "permission" },
  { key: "expire_date", kind: "time" },
] as const;

const createToken = defineCommand({
  path: ["token", "create"],
  result: one(createdColumns),
  effect: "changes",
  summary: "Create a token for a device",
  details:
    "The token is printed once, in full: it is the result. Without --expire the platform decides how long it lasts.",
  args: [idArgument],
  options: [
    tokenName,
    ...tokenOptions,
    { name: "serial", value: "text", summary: "serial number, where the network uses one" },
  ],
  groups: ["dryRun"],
  examples: [
    'iot device token create "name:Freezer 1" --permission write --expire 30d',
    'iot device token create "name:Freezer 1" --name gateway --expire never',
  ],
  exitCodes: [4, 5, 6, 10],
  related: ["iot device token list", "iot device data send"],
  async run(ctx, input) {
    const serial = option(input, "serial");
    const wanted = { ...wantedToken(ctx, input), ...(serial === undefined ? {} : { serie_number: serial }) };
    const device = await target(ctx, input);
    if (await ctx.dryRun({ method: "POST", path: "/device/token", body: { device: device.id, ...wanted } })) return;
    const { devices } = await ctx.client();
    const created = await devices.tokenCreate(device.id, wanted);
    await printNewToken(ctx, { name: wanted.name, ...created }, createdColumns);
    const { label } = await ctx.connection();
    ctx.say.info(
      `Created token "${wanted.name}" (${wanted.permission}) for device "${await device.name()}" in ${label}.`,
    );
  },
});

const remove = defineCommand({
  path: ["token", "delete"],
  result: rows(goneColumns),
  aliases: ["rm"],
  effect: "deletes",
  summary: "Delete tokens of a device",
  details: "A token is named by its name, by its ends as the list shows them (abcd…wxyz, or abcd...wxyz), or in full.",
  args: [idArgument, { name: "tokens", summary: "names or ends of the tokens", required: true, variadic: true }],
  groups: ["confirm", "dryRun"],
  examples: [
    'iot device token delete "name:Freezer 1" Default --dry-run',
    'iot device token delete "name:Freezer 1" gateway --yes',
  ],
  exitCodes: [4, 5, 6, 8, 10, 130],
  related: ["iot device token list"],
  async run(ctx, input) {
    const device = await target(ctx, input);
    const { devices } = await ctx.client();
    const known: readonly TokenRow[] = await devices.tokenList(device.id, {
      fields: ["name", "token", "permission", "expire_time"],
      amount: 1_000,
    });
    const chosen = [...new Set(argumentList(input, "tokens").map((text) => findToken(known, text, owner)))];
    return deleteTokens(ctx, {
      chosen,
      path: (shown) => `/device/token/${shown}`,
      unit: ["token", "tokens"],
      async about() {
        const name = await device.name();
        return { of: ` of device "${name}"`, name };
      },
      async remover() {
        const steady = (await steadyClient(ctx)).devices;
        return (token) => steady.tokenDelete(token);
      },
    });
  },
});

export const commands: readonly Command[] = [listTokens, createToken, remove];
