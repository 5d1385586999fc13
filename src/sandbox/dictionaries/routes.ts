import { dictionaryReaderRoutes } from "../../lib/clients/dictionary.ts";
import { isRecord } from "../../lib/core/json.ts";
import { dictionaryRoutes } from "../../lib/resources/dictionaries.ts";
import { dictionaryCreate, dictionaryEdit, languageEdit, locale as localeSchema } from "../../schema/dictionary.ts";
import { ORDINARY_ACTIONS, onRecords } from "../access/catalogue.ts";
import { type Demand, record } from "../access/demands.ts";
import type { App } from "../app.ts";
import { isId } from "../core/ids.ts";
import { perPlan } from "../core/plans.ts";
import { invalidBody, PlatformError } from "../core/platform-error.ts";
import { booleanOf } from "../core/query.ts";
import type { HandlerContext } from "../http/handler.ts";
import { profileAt } from "../portal/settings.ts";
import { resource } from "../resource.ts";
import type { Collection, EntityDocument } from "../store/document.ts";

const gaps = {
  languages: {
    subject: "Dictionary languages",
    choice:
      "400 {locale} can't be found; PUT without dictionary keeps the texts; an inactive one with fallback is the fallback; the fallback cannot be deleted; any number on every plan",
  },
  bySlug: { subject: "Dictionary by slug", choice: "fallback=false is followed" },
  slug: { subject: "Slug of a dictionary", choice: "may have _; one in use: 400" },
} as const;

interface Language {
  readonly code: string;
  readonly active: boolean;
}

/** Translations by key, of one language. */
type Texts = Readonly<Record<string, string>>;

function languagesOf(dictionary: EntityDocument): readonly Language[] {
  return Array.isArray(dictionary["languages"]) ? dictionary["languages"] : [];
}

/** Translations by language. A language has none before its first write. */
function allTexts(dictionary: EntityDocument | undefined): ReadonlyMap<string, Texts> {
  const all = isRecord(dictionary?.["texts"]) ? dictionary["texts"] : {};
  const strings = (texts: unknown): Texts =>
    Object.fromEntries(Object.entries(isRecord(texts) ? texts : {}).map(([key, text]) => [key, String(text)]));
  return new Map(Object.entries(all).map(([code, texts]) => [code, strings(texts)]));
}

/** The fallback language comes first, and is always present. */
function withFallback(languages: readonly Language[], fallback: string): Language[] {
  const own = languages.find(({ code }) => code === fallback);
  const others = languages.filter(({ code }, index) => {
    const isFirst = languages.findIndex((language) => language.code === code) === index;
    return code !== fallback && isFirst;
  });
  return [{ code: fallback, active: own?.active ?? true }, ...others];
}

/** Translations of the languages of a list, where they exist. */
function keepTexts(texts: ReadonlyMap<string, Texts>, languages: readonly Language[]): Record<string, Texts> {
  return Object.fromEntries([...texts].filter(([code]) => languages.some((language) => language.code === code)));
}

const notFound = (code: string): PlatformError =>
  new PlatformError(400, `${code} can't be found`).assumed(gaps.languages);

function checkLocale(text: string): string {
  if (localeSchema.safeParse(text).success) return text;
  throw new PlatformError(400, "Invalid language");
}

/**
 * Translations of a language. With `fallback`, missing ones come from the fallback language, and all of them while the
 * language is inactive.
 */
function entries(dictionary: EntityDocument, code: string, fallback: boolean, assume: HandlerContext["assume"]): Texts {
  const texts = allTexts(dictionary);
  const own = texts.get(code);
  const base = fallback ? texts.get(String(dictionary["fallback"])) : undefined;
  if (own === undefined && base === undefined) throw notFound(code);
  const isActive = languagesOf(dictionary).find((language) => language.code === code)?.active !== false;
  if (isActive || base === undefined) return { ...base, ...own };
  assume(gaps.languages);
  return base;
}

function bySlug(dictionaries: Collection, slug: string, profile: string): EntityDocument | undefined {
  return dictionaries.all(profile).find((dictionary) => dictionary["slug"] === slug.toUpperCase());
}

function find(dictionaries: Collection, idOrSlug: string, profile: string): EntityDocument {
  const found = isId(idOrSlug) ? dictionaries.need(idOrSlug, profile) : bySlug(dictionaries, idOrSlug, profile);
  if (found === undefined) throw new PlatformError(404, "Dictionary Not Found");
  return found;
}

/** Changes of a single language. */
function serveLanguages(app: App, dictionaries: Collection): void {
  const edits = { rule: record("dictionary", "dictionaryID", "edit") } as const;

  app.on(dictionaryRoutes.languageEdit, { ...edits, body: languageEdit }, ({ assume, body, params, profile }) => {
    const dictionary = dictionaries.need(params.dictionaryID, profile);
    const code = checkLocale(params.locale);
    const known = languagesOf(dictionary);
    const active = body.active ?? known.find((item) => item.code === code)?.active ?? true;
    const languages = known.some((item) => item.code === code)
      ? known.map((item) => (item.code === code ? { code, active } : item))
      : [...known, { code, active }];
    const before = allTexts(dictionary);
    if (body.dictionary === undefined) assume(gaps.languages);
    const given = body.dictionary ?? before.get(code) ?? {};
    dictionaries.update(dictionary.id, { languages, texts: { ...Object.fromEntries(before), [code]: given } });
    return "Dictionary language Successfully Updated";
  });

  app.on(dictionaryRoutes.languageDelete, edits, ({ params, profile }) => {
    const dictionary = dictionaries.need(params.dictionaryID, profile);
    if (!languagesOf(dictionary).some(({ code }) => code === params.locale)) throw notFound(params.locale);
    if (dictionary["fallback"] === params.locale)
      throw new PlatformError(400, "The fallback language cannot be deleted").assumed(gaps.languages);
    const languages = languagesOf(dictionary).filter(({ code }) => code !== params.locale);
    dictionaries.update(dictionary.id, { languages, texts: keepTexts(allTexts(dictionary), languages) });
    return "Successfully Removed";
  });
}

/** Translations of a language, by id or slug, with a token or for visitors of a portal. */
function serveReaders(app: App, dictionaries: Collection): void {
  const reads: Demand = {
    resource: "dictionary",
    actions: ["access"],
    subjects: ({ params: { dictionary = "" } }, lookup) => [
      lookup.record(isId(dictionary) ? dictionary : (bySlug(dictionaries, dictionary, lookup.profile)?.id ?? "")),
    ],
    portal: true,
  };
  app.on(dictionaryReaderRoutes.language, { rule: reads }, ({ assume, params, profile, query }) => {
    const fallback = booleanOf(query["fallback"]);
    if (!isId(params.dictionary) && fallback === false) assume(gaps.bySlug);
    return entries(find(dictionaries, params.dictionary, profile), params.language, fallback === true, assume);
  });

  app.on(dictionaryReaderRoutes.runLanguage, { rule: "anyone" }, ({ assume, params }) => {
    const profile = profileAt(app.db, params.runURL);
    if (profile === undefined) throw new PlatformError(404, "Dictionary Not Found");
    return entries(find(dictionaries, params.dictionary, profile), params.language, true, assume);
  });
}

const { list, info, create, edit, delete: remove } = dictionaryRoutes;

/** Dictionaries and their languages. Translations are read by language. */
export const dictionaries = resource({
  tables: { dictionaryReaderRoutes, dictionaryRoutes },
  kind: "dictionary",
  thing: "Dictionary",
  keys: { name: "text", slug: "text", fallback: "text" },
  defaults: { ...list.list, fields: ["id", "name", "slug", "languages", "fallback", "created_at", "updated_at"] },
  hidden: ["texts"],
  most: perPlan(2, 10, 50),
  audit: ["dictionary", "Dictionary"],
  backup: { file: "dictionaries" },
  amounts: ["dictionary"],
  routes: { list, info, create, edit, delete: remove },
  rule: "dictionary",
  access: { label: "Dictionary", analysis: onRecords(...ORDINARY_ACTIONS), runUser: onRecords("access") },
  withTags: false,
  create: { body: dictionaryCreate, answer: ({ id }) => ({ dictionary: id }) },
  edit: { body: dictionaryEdit },
  prepare: (app, body, { assume, document, profile }) => {
    const other = body.slug === undefined ? undefined : bySlug(app.collection("dictionary"), body.slug, profile);
    if (other !== undefined && other.id !== document?.id)
      throw invalidBody({ slug: ["Already in use"] }).assumed(gaps.slug);
    if (body.slug?.includes("_")) assume(gaps.slug);
    const fallback = body.fallback ?? String(document?.["fallback"]);
    const given = body.languages ?? (document === undefined ? [] : languagesOf(document));
    const languages = withFallback(given, fallback);
    return { ...body, languages, texts: keepTexts(allTexts(document), languages) };
  },
  more: (app, records) => {
    serveLanguages(app, records);
    serveReaders(app, records);
  },
  gaps,
});
