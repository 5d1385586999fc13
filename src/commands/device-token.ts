import { deviceFinder } from "./device/finder.ts";
import { argument, argumentList, option } from "./kit/arguments.ts";
import type { CommandContext } from "./kit/context.ts";
import { type ArgumentSpec, type Command, type CommandInput, defineCommand } from "./kit/define.ts";
import type { Column } from "./kit/output.ts";
import { listRequest, paged } from "./kit/paging.ts";
import { maskToken } from "./kit/redact.ts";
import { resolveId, type Target } from "./kit/resolve-id.ts";
import { one, rows } from "./kit/result.ts";
import {
  expireTime,
  findToken,
  permissionOf,
  shownTokens,
  type TokenOwner,
  type TokenRow,
  tokenColumns,
} from "./kit/tokens.ts";

const fields = [
  "name",
  "token",
  "permission",
  "expire_time",
  "created_at",
  "last_authorization",
  "serie_number",
] as const;

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
    const request = listRequest(ctx, fields);
    const { devices } = await ctx.client();
    const read = (page: number, amount: number) =>
      devices.tokenList(id, { ...request, page, amount } as Parameters<typeof devices.tokenList>[1]);
    const listing = paged<TokenRow>(ctx, read);
    await ctx.out.list(listing.rows, {
      columns: shownTokens(ctx, columns),
      empty: "The device has no tokens.",
      more: listing.more,
      idKey: "token",
    });
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
  summary: "Create a token for a device",
  details:
    "The token is printed once, in full: it is the result. Without --expire the platform decides how long it lasts.",
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
    const expire = option(input, "expire");
    const wanted = {
      name: option(input, "name") ?? "iot",
      permission: permissionOf(option(input, "permission")),
      ...(expire === undefined ? {} : { expire_time: expireTime(expire, ctx.clock.now()) }),
      ...(serial === undefined ? {} : { serie_number: serial }),
    };
    const device = await target(ctx, input);
    if (await ctx.dryRun({ method: "POST", path: "/device/token", body: { device: device.id, ...wanted } })) return;
    const { devices } = await ctx.client();
    const created = await devices.tokenCreate(device.id, wanted);
    if (ctx.out.format === "table" || ctx.out.format === "id") await ctx.out.value(created.token);
    else await ctx.out.item({ name: wanted.name, ...created }, { columns: createdColumns });
    const { label } = await ctx.connection();
    ctx.say.info(
      `Created token "${wanted.name}" (${wanted.permission}) for device "${await device.name()}" in ${label}.`,
    );
  },
});

const removedColumns = [{ key: "token" }, { key: "name" }] as const;

const deleteTokens = defineCommand({
  path: ["token", "delete"],
  result: rows(removedColumns),
  aliases: ["rm"],
  summary: "Delete tokens of a device",
  details: "A token is named by its name, by its ends as the list shows them (abcd…wxyz, or abcd...wxyz), or in full.",
  args: [idArgument, { name: "tokens", summary: "names or ends of the tokens", required: true, variadic: true }],
  groups: ["confirm", "dryRun"],
  examples: [
    'iot device token delete "name:Freezer 1" Default --dry-run',
    'iot device token delete "name:Freezer 1" gateway --yes',
  ],
  exitCodes: [4, 5, 6, 10, 130],
  related: ["iot device token list"],
  async run(ctx, input) {
    const device = await target(ctx, input);
    const { devices } = await ctx.client();
    const known: readonly TokenRow[] = await devices.tokenList(device.id, {
      fields: ["name", "token", "permission", "expire_time"],
      amount: 1_000,
    });
    const chosen = argumentList(input, "tokens").map((text) => findToken(known, text, owner));
    for (const { token } of ctx.flags.dryRun ? chosen : [])
      await ctx.dryRun({ method: "DELETE", path: `/device/token/${maskToken(token)}` });
    if (ctx.flags.dryRun) return;
    const name = await device.name();
    const shown = chosen.map((row) => ({ token: maskToken(row.token), name: row.name ?? "" }));
    const { label } = await ctx.connection();
    const what = chosen.length === 1 ? `token "${chosen[0]?.name ?? ""}"` : `${chosen.length} tokens`;
    const items = shown.map((row) => `${row.token} ${row.name}`);
    await ctx.confirm({
      level: chosen.length === 1 ? 1 : 2,
      action: `Delete ${what} of device "${name}"`,
      name,
      items,
    });
    for (const { token } of chosen) await devices.tokenDelete(token);
    await ctx.out.list(shown, {
      columns: removedColumns,
      empty: "Nothing was deleted.",
      idKey: "token",
    });
    ctx.say.info(`Deleted ${what} of device "${name}" in ${label}.`);
  },
});

export const commands: readonly Command[] = [listTokens, createToken, deleteTokens];
