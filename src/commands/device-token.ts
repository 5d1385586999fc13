import { deviceFinder } from "./device/finder.ts";
import { argument, argumentList, option } from "./kit/arguments.ts";
import { notFoundError, usageError } from "./kit/command-error.ts";
import type { CommandContext } from "./kit/context.ts";
import { type ArgumentSpec, type Command, type CommandInput, defineCommand } from "./kit/define.ts";
import { parseDuration, parseInstant, quote } from "./kit/options.ts";
import type { Column } from "./kit/output.ts";
import { listRequest, paged } from "./kit/paging.ts";
import { maskToken } from "./kit/redact.ts";
import { resolveId, type Target } from "./kit/resolve-id.ts";
import { one, rows } from "./kit/result.ts";

interface TokenRow {
  readonly token?: string;
  readonly name?: string;
  readonly permission?: string;
  readonly expire_time?: Date | string | null;
}

const tokenColumns: readonly Column<TokenRow>[] = [
  { key: "token", kind: "id" },
  { key: "name" },
  { key: "permission" },
  { key: "expire_time", kind: "time" },
  { key: "created_at", kind: "time" },
  { key: "last_authorization", kind: "time", hidden: true },
  { key: "serie_number", hidden: true },
];

const fields = [
  "name",
  "token",
  "permission",
  "expire_time",
  "created_at",
  "last_authorization",
  "serie_number",
] as const;

/** A table on a terminal may be seen by others, so it shows the ends of a token only. */
function columnsFor(ctx: CommandContext): readonly Column<TokenRow>[] {
  const isShared = ctx.out.format === "table" && ctx.io.stdoutIsTerminal;
  if (!isShared) return tokenColumns;
  const masked: Column<TokenRow> = { key: "token", value: ({ token }) => token && maskToken(token) };
  return [masked, ...tokenColumns.slice(1)];
}

const idArgument: ArgumentSpec = {
  name: "id",
  summary: "device: full id, or a unique name:…, tag:key=value, serial:…",
  required: true,
};

const target = (ctx: CommandContext, input: CommandInput): Promise<Target> =>
  resolveId(ctx, deviceFinder, argument(input, "id") ?? "");

const listTokens = defineCommand({
  path: ["token", "list"],
  result: rows(tokenColumns),
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
      columns: columnsFor(ctx),
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

function permissionOf(text: string | undefined): "full" | "write" | "read" {
  return text === "write" || text === "read" ? text : "full";
}

/** The end as the platform takes it: ISO text or `never`. */
function expireTime(text: string, nowMs: number): string {
  if (text === "never") return text;
  const end = /^\d+(\.\d+)?[a-z]/.test(text)
    ? new Date(nowMs + parseDuration(text, "--expire"))
    : parseInstant(text, "--expire", nowMs);
  if (end.getTime() > nowMs) return end.toISOString();
  throw usageError("--expire is in the past.", { next: "Give a later time, a duration such as 30d, or never." });
}

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
    'iot device token delete "name:Freezer 1" gateway --yes',
    'iot device token delete "name:Freezer 1" Default --dry-run',
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
    const chosen = argumentList(input, "tokens").map((text) => findToken(known, text));
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

function findToken(known: readonly TokenRow[], text: string): TokenRow & { readonly token: string } {
  const ends = text.replace("...", "…");
  const rows = known.filter((row): row is TokenRow & { readonly token: string } => row.token !== undefined);
  const matches = rows.filter(({ token, name }) => name === text || token === text || maskToken(token) === ends);
  const [only, ...others] = matches;
  if (only === undefined) {
    // What was typed may be a token of something else, so it is not repeated in full.
    throw notFoundError(`The device has no token ${quote(text.length > 20 ? maskToken(text) : text)}.`, {
      code: "device.token_not_found",
      next: 'Run "iot device token list" with the same device to see its tokens.',
    });
  }
  if (others.length === 0) return only;
  throw usageError(`Several tokens of the device are named ${quote(text)}.`, {
    why: `They are ${matches.map(({ token }) => maskToken(token)).join(", ")}.`,
    next: "Name the one you mean by its ends.",
  });
}

export const commands: readonly Command[] = [listTokens, createToken, deleteTokens];
