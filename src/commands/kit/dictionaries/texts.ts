import type { Resources } from "../../../index.ts";
import { ApiError } from "../../../lib/core/errors.ts";
import type { DictionaryInfo, LanguageData } from "../../../lib/resources/dictionaries.ts";
import type { CommandContext } from "../context.ts";
import { allDictionaries } from "../finders/dictionary.ts";

/** Texts of the dictionaries of the profile in one language. */
export interface DictionaryTexts {
  /** The text of a key, and where it is from; undefined when no language has one. */
  find(slug: string, key: string): Promise<FoundText | undefined>;
  /** Whether the profile has a dictionary of this slug. */
  knows(slug: string): boolean;
}

interface FoundText {
  readonly text: string;
  /** False when the text is of the fallback language. */
  readonly isOwn: boolean;
}

/** Reads languages when a text of them is first asked for. */
export async function openTexts(ctx: CommandContext, language: string | undefined): Promise<DictionaryTexts> {
  const dictionaries = new Map((await allDictionaries(ctx)).map((one) => [one.slug, one] as const));
  const read = new Map<string, Promise<LanguageData>>();
  const client = await ctx.client();
  const load = async (dictionary: DictionaryInfo, code: string): Promise<LanguageData> => {
    const isActive = dictionary.languages.some((language) => language.code === code && language.active);
    // Readers get the fallback language instead of an inactive one.
    if (!isActive) return {};
    const key = `${dictionary.id} ${code}`;
    const known = read.get(key) ?? readLanguage(client, dictionary, code);
    read.set(key, known);
    return known;
  };
  return {
    knows: (slug) => dictionaries.has(slug),
    async find(slug, key) {
      const dictionary = dictionaries.get(slug);
      if (dictionary === undefined) return undefined;
      const code = language ?? dictionary.fallback;
      const own = textAt(await load(dictionary, code), key);
      if (own !== undefined) return { text: own, isOwn: true };
      const other = code === dictionary.fallback ? undefined : textAt(await load(dictionary, dictionary.fallback), key);
      return other === undefined ? undefined : { text: other, isOwn: false };
    },
  };
}

/** Empty texts are those nobody has written yet. */
function textAt(texts: LanguageData, key: string): string | undefined {
  const text = Object.hasOwn(texts, key) ? texts[key] : undefined;
  return text === undefined || text === "" ? undefined : text;
}

/** Own texts of a language; none of one that was never written. */
export async function readLanguage(
  { dictionaries }: Pick<Resources, "dictionaries">,
  { id, languages }: Pick<DictionaryInfo, "id" | "languages">,
  code: string,
): Promise<LanguageData> {
  if (!languages.some((language) => language.code === code)) return {};
  try {
    return await dictionaries.languageInfo(id, code);
  } catch (error) {
    // The language is in the list, and the platform knows no texts of it.
    if (error instanceof ApiError && /can't be found$/.test(error.message)) return {};
    throw error;
  }
}
