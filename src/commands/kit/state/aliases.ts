import { join } from "node:path";
import { inputError } from "../failures/command-error.ts";
import { isObject, parseObject, readTextIfThere, writePrivate } from "../files/files.ts";
import { userFolders } from "../settings/paths.ts";
import { underLock } from "./lock.ts";

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

type Aliases = Readonly<Record<string, string>>;

/** Changes the aliases as they are on the disk now, while no other process does. */
export function changeAliases(env: Environment, change: (aliases: Aliases) => Aliases): void {
  const path = pathOf(env);
  underLock(path, () => writePrivate(path, `${JSON.stringify({ aliases: change(readAliases(env)) }, null, 2)}\n`));
}

/** Words of an alias: parted by blanks; quotes hold words together. */
export function aliasWords(text: string): string[] {
  const tokens = text.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? [];
  return tokens.map((token) =>
    token.replace(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ""),
  );
}
