import type { DictionaryInfo, LanguageData } from "../../../lib/resources/dictionaries.ts";
import type { CommandContext } from "../context.ts";
import { lineAt } from "../files/line-at.ts";
import { nameOf } from "./fill.ts";
import { findFiles } from "./source-files.ts";

/** A key without a text. */
export interface MissingText {
  /** Slug. */
  readonly dictionary: string;
  readonly language: string;
  readonly key: string;
  /** What the fallback language says; absent when it says nothing either. */
  readonly fallback?: string;
  /** The file that uses the key, of --file. */
  readonly file?: string;
  /** Line of its first use there. */
  readonly line?: number;
}

/** The keys of a dictionary, and which of them have no text in a language. `read` gets the texts of a language. */
export async function checkDictionary(
  ctx: Pick<CommandContext, "say">,
  dictionary: Pick<DictionaryInfo, "slug" | "fallback" | "languages">,
  read: (code: string) => Promise<LanguageData>,
  wanted: readonly string[] = [],
): Promise<{ readonly keys: ReadonlySet<string>; readonly missing: readonly MissingText[] }> {
  const { slug, fallback, languages } = dictionary;
  const active = languages.filter((language) => language.active).map(({ code }) => code);
  const inactive = languages.filter((language) => !language.active).map(({ code }) => code);
  const texts = new Map<string, Readonly<Record<string, string>>>();
  for (const code of active) texts.set(code, await read(code));
  const keys = new Set([...texts.values()].flatMap((one) => Object.keys(one)));
  const base = texts.get(fallback) ?? {};
  const missing = active
    .filter((code) => wanted.length === 0 || wanted.includes(code))
    .flatMap((language) => {
      const own = texts.get(language) ?? {};
      const without = [...keys].sort().filter((key) => !Object.hasOwn(own, key) || own[key] === "");
      return without.map((key): MissingText => {
        const other = Object.hasOwn(base, key) ? base[key] : undefined;
        return { dictionary: slug, language, key, ...(other ? { fallback: other } : {}) };
      });
    });
  for (const code of wanted.filter((one) => !languages.some((language) => language.code === one))) {
    ctx.say.warning(`The dictionary ${slug} has no language ${code}.`);
  }
  if (inactive.length > 0) ctx.say.detail(`Skipped in ${slug}, because inactive: ${inactive.join(", ")}.`);
  return { keys, missing };
}

/** Expressions in files whose key is in none of the dictionaries. */
export async function unknownExpressions(
  ctx: CommandContext,
  files: readonly string[],
  keys: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<readonly MissingText[]> {
  if (files.length === 0) return [];
  const { findExpressions } = await import("../../../lib/expression/expression.ts");
  const found: MissingText[] = [];
  for (const { name, path } of await findFiles(ctx, files)) {
    const text = await ctx.readInput(path ?? "-", "--file");
    const seen = new Set<string>();
    for (const { expression, start } of findExpressions(text)) {
      const { dictionary, key } = expression;
      if (keys.get(dictionary)?.has(key) === true || seen.has(nameOf(expression))) continue;
      seen.add(nameOf(expression));
      found.push({ dictionary, language: "*", key, file: name, line: lineAt(text, start) });
    }
  }
  return found;
}
