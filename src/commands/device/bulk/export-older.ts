import { rmSync } from "node:fs";
import { join } from "node:path";
import { quote } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import { conflictError } from "../../kit/failures/command-error.ts";
import { readTextIfThere } from "../../kit/files/files.ts";
import { shownPath } from "../../kit/files/out-file.ts";
import type { FileChoice } from "./export-choice.ts";

/** Where a program of before noted the progress of an export: beside the file. */
function olderNotes({ out, isFolder }: FileChoice): string | undefined {
  const path = isFolder ? join(out, ".iot-export.journal") : `${out}.journal`;
  return readTextIfThere(path)?.startsWith('{"plan":') === true ? path : undefined;
}

export function refuseOlder(ctx: CommandContext, choice: FileChoice): void {
  const path = olderNotes(choice);
  if (path === undefined) return;
  throw conflictError(`The unfinished export to ${quote(shownPath(ctx, choice.out))} cannot be resumed.`, {
    code: "resume.older",
    why: `An older version of iot started it; its notes in ${shownPath(ctx, path)} have another form.`,
    next: "Leave out --resume to start again.",
  });
}

/** The new export writes the same files. */
export function dropOlder(ctx: CommandContext, choice: FileChoice): void {
  const path = olderNotes(choice);
  if (path === undefined) return;
  ctx.say.warning("Replacing an unfinished export of an older version.");
  rmSync(path, { force: true });
}
