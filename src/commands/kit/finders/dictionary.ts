import type { DictionaryInfo } from "../../../lib/resources/dictionaries.ts";
import type { ArgumentSpec } from "../command/define.ts";
import type { Input } from "../command/options.ts";
import { quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { notFoundError, usageError } from "../failures/command-error.ts";
import { type Finder, lookUp, type NamedResource, resolveIds, resolveOrPick } from "../resource/resolve-id.ts";

/** Dictionaries have two names: `name:` takes the slug as well. */
export const dictionaryFinder: Finder = {
  noun: "dictionary",
  plural: "dictionaries",
  forms: ["name"],
  async find(ctx, query, amount, page = 1) {
    const { dictionaries } = await ctx.client();
    const common = { page, amount, fields: ["id", "name", "slug"], orderBy: ["name", "asc"] } as const;
    const list = (filter: { name?: string; slug?: string }) =>
      dictionaries.list({ ...common, fields: [...common.fields], orderBy: [...common.orderBy], filter });
    if (query?.form !== "name") return (await list({})).map(({ id, name }) => ({ id, name }));
    const byName = await list({ name: query.name });
    const found = byName.map(({ id, name }) => ({ id, name }));
    const bySlug = await list({ slug: query.name.toUpperCase() });
    const others = bySlug.filter(({ id, slug }) => isSlug(slug, query.name) && !found.some((row) => row.id === id));
    return [...found, ...others.map(({ id }) => ({ id, name: query.name }))];
  },
  async nameOf(ctx, id) {
    return (await (await ctx.client()).dictionaries.info(id)).name;
  },
};

/** The dictionary with this slug. */
export async function withSlug(ctx: CommandContext, text: string): Promise<readonly NamedResource[]> {
  const { dictionaries } = await ctx.client();
  const slug = text.toUpperCase();
  const rows = await dictionaries.list({ amount: 20, fields: ["id", "name", "slug"], filter: { slug } });
  return rows.filter((row) => row.slug === slug).map(({ id, name }) => ({ id, name }));
}

const isSlug = (slug: string, text: string): boolean => slug === text.toUpperCase();

export const dictionaryArgument = {
  name: "id",
  summary: "Full id, or a unique name:… or name:SLUG",
  required: true,
} as const satisfies ArgumentSpec;

export const localeArgument = {
  name: "language",
  summary: "code: en-US, pt-BR",
  required: true,
} as const satisfies ArgumentSpec;

/** The dictionary the first argument names. */
export async function dictionaryOf(
  ctx: CommandContext,
  input: Input<[typeof dictionaryArgument], []>,
): Promise<DictionaryInfo> {
  const { id } = await resolveOrPick(ctx, dictionaryFinder, input.args.id);
  const { dictionaries } = await ctx.client();
  return lookUp(ctx, dictionaryFinder, id, () => dictionaries.info(id));
}

/** Every dictionary of the profile, in the order of the slugs. */
export async function allDictionaries(ctx: CommandContext): Promise<readonly DictionaryInfo[]> {
  const { dictionaries } = await ctx.client();
  const found: DictionaryInfo[] = [];
  const PAGE_ROWS = 100;
  for (let page = 1; ; page += 1) {
    const rows = await dictionaries.list({ page, amount: PAGE_ROWS, fields: ["id", "slug"] });
    for (const { id } of rows) found.push(await dictionaries.info(id));
    if (rows.length < PAGE_ROWS) return found.toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
  }
}

/** A code as the platform takes it. */
export function parseLocale(text: string, flag: string): string {
  if (/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(text)) return text;
  throw usageError(`Invalid language ${quote(text)} for ${flag}.`, {
    next: "Use a code such as en-US, pt-BR or es.",
  });
}

/** Checks that the dictionary has the language. */
export function needLanguage({ name, id, languages }: DictionaryInfo, locale: string): void {
  if (languages.some(({ code }) => code === locale)) return;
  const known = languages.map(({ code, active }) => (active ? code : `${code} (inactive)`)).join(", ");
  throw notFoundError(`The dictionary "${name}" has no language ${quote(locale)}.`, {
    code: "dictionary.no_language",
    why: `It has ${known}.`,
    next: `Use one of them, or add it: iot dictionary lang set ${id} ${locale} KEY=text`,
  });
}

/** The dictionaries that are named, else all. */
export async function chosenDictionaries(
  ctx: CommandContext,
  ids: readonly string[],
): Promise<readonly DictionaryInfo[]> {
  if (ids.length === 0) return allDictionaries(ctx);
  const { dictionaries } = await ctx.client();
  const targets = await resolveIds(ctx, dictionaryFinder, ids);
  return Promise.all(targets.map(({ id }) => lookUp(ctx, dictionaryFinder, id, () => dictionaries.info(id))));
}
