import { existsSync } from "node:fs";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** A copy of variables. Windows finds `PATH` by any case in its own, where it is `Path`; in a copy it has this name. */
export function copyEnvironment(env: Environment, platform: string = process.platform): Environment {
  if (platform !== "win32") return { ...env };
  const named = (name: string): string => (name.toUpperCase() === "PATH" ? "PATH" : name);
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [named(name), value]));
}

/** Whether a program is in PATH. Windows names it with an ending of PATHEXT. */
export function isInPath(name: string, env: Environment, platform: string = process.platform): boolean {
  const isWindows = platform === "win32";
  const endings = isWindows ? (env["PATHEXT"] ?? ".COM;.EXE;.BAT;.CMD").split(";") : [""];
  return (env["PATH"] ?? "")
    .split(isWindows ? ";" : ":")
    .some((folder) => folder !== "" && endings.some((ending) => existsSync(join(folder, `${name}${ending}`))));
}
