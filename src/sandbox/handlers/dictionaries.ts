import { dictionaryReaderRoutes } from "../../lib/clients/dictionary.ts";
import { isRecord } from "../../lib/core/json.ts";
import { dictionaryRoutes } from "../../lib/resources/dictionaries.ts";
import { dictionaryCreate, dictionaryEdit, languageEdit, locale as localeSchema } from "../../schema/dictionary.ts";
import { profileAt } from "../accounts/portal.ts";
import type { FullApp } from "../app.ts";
import { crud } from "../crud.ts";
import { isId } from "../ids.ts";
import { booleanOf } from "../query-decode.ts";
import { type EntityDocument, PlatformError } from "../types.ts";

interface Language {
  readonly code: string;
  readonly active: boolean;
}

/** Texts by key, of one language. */
type Texts = Readonly<Record<string, string>>;

function languagesOf(dictionary: EntityDocument): readonly Language[] {
  return Array.isArray(dictionary["languages"]) ? dictionary["languages"] : [];
}

function textsOf(dictionary: EntityDocument, code: string): Texts {
  const all = isRecord(dictionary["texts"]) ? dictionary["texts"] : {};
  const texts = Object.hasOwn(all, code) ? all[code] : undefined;
  if (!isRecord(texts)) return {};
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, String(text)]));
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

/** Texts of every language of the list; a new language gets all keys, empty. */
function arrangeTexts(dictionary: EntityDocument | undefined, languages: readonly Language[]): Record<string, Texts> {
  const known = dictionary === undefined ? [] : languagesOf(dictionary);
  const keys = new Set(
    known.flatMap(({ code }) => (dictionary === undefined ? [] : Object.keys(textsOf(dictionary, code)))),
  );
  const empty = Object.fromEntries([...keys].map((key) => [key, ""]));
  return Object.fromEntries(
    languages.map(({ code }) => [code, dictionary === undefined ? {} : { ...empty, ...textsOf(dictionary, code) }]),
  );
}

const notFound = (): PlatformError => new PlatformError(404, "Language Not Found");

function checkLocale(text: string): string {
  if (localeSchema.safeParse(text).success) return text;
  throw new PlatformError(400, "Invalid language");
}

/** Entries of a language, or of the fallback where it is missing or inactive (QUERY.md section 9). */
function entries(dictionary: EntityDocument, code: string, fallback: boolean): Texts {
  const language = languagesOf(dictionary).find((item) => item.code === code);
  if (language?.active === true) return textsOf(dictionary, code);
  if (!fallback) throw notFound();
  return textsOf(dictionary, String(dictionary["fallback"]));
}

/** Dictionaries and their languages. */
export function registerDictionaryRoutes(app: FullApp): void {
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
      return { ...body, languages, texts: arrangeTexts(document, languages) };
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
    const changes = Object.entries(body.dictionary ?? {});
    const gone = changes.filter(([, text]) => text === null).map(([key]) => key);
    const own = Object.fromEntries(changes.flatMap(([key, text]) => (text === null ? [] : [[key, text] as const])));
    const fresh = Object.fromEntries(Object.keys(own).map((key) => [key, ""]));
    const texts = Object.fromEntries(
      Object.entries(arrangeTexts(dictionary, languages)).map(([language, old]) => {
        const all = { ...fresh, ...old, ...(language === code && own) };
        return [language, Object.fromEntries(Object.entries(all).filter(([key]) => !gone.includes(key)))];
      }),
    );
    const document = present(dictionaries.update(dictionary.id, { languages, texts }));
    app.signals.emit("resourceChanged", { profile, kind: "dictionary", event: "edit", document, principal });
    return "Dictionary language Successfully Updated";
  });

  app.handle(dictionaryRoutes.languageDelete, ({ params, principal, profile }) => {
    const dictionary = dictionaries.need(params.dictionaryID, profile);
    if (!languagesOf(dictionary).some(({ code }) => code === params.locale)) throw notFound();
    if (dictionary["fallback"] === params.locale) {
      throw new PlatformError(400, "The fallback language cannot be deleted");
    }
    const languages = languagesOf(dictionary).filter(({ code }) => code !== params.locale);
    const texts = arrangeTexts(dictionary, languages);
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
