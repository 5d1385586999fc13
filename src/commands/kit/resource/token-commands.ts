import type { Resources } from "../../../index.ts";
import { ALL_ROWS_AMOUNT } from "../../../lib/core/limits.ts";
import { countOf } from "../../../text/count.ts";
import { batchClient } from "../client/batch-client.ts";
import type { Column } from "../command/columns.ts";
import { type Command, type CommandInput, defineCommand } from "../command/define.ts";
import { argumentString, optionString } from "../command/dynamic.ts";
import type { ArgumentSpec, Input, OptionSpec, Options } from "../command/options.ts";
import { one, rows } from "../command/result.ts";
import type { CommandContext } from "../context.ts";
import { maskToken } from "../say/redact.ts";
import { runBatch } from "./batch.ts";
import { needMembers } from "./body.ts";
import type { VerbTexts } from "./fields.ts";
import { listRequest, narrowed, paged } from "./paging.ts";
import { type Finder, lookUp, type ResourceTarget, resolveOrPick, titleOf } from "./resolve-id.ts";
import { type Filter, filterFrom } from "./resource.ts";
import { findToken, type KnownToken, permissionOf, type TokenRow } from "./tokens.ts";

const wantedOptions = [
  {
    name: "permission",
    value: "kind",
    summary: "permission of the token",
    choices: ["full", "write", "read"],
    default: "full",
  },
  { name: "expire", kind: "expiry", summary: "expiry: 30d, 2027-01-31 or never" },
] as const satisfies Options;

/** A token as it is asked for. */
export interface WantedToken {
  readonly name: string;
  readonly permission: "full" | "write" | "read";
  readonly expire_time?: string;
}

/** The token the flags ask for. */
export function wantedToken(input: CommandInput): WantedToken {
  const expire = optionString(input, "expire");
  return {
    name: optionString(input, "name") ?? "iot",
    permission: permissionOf(optionString(input, "permission")),
    ...(expire === undefined ? {} : { expire_time: expire }),
  };
}

/** The calls of the client. As for resources, the platform checks what they are given. */
interface TokenApi {
  list(query: object): Promise<readonly TokenRow[]>;
  create(wanted: WantedToken): Promise<{ readonly token: string }>;
  delete(token: string): Promise<unknown>;
}

interface TokenTexts<Flags extends Options = Options> extends VerbTexts<Flags> {
  /** Related commands besides those of the tokens. */
  readonly related?: readonly string[];
}

/** The tokens of something. */
export interface TokensSpec<Flags extends Options = Options> {
  /** Words of the commands before the verb: `["device", "token"]`. */
  readonly words: readonly string[];
  /** Error code where there is no such token. */
  readonly code: string;
  /** One and many: `["token", "tokens"]`. */
  readonly unit: readonly [string, string];
  /** What the tokens belong to; nothing where they are those of the profile in use. */
  readonly owner?: {
    readonly finder: Finder;
    readonly argument: ArgumentSpec;
    /** Replaces the argument where tokens are deleted. */
    readonly from?: OptionSpec;
    target?(ctx: CommandContext, text: string | undefined): Promise<ResourceTarget>;
  };
  /** The argument that names one, where details of `delete` do not say it. */
  readonly named?: string;
  readonly columns: readonly Column<TokenRow>[];
  readonly createdColumns: readonly Column<Record<string, unknown>>[];
  /** Where new tokens go, and what is sent along. */
  route(owner: string): { readonly path: string; readonly body?: object };
  api(client: Resources, owner: string): TokenApi;
  readonly list: TokenTexts & { readonly filters?: readonly Filter[] };
  readonly create: TokenTexts<Flags> & {
    /** The flag for the name of a token that must have one; others have `iot`. */
    readonly needed?: string;
    /** What a token is asked for with besides. */
    add?(ctx: CommandContext, input: Input<[], Flags>): Promise<object>;
  };
  readonly delete: TokenTexts & {
    /** Puts those to be deleted into order. */
    order?(ctx: CommandContext, chosen: readonly KnownToken[]): Promise<readonly KnownToken[]>;
  };
}

/** The commands list, create and delete of tokens. */
export function tokens<const Flags extends Options = Options>(
  spec: TokensSpec<Flags>,
): { readonly list: Command; readonly create: Command; readonly remove: Command } {
  return commandsOf(spec);
}

function commandsOf(spec: TokensSpec) {
  return { list: listCommand(spec), create: createCommand(spec), remove: deleteCommand(spec) };
}

const commandOf = ({ words }: TokensSpec, verb: string): string => ["iot", ...words, verb].join(" ");
const pathOf = ({ words }: TokensSpec, verb: string): readonly string[] => [...words.slice(1), verb];
const lastWord = (text: string): string => text.split(" ").at(-1) ?? text;

/** Whose tokens a command is about. */
async function ownerOf(ctx: CommandContext, input: CommandInput, { owner }: TokensSpec): Promise<ResourceTarget> {
  if (owner === undefined) return { id: "", name: async () => "" };
  const text = argumentString(input, "id") ?? optionString(input, owner.from?.name ?? "");
  return owner.target?.(ctx, text) ?? resolveOrPick(ctx, owner.finder, text);
}

function asking<T>(ctx: CommandContext, { owner }: TokensSpec, id: string, call: () => Promise<T>): Promise<T> {
  return owner === undefined ? call() : lookUp(ctx, owner.finder, id, call);
}

/** Fields by which the platform sorts tokens. It is not known to filter them. */
const sortable: readonly string[] = ["name", "permission", "serie_number", "last_authorization", "created_at"];

function listCommand(spec: TokensSpec): Command {
  const { owner, unit, columns, list } = spec;
  const { filters = [] } = list;
  const title = owner && titleOf(owner.finder);
  return defineCommand({
    path: pathOf(spec, "list"),
    result: rows(columns),
    aliases: ["ls"],
    effect: "reads",
    summary: `List the ${unit[1]} of ${title === undefined ? "the profile" : `a ${title}`}`,
    details:
      "Shows the ends of each token in every format, also with -o id: delete takes them. --reveal shows whole tokens.",
    ...(owner && { args: [owner.argument] }),
    ...(filters.length > 0 && { options: filters }),
    groups: ["list"],
    examples: list.examples,
    related: [commandOf(spec, "create")],
    async run(ctx, input) {
      const fields = columns.map(({ key }) => key);
      const asked = listRequest(ctx, { what: unit[1], columns, fields, sortable });
      const { id } = await ownerOf(ctx, input, spec);
      const ask = narrowed(asked, await filterFrom(ctx, input, filters));
      const api = spec.api(await ctx.client(), id);
      const listing = paged(
        ctx,
        (page, amount) => asking(ctx, spec, id, () => api.list({ ...ask.request, page, amount })),
        ask,
      );
      await ctx.out.list(listing.rows, {
        columns,
        empty: title === undefined ? `No ${unit[1]} match.` : `The ${title} has no ${unit[1]}.`,
        more: listing.more,
        idKey: "token",
      });
    },
  });
}

function createCommand(spec: TokensSpec): Command {
  const { owner, unit, create, createdColumns: columns } = spec;
  const title = owner && titleOf(owner.finder);
  const name = { name: "name", value: "text", summary: `name of the ${lastWord(unit[0])}` } as const;
  const options = [
    create.needed === undefined ? { ...name, default: "iot" } : name,
    ...wantedOptions,
    ...(create.options ?? []),
  ];
  const readsStdin = options.some((each) => each.name.endsWith("-stdin"));
  return defineCommand({
    path: pathOf(spec, "create"),
    result: one(columns),
    effect: "changes",
    summary: `Create a ${unit[0]}${title === undefined ? "" : ` for a ${title}`}`,
    ...(create.details !== undefined && { details: create.details }),
    ...(owner && { args: [owner.argument] }),
    options,
    examples: create.examples,
    exitCodes: readsStdin ? [3] : [],
    related: [commandOf(spec, "list"), ...(create.related ?? [])],
    async run(ctx, input) {
      if (create.needed !== undefined) needMembers({ name: input.options.name }, unit[0], { name: create.needed });
      const wanted = wantedToken(input);
      const target = await ownerOf(ctx, input, spec);
      const { path, body } = spec.route(target.id);
      const all = { ...wanted, ...(await create.add?.(ctx, input)) };
      if (await ctx.dryRun({ method: "POST", path, body: { ...body, ...all } })) return;
      const api = spec.api(await ctx.client(), target.id);
      const created = await asking(ctx, spec, target.id, () => api.create(all));
      // Where people read, nothing but the token, the only time it is shown in full.
      if (ctx.out.format === "table" || ctx.out.format === "id") await ctx.out.value(created.token);
      else await ctx.out.item({ ...created }, { columns });
      const whose = title === undefined ? "" : ` for ${title} "${await target.name()}"`;
      await ctx.done(`Created ${unit[0]} "${wanted.name}" (${wanted.permission})${whose}`);
    },
  });
}

const goneColumns: readonly Column<{ readonly token: string; readonly name: string }>[] = [
  { key: "token" },
  { key: "name" },
];

function deleteCommand(spec: TokensSpec): Command {
  const { owner, unit, named } = spec;
  const title = owner && titleOf(owner.finder);
  const hasOwner = owner !== undefined && owner.from === undefined;
  const ownerArguments: ArgumentSpec[] = hasOwner ? [{ ...owner.argument, required: true }] : [];
  return defineCommand({
    path: pathOf(spec, "delete"),
    result: rows(goneColumns),
    aliases: ["rm"],
    effect: "deletes",
    summary: `Delete ${unit[1]}${title === undefined ? "" : ` of a ${title}`}`,
    ...(named === undefined && {
      details:
        "Identify a token by its name, by its ends as the list shows them (abcd…wxyz, or abcd...wxyz), or in full.",
    }),
    args: [
      ...ownerArguments,
      { name: "tokens", summary: named ?? "names or ends of the tokens", required: true, variadic: true },
    ],
    ...(owner?.from && { options: [owner.from] }),
    examples: spec.delete.examples,
    exitCodes: [6, 8],
    related: [commandOf(spec, "list"), ...(spec.delete.related ?? [])],
    async run(ctx, input) {
      const target = await ownerOf(ctx, input, spec);
      const known = await knownTokens(ctx, spec, target.id);
      const found = input.args.tokens.map((text) => findToken(known, text, findingOf(spec)));
      const chosen = (await spec.delete.order?.(ctx, [...new Set(found)])) ?? [...new Set(found)];
      return deleteTokens(ctx, spec, target, chosen);
    },
  });
}

/** What messages about a token that is not there say. */
export const findingOf = (spec: TokensSpec) => ({
  title: `The ${spec.owner === undefined ? "profile" : titleOf(spec.owner.finder)}`,
  code: spec.code,
  list: commandOf(spec, "list"),
});

/** The tokens there are, to choose from. */
export function knownTokens(ctx: CommandContext, spec: TokensSpec, owner: string): Promise<readonly TokenRow[]> {
  const query = { fields: ["name", "token", "permission", "expire_time"], amount: ALL_ROWS_AMOUNT };
  return asking(ctx, spec, owner, async () => spec.api(await ctx.client(), owner).list(query));
}

/** Shows, asks, deletes and says what was done. */
async function deleteTokens(
  ctx: CommandContext,
  spec: TokensSpec,
  target: ResourceTarget,
  chosen: readonly KnownToken[],
): Promise<number> {
  const { owner, unit } = spec;
  const { path } = spec.route(target.id);
  if (await ctx.dryRun(chosen.map(({ token }) => ({ method: "DELETE", path: `${path}/${maskToken(token)}` }))))
    return 0;
  const [first] = chosen;
  const single = chosen.length === 1 ? first : undefined;
  const ownerName = await target.name();
  const of = owner === undefined ? "" : ` of ${titleOf(owner.finder)} "${ownerName}"`;
  const title = (row: KnownToken): string => `${unit[0]} "${row.name ?? ""}"${of}`;
  await ctx.confirm({
    level: chosen.length === 1 ? 1 : 2,
    action: `Delete ${single === undefined ? `${countOf(chosen.length, ...unit)}${of}` : title(single)}`,
    name: ownerName || single?.name || (await ctx.connection()).envName || lastWord(unit[1]),
    items: chosen.map((row) => `${maskToken(row.token)} ${row.name ?? ""}`),
  });
  const api = spec.api(await batchClient(ctx), target.id);
  return runBatch(ctx, {
    items: chosen,
    title,
    done: "Deleted",
    unit,
    run: ({ token }) => api.delete(token),
    print: (done) =>
      ctx.out.list(
        done.map((row) => ({ token: maskToken(row.token), name: row.name ?? "" })),
        { columns: goneColumns, empty: "Nothing was deleted.", idKey: "token" },
      ),
  });
}
