import { join } from "node:path";
import { isObject, type JsonObject, objectOf } from "../kit/files/files.ts";
import { userFolders } from "../kit/settings/paths.ts";
import { underLock } from "../kit/state/lock.ts";
import { readNote, writeNote } from "../kit/state/notes.ts";

/** What was last deployed to one analysis, as this machine remembers it. */
interface Deployed {
  readonly hash: string;
  /** Version number the platform assigned. */
  readonly version: string;
}

/** Hashes of deployed scripts, in the folder for state. A broken file counts as an empty one: deploying again is safe. */
export interface DeployedScripts {
  /** Whether the platform has exactly this script, judged by the version. */
  isSame(id: string, hash: string, version: unknown): boolean;
  remember(id: string, hash: string, version: unknown): void;
}

export function openDeployed(env: Readonly<Record<string, string | undefined>>, api: string): DeployedScripts {
  const path = join(userFolders(env).state, "deployed-analyses.json");
  const keyOf = (id: string): string => `${new URL(api).origin} ${id}`;

  const read = (): JsonObject => objectOf(readNote(path));

  return {
    isSame(id, hash, version) {
      const known = read()[keyOf(id)];
      return isObject(known) && known["hash"] === hash && known["version"] === String(version);
    },
    remember(id, hash, version) {
      const entry: Deployed = { hash, version: String(version) };
      underLock(path, () => writeNote(path, { ...read(), [keyOf(id)]: entry }));
    },
  };
}
