import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";

/** Variables of an environment file, read only because `--env-file` names it. */
export function readEnvFile(path: string): Readonly<Record<string, string | undefined>> {
  return parseEnv(readFileSync(path, "utf8"));
}
