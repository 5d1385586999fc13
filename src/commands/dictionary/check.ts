import type { DictionaryInfo } from "../../lib/resources/dictionaries.ts";
import { countOf } from "../../text/count.ts";
import { argumentList, optionList } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { nameOf } from "./fill.ts";
import { parseLocale } from "./finder.ts";
import { chosenDictionaries } from "./pull.ts";
import { findFiles } from "./source-files.ts";
import { readLanguage } from "./texts.ts";

/** A key without a text. */
interface MissingText {
  /** Slug. */
  readonly dictionary: string;
  readonly language: string;
  readonly key: string;
  /** What the fallback language says; absent when it says nothing either. */
  readonly fallback?: string;
  /** The file that uses the key, of --file. */
  readonly file?: string;
}

const columns: readonly Column<MissingText>[] = [
  { key: "dictionary", kind: "id" },
  { key: "language", kind: "id" },
  { key: "key", kind: "id" },
  { key: "fallback" },
  { key: "file", hidden: true },
];

const DIFFERENT = 11;

export const checkDictionaries: Command = defineCommand({
  path: ["check"],
  effect: "reads",
  summary: "List missing translations per language",
  details:
    "A key is missing in a language if another language has it and this one has no translation, or an empty one. Exits with 11 if keys " +
    "are missing. --file also lists expressions in files whose key is in no dictionary; their language is shown as *. " +
    "Inactive languages are skipped.",
  args: [{ name: "id", summary: "Full id, or a unique name:… or name:SLUG (all dictionaries)", variadic: true }],
  options: [
    { name: "language", value: "code", summary: "only this language", repeat: true },
    {
      name: "file",
      value: "file",
      summary: "also check expressions in this file, folder or pattern",
      repeat: true,
    },
  ],
  result: rows(columns),
  examples: [
    'iot dictionary check "name:TEST" --language pt-BR',
    "iot dictionary check --language en-US --file examples/greeting.html",
  ],
  exitCodes: [3, 11],
  related: ["iot dictionary lang set", "iot dictionary apply"],
  async run(ctx, input): Promise<number> {
    const wanted = optionList(input, "language").map((code) => parseLocale(code, "--language"));
    const dictionaries = await chosenDictionaries(ctx, argumentList(input, "id"));
    const missing: MissingText[] = [];
    const keys = new Map<string, ReadonlySet<string>>();
    for (const dictionary of dictionaries) {
      const checked = await checkDictionary(ctx, dictionary, wanted);
      keys.set(dictionary.slug, checked.keys);
      missing.push(...checked.missing);
    }
    missing.push(...(await unknownExpressions(ctx, optionList(input, "file"), keys)));
    await ctx.out.list(missing, { columns, empty: "No translations are missing.", idKey: "key" });
    if (missing.length === 0) return 0;
    ctx.say.info(`Missing: ${countOf(missing.length, "translation")}.`);
    return DIFFERENT;
  },
});

async function checkDictionary(
  ctx: CommandContext,
  dictionary: DictionaryInfo,
  wanted: readonly string[],
): Promise<{ readonly keys: ReadonlySet<string>; readonly missing: readonly MissingText[] }> {
  const { slug, fallback, languages } = dictionary;
  const active = languages.filter((language) => language.active).map(({ code }) => code);
  const inactive = languages.filter((language) => !language.active).map(({ code }) => code);
  const texts = new Map<string, Readonly<Record<string, string>>>();
  const client = await ctx.client();
  for (const code of active) texts.set(code, await readLanguage(client, dictionary, code));
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

async function unknownExpressions(
  ctx: CommandContext,
  files: readonly string[],
  keys: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<readonly MissingText[]> {
  if (files.length === 0) return [];
  const { findExpressions } = await import("../../lib/expression/expression.ts");
  const found: MissingText[] = [];
  for (const { name, path } of await findFiles(ctx, files)) {
    const text = await ctx.readInput(path ?? "-", "--file");
    const seen = new Set<string>();
    for (const { expression } of findExpressions(text)) {
      const { dictionary, key } = expression;
      if (keys.get(dictionary)?.has(key) === true || seen.has(nameOf(expression))) continue;
      seen.add(nameOf(expression));
      found.push({ dictionary, language: "*", key, file: name });
    }
  }
  return found;
}
