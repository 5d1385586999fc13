import type { Resources } from "../../../index.ts";
import { argument, argumentList } from "../command/arguments.ts";
import type { Column } from "../command/columns.ts";
import { type Command, type CommandInput, defineCommand, type OptionSpec } from "../command/define.ts";
import { deleted, rows as listed, one } from "../command/result.ts";
import type { CommandContext } from "../context.ts";
import { steadyClient } from "../steady-client.ts";
import { runBatch } from "./batch.ts";
import { type ListRequest, listRequest, paged } from "./paging.ts";
import { type Finder, lookUp, resolveOrPick, resolveSeveral, type Target, titleOf } from "./resolve-id.ts";

/** What every resource the platform lists has. */
export interface Resource {
  readonly id: string;
}

interface VerbTexts {
  readonly options?: readonly OptionSpec[];
  readonly details?: string;
  readonly examples: readonly string[];
}

/** A list query and what of it only the client can decide. */
export interface ListPlan<Row> {
  readonly request: Omit<ListRequest, "page" | "amount">;
  /** Rows for which this says no are left out. The server cannot ask this question. */
  readonly keep?: (row: Row) => boolean;
  /** Columns besides those of the resource. */
  readonly columns?: readonly Column<Row>[];
  read(client: Resources, request: ListRequest): Promise<readonly Row[]>;
}

/** Everything `crud` needs to know of a resource. Verbs that are left out do not exist. */
export interface ResourceSpec<Row extends Resource> {
  readonly finder: Finder;
  /** Words between the noun and the verb: `["user"]` for `iot run user list`; the finder's noun is then `run user`. */
  readonly path?: readonly string[];
  /** Root of the resource's routes: `/device`. Shown by `--dry-run`. */
  readonly route: string;
  readonly columns: readonly Column<Row>[];
  /** Members a list asks for when `--fields` names no others. */
  readonly fields: readonly string[];
  nameOf(row: Row): string;
  info(client: Resources, id: string): Promise<Row>;
  readonly list?: VerbTexts & {
    plan(
      ctx: CommandContext,
      input: CommandInput,
      request: ListPlan<Row>["request"],
    ): Promise<ListPlan<Row>> | ListPlan<Row>;
  };
  readonly get?: VerbTexts & {
    readonly columns?: readonly Column<Row>[];
    info?(client: Resources, id: string): Promise<Row>;
  };
  readonly create?: VerbTexts & {
    body(ctx: CommandContext, input: CommandInput): Promise<object>;
    /** Resolves to the new id. */
    send(client: Resources, body: object): Promise<string>;
    /** Said after the result, where there is something to do next. */
    hint?(row: Row): string;
  };
  readonly update?: VerbTexts & {
    body(ctx: CommandContext, input: CommandInput, target: Target): Promise<object>;
    send(client: Resources, id: string, body: object): Promise<unknown>;
  };
  readonly delete?: Omit<VerbTexts, "options"> & { send(client: Resources, id: string): Promise<unknown> };
}

/** The commands list, get, create, update and delete of one resource. */
export function crud<Row extends Resource>(spec: ResourceSpec<Row>): readonly Command[] {
  const made = [listCommand(spec), getCommand(spec), createCommand(spec), updateCommand(spec), deleteCommand(spec)];
  return made.filter((command) => command !== undefined).map((command) => ({ ...command, finder: spec.finder }));
}

function listCommand<Row extends Resource>(spec: ResourceSpec<Row>): Command | undefined {
  const { list, finder } = spec;
  if (list === undefined) return undefined;
  return defineCommand({
    path: [...(spec.path ?? []), "list"],
    result: listed(spec.columns),
    aliases: ["ls"],
    effect: "reads",
    summary: `List the ${finder.plural} of the profile`,
    ...texts(list),
    groups: ["list"],
    exitCodes: [4, 5, 10],
    related: [`iot ${finder.noun} get`],
    async run(ctx, input) {
      const plan = await list.plan(ctx, input, listRequest(ctx, spec.fields));
      const client = await ctx.client();
      const listing = paged(ctx, (page, amount) => plan.read(client, { ...plan.request, page, amount }), plan.keep);
      await ctx.out.list(listing.rows, {
        columns: [...spec.columns, ...(plan.columns ?? [])],
        empty: `No ${finder.plural} match.`,
        more: listing.more,
      });
    },
  });
}

function getCommand<Row extends Resource>(spec: ResourceSpec<Row>): Command | undefined {
  const { get, finder } = spec;
  if (get === undefined) return undefined;
  return defineCommand({
    path: [...(spec.path ?? []), "get"],
    result: one(get.columns ?? spec.columns),
    aliases: ["info"],
    effect: "reads",
    summary: `Show one ${titleOf(finder)}`,
    args: [{ name: "id", summary: idSummary(finder) }],
    ...texts(get),
    exitCodes: [4, 5, 6, 10],
    related: [`iot ${finder.noun} list`],
    async run(ctx, input) {
      const target = await resolveOrPick(ctx, finder, argument(input, "id"));
      const read = get.info ?? spec.info;
      const client = await ctx.client();
      const row = await lookUp(ctx, finder, target.id, () => read(client, target.id));
      await ctx.out.item(row, { columns: get.columns ?? spec.columns });
    },
  });
}

function createCommand<Row extends Resource>(spec: ResourceSpec<Row>): Command | undefined {
  const { create, finder } = spec;
  if (create === undefined) return undefined;
  return defineCommand({
    path: [...(spec.path ?? []), "create"],
    result: one(spec.columns),
    effect: "changes",
    summary: `Create ${withArticle(titleOf(finder))}`,
    ...texts(create),
    groups: ["dryRun"],
    exitCodes: [3, 4, 5, 10],
    related: [`iot ${finder.noun} list`, `iot ${finder.noun} delete`],
    async run(ctx, input) {
      const body = await create.body(ctx, input);
      if (await ctx.dryRun({ method: "POST", path: spec.route, body })) return;
      const client = await ctx.client();
      const row = await spec.info(client, await create.send(client, body));
      await ctx.out.item(row, { columns: spec.columns });
      ctx.say.info(`Created ${titleOf(finder)} "${spec.nameOf(row)}" in ${(await ctx.connection()).label}.`);
      if (create.hint !== undefined) ctx.say.hint(create.hint(row));
    },
  });
}

function updateCommand<Row extends Resource>(spec: ResourceSpec<Row>): Command | undefined {
  const { update, finder } = spec;
  if (update === undefined) return undefined;
  return defineCommand({
    path: [...(spec.path ?? []), "update"],
    result: one(spec.columns),
    aliases: ["edit"],
    effect: "changes",
    summary: `Change named fields of ${withArticle(titleOf(finder))}`,
    args: [{ name: "id", summary: idSummary(finder) }],
    ...texts(update),
    groups: ["dryRun"],
    exitCodes: [3, 4, 5, 6, 10],
    related: [`iot ${finder.noun} get`],
    async run(ctx, input) {
      const target = await resolveOrPick(ctx, finder, argument(input, "id"));
      const body = await update.body(ctx, input, target);
      if (await ctx.dryRun({ method: "PUT", path: `${spec.route}/${target.id}`, body })) return;
      const client = await ctx.client();
      await lookUp(ctx, finder, target.id, () => update.send(client, target.id, body));
      const row = await spec.info(client, target.id);
      await ctx.out.item(row, { columns: spec.columns });
      ctx.say.info(`Updated ${titleOf(finder)} "${spec.nameOf(row)}" in ${(await ctx.connection()).label}.`);
    },
  });
}

function deleteCommand<Row extends Resource>(spec: ResourceSpec<Row>): Command | undefined {
  const { delete: remove, finder } = spec;
  if (remove === undefined) return undefined;
  return defineCommand({
    path: [...(spec.path ?? []), "delete"],
    result: deleted,
    aliases: ["rm"],
    effect: "deletes",
    summary: `Delete one or more ${finder.plural}`,
    args: [{ name: "id", summary: idSummary(finder), variadic: true }],
    ...texts(remove),
    groups: ["confirm", "dryRun"],
    exitCodes: [4, 5, 6, 8, 10, 130],
    related: [`iot ${finder.noun} list`],
    async run(ctx, input) {
      const given = argumentList(input, "id");
      const targets = await resolveSeveral(ctx, finder, given);
      const rows = await Promise.all(targets.map(async ({ id, name }) => ({ id, name: await name() })));
      for (const { id } of ctx.flags.dryRun ? rows : [])
        await ctx.dryRun({ method: "DELETE", path: `${spec.route}/${id}` });
      if (ctx.flags.dryRun) return;
      await confirmDelete(ctx, finder, rows);
      const client = await steadyClient(ctx);
      return runBatch(ctx, {
        items: rows,
        title: ({ name }) => `${titleOf(finder)} "${name}"`,
        done: `Deleted`,
        unit: [titleOf(finder), finder.plural],
        run: ({ id }) => remove.send(client, id),
        print: (done) =>
          ctx.out.list(done, { columns: [{ key: "id", kind: "id" }, { key: "name" }], empty: "Nothing was deleted." }),
      });
    },
  });
}

/** One is a yes-or-no question; several ask for the name of the environment. */
async function confirmDelete(
  ctx: CommandContext,
  finder: Finder,
  rows: readonly { id: string; name: string }[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const { envName } = await ctx.connection();
  if (rows.length === 1) {
    await ctx.confirm({ level: 1, action: `Delete ${titleOf(finder)} "${first.name}"`, name: first.name });
    return;
  }
  await ctx.confirm({
    level: 2,
    action: `Delete ${rows.length} ${finder.plural}`,
    name: envName || finder.plural,
    items: rows.map((row) => `${row.id} ${row.name}`),
  });
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}

function idSummary(finder: Finder): string {
  return `Full id, or a unique ${finder.forms.map((form) => ({ name: "name:…", tag: "tag:key=value", serial: "serial:…" })[form]).join(", ")}`;
}

function texts(verb: VerbTexts): VerbTexts {
  return {
    examples: verb.examples,
    ...(verb.options === undefined ? {} : { options: verb.options }),
    ...(verb.details === undefined ? {} : { details: verb.details }),
  };
}
