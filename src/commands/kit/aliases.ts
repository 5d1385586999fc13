import { join } from "node:path";
import { inputError } from "./command-error.ts";
import { isObject, parseObject, readTextIfThere, writeWhole } from "./files.ts";
import { userFolders } from "./paths.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const pathOf = (env: Environment): string => join(userFolders(env).config, "aliases.json");

/** The user's own short forms, by name. */
export function readAliases(env: Environment): Readonly<Record<string, string>> {
  const path = pathOf(env);
  const text = readTextIfThere(path);
  if (text === undefined) return {};
  const { aliases } = parseObject(text, path);
  if (!isObject(aliases)) throw inputError(`${path} holds no aliases.`, { code: "config.invalid" });
  return Object.fromEntries(
    Object.entries(aliases).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

export function writeAliases(env: Environment, aliases: Readonly<Record<string, string>>): void {
  writeWhole(pathOf(env), `${JSON.stringify({ aliases }, null, 2)}\n`, { file: 0o600, folder: 0o700 });
}

/** Words of an alias: parted by blanks; quotes hold words together. */
export function aliasWords(text: string): string[] {
  const tokens = text.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? [];
  return tokens.map((token) =>
    token.replace(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ""),
  );
}
