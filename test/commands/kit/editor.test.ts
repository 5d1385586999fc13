import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { editText } from "../../../src/commands/kit/ask/editor.ts";
import { temporaryFolder } from "../../helpers/cli.ts";

/** An editor that does this to its file. */
function editor(script: string): string {
  const path = join(temporaryFolder(), "edit.sh");
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

describe("a text in the editor", { tags: ["posix"] }, () => {
  const edit = (script: string): Promise<string> =>
    editText({ PATH: process.env["PATH"], EDITOR: editor(script) }, "{}", "widget.json");

  it("is what the editor left", async () => {
    expect(await edit('echo 1 > "$1"')).toBe("1\n");
  });

  it.each([
    { does: "deleted", script: 'rm "$1"', why: "The file it was given is gone." },
    { does: "replaced by a folder", script: 'rm "$1"; mkdir "$1"', why: "The file it was given cannot be read." },
  ])("says what to do when its file was $does", async ({ script, why }) => {
    await expect(edit(script)).rejects.toMatchObject({
      code: "editor.failed",
      message: expect.stringMatching(/^The editor ".*edit\.sh" left no file to read\.$/),
      why,
      next: "Nothing was changed. Edit again, and save under the same name.",
    });
  });
});
