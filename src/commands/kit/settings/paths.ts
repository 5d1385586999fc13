import { homedir } from "node:os";
import { join } from "node:path";

/** Folders of the user's files. Nothing is created by naming them. */
export interface UserFolders {
  readonly config: string;
  readonly state: string;
  readonly cache: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const folderName = "iotdeck";

/** The usual folders of the system; `IOT_CONFIG_DIR` moves all three. */
export function userFolders(
  env: Environment,
  platform: string = process.platform,
  home = env["HOME"] || homedir(),
): UserFolders {
  const own = env["IOT_CONFIG_DIR"];
  if (own) return { config: own, state: join(own, "state"), cache: join(own, "cache") };
  if (platform === "win32") {
    const roaming = env["APPDATA"] || join(home, "AppData", "Roaming");
    const local = env["LOCALAPPDATA"] || join(home, "AppData", "Local");
    return {
      config: join(roaming, folderName),
      state: join(local, folderName, "State"),
      cache: join(local, folderName, "Cache"),
    };
  }
  if (platform === "darwin") {
    const support = join(home, "Library", "Application Support", folderName);
    return { config: support, state: join(support, "State"), cache: join(home, "Library", "Caches", folderName) };
  }
  const place = (variable: string, ...usual: string[]): string => {
    const named = env[variable];
    // The base-directory rules say that a relative path is to be ignored.
    return join(named?.startsWith("/") ? named : join(home, ...usual), folderName);
  };
  return {
    config: place("XDG_CONFIG_HOME", ".config"),
    state: place("XDG_STATE_HOME", ".local", "state"),
    cache: place("XDG_CACHE_HOME", ".cache"),
  };
}

/** A path as people write it: below the home folder with `~`. */
export function showPath(path: string, home = homedir()): string {
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
