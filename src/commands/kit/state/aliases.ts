import { join } from "node:path";
import { inputError } from "../failures/command-error.ts";
import { isObject, type JsonObject, parseObject, readTextIfThere } from "../files/files.ts";
import { userFolders } from "../settings/paths.ts";
import { changeStored } from "./store.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const pathOf = (env: Environment): string => join(userFolders(env).config, "aliases.json");

type Aliases = Readonly<Record<string, string>>;

/** The user's own short forms, by name. */
export function readAliases(env: Environment): Aliases {
  const path = pathOf(env);
  const text = readTextIfThere(path);
  return text === undefined ? {} : aliasesIn(parseObject(text, path), path);
}

function aliasesIn({ aliases }: JsonObject, path: string): Aliases {
  if (!isObject(aliases)) throw inputError(`${path} contains no aliases.`, { code: "config.invalid" });
  return Object.fromEntries(
    Object.entries(aliases).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** Changes the aliases as they are on the disk now, while no other process does. */
export async function changeAliases(env: Environment, change: (aliases: Aliases) => Aliases): Promise<void> {
  const path = pathOf(env);
  await changeStored(path, (file) => ({ ...file, aliases: change(aliasesIn({ aliases: {}, ...file }, path)) }));
}

/** Words of an alias: parted by blanks; quotes hold words together. */
export function aliasWords(text: string): string[] {
  const tokens = text.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? [];
  return tokens.map((token) =>
    token.replace(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ""),
  );
}
