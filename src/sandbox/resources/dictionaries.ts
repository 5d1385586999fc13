import { dictionaryReaderRoutes } from "../../lib/clients/dictionary.ts";
import { isRecord } from "../../lib/core/json.ts";
import { dictionaryRoutes } from "../../lib/resources/dictionaries.ts";
import { dictionaryCreate, dictionaryEdit, languageEdit, locale as localeSchema } from "../../schema/dictionary.ts";
import type { App } from "../app.ts";
import { isId } from "../core/ids.ts";
import { PlatformError } from "../core/platform-error.ts";
import { booleanOf } from "../core/query.ts";
import { profileAt } from "../portal/settings.ts";
import type { EntityDocument } from "../store/document.ts";
import { crud } from "./crud.ts";

interface Language {
  readonly code: string;
  readonly active: boolean;
}

/** Texts by key, of one language. */
type Texts = Readonly<Record<string, string>>;

function languagesOf(dictionary: EntityDocument): readonly Language[] {
  return Array.isArray(dictionary["languages"]) ? dictionary["languages"] : [];
}

/** Texts by language. A language has none before its first write. */
function allTexts(dictionary: EntityDocument | undefined): ReadonlyMap<string, Texts> {
  const all = isRecord(dictionary?.["texts"]) ? dictionary["texts"] : {};
  const strings = (texts: unknown): Texts =>
    Object.fromEntries(Object.entries(isRecord(texts) ? texts : {}).map(([key, text]) => [key, String(text)]));
  return new Map(Object.entries(all).map(([code, texts]) => [code, strings(texts)]));
}

/** A dictionary as it is shown: its texts are read by language. */
function present(dictionary: EntityDocument): EntityDocument {
  const { texts: _, ...shown } = dictionary;
  return shown;
}

/** The fallback language comes first, and is there in any case. */
function withFallback(languages: readonly Language[], fallback: string): Language[] {
  const own = languages.find(({ code }) => code === fallback);
  const others = languages.filter(({ code }, index) => {
    const isFirst = languages.findIndex((language) => language.code === code) === index;
    return code !== fallback && isFirst;
  });
  return [{ code: fallback, active: own?.active ?? true }, ...others];
}

/** Texts of the languages of a list, as far as they were written. */
function keepTexts(texts: ReadonlyMap<string, Texts>, languages: readonly Language[]): Record<string, Texts> {
  return Object.fromEntries([...texts].filter(([code]) => languages.some((language) => language.code === code)));
}

const notFound = (code: string): PlatformError => new PlatformError(400, `${code} can't be found`);

function checkLocale(text: string): string {
  if (localeSchema.safeParse(text).success) return text;
  throw new PlatformError(400, "Invalid language");
}

/**
 * Texts of a language. With `fallback` those it lacks come from the fallback language, and all of them while it is
 * inactive.
 */
function entries(dictionary: EntityDocument, code: string, fallback: boolean): Texts {
  const texts = allTexts(dictionary);
  const own = texts.get(code);
  const base = fallback ? texts.get(String(dictionary["fallback"])) : undefined;
  if (own === undefined && base === undefined) throw notFound(code);
  const isActive = languagesOf(dictionary).find((language) => language.code === code)?.active !== false;
  return { ...base, ...((isActive || base === undefined) && own) };
}

/** Dictionaries and their languages. */
export function registerDictionaryRoutes(app: App): void {
  const dictionaries = app.collection("dictionary");

  const bySlug = (slug: string, profile: string): EntityDocument | undefined =>
    dictionaries.all(profile).find((dictionary) => dictionary["slug"] === slug.toUpperCase());

  const find = (idOrSlug: string, profile: string): EntityDocument => {
    const found = isId(idOrSlug) ? dictionaries.need(idOrSlug, profile) : bySlug(idOrSlug, profile);
    if (found === undefined) throw new PlatformError(404, "Dictionary Not Found");
    return found;
  };

  const { list, info, create, edit, delete: remove } = dictionaryRoutes;
  crud(app, { list, info, create, edit, delete: remove }, "dictionary", {
    create: dictionaryCreate,
    edit: dictionaryEdit,
    tagged: false,
    created: ({ id }) => ({ dictionary: id }),
    present,
    prepare: (body, { profile, document }) => {
      const other = body.slug === undefined ? undefined : bySlug(body.slug, profile);
      if (other !== undefined && other.id !== document?.id) {
        throw new PlatformError(400, "Error on Body parameters", { slug: ["Already in use"] });
      }
      const fallback = body.fallback ?? String(document?.["fallback"]);
      const given = body.languages ?? (document === undefined ? [] : languagesOf(document));
      const languages = withFallback(given, fallback);
      return { ...body, languages, texts: keepTexts(allTexts(document), languages) };
    },
  });

  app.handle(dictionaryRoutes.languageEdit, { body: languageEdit }, ({ body, params, principal, profile }) => {
    const dictionary = dictionaries.need(params.dictionaryID, profile);
    const code = checkLocale(params.locale);
    const known = languagesOf(dictionary);
    const active = body.active ?? known.find((item) => item.code === code)?.active ?? true;
    const languages = known.some((item) => item.code === code)
      ? known.map((item) => (item.code === code ? { code, active } : item))
      : [...known, { code, active }];
    const before = allTexts(dictionary);
    const given = body.dictionary === undefined ? (before.get(code) ?? {}) : body.dictionary;
    const texts = { ...Object.fromEntries(before), [code]: given };
    const document = present(dictionaries.update(dictionary.id, { languages, texts }));
    app.signals.emit("resourceChanged", { profile, kind: "dictionary", event: "edit", document, principal });
    return "Dictionary language Successfully Updated";
  });

  app.handle(dictionaryRoutes.languageDelete, ({ params, principal, profile }) => {
    const dictionary = dictionaries.need(params.dictionaryID, profile);
    if (!languagesOf(dictionary).some(({ code }) => code === params.locale)) throw notFound(params.locale);
    if (dictionary["fallback"] === params.locale) {
      throw new PlatformError(400, "The fallback language cannot be deleted");
    }
    const languages = languagesOf(dictionary).filter(({ code }) => code !== params.locale);
    const texts = keepTexts(allTexts(dictionary), languages);
    const document = present(dictionaries.update(dictionary.id, { languages, texts }));
    app.signals.emit("resourceChanged", { profile, kind: "dictionary", event: "edit", document, principal });
    return "Successfully Removed";
  });

  app.handle(dictionaryReaderRoutes.language, ({ params, profile, query }) =>
    entries(find(params.dictionary, profile), params.language, booleanOf(query["fallback"]) === true),
  );

  app.handle(dictionaryReaderRoutes.runLanguage, ({ params }) => {
    const profile = profileAt(app.db, params.runURL);
    if (profile === undefined) throw new PlatformError(404, "Dictionary Not Found");
    return entries(find(params.dictionary, profile), params.language, true);
  });
}
