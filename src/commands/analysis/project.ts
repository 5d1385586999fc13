import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { isRuntime, type Runtime, runtimes } from "../kit/analyses/runtimes.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { inputError, usageError } from "../kit/failures/command-error.ts";
import { didYouMean } from "../kit/failures/unknown-word.ts";
import { isObject, parseObject, readTextIfThere, writeWhole } from "../kit/files/files.ts";
import { analysisFinder } from "../kit/finders/analysis.ts";
import { type ResourceTarget, resolveId } from "../kit/resource/resolve-id.ts";
import { projectFileName } from "../kit/settings/config.ts";
import { writeProjectSchema } from "../kit/settings/project-schema.ts";

/** An analysis of the project: an entry of `analyses` in the project file, with defaults filled in. */
export interface ProjectAnalysis {
  readonly name: string;
  /** Absolute path of the source. */
  readonly file: string;
  /** Full id, `name:…` or `tag:…`; `name:` and the name unless given, so that one file serves every environment. */
  readonly id: string;
  readonly language?: Runtime;
  /** False: the file is uploaded as it is. */
  readonly bundle?: boolean;
}

const members = new Set(["file", "id", "language", "bundle"]);

function entryOf(name: string, value: unknown, path: string): ProjectAnalysis {
  const place = `${path}: analysis ${quote(name)}`;
  const entry = typeof value === "string" ? { file: value } : value;
  if (!isObject(entry) || typeof entry["file"] !== "string" || entry["file"] === "") {
    throw inputError(`${place} has no file.`, {
      code: "config.invalid",
      next: `Use the form "${name}": { "file": "analyses/${name}.ts" }.`,
    });
  }
  const { file, id, language, bundle } = entry;
  const unknown = Object.keys(entry).find((key) => !members.has(key));
  const isGood =
    unknown === undefined &&
    (id === undefined || (typeof id === "string" && id !== "")) &&
    (language === undefined || isRuntime(language)) &&
    (bundle === undefined || typeof bundle === "boolean");
  if (!isGood) {
    throw inputError(`${place} is invalid.`, {
      code: "config.invalid",
      why:
        unknown === undefined
          ? `"id" must be a string, "language" one of ${runtimes.join(", ")}, "bundle" true or false.`
          : `Unknown property ${quote(unknown)}; valid properties are ${[...members].join(", ")}.`,
      next: "Fix the file.",
    });
  }
  return {
    name,
    file: resolve(dirname(path), file),
    id: typeof id === "string" ? id : `name:${name}`,
    ...(isRuntime(language) ? { language } : {}),
    ...(typeof bundle === "boolean" ? { bundle } : {}),
  };
}

/** The analyses the project file names, in its order. */
export function projectAnalyses(ctx: CommandContext): readonly ProjectAnalysis[] {
  const path = ctx.user.project?.path;
  const value = path === undefined ? undefined : parseObject(readTextIfThere(path) ?? "{}", path)["analyses"];
  if (path === undefined || value === undefined) return [];
  if (!isObject(value)) {
    throw inputError(`${path}: "analyses" is not an object.`, {
      code: "config.invalid",
      next: 'Use the form { "report": { "file": "analyses/report.ts" } }.',
    });
  }
  return Object.entries(value).map(([name, entry]) => entryOf(name, entry, path));
}

/** What a command line names: an analysis of the project by its name there, or one of the platform by its id. */
export interface NamedAnalysis {
  readonly target: ResourceTarget;
  readonly project?: ProjectAnalysis;
}

export const isIdForm = (text: string): boolean => /^([0-9a-f]{24}|(name|tag):.*)$/is.test(text);

/** The argument of `namedAnalysis`. */
export const nameArgument = {
  name: "name",
  summary: "name in the project file, full id, or unique name:…, tag:key=value",
  required: true,
} as const;

/** Finds the analysis a word names. Words that are no id are names of the project file. */
export async function namedAnalysis(ctx: CommandContext, word: string): Promise<NamedAnalysis> {
  const known = projectAnalyses(ctx);
  const project = known.find(({ name }) => name === word);
  if (project !== undefined) return { target: await resolveId(ctx, analysisFinder, project.id), project };
  if (!isIdForm(word)) throw notInProject(ctx, word, known);
  const target = await resolveId(ctx, analysisFinder, word);
  const same = known.find(({ id }) => id === word || id === target.id);
  return same === undefined ? { target } : { target, project: same };
}

function notInProject(ctx: CommandContext, word: string, known: readonly ProjectAnalysis[]): Error {
  const names = known.map(({ name }) => name);
  const place = ctx.user.project?.path;
  return usageError(`${quote(word)} is neither an analysis id nor a name in the project.`, {
    code: "usage.invalid_id",
    why:
      names.length > 0
        ? `The project has ${names.join(", ")}.`
        : place === undefined
          ? `There is no ${projectFileName} in this folder or a parent folder.`
          : `${place} has no analyses.`,
    ...didYouMean(
      word,
      names,
      `Use ${quote(`name:${word}`)} or a full id, or add it under "analyses" in ${projectFileName}.`,
    ),
  });
}

/** Where a new entry goes: the project file in use, or one in the working directory. */
export function projectFileFor(ctx: CommandContext): string {
  return ctx.user.project?.path ?? join(ctx.cwd, projectFileName);
}

/** Adds an analysis to the project file, which is made when there is none. Everything else in it stays. */
export function addToProject(ctx: CommandContext, name: string, entry: { readonly file: string }): string {
  const path = projectFileFor(ctx);
  const text = readTextIfThere(path);
  const document = text === undefined ? { $schema: writeProjectSchema(dirname(path)) } : parseObject(text, path);
  const analyses = isObject(document["analyses"]) ? document["analyses"] : {};
  const file = portable(relative(dirname(path), entry.file));
  const next = { ...document, analyses: { ...analyses, [name]: { ...entry, file } } };
  writeWhole(path, `${JSON.stringify(next, null, 2)}\n`, { file: 0o644, folder: 0o755 });
  return path;
}

const portable = (path: string): string => (isAbsolute(path) ? path : path.replaceAll("\\", "/"));

/** The source a command names: `--file` before the one of the project. */
export function analysisSource(
  ctx: CommandContext,
  named: NamedAnalysis | undefined,
  file: string | undefined,
): string {
  const source = file ?? named?.project?.file;
  if (source === undefined) {
    throw usageError("No source file given.", {
      code: "usage.missing_value",
      why: `The analysis is not in ${projectFileName}.`,
      next: 'Add --file <path>, or add it under "analyses" in the project file.',
    });
  }
  const path = ctx.path(source);
  if (existsSync(path)) return path;
  throw inputError(`The file ${path} does not exist.`, {
    code: "file.not_found",
    next: file === undefined ? "Check the project file." : "Check --file.",
  });
}
