import type { Resources } from "../../../index.ts";
import { batchClient, readingClient } from "../client/batch-client.ts";
import type { Column } from "../command/columns.ts";
import { type Command, type CommandInput, defineCommand } from "../command/define.ts";
import { isOn, optionValue } from "../command/dynamic.ts";
import type { Input, OptionSpec, Options } from "../command/options.ts";
import { deleted, deletedRows, either, rows as listed, one } from "../command/result.ts";
import type { CommandContext } from "../context.ts";
import { atPath } from "../output/values.ts";
import { watchList, watchMs, watchOptions } from "../streams/watch-list.ts";
import { runBatch } from "./batch.ts";
import { onOff, type Tag } from "./body.ts";
import {
  type Creation,
  changedBody,
  type Field,
  fieldOptions,
  newBody,
  type VerbTexts,
  type WritingSpec,
} from "./fields.ts";
import { type ListAsk, type ListFacts, type ListRequest, listRequest, narrowed, paged } from "./paging.ts";
import {
  type Finder,
  lookUp,
  type NamedResource,
  nameIn,
  resolveId,
  resolveOrPick,
  resolveSeveral,
  titleOf,
} from "./resolve-id.ts";
import { namesForPeople, type Reference } from "./resource-names.ts";
import { ifMissing, twinOf } from "./twins.ts";

/** What every resource the platform lists has. */
export interface Resource {
  readonly id: string;
  readonly tags?: readonly Tag[] | undefined;
}

/**
 * The calls of the client. Queries and bodies come from flags and files, so the platform checks them, not the compiler.
 */
export interface ResourceApi<Row> {
  list(query: object): Promise<readonly Row[]>;
  info(id: string): Promise<Row>;
  create?(body: object): Promise<object>;
  edit?(id: string, body: object): Promise<unknown>;
  delete?(id: string): Promise<unknown>;
}

/** A flag of `list` that narrows it: a value, or a pair of switches where there is an `off`. */
export interface Filter extends OptionSpec {
  readonly off?: OptionSpec;
  /** The value as the platform compares it. */
  readonly as?: (text: string) => string;
  /** The value names a resource; its id is compared. */
  readonly finder?: Finder;
}

/** A list query and how its pages are read. */
export interface ListPlan<Row> extends ListAsk<Row> {
  read(client: Resources, request: ListRequest): Promise<readonly Row[]>;
}

/** A resource as data. Verbs that are left out do not exist; what a verb does differently is code. */
export interface ResourceSpec<
  Row extends Resource,
  Fields extends readonly Field[] = readonly Field[],
  Flags extends Options = Options,
  ListFlags extends Options = Options,
  CreateFlags extends Options = Options,
  UpdateFlags extends Options = Options,
> extends WritingSpec<Fields, Flags, CreateFlags, UpdateFlags> {
  /** Words between the noun and the verb: `["user"]` for `iot run user list`; the finder's noun is then `run user`. */
  readonly path?: readonly string[];
  /** Root of the resource's routes: `/device`. Shown by `--dry-run`. */
  readonly route: string;
  api(client: Resources): ResourceApi<NoInfer<Row>>;
  /** Reads one, where the client's `info` alone does not do it. */
  info?(client: Resources, id: string): Promise<Row>;
  /** Field of the creation response that holds the new id; `id` by default. */
  readonly createdKey?: string;
  readonly columns: readonly Column<Row>[];
  /** What a row refers to by id. On a terminal, `list` and `get` read the names, and rows have them as `names`. */
  references?(row: Row): readonly Reference[];
  readonly list?: VerbTexts<ListFlags> &
    Pick<ListFacts<Row>, "filterable" | "sortable"> & {
      readonly filters?: readonly Filter[];
      /** Fields requested when `--fields` names none; those of the columns by default. */
      readonly fields?: readonly string[];
      /** Columns besides those of the resource, where flags ask for them. */
      columns?(input: Input<[], ListFlags>): readonly Column<Row>[];
      /** Changes what is read. */
      plan?(
        ctx: CommandContext,
        input: Input<[], ListFlags>,
        plan: ListPlan<Row>,
      ): Promise<ListPlan<Row>> | ListPlan<Row>;
    };
  readonly get?: VerbTexts & {
    /** Those of the list, with the hidden ones, unless given. */
    readonly columns?: readonly Column<Row>[];
    info?(client: Resources, id: string): Promise<Row>;
  };
  readonly create?: Creation<CreateFlags> & {
    /** Said after the result, where there is something to do next. */
    hint?(row: Row): string;
    /** A field of the creation response alone, which a switch prints as well; there is then no hint. */
    readonly shown?: { readonly flag: string; readonly column: Column<Row> };
  };
  readonly delete?: Omit<VerbTexts, "options"> & {
    /** What is saved before a deletion. */
    readonly keep?: {
      /** Resolves to the file; undefined where nothing could be saved, which it says. */
      save(ctx: CommandContext, client: Resources, id: string): Promise<string | undefined>;
      /** How to create again what is in one or more files. */
      hint(files: readonly [string, ...string[]]): string;
    };
  };
}

/** The commands list, get, create, update and delete of one resource. */
export function resource<
  Row extends Resource,
  const Fields extends readonly Field[] = readonly Field[],
  const Flags extends Options = Options,
  const ListFlags extends Options = Options,
  const CreateFlags extends Options = Options,
  const UpdateFlags extends Options = Options,
>(spec: ResourceSpec<Row, Fields, Flags, ListFlags, CreateFlags, UpdateFlags>): readonly Command[] {
  return commandsOf(spec);
}

function commandsOf<Row extends Resource>(spec: ResourceSpec<Row>): readonly Command[] {
  const made = [listCommand(spec), getCommand(spec), createCommand(spec), updateCommand(spec), deleteCommand(spec)];
  return made.filter((command) => command !== undefined).map((command) => ({ ...command, finder: spec.finder }));
}

/** The columns with the hidden ones, for one row. */
export function unhidden<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  return columns.map(({ hidden: _, ...column }) => column);
}

const read = <Row extends Resource>({ api, info }: ResourceSpec<Row>, client: Resources, id: string): Promise<Row> =>
  info === undefined ? api(client).info(id) : info(client, id);

/** What the filters of a command line ask for. */
export async function filterFrom(ctx: CommandContext, input: CommandInput, filters: readonly Filter[]) {
  const filter: Record<string, unknown> = {};
  for (const { name, off, finder, as = String } of filters) {
    const given = optionValue(input, name);
    const isSet = off === undefined ? undefined : onOff(given, optionValue(input, off.name));
    const isText = typeof given === "string";
    const value = isText ? (finder === undefined ? as(given) : (await resolveId(ctx, finder, given)).id) : isSet;
    if (value !== undefined) filter[name.replaceAll("-", "_")] = value;
  }
  return filter;
}

function filterOptions(filters: readonly Filter[]): readonly OptionSpec[] {
  return filters.flatMap(({ off, as: _as, finder: _finder, ...on }): OptionSpec[] =>
    off === undefined ? [on] : [{ ...on, opposite: off.name }, off],
  );
}

function listCommand<Row extends Resource>(spec: ResourceSpec<Row>): Command | undefined {
  const { list, finder } = spec;
  if (list === undefined) return undefined;
  const { filters = [], fields = spec.columns.map(({ key }) => key) } = list;
  return defineCommand({
    path: [...(spec.path ?? []), "list"],
    result: listed(spec.columns),
    aliases: ["ls"],
    effect: "reads",
    summary: `List ${finder.plural}`,
    ...texts(list, [...filterOptions(filters), ...(list.options ?? []), ...watchOptions]),
    groups: ["list"],
    related: [`iot ${finder.noun} get`],
    async run(ctx, input) {
      const columns = [...spec.columns, ...(list.columns?.(input) ?? [])];
      const facts = { ...list, what: finder.plural, columns, fields };
      const asked = listRequest(ctx, facts);
      const plain: ListPlan<Row> = {
        ...narrowed(asked, await filterFrom(ctx, input, filters), list.filterable),
        read: (client, query) => spec.api(client).list(query),
      };
      const plan = list.plan === undefined ? plain : await list.plan(ctx, input, plain);
      const refreshMs = watchMs(ctx, input);
      const client = await (refreshMs === undefined ? ctx.client() : readingClient(ctx));
      const named = namesForPeople(ctx, client, spec.references);
      const readPage = async (page: number, amount: number) =>
        named(await plan.read(client, { ...plan.request, page, amount }));
      const empty = `No ${finder.plural} match.`;
      const read = () => paged(ctx, readPage, plan);
      if (refreshMs !== undefined) return watchList(ctx, { what: finder.plural, columns, empty, refreshMs, read });
      const listing = read();
      await ctx.out.list(listing.rows, { columns, empty, more: listing.more });
    },
  });
}

function getCommand<Row extends Resource>(spec: ResourceSpec<Row>): Command | undefined {
  const { get, finder } = spec;
  if (get === undefined) return undefined;
  const columns = get.columns ?? unhidden(spec.columns);
  return defineCommand({
    path: [...(spec.path ?? []), "get"],
    result: one(columns),
    aliases: ["info"],
    effect: "reads",
    summary: `Get ${withArticle(titleOf(finder))}`,
    args: [{ name: "id", summary: idSummary(finder) }],
    ...texts(get, get.options),
    related: [`iot ${finder.noun} list`],
    async run(ctx, input) {
      const { id } = await resolveOrPick(ctx, finder, input.args.id);
      const client = await ctx.client();
      const row = await lookUp(ctx, finder, id, () => (get.info ? get.info(client, id) : read(spec, client, id)));
      const [named = row] = await namesForPeople(ctx, client, spec.references)([row]);
      await ctx.out.item(named, { columns });
    },
  });
}

function createCommand<Row extends Resource>(spec: ResourceSpec<Row>): Command | undefined {
  const { create, finder } = spec;
  if (create === undefined) return undefined;
  const hasTwins = create.twins !== false;
  const twins = create.twins === false ? undefined : create.twins;
  const { shown, hint } = create;
  const result = one(spec.columns);
  return defineCommand({
    path: [...(spec.path ?? []), "create"],
    result: shown === undefined ? result : either(result, one([...spec.columns, shown.column])),
    effect: "changes",
    summary: `Create ${withArticle(titleOf(finder))}`,
    ...texts(create, [...fieldOptions(spec, "create"), ...(hasTwins ? [ifMissing(finder, twins)] : [])]),
    exitCodes: hasTwins ? [3, 7] : [3],
    related: [`iot ${finder.noun} list`, `iot ${finder.noun} delete`],
    async run(ctx, input) {
      const made = await newBody(ctx, input, spec, async (given) =>
        hasTwins ? twinOf(ctx, input, finder, twins, given) : undefined,
      );
      if (made.twin !== undefined) return printTwin(ctx, spec, made.twin);
      const { body } = made;
      if (await ctx.dryRun({ method: "POST", path: spec.route, body })) return;
      const client = await ctx.client();
      const created = await spec.api(client).create?.(body);
      const row = await readNew(ctx, spec, String(atPath(created, spec.createdKey ?? "id")));
      const added = shown !== undefined && isOn(input, shown.flag) ? [shown.column] : [];
      const fields = Object.fromEntries(added.map(({ key }) => [key, atPath(created, key)]));
      await ctx.out.item({ ...row, ...fields }, { columns: [...spec.columns, ...added] });
      await ctx.done(`Created ${titleOf(finder)} "${nameIn(finder, row)}"`);
      if (hint !== undefined && added.length === 0) ctx.say.hint(hint(row));
    },
  });
}

/** Reads the new one. Where that fails, a warning says that it is there all the same. */
async function readNew<Row extends Resource>(ctx: CommandContext, spec: ResourceSpec<Row>, id: string): Promise<Row> {
  try {
    return await read(spec, await ctx.client(), id);
  } catch (error) {
    const { finder, get } = spec;
    const check = get === undefined ? `iot ${finder.noun} list` : `iot ${finder.noun} get ${id}`;
    ctx.say.warning(`The ${titleOf(finder)} ${id} was created, but reading it failed; "${check}" shows it.`);
    throw error;
  }
}

/** Prints the existing one instead of a new one. */
async function printTwin<Row extends Resource>(
  ctx: CommandContext,
  spec: ResourceSpec<Row>,
  { id, name }: NamedResource,
): Promise<void> {
  const { finder, columns } = spec;
  const text = `${titleOf(finder)} "${name}" already exists (${id})`;
  if (ctx.flags.dryRun) return ctx.say.info(`The ${text}; nothing would be sent.`);
  const client = await ctx.client();
  await ctx.out.item(await lookUp(ctx, finder, id, () => read(spec, client, id)), { columns });
  await ctx.done(`Created nothing: the ${text}`);
}

function updateCommand<Row extends Resource>(spec: ResourceSpec<Row>): Command | undefined {
  const { update, finder } = spec;
  if (update === undefined) return undefined;
  return defineCommand({
    path: [...(spec.path ?? []), "update"],
    result: one(spec.columns),
    aliases: ["edit"],
    effect: "changes",
    summary: `Update ${withArticle(titleOf(finder))}`,
    args: [{ name: "id", summary: idSummary(finder) }],
    ...texts(update, fieldOptions(spec, "update")),
    exitCodes: [3],
    related: [`iot ${finder.noun} get`],
    async run(ctx, input) {
      const target = await resolveOrPick(ctx, finder, input.args.id);
      const current = async () => (await read(spec, await ctx.client(), target.id)).tags;
      const changes = await changedBody(ctx, input, spec, current);
      const body = update.complete === undefined ? changes : await update.complete(ctx, input, changes, target);
      if (await ctx.dryRun({ method: "PUT", path: `${spec.route}/${target.id}`, body })) return;
      const client = await ctx.client();
      await lookUp(ctx, finder, target.id, async () => spec.api(client).edit?.(target.id, body));
      const row = await read(spec, client, target.id);
      await ctx.out.item(row, { columns: spec.columns });
      await ctx.done(`Updated ${titleOf(finder)} "${nameIn(finder, row)}"`);
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
    args: [{ name: "id", summary: `${idSummary(finder)}; - reads ids from stdin`, variadic: true }],
    ...texts(remove),
    exitCodes: [8],
    related: [`iot ${finder.noun} list`],
    async run(ctx, input) {
      const targets = await resolveSeveral(ctx, finder, input.args.id);
      const rows = await Promise.all(targets.map(async ({ id, name }) => ({ id, name: await name() })));
      if (await ctx.dryRun(rows.map(({ id }) => ({ method: "DELETE", path: `${spec.route}/${id}` })))) return;
      await confirmDelete(ctx, finder, rows);
      const client = await batchClient(ctx);
      const saved: string[] = [];
      try {
        return await runBatch(ctx, {
          items: rows,
          title: ({ name }) => `${titleOf(finder)} "${name}"`,
          done: `Deleted`,
          unit: [titleOf(finder), finder.plural],
          async run({ id }) {
            const file = await remove.keep?.save(ctx, client, id);
            await spec.api(client).delete?.(id);
            if (file !== undefined) saved.push(file);
          },
          print: (done) => ctx.out.list(done, deletedRows),
        });
      } finally {
        const [first, ...others] = saved;
        if (first !== undefined && remove.keep !== undefined) ctx.say.hint(remove.keep.hint([first, ...others]));
      }
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

function texts(verb: VerbTexts, options: readonly OptionSpec[] = []): VerbTexts {
  return {
    examples: verb.examples,
    ...(options.length === 0 ? {} : { options }),
    ...(verb.details === undefined ? {} : { details: verb.details }),
  };
}
