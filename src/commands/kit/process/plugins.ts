import { accessSync, constants, readdirSync, realpathSync, statSync } from "node:fs";
import { join, posix, win32 } from "node:path";
import { pathFolders, programEndings } from "./in-path.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A program of the user's own, that runs as a command. */
export interface Plugin {
  /** `hello` of `iot-hello`. */
  readonly name: string;
  readonly path: string;
}

/** What a system call returns; undefined where it fails: PATH may name anything. */
function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}

function isProgram(path: string, isWindows: boolean): boolean {
  if (attempt(() => statSync(path))?.isFile() !== true) return false;
  if (isWindows) return true;
  return (
    attempt(() => {
      accessSync(path, constants.X_OK);
      return true;
    }) === true
  );
}

/** The name in `iot-hello.cmd`. One without letters, or with dots and blanks, could be no word of a command line. */
function nameIn(file: string, ending: string, isWindows: boolean): string | undefined {
  const name = isWindows ? file.toLowerCase() : file;
  if (!name.endsWith(ending)) return undefined;
  return /^iot-([a-z0-9][a-z0-9_-]*)$/i.exec(name.slice(0, name.length - ending.length))?.[1];
}

/**
 * The plugins in PATH, in the order in which they are found: of a name, the first one runs. Relative folders are left out:
 * what they hold depends on where the user is.
 */
export function pluginsIn(env: Environment, platform: string = process.platform): readonly Plugin[] {
  const isWindows = platform === "win32";
  const { isAbsolute } = isWindows ? win32 : posix;
  // Where /bin is a link to /usr/bin, every program would be there twice.
  const folders = new Map<string, string>();
  for (const folder of pathFolders(env, platform).filter((one) => isAbsolute(one))) {
    const real = attempt(() => realpathSync(folder)) ?? folder;
    if (!folders.has(real)) folders.set(real, folder);
  }
  return [...folders.values()].flatMap((folder) => {
    const files = (attempt(() => readdirSync(folder)) ?? []).sort();
    return programEndings(env, platform).flatMap((ending) =>
      files.flatMap((file) => {
        const name = nameIn(file, ending.toLowerCase(), isWindows);
        const path = join(folder, file);
        return name !== undefined && isProgram(path, isWindows) ? [{ name, path }] : [];
      }),
    );
  });
}
