import { allRows } from "../api/all-rows.ts";
import type { CallOptions } from "../api/client.ts";
import type { DateKeys } from "../api/dates.ts";
import type { Given, ListQuery, Picked } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import { clearCacheAfter } from "../http/response-cache.ts";
import type { GenericID } from "./data-types.ts";

const dates = ["created_at", "updated_at"] as const satisfies DateKeys<DictionaryInfo>;

const listFields = ["id", "name", "slug", "languages"] as const;

/**
 * Routes of `Resources.dictionaries`.
 *
 * @internal
 */
export const dictionaryRoutes = {
  list: get("/dictionary", {
    dates,
    list: { fields: listFields, orderBy: ["name", "asc"] },
  }),
  create: post("/dictionary", { result: "object" }),
  edit: put("/dictionary/:dictionaryID"),
  delete: del("/dictionary/:dictionaryID"),
  info: get("/dictionary/:dictionaryID", { dates }),
  languageEdit: put("/dictionary/:dictionaryID/:locale"),
  languageDelete: del("/dictionary/:dictionaryID/:locale"),
  languageInfo: get("/dictionary/:dictionaryID/:locale"),
  languageInfoBySlug: get("/dictionary/:slug/:locale"),
};

/** The dictionaries of the profile. Changes to strings clear the response cache, which `Dictionary` reads from. */
export class Dictionaries extends Module {
  /**
   * Lists dictionaries.
   *
   * @param queryObj filter, order and page. Defaults: fields id, name, slug and languages; order `name,asc`
   * @example
   * ```ts
   * const dictionaries = await resources.dictionaries.list({ fields: ["slug", "languages"] });
   * ```
   */
  list<const Q extends Given<DictionaryQuery>>(
    queryObj?: Q,
    options?: CallOptions,
  ): Promise<Picked<DictionaryInfo, Q, keyof DictionaryInfo>[]> {
    return this.page(dictionaryRoutes.list, queryObj, { ...options });
  }

  /**
   * Iterates over all dictionaries, the oldest first unless `orderBy` says otherwise.
   * Reads pages of `amount` rows (1000) as they are needed.
   *
   * @param queryObj as for `list`; starts at its `page`
   * @example
   * ```ts
   * for await (const { id, slug } of resources.dictionaries.all({ fields: ["slug"] })) console.log(id, slug);
   * ```
   */
  all<const Q extends Given<DictionaryQuery>>(
    queryObj?: Q,
    options?: CallOptions,
  ): AsyncGenerator<Picked<DictionaryInfo, Q, keyof DictionaryInfo>, void, undefined> {
    return allRows(queryObj, options, (page: Q, call) => this.list(page, call));
  }

  /**
   * Creates a dictionary, with its fallback language active.
   *
   * @returns the id of the dictionary as `dictionary`
   * @example
   * ```ts
   * const { dictionary } = await resources.dictionaries.create({ name: "Portal", slug: "PORTAL", fallback: "en-US" });
   * ```
   */
  create(dictionaryObj: DictionaryCreateInfo, options?: CallOptions): Promise<{ dictionary: GenericID }> {
    return this.call(dictionaryRoutes.create, { ...options, body: dictionaryObj });
  }

  /**
   * Changes a dictionary.
   *
   * @example
   * ```ts
   * await resources.dictionaries.edit(dictionaryID, { fallback: "pt-PT" });
   * ```
   */
  edit(dictionaryID: GenericID, dictionaryObj: DictionaryEditInfo, options?: CallOptions): Promise<string> {
    return this.call(dictionaryRoutes.edit, { ...options, params: { dictionaryID }, body: dictionaryObj });
  }

  /**
   * Deletes a dictionary with all its languages.
   *
   * @example
   * ```ts
   * await resources.dictionaries.delete(dictionaryID);
   * ```
   */
  delete(dictionaryID: GenericID, options?: CallOptions): Promise<string> {
    return clearCacheAfter(this.call(dictionaryRoutes.delete, { ...options, params: { dictionaryID } }));
  }

  /**
   * Retrieves a dictionary, without its strings.
   *
   * @example
   * ```ts
   * const { slug, fallback, languages } = await resources.dictionaries.info(dictionaryID);
   * ```
   */
  info(dictionaryID: GenericID, options?: CallOptions): Promise<DictionaryInfo> {
    return this.call(dictionaryRoutes.info, { ...options, params: { dictionaryID } });
  }

  /**
   * Replaces the strings of a language, or adds the language. Keys left out are removed from it.
   *
   * @param locale code of the language, such as `en-US`
   * @example
   * ```ts
   * await resources.dictionaries.languageEdit(dictionaryID, "pt-PT", {
   *   dictionary: { TANK_FULL: "O depósito está cheio." },
   *   active: true,
   * });
   * ```
   */
  languageEdit(
    dictionaryID: GenericID,
    locale: string,
    languageObj: LanguageEditData,
    options?: CallOptions,
  ): Promise<string> {
    const params = { dictionaryID, locale };
    return clearCacheAfter(this.call(dictionaryRoutes.languageEdit, { ...options, params, body: languageObj }));
  }

  /**
   * Deletes a language of a dictionary.
   *
   * @example
   * ```ts
   * await resources.dictionaries.languageDelete(dictionaryID, "pt-PT");
   * ```
   */
  languageDelete(dictionaryID: GenericID, locale: string, options?: CallOptions): Promise<string> {
    return clearCacheAfter(
      this.call(dictionaryRoutes.languageDelete, { ...options, params: { dictionaryID, locale } }),
    );
  }

  /**
   * Reads the strings of a language.
   *
   * @param queryObj fallback (false)
   * @example
   * ```ts
   * const texts = await resources.dictionaries.languageInfo(dictionaryID, "pt-PT", { fallback: true });
   * console.log(texts["TANK_FULL"]);
   * ```
   */
  languageInfo(
    dictionaryID: GenericID,
    locale: string,
    queryObj?: Given<LanguageInfoQuery>,
    options?: CallOptions,
  ): Promise<LanguageData> {
    const query = { fallback: queryObj?.fallback ?? false };
    return this.call(dictionaryRoutes.languageInfo, { ...options, params: { dictionaryID, locale }, query });
  }

  /**
   * Reads the strings of a language of the dictionary with a slug.
   *
   * @param queryObj fallback (true)
   * @example
   * ```ts
   * const texts = await resources.dictionaries.languageInfoBySlug("PORTAL", "pt-PT");
   * ```
   */
  languageInfoBySlug(
    slug: string,
    locale: string,
    queryObj?: Given<LanguageInfoQuery>,
    options?: CallOptions,
  ): Promise<LanguageData> {
    const query = { fallback: queryObj?.fallback ?? true };
    return this.call(dictionaryRoutes.languageInfoBySlug, { ...options, params: { slug, locale }, query });
  }
}

/** A language of a dictionary. */
export interface DictionaryLanguage {
  /** Code of the language, such as `en-US`. */
  code: string;
  /** If false, readers that ask for a fallback get the fallback language instead. */
  active: boolean;
}

/** A dictionary. */
export interface DictionaryInfo {
  /** Set by the platform. */
  id: GenericID;
  /** Name shown in lists. */
  name: string;
  /** Name in expressions: upper case, once per profile. */
  slug: string;
  /** Language that stands in for missing strings. */
  fallback: string;
  /** Its languages; a new dictionary has the fallback alone. */
  languages: DictionaryLanguage[];
  /** When it was created. */
  created_at: Date;
  /** Last change. */
  updated_at: Date;
}

/** Fields for creating a dictionary. */
export type DictionaryCreateInfo = Pick<DictionaryInfo, "name" | "slug" | "fallback"> &
  Partial<Pick<DictionaryInfo, "languages">>;

/** Changes to a dictionary; properties left out stay as they are. */
export type DictionaryEditInfo = Partial<DictionaryCreateInfo>;

/** Asks for part of the list of dictionaries. */
export type DictionaryQuery = ListQuery<
  DictionaryInfo,
  "name" | "slug" | "languages" | "fallback" | "created_at" | "updated_at"
>;

/** Strings of a dictionary in one language, by key. */
export type LanguageData = Record<string, string>;

/** The strings of a language. Keys are made of `A`-`Z`, `0`-`9` and `_`. */
export interface LanguageEditData {
  /** All strings of the language by key. */
  dictionary: LanguageData;
  /** Whether the language is active. */
  active: boolean;
}

/** How to read a language. */
export interface LanguageInfoQuery {
  /** Uses strings of the fallback language where the requested one has none. */
  fallback?: boolean;
}
