import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { safeRelativePath } from "../../text/clean.ts";
import { countOf } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { readLanguage } from "../kit/dictionaries/texts.ts";
import { notFoundError } from "../kit/failures/command-error.ts";
import { writeWhole } from "../kit/files/files.ts";
import { checkNewFolder } from "../kit/files/out-file.ts";
import { chosenDictionaries, parseLocale } from "../kit/finders/dictionary.ts";
import { shown } from "./apply.ts";

interface PulledFile {
  readonly file: string;
  readonly dictionary: string;
  readonly language: string;
  readonly keys: number;
}

const columns: readonly Column<PulledFile>[] = [
  { key: "file" },
  { key: "dictionary", kind: "id" },
  { key: "language", kind: "id" },
  { key: "keys", kind: "number" },
];

export const pullDictionaries: Command = defineCommand({
  path: ["pull"],
  effect: "local",
  summary: "Export dictionaries as files, one per language",
  details:
    "Writes SLUG/en-US.json, one JSON object of translations per language, in the order of the keys. Without an id all " +
    'dictionaries are written. "iot dictionary lang set … --input" reads these files.',
  args: [{ name: "id", summary: "Full id, or a unique name:… or name:SLUG", variadic: true }],
  options: [
    { name: "out", file: "out", value: "folder", summary: "folder to write to", default: "dictionaries" },
    { name: "language", value: "code", summary: "only this language", repeat: true },
  ],
  groups: ["confirm"],
  result: rows(columns),
  examples: ['iot dictionary pull "name:TEST" --out texts/', "iot dictionary pull --language en-US --out english/"],
  related: ["iot dictionary lang set", "iot dictionary check"],
  async run(ctx, input) {
    const wanted = input.options.language.map((code) => parseLocale(code, "--language"));
    const folder = ctx.path(input.options.out ?? "dictionaries");
    checkNewFolder(ctx, folder);
    const dictionaries = await chosenDictionaries(ctx, input.args.id);
    const client = await ctx.client();
    const files: (PulledFile & { readonly path: string; readonly text: string })[] = [];
    for (const dictionary of dictionaries) {
      for (const { code } of dictionary.languages) {
        if (wanted.length > 0 && !wanted.includes(code)) continue;
        const texts = await readLanguage(client, dictionary, code);
        const path = join(folder, safeRelativePath(dictionary.slug), safeRelativePath(`${code}.json`));
        const keys = Object.keys(texts).sort();
        const text = `${JSON.stringify(Object.fromEntries(keys.map((key) => [key, texts[key]])), null, 2)}\n`;
        files.push({
          file: shown(ctx, path),
          dictionary: dictionary.slug,
          language: code,
          keys: keys.length,
          path,
          text,
        });
      }
    }
    if (files.length === 0 && wanted.length > 0) throw noLanguage(wanted);
    await confirmOverwrite(ctx, files);
    for (const { path, text } of files) writeWhole(path, text, { file: 0o666 & ~process.umask(), folder: 0o777 });
    await ctx.out.list(
      files.map(({ path: _, text: __, ...file }) => file),
      { columns, empty: "No dictionaries found.", idKey: "file" },
    );
    if (files.length > 0) ctx.say.info(`Wrote ${countOf(files.length, "file")}.`);
  },
});

function noLanguage(wanted: readonly string[]): Error {
  return notFoundError(`No dictionary has the language ${wanted.join(", ")}.`, {
    code: "dictionary.no_language",
    next: 'Run "iot dictionary list" to see the languages.',
  });
}

async function confirmOverwrite(
  ctx: CommandContext,
  files: readonly { readonly path: string; readonly file: string; readonly text: string }[],
): Promise<void> {
  const changed = files.filter(({ path, text }) => existsSync(path) && readFileSync(path, "utf8") !== text);
  const [first] = changed;
  if (first === undefined) return;
  const action = changed.length === 1 ? `Overwrite ${first.file}` : `Overwrite ${countOf(changed.length, "file")}`;
  const items = changed.map(({ file }) => file);
  await ctx.confirm({ level: 1, action, where: "on this machine", name: first.file, items });
}
