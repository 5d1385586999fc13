import { countOf } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { checkDictionary, type MissingText, unknownExpressions } from "../kit/dictionaries/missing.ts";
import { readLanguage } from "../kit/dictionaries/texts.ts";
import { chosenDictionaries, parseLocale } from "../kit/finders/dictionary.ts";

const columns: readonly Column<MissingText>[] = [
  { key: "dictionary", kind: "id" },
  { key: "language", kind: "id" },
  { key: "key", kind: "id" },
  { key: "fallback" },
  { key: "file", hidden: true },
  { key: "line", kind: "number", hidden: true },
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
      file: "in",
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
    const wanted = input.options.language.map((code) => parseLocale(code, "--language"));
    const dictionaries = await chosenDictionaries(ctx, input.args.id);
    const missing: MissingText[] = [];
    const keys = new Map<string, ReadonlySet<string>>();
    const client = await ctx.client();
    for (const dictionary of dictionaries) {
      const read = (code: string) => readLanguage(client, dictionary, code);
      const checked = await checkDictionary(ctx, dictionary, read, wanted);
      keys.set(dictionary.slug, checked.keys);
      missing.push(...checked.missing);
    }
    missing.push(...(await unknownExpressions(ctx, input.options.file, keys)));
    await ctx.out.list(missing, { columns, empty: "No translations are missing.", idKey: "key" });
    if (missing.length === 0) return 0;
    ctx.say.info(`Missing: ${countOf(missing.length, "translation")}.`);
    return DIFFERENT;
  },
});
