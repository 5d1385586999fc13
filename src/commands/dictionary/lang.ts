import { DICTIONARY_KEY } from "../../lib/core/limits.ts";
import type { DictionaryInfo, LanguageData } from "../../lib/resources/dictionaries.ts";
import { countOf } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Input } from "../kit/command/options.ts";
import { parseJsonText } from "../kit/command/parse-options.ts";
import { one, rows } from "../kit/command/result.ts";
import { keyValue, quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { readLanguage } from "../kit/dictionaries/texts.ts";
import { inputError, usageError } from "../kit/failures/command-error.ts";
import { isObject } from "../kit/files/files.ts";
import {
  dictionaryArgument,
  dictionaryOf,
  localeArgument,
  needLanguage,
  parseLocale,
} from "../kit/finders/dictionary.ts";
import { onOff } from "../kit/resource/body.ts";

/** A text of a language. */
interface TextRow {
  readonly key: string;
  readonly text: string;
}

const columns: readonly Column<TextRow>[] = [{ key: "key", kind: "id" }, { key: "text" }];

const rowsOf = (texts: LanguageData): readonly TextRow[] =>
  Object.keys(texts)
    .sort()
    .map((key) => ({ key, text: texts[key] ?? "" }));

const localeOf = (input: Input<[typeof localeArgument], []>): string => parseLocale(input.args.language, "<language>");

const getLanguage = defineCommand({
  path: ["lang", "get"],
  aliases: ["info"],
  effect: "reads",
  summary: "Show the translations of a dictionary language",
  details: "With --fallback, missing translations come from the fallback language.",
  args: [dictionaryArgument, localeArgument],
  options: [{ name: "fallback", summary: "use the fallback language for missing translations" }],
  result: rows(columns),
  examples: ['iot dictionary lang get "name:TEST" pt-BR', 'iot dictionary lang get "name:TEST" en-US -o csv'],
  exitCodes: [3],
  related: ["iot dictionary pull", "iot dictionary check"],
  async run(ctx, input) {
    const locale = localeOf(input);
    const dictionary = await dictionaryOf(ctx, input);
    needLanguage(dictionary, locale);
    const client = await ctx.client();
    const texts = await readLanguage(client, dictionary, locale);
    const base = input.options.fallback ? await readLanguage(client, dictionary, dictionary.fallback) : {};
    const filled = Object.entries(texts).map(([key, text]) => [key, text === "" ? (base[key] ?? "") : text] as const);
    await ctx.out.list(rowsOf({ ...base, ...Object.fromEntries(filled) }), {
      columns,
      empty: `The language ${locale} of "${dictionary.name}" has no translations.`,
      idKey: "key",
    });
  },
});

const setLanguage = defineCommand({
  path: ["lang", "set"],
  effect: "changes",
  summary: "Set translations of a dictionary language, or add one",
  details:
    "Keys have at least two of A-Z, 0-9 and _. Other translations are read first and sent again, so they stay. " +
    '--input reads a JSON object of translations by key, as "iot dictionary pull" writes it.',
  args: [dictionaryArgument, localeArgument, { name: "texts", summary: "translations: HELLO=Hello", variadic: true }],
  options: [
    { name: "input", file: "in", value: "file", summary: "JSON object of translations by key; - is stdin" },
    { name: "active", opposite: "inactive", summary: "activate the language" },
    { name: "inactive", summary: "deactivate the language; the fallback is used instead" },
  ],
  result: rows(columns),
  examples: [
    'iot dictionary lang set "name:TEST" pt-BR GOODBYE=Adeus',
    `echo '{"HELLO":"Hallo"}' | iot dictionary lang set "name:TEST" de --input - --active`,
  ],
  exitCodes: [3],
  related: ["iot dictionary lang get", "iot dictionary check"],
  async run(ctx, input) {
    const locale = localeOf(input);
    const texts = await givenTexts(ctx, input.options.input, input.args.texts);
    const wanted = onOff(input.options.active, input.options.inactive);
    if (Object.keys(texts).length === 0 && wanted === undefined) {
      throw usageError("No changes given.", { next: "Add KEY=text, --input, --active or --inactive." });
    }
    const dictionary = await dictionaryOf(ctx, input);
    const before = dictionary.languages.find(({ code }) => code === locale);
    if (wanted === false && locale === dictionary.fallback) {
      throw usageError(`${locale} is the fallback language of "${dictionary.name}" and must stay active.`, {
        next: `Change the fallback first: iot dictionary update ${dictionary.id} --fallback es`,
      });
    }
    const active = wanted ?? before?.active ?? true;
    const client = await ctx.client();
    // The platform replaces the whole language.
    const body = { dictionary: { ...(await readLanguage(client, dictionary, locale)), ...texts }, active };
    if (await ctx.dryRun({ method: "PUT", path: `/dictionary/${dictionary.id}/${locale}`, body })) return;
    await client.dictionaries.languageEdit(dictionary.id, locale, body);
    await ctx.out.list(rowsOf(body.dictionary), { columns, empty: "The language has no translations.", idKey: "key" });
    await sayChange(ctx, dictionary, locale, before?.active, active, Object.keys(texts).length);
  },
});

async function sayChange(
  ctx: CommandContext,
  { name }: DictionaryInfo,
  locale: string,
  was: boolean | undefined,
  is: boolean,
  texts: number,
): Promise<void> {
  const { label } = await ctx.connection();
  const state = was === undefined || was !== is ? ` The language is ${is ? "active" : "inactive"}.` : "";
  const what = was === undefined ? "Added language" : "Changed language";
  ctx.say.info(`${what} ${locale} of dictionary "${name}" (${countOf(texts, "translation")}) in ${label}.${state}`);
}

async function givenTexts(
  ctx: CommandContext,
  file: string | undefined,
  pairs: readonly string[],
): Promise<Record<string, string>> {
  const read = file === undefined ? {} : parseJsonText(await ctx.readInput(file, "--input"), quote(file));
  if (!isObject(read)) {
    throw inputError(`${quote(file ?? "")} does not contain a JSON object.`, {
      next: 'Use the form {"HELLO": "Hello"}.',
    });
  }
  const typed = pairs.map((text) => {
    const { key, value } = keyValue(text, "A translation", "--input");
    return [key, value] as const;
  });
  const texts: Record<string, string> = {};
  for (const [key, text] of [...Object.entries(read), ...typed]) {
    if (!DICTIONARY_KEY.test(key)) {
      throw inputError(`${quote(key)} is not a valid key.`, {
        why: "Keys have at least two of A-Z, 0-9 and _.",
        next: "Nothing was sent.",
      });
    }
    if (typeof text !== "string") {
      throw inputError(`The value of ${key} must be a string.`, { next: "Put it in double quotes. Nothing was sent." });
    }
    texts[key] = text;
  }
  return texts;
}

interface DeletedLanguage {
  readonly dictionary: string;
  readonly language: string;
}

const deletedColumns: readonly Column<DeletedLanguage>[] = [
  { key: "dictionary", kind: "id" },
  { key: "language", kind: "id" },
];

const deleteLanguage = defineCommand({
  path: ["lang", "delete"],
  aliases: ["rm"],
  effect: "deletes",
  summary: "Delete a dictionary language and its translations",
  details: "The fallback language cannot be deleted.",
  args: [dictionaryArgument, localeArgument],
  result: one(deletedColumns),
  examples: [
    'iot dictionary lang delete "name:TEST" es --yes',
    'iot dictionary lang delete "name:TEST" pt-BR --dry-run',
  ],
  related: ["iot dictionary pull"],
  async run(ctx, input) {
    const locale = localeOf(input);
    const dictionary = await dictionaryOf(ctx, input);
    const { id, name, fallback } = dictionary;
    needLanguage(dictionary, locale);
    if (locale === fallback) {
      throw usageError(`${locale} is the fallback language of "${name}" and cannot be deleted.`, {
        next: `Change the fallback first: iot dictionary update ${id} --fallback es`,
      });
    }
    if (await ctx.dryRun({ method: "DELETE", path: `/dictionary/${id}/${locale}` })) return;
    await ctx.confirm({
      level: 1,
      action: `Delete language ${locale} of dictionary "${name}" with its translations`,
      name: locale,
    });
    const { dictionaries } = await ctx.client();
    await dictionaries.languageDelete(id, locale);
    await ctx.out.item({ dictionary: id, language: locale }, { columns: deletedColumns, idKey: "language" });
    await ctx.done(`Deleted language ${locale} of dictionary "${name}"`);
  },
});

export const languageCommands: readonly Command[] = [getLanguage, setLanguage, deleteLanguage];
