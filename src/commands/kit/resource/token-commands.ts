import { option } from "../command/arguments.ts";
import type { Column } from "../command/columns.ts";
import type { CommandInput, OptionSpec } from "../command/define.ts";
import type { CommandContext } from "../context.ts";
import { maskToken } from "../say/redact.ts";
import { runBatch } from "./batch.ts";
import { type ListRequest, listRequest, paged } from "./paging.ts";
import { expireTime, type KnownToken, permissionOf, shownTokens, type TokenRow } from "./tokens.ts";

/** What a token is to be, of every command that makes one. */
export const tokenOptions: readonly OptionSpec[] = [
  {
    name: "permission",
    value: "kind",
    summary: "what it may do",
    choices: ["full", "write", "read"],
    default: "full",
  },
  { name: "expire", value: "when", summary: "30d, 2027-01-31 or never" },
];

/** The name of a token that needs none. */
export const tokenName: OptionSpec = { name: "name", value: "text", summary: "name of the token", default: "iot" };

/** A token as it is asked for. */
export interface WantedToken {
  readonly name: string;
  readonly permission: "full" | "write" | "read";
  readonly expire_time?: string;
}

/** What the options of a command ask for. */
export function wantedToken(ctx: CommandContext, input: CommandInput): WantedToken {
  const expire = option(input, "expire");
  return {
    name: option(input, "name") ?? "iot",
    permission: permissionOf(option(input, "permission")),
    ...(expire === undefined ? {} : { expire_time: expireTime(expire, ctx.clock.now()) }),
  };
}

/** Prints the tokens that `read` gives page by page. */
export async function printTokens(
  ctx: CommandContext,
  columns: readonly Column<TokenRow>[],
  empty: string,
  read: (request: ListRequest) => Promise<readonly TokenRow[]>,
): Promise<void> {
  const fields = columns.map(({ key }) => key);
  const request = listRequest(ctx, fields, columns);
  const listing = paged<TokenRow>(ctx, (page, amount) => read({ ...request, page, amount }));
  await ctx.out.list(listing.rows, {
    columns: shownTokens(ctx, columns),
    empty,
    more: listing.more,
    idKey: "token",
  });
}

/** Prints a new token, the only time it is shown in full; where people read, nothing but the token. */
export async function printNewToken<Row extends { readonly token: string }>(
  ctx: CommandContext,
  created: Row,
  columns: readonly Column<Record<string, unknown>>[],
): Promise<void> {
  if (ctx.out.format === "table" || ctx.out.format === "id") await ctx.out.value(created.token);
  else await ctx.out.item({ ...created }, { columns });
}

/** What a command that deleted tokens prints of each. */
export const goneColumns: readonly Column<{ readonly token: string; readonly name: string }>[] = [
  { key: "token" },
  { key: "name" },
];

/** Tokens to be deleted, and how. */
export interface TokenDeletion {
  readonly chosen: readonly KnownToken[];
  /** Where the platform has a token, by what is shown of it. */
  path(shown: string): string;
  /** One and many: `["token", "tokens"]`. */
  readonly unit: readonly [string, string];
  /** What the question names; asked for only when something is to be deleted. */
  about(): Promise<{
    /** Stands after the tokens: ` of network "Plant"`. */
    readonly of: string;
    /** To be typed where the user has to. */
    readonly name: string;
  }>;
  /** Called when the user agreed. */
  remover(): Promise<(token: string) => Promise<unknown>>;
}

/** Shows, asks, deletes and says what was done. */
export async function deleteTokens(ctx: CommandContext, deletion: TokenDeletion): Promise<number> {
  const { chosen, unit } = deletion;
  if (ctx.flags.dryRun) {
    for (const { token } of chosen) await ctx.dryRun({ method: "DELETE", path: deletion.path(maskToken(token)) });
    return 0;
  }
  const { of, name } = await deletion.about();
  const title = (row: KnownToken): string => `${unit[0]} "${row.name ?? ""}"${of}`;
  const [first] = chosen;
  await ctx.confirm({
    level: chosen.length === 1 ? 1 : 2,
    action: `Delete ${chosen.length === 1 && first !== undefined ? title(first) : `${chosen.length} ${unit[1]}${of}`}`,
    name,
    items: chosen.map((row) => `${maskToken(row.token)} ${row.name ?? ""}`),
  });
  const remove = await deletion.remover();
  return runBatch(ctx, {
    items: chosen,
    title,
    done: "Deleted",
    unit,
    run: ({ token }) => remove(token),
    print: (done) =>
      ctx.out.list(
        done.map((row) => ({ token: maskToken(row.token), name: row.name ?? "" })),
        { columns: goneColumns, empty: "Nothing was deleted.", idKey: "token" },
      ),
  });
}
