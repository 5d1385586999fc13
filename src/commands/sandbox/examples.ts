import { copyFileSync, existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../../lib/core/make-folder.ts";
import { countOf } from "../../text/count.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Arguments } from "../kit/command/options.ts";
import { value } from "../kit/command/result.ts";
import { notFoundError } from "../kit/failures/command-error.ts";
import { onFile } from "../kit/files/files.ts";
import { checkNewFolder, shownPath } from "../kit/files/out-file.ts";

const args = [
  { name: "folder", summary: "where to write them", required: true, file: "out" },
] as const satisfies Arguments;

/** The folder of the examples in this package. */
async function exampleFolder(): Promise<string> {
  const { ownPackageFolder } = await import("../../sandbox/core/package-folder.ts");
  const folder = join(ownPackageFolder() ?? ".", "examples");
  if (existsSync(folder)) return folder;
  throw notFoundError("This installation has no examples.", {
    code: "examples.not_found",
    next: "Install iotdeck again, or take the folder examples of its repository.",
  });
}

/** All files below a folder, by their path in it. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

export const examplesCommand: Command = defineCommand({
  path: ["examples"],
  asks: "nothing",
  result: value({ type: "string", description: "Path of the folder." }),
  effect: "local",
  summary: "Write the example files of the guides",
  details:
    "The lines of the guides use them: lists of devices and records, a parser, widgets, a profile, queries and pages, for the demo " +
    "account of the sandbox. Files that are there already stay as they are. Works without a running sandbox.",
  args,
  examples: ["iot sandbox examples examples/", "iot sandbox examples guides/ --json"],
  exitCodes: { only: [3, 6] },
  related: ["iot sandbox start", "iot init"],
  async run(ctx, { args: { folder } }) {
    const target = ctx.path(folder);
    checkNewFolder(ctx, target);
    const source = await exampleFolder();
    const files = filesIn(source);
    const missing = files.filter((file) => !existsSync(join(target, file)));
    for (const file of missing) {
      const path = join(target, file);
      onFile(shownPath(ctx, path), () => {
        makeFolder(dirname(path), 0o755);
        copyFileSync(join(source, file), path);
      });
    }
    await ctx.out.value(target);
    const kept = files.length - missing.length;
    const already = kept === 0 ? "" : `; ${countOf(kept, "file")} there already, left as they are`;
    ctx.say.info(`${countOf(missing.length, "file")} written${already}.`);
  },
});
