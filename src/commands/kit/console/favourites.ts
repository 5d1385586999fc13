import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, parseObject, writePrivate } from "../files/files.ts";
import { showPath, userFolders } from "../settings/paths.ts";

/** Dashboards that a user has marked in the console of an account. */
export interface Favourites {
  read(): readonly string[];
  write(dashboards: readonly string[]): void;
}

/** @param account API and profile: they are stored on this machine, since the platform has nothing to store them in */
export function favouritesOf(env: Readonly<Record<string, string | undefined>>, account: string): Favourites {
  const path = join(userFolders(env).state, "console-favourites.json");
  const all = () => (existsSync(path) ? parseObject(readFileSync(path, "utf8"), showPath(path)) : {});
  return {
    read() {
      const { [account]: own } = all();
      const dashboards = isObject(own) ? own["dashboards"] : undefined;
      return Array.isArray(dashboards) ? dashboards.filter((id) => typeof id === "string") : [];
    },
    write(dashboards) {
      writePrivate(path, `${JSON.stringify({ ...all(), [account]: { dashboards } })}\n`);
    },
  };
}
