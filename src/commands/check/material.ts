import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { defined } from "../../lib/core/defined.ts";
import type { Arguments, Input, Options } from "../kit/command/options.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { unknownWord } from "../kit/failures/unknown-word.ts";
import { comparedKinds, comparisonOptions } from "../kit/profiles/select.ts";
import type { DictionaryMaterial } from "./dictionaries.ts";
import { type CheckName, checkNames } from "./finding.ts";
import type { ProfileFolder } from "./profile.ts";
import { formatOf, projectChecks } from "./project.ts";
import type { TypesFile } from "./types.ts";
import { checkEverything } from "./types.ts";

/** What there is to check, from the flags and else from the project file. */
export interface Material {
  /** In the order they are done in. */
  readonly checks: readonly CheckName[];
  readonly profile: ProfileFolder | undefined;
  readonly widgets: readonly string[];
  readonly dictionaries: DictionaryMaterial;
  readonly types: readonly TypesFile[];
  readonly isOffline: boolean;
}

export const materialArguments = [
  { name: "folder", file: "in", summary: "folder written by iot profile export" },
] as const satisfies Arguments;

/** The flags that say what is checked. */
export const materialOptions = [
  { name: "only", value: "checks", summary: "only these: profile, widgets, dictionaries, types", repeat: true },
  { name: "skip", value: "checks", summary: "skip these checks", repeat: true },
  ...comparisonOptions,
  { name: "widgets", file: "in", value: "file", summary: "widget file, folder or pattern", repeat: true },
  { name: "dictionary", value: "id", summary: "dictionary on the platform: full id, name:…", repeat: true },
  {
    name: "file",
    file: "in",
    value: "file",
    summary: "file, folder or pattern with #SLUG.KEY# expressions",
    repeat: true,
  },
  { name: "types", file: "in", value: "file", summary: "file written by iot generate types", repeat: true },
  { name: "offline", summary: "skip checks that need the platform" },
] as const satisfies Options;

export function materialOf(
  ctx: CommandContext,
  input: Input<typeof materialArguments, typeof materialOptions>,
): Material {
  const project = projectChecks(ctx);
  const list = (flag: "include" | "exclude" | "widgets" | "dictionary" | "file"): readonly string[] | undefined => {
    const given = input.options[flag];
    return given.length > 0 ? given : project[flag];
  };
  const folder = input.args.folder ?? project.profile;
  const { allKinds } = input.options;
  const include = allKinds ? [] : (list("include") ?? []);
  const kinds = comparedKinds({ include, exclude: list("exclude") ?? [], allKinds });
  const folderOf = (kind: string): string | undefined => (kinds.some(({ name }) => name === kind) ? folder : undefined);
  const types = input.options.types.map((file) => ({ file, flags: { ...checkEverything, format: formatOf(file) } }));
  const named = list("dictionary");
  const files = list("file") ?? [];
  const isOffline = input.options.offline;
  const material = {
    profile: folder === undefined ? undefined : { folder, kinds },
    widgets: list("widgets") ?? dashboardFolders(ctx, folderOf("dashboard")),
    dictionaries: { files, ...defined({ named, folder: folderOf("dictionary") }) },
    types: types.length > 0 ? types : (project.types ?? []),
    isOffline,
  };
  const texts = material.dictionaries.folder;
  const hasTexts = texts !== undefined && existsSync(ctx.path(join(texts, "dictionary")));
  const has: Readonly<Record<CheckName, boolean>> = {
    profile: folder !== undefined,
    widgets: material.widgets.length > 0,
    dictionaries: hasTexts || (!isOffline && (named !== undefined || files.length > 0)),
    types: material.types.length > 0 && !isOffline,
  };
  return { ...material, checks: chosenChecks(input.options, has, isOffline) };
}

/** Folders of the project that have dashboards in them. */
function dashboardFolders(ctx: CommandContext, folder: string | undefined): readonly string[] {
  const own = ctx.user.project?.dashboards;
  const candidates = [
    ...(own === undefined ? [] : [relative(ctx.cwd, own) || "."]),
    ...(folder === undefined ? [] : [join(folder, "dashboard")]),
  ];
  return candidates.filter((place) => existsSync(ctx.path(place)));
}

function named(given: readonly string[]): ReadonlySet<string> {
  const words = given
    .flatMap((text) => text.split(","))
    .map((text) => text.trim())
    .filter((text) => text !== "");
  const unknown = words.find((word) => !checkNames.some((name) => name === word));
  if (unknown !== undefined) throw unknownWord("check", unknown, checkNames);
  return new Set(words);
}

const whatToGive: Readonly<Record<CheckName, string>> = {
  profile: "the folder of an exported profile",
  widgets: "--widgets",
  dictionaries: "--dictionary",
  types: "--types",
};

function chosenChecks(
  { only: onlyNames, skip: skipped }: { readonly only: readonly string[]; readonly skip: readonly string[] },
  has: Readonly<Record<CheckName, boolean>>,
  isOffline: boolean,
): readonly CheckName[] {
  const only = named(onlyNames);
  const skip = named(skipped);
  const wanted = checkNames.filter((name) => (only.size === 0 || only.has(name)) && !skip.has(name));
  // Dictionaries need no file: without one, all on the platform are meant.
  const can = (name: CheckName): boolean => has[name] || (name === "dictionaries" && only.has(name) && !isOffline);
  const lacking = wanted.find((name) => only.has(name) && !can(name));
  if (lacking !== undefined) {
    throw usageError(`There is nothing to check for ${quote(lacking)}.`, {
      code: "usage.missing_value",
      ...(isOffline ? { why: "--offline leaves out what needs the platform." } : {}),
      next: `Add ${whatToGive[lacking]}, or "check" to iot.config.json.`,
    });
  }
  const chosen = wanted.filter(can);
  if (chosen.length > 0) return chosen;
  throw usageError("There is nothing to check.", {
    code: "usage.missing_value",
    why: "Neither the flags nor the project file name files.",
    next: 'Add the folder of an exported profile, --widgets, --dictionary or --types, or "check" to iot.config.json.',
  });
}
