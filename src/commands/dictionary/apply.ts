import { existsSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { cleanText } from "../../text/clean.ts";
import { countOf } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { value } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { type FilledText, fillText } from "../kit/dictionaries/fill.ts";
import { findFiles, type SourceFile } from "../kit/dictionaries/source-files.ts";
import { openTexts } from "../kit/dictionaries/texts.ts";
import { inputError, usageError } from "../kit/failures/command-error.ts";
import { writeWhole } from "../kit/files/files.ts";
import { checkNewFolder, checkWritable } from "../kit/files/out-file.ts";
import { parseLocale } from "../kit/finders/dictionary.ts";

interface AppliedFile {
  readonly file: string;
  readonly replaced: number;
  readonly missing: readonly string[];
}

const columns: readonly Column<AppliedFile>[] = [
  { key: "file" },
  { key: "replaced", kind: "number" },
  { key: "missing", kind: "json", value: ({ missing }) => missing.join(", ") },
];

interface Filled extends FilledText {
  readonly source: SourceFile;
  readonly before: string;
}

export const applyDictionary: Command = defineCommand({
  path: ["apply"],
  effect: "local",
  summary: "Replace dictionary expressions in files with translations",
  details:
    "Replaces #SLUG.KEY# and #SLUG.KEY,param# with the translation in --language, or in each dictionary's fallback language. " +
    "A key without a translation in that language uses the fallback language; an expression without any translation stays, with a " +
    "warning. In .json files translations are escaped. One file goes to stdout; several need --out or --in-place.",
  args: [
    {
      name: "file",
      file: "in",
      summary: "files, folders or glob patterns; - is stdin",
      required: true,
      variadic: true,
    },
  ],
  options: [
    { name: "language", value: "code", summary: "language to use: pt-BR" },
    {
      name: "out",
      file: "out",
      value: "folder",
      summary: "folder for the results, under the same names",
      conflicts: ["in-place"],
    },
    { name: "in-place", summary: "overwrite the files" },
    { name: "strict", summary: "write nothing and exit 3 if an expression has no translation" },
  ],
  groups: ["confirm"],
  result: value({
    anyOf: [
      { type: "string", description: "The translated text of one file, without --out." },
      {
        type: "array",
        items: {
          type: "object",
          properties: {
            file: { type: "string" },
            replaced: { type: "integer" },
            missing: { type: "array", items: { type: "string" } },
          },
        },
      },
    ],
  }),
  examples: [
    "iot dictionary apply examples/greeting.html --language pt-BR",
    "iot dictionary apply examples/greeting.html --language en-US --out translated/",
    "echo '#TEST.DEVICES_OF,3,\"hall, left\"#' | iot dictionary apply -",
  ],
  exitCodes: [3],
  related: ["iot dictionary check", "iot dictionary pull"],
  async run(ctx, input) {
    const { out, inPlace: isInPlace, language } = input.options;
    const files = await findFiles(ctx, input.args.file);
    if (isInPlace && files.some(({ path }) => path === undefined)) {
      throw usageError("stdin cannot be overwritten.", { next: "Leave out --in-place." });
    }
    if (files.length > 1 && out === undefined && !isInPlace) {
      throw usageError(`${countOf(files.length, "file")} cannot go to stdout.`, {
        next: "Add --out folder or --in-place.",
      });
    }
    if (out !== undefined) checkNewFolder(ctx, ctx.path(out));
    if (isInPlace) for (const { path } of files) if (path !== undefined) checkWritable(ctx, path);
    const texts = await openTexts(ctx, language === undefined ? undefined : parseLocale(language, "--language"));
    const filled: Filled[] = [];
    for (const source of files) {
      const before = await readSource(ctx, source);
      const isJson = /\.json$/i.test(source.name);
      filled.push({ ...(await fillText(before, texts, isJson)), source, before });
    }
    report(ctx, filled, language, input.options.strict);
    if (out === undefined && !isInPlace) {
      const [{ text } = { text: "" }] = filled;
      return ctx.out.raw(ctx.io.stdoutIsTerminal ? cleanText(text, Number.MAX_SAFE_INTEGER) : text);
    }
    await writeResults(ctx, filled, out);
  },
});

async function readSource(ctx: CommandContext, { name, path }: SourceFile): Promise<string> {
  if (path === undefined) return ctx.readInput("-", "The file");
  if (statSync(path).size > MOST_BYTES) {
    throw inputError(`${quote(name)} is larger than 256 MiB.`, { code: "input.too_large" });
  }
  const bytes = readFileSync(path);
  const text = bytes.toString("utf8");
  // A file that is no text would come back changed.
  if (!bytes.includes(0) && Buffer.from(text, "utf8").equals(bytes)) return text;
  throw inputError(`${quote(name)} is not UTF-8 text.`, { next: "Leave it out; nothing was written." });
}

const MOST_BYTES = 256 * 1024 * 1024;

function report(ctx: CommandContext, filled: readonly Filled[], language: string | undefined, isStrict: boolean): void {
  const missing = [...new Set(filled.flatMap((one) => one.missing))];
  const others = [...new Set(filled.flatMap((one) => one.fromFallback))];
  if (others.length > 0) {
    ctx.say.warning(`No translation in ${language ?? "the language"}, used the fallback language: ${some(others)}.`);
  }
  if (missing.length === 0) return;
  if (!isStrict) {
    ctx.say.warning(`No translation, left unchanged: ${some(missing)}.`);
    return;
  }
  throw inputError(`${countOf(missing.length, "expression")} without a translation.`, {
    code: "dictionary.missing_text",
    why: `${some(missing)}.`,
    next: 'Add them with "iot dictionary lang set", or leave out --strict. Nothing was written.',
  });
}

const SHOWN = 10;

const some = (names: readonly string[]): string =>
  `${names.slice(0, SHOWN).join(", ")}${names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ""}`;

async function writeResults(ctx: CommandContext, filled: readonly Filled[], out: string | undefined): Promise<void> {
  const folder = out === undefined ? undefined : ctx.path(out);
  const jobs = filled.map((one) => {
    const path = folder === undefined ? (one.source.path ?? "") : join(folder, one.source.target);
    return { ...one, path, name: shown(ctx, path) };
  });
  const twice = jobs.find(({ path }, index) => jobs.findIndex((other) => other.path === path) !== index);
  if (twice !== undefined) {
    throw usageError(`Two files would be written to ${quote(twice.name)}.`, { next: "Run the command once per file." });
  }
  const changed = jobs.filter(({ path, text }) => !existsSync(path) || readFileSync(path, "utf8") !== text);
  const replaced = changed.filter(({ path }) => existsSync(path)).map(({ name }) => name);
  const [first] = replaced;
  if (first !== undefined) {
    const action = replaced.length === 1 ? `Overwrite ${first}` : `Overwrite ${countOf(replaced.length, "file")}`;
    await ctx.confirm({ level: 1, action, where: "on this machine", name: first, items: replaced });
  }
  for (const { path, text } of changed) {
    const mode = existsSync(path) ? statSync(path).mode & 0o777 : 0o666 & ~process.umask();
    writeWhole(path, text, { file: mode, folder: 0o777 });
  }
  await ctx.out.list(
    jobs.map(({ name, replaced: count, missing }) => ({ file: name, replaced: count, missing })),
    { columns, empty: "No files given.", idKey: "file" },
  );
  ctx.say.info(`Wrote ${changed.length} of ${countOf(jobs.length, "file")}; the others are up to date.`);
}

export function shown(ctx: CommandContext, path: string): string {
  const short = relative(ctx.cwd, path);
  return short === "" || short.startsWith("..") ? path : short;
}
