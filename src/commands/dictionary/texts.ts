import type { DictionaryInfo, LanguageData } from "../../lib/resources/dictionaries.ts";
import type { CommandContext } from "../kit/context.ts";
import { allDictionaries } from "./finder.ts";

/** Texts of the dictionaries of the profile in one language. */
export interface Texts {
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
export async function openTexts(ctx: CommandContext, language: string | undefined): Promise<Texts> {
  const dictionaries = new Map((await allDictionaries(ctx)).map((one) => [one.slug, one] as const));
  const read = new Map<string, Promise<LanguageData>>();
  const load = (dictionary: DictionaryInfo, code: string): Promise<LanguageData> => {
    const key = `${dictionary.id} ${code}`;
    const known = read.get(key) ?? readLanguage(ctx, dictionary, code);
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

/** Texts of a language; none of one that the dictionary does not give out. */
export async function readLanguage(
  ctx: CommandContext,
  { id, languages }: DictionaryInfo,
  code: string,
): Promise<LanguageData> {
  if (!languages.some((language) => language.code === code && language.active)) return {};
  return (await ctx.client()).dictionaries.languageInfo(id, code);
}
