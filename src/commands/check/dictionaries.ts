import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandContext } from "../kit/context.ts";
import { checkDictionary, type MissingText, unknownExpressions } from "../kit/dictionaries/missing.ts";
import { readLanguage } from "../kit/dictionaries/texts.ts";
import { isObject, objectOf } from "../kit/files/files.ts";
import { chosenDictionaries } from "../kit/finders/dictionary.ts";
import { documentText, listOf } from "../kit/folders/documents.ts";
import { readFolder } from "../kit/profiles/folder.ts";
import type { Entry } from "../kit/profiles/kind.ts";
import { kinds } from "../kit/profiles/kinds.ts";
import { lineOfPath } from "../kit/widgets/lines.ts";
import { type Finding, finding, readable } from "./finding.ts";

export interface DictionaryMaterial {
  /** Ids or names on the platform; `[]` is all of them. */
  readonly named?: readonly string[];
  /** Folder of a profile; its dictionaries count unless others are named. */
  readonly folder?: string;
  /** Files with expressions such as `#HOME.TITLE#`. */
  readonly files: readonly string[];
}

type Keys = Map<string, ReadonlySet<string>>;

/** Dictionaries in the files of a profile. */
function dictionariesIn(ctx: Pick<CommandContext, "path">, folder: string | undefined): readonly Entry[] {
  if (folder === undefined) return [];
  return readFolder(
    ctx.path(folder),
    kinds.filter(({ name }) => name === "dictionary"),
  ).entries;
}

/** Keys without a text in a language, and expressions in files without a key. */
export async function checkDictionaries(
  ctx: CommandContext,
  material: DictionaryMaterial,
  isOffline: boolean,
): Promise<readonly Finding[]> {
  const { named, folder, files } = material;
  return readable(ctx, "dictionaries", folder === undefined ? null : join(folder, "profile.json"), async () => {
    const inFiles = named === undefined || isOffline ? dictionariesIn(ctx, folder) : [];
    const keys: Keys = new Map();
    const found = inFiles.length > 0 ? await ofFolder(ctx, inFiles, folder ?? "", keys) : [];
    if (inFiles.length === 0 && isOffline) return [];
    if (inFiles.length === 0) found.push(...(await ofPlatform(ctx, named ?? [], keys)));
    for (const file of files) found.push(...(await ofFile(ctx, file, keys)));
    return found;
  });
}

async function ofFolder(
  ctx: CommandContext,
  entries: readonly Entry[],
  folder: string,
  keys: Keys,
): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const { document, file = "" } of entries) {
    const texts = objectOf(document["texts"]);
    const languages = listOf(document["languages"]).map((one) => ({
      code: documentText(one, "code"),
      active: one["active"] !== false,
    }));
    const dictionary = {
      slug: documentText(document, "slug"),
      fallback: documentText(document, "fallback"),
      languages,
    };
    const checked = await checkDictionary(ctx, dictionary, async (code) => stringsOf(texts[code]));
    keys.set(dictionary.slug, checked.keys);
    const json = checked.missing.length === 0 ? "" : readFileSync(ctx.path(join(folder, file)), "utf8");
    for (const missing of checked.missing) {
      const line = lineOfPath(json, ["texts", missing.language]);
      found.push(missingText(missing, { file: join(folder, file), line }));
    }
  }
  return found;
}

async function ofPlatform(ctx: CommandContext, named: readonly string[], keys: Keys): Promise<Finding[]> {
  const found: Finding[] = [];
  const client = await ctx.client();
  for (const dictionary of await chosenDictionaries(ctx, named)) {
    const checked = await checkDictionary(ctx, dictionary, (code) => readLanguage(client, dictionary, code));
    keys.set(dictionary.slug, checked.keys);
    found.push(...checked.missing.map((missing) => missingText(missing)));
  }
  return found;
}

function ofFile(ctx: CommandContext, pattern: string, keys: Keys): Promise<readonly Finding[]> {
  return readable(ctx, "dictionaries", pattern, async () => {
    const unknown = await unknownExpressions(ctx, [pattern], keys);
    return unknown.map(({ dictionary, key, file = "", line = null }) =>
      finding("dictionaries", "unknown", `The key ${dictionary}.${key} is in no dictionary.`, {
        file,
        line,
        next: `Add it: "iot dictionary lang set name:${dictionary} <language> ${key}=text".`,
      }),
    );
  });
}

function missingText(
  { dictionary, language, key }: MissingText,
  place: Pick<Finding, "file" | "line"> = nowhere,
): Finding {
  return finding("dictionaries", "missing", `${dictionary}.${key} has no ${language} translation.`, {
    ...place,
    next: `Add it: "iot dictionary lang set name:${dictionary} ${language} ${key}=text".`,
  });
}

const nowhere = { file: null, line: null } as const;

const stringsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).flatMap(([key, text]) =>
      typeof text === "string" ? [[key, text] as const] : [],
    ),
  );
