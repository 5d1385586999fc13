import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { shellWord } from "../../text/shell-word.ts";

/** A folder with an `iot` that is this very program, to put in front of PATH. */
export interface ProgramFolder {
  readonly path: string;
  remove(): void;
}

export function programFolder(program: string): ProgramFolder {
  const path = mkdtempSync(join(tmpdir(), "iot-"));
  chmodSync(path, 0o700);
  const script = join(path, "iot");
  writeFileSync(script, `#!/bin/sh\nexec ${shellWord(process.execPath)} ${shellWord(program)} "$@"\n`, { mode: 0o700 });
  if (process.platform === "win32") writeFileSync(`${script}.cmd`, batchFile(process.execPath, program));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** In a batch file, `%` starts a variable also inside quotes. */
const batchFile = (...words: readonly string[]): string =>
  `@${words.map((word) => `"${word.replaceAll("%", "%%")}"`).join(" ")} %*\r\n`;

/** A line that sets a variable: for PowerShell on Windows, else for sh. */
export function variableLine(name: string, value: string, platform: string = process.platform): string {
  if (platform === "win32") return `$env:${name} = '${value.replaceAll("'", "''")}'`;
  return `export ${name}=${shellWord(value)}`;
}

export function withPath(folder: string, path: string | undefined): string {
  return path === undefined || path === "" ? folder : `${folder}${delimiter}${path}`;
}
