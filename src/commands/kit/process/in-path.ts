import { existsSync } from "node:fs";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** A copy of variables. Windows finds `PATH` by any case in its own, where it is `Path`; in a copy it has this name. */
export function copyEnvironment(env: Environment, platform: string = process.platform): Environment {
  if (platform !== "win32") return { ...env };
  const named = (name: string): string => (name.toUpperCase() === "PATH" ? "PATH" : name);
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [named(name), value]));
}

/** The folders of PATH, in their order. */
export const pathFolders = (env: Environment, platform: string): readonly string[] =>
  (env["PATH"] ?? "").split(platform === "win32" ? ";" : ":").filter((folder) => folder !== "");

/** What the file of a program ends with. Windows names the endings in PATHEXT. */
export const programEndings = (env: Environment, platform: string): readonly string[] =>
  platform === "win32" ? (env["PATHEXT"] ?? ".COM;.EXE;.BAT;.CMD").split(";").filter((ending) => ending !== "") : [""];

/** Whether a program is in PATH. */
export function isInPath(name: string, env: Environment, platform: string = process.platform): boolean {
  const endings = programEndings(env, platform);
  return pathFolders(env, platform).some((folder) =>
    endings.some((ending) => existsSync(join(folder, `${name}${ending}`))),
  );
}
