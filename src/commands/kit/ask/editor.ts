import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandError } from "../failures/command-error.ts";

type Environment = Readonly<Record<string, string | undefined>>;

function editorOf(env: Environment): string {
  const standard = process.platform === "win32" ? "notepad" : "vi";
  return env["VISUAL"] || env["EDITOR"] || standard;
}

/**
 * Opens a string in the user's editor (`VISUAL`, else `EDITOR`) and returns the edited string. The file is readable by
 * the user only. The editor gets the terminal.
 *
 * @param name file name; its extension selects the editor's syntax
 */
export async function editText(env: Environment, text: string, name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "iot-edit-"));
  const file = join(folder, name);
  try {
    writeFileSync(file, text, { mode: 0o600 });
    const editor = editorOf(env);
    await runEditor(editor, file, env);
    return readEdited(editor, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the editor left: it may have deleted the file, or replaced it by something else. */
function readEdited(editor: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new CommandError(`The editor ${JSON.stringify(editor)} left no file to read.`, {
      code: "editor.failed",
      exit: 1,
      why: existsSync(file) ? "The file it was given cannot be read." : "The file it was given is gone.",
      next: "Nothing was changed. Edit again, and save under the same name.",
      cause,
    });
  }
}

function runEditor(editor: string, file: string, env: Environment): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { stdio: "inherit", env } as const;
    // The variable is a command line: it may hold quotes and options.
    const child =
      process.platform === "win32"
        ? spawn(`${editor} "${file}"`, { ...options, shell: true })
        : spawn("/bin/sh", ["-c", `${editor} "$@"`, "sh", file], options);
    const failed = (why: string): void =>
      reject(
        new CommandError(`The editor ${JSON.stringify(editor)} failed.`, {
          code: "editor.failed",
          exit: 1,
          why,
          next: "Set EDITOR to an editor command that waits until the file is closed.",
        }),
      );
    child.on("error", (error) => failed(error.message));
    child.on("close", (code) => (code === 0 ? resolve() : failed(`It exited with ${code ?? "a signal"}.`)));
  });
}
