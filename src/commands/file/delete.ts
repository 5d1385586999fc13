import { countOf, countText, partOf } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { type CommandError, stoppedError, usageError } from "../kit/failures/command-error.ts";
import { partialError } from "../kit/jobs/ending.ts";
import { inParts } from "../kit/lanes.ts";
import { messageOf } from "../kit/resource/batch.ts";
import { remotePath } from "./paths.ts";
import { folderExists, noSuchFile, type RemoteFiles, remoteFiles } from "./remote.ts";

interface DeletedFile {
  readonly filename: string;
}

const columns: readonly Column<DeletedFile>[] = [{ key: "filename", kind: "id" }];

/** Paths of one request. */
const PATHS_PER_REQUEST = 100;

export const deleteFiles: Command = defineCommand({
  path: ["delete"],
  aliases: ["rm"],
  effect: "deletes",
  summary: "Delete files and folders",
  details:
    "A path that ends with a slash is a folder and is deleted with everything in it. A single file is confirmed with yes or no; several files, or a folder, by name.",
  args: [{ name: "path", summary: "file, or folder with a slash at its end", required: true, variadic: true }],
  result: rows(columns),
  examples: ["iot file delete reports/2024/january.csv --dry-run", "iot file delete logos-old/ --confirm logos-old/"],
  exitCodes: [6, 8],
  related: ["iot file list", "iot file sync"],
  async run(ctx, input) {
    const remote = await remoteFiles(ctx);
    const given = [...new Set(input.args.path.map((text) => remotePath(text)))];
    const files = await filesOf(ctx, remote, given);
    const parts = inParts(files.filter(isDeletable), PATHS_PER_REQUEST);
    if (await ctx.dryRun(parts.map((body) => ({ method: "DELETE", path: "/files", body })))) return;
    await confirmDelete(ctx, given, files);
    const done = await removeFiles(ctx, remote, files);
    await ctx.out.list(
      done.map((filename) => ({ filename })),
      { columns, empty: "Nothing was deleted.", idKey: "filename" },
    );
    const [first] = done;
    const what = done.length === 1 ? `file "${first}"` : countOf(done.length, "file");
    await ctx.done(`Deleted ${what}`);
    if (!ctx.signal.aborted) await warnOfNew(ctx, remote, given, files).catch(notListed(ctx));
    if (done.length < files.length) throw notAll(ctx, done.length, files.length);
  },
});

/** Every file that is meant, each named by its own path: what a folder holds is what was seen, not what may come. */
async function filesOf(ctx: CommandContext, remote: RemoteFiles, given: readonly string[]): Promise<readonly string[]> {
  const files = new Set<string>();
  for (const path of given) {
    const before = files.size;
    if (path.endsWith("/")) for await (const { filename } of remote.below(path)) files.add(filename);
    else if ((await remote.isPublic(path)) !== undefined) files.add(path);
    else throw await notAFile(ctx, remote, path);
    if (path.endsWith("/") && files.size === before) throw await noSuchFile(ctx, path);
  }
  return [...files];
}

async function notAFile(ctx: CommandContext, remote: RemoteFiles, path: string): Promise<Error> {
  if (!(await folderExists(remote, `${path}/`))) return noSuchFile(ctx, path);
  return usageError(`${quote(path)} is a folder.`, {
    next: `Use ${path}/ for the folder and everything in it.`,
  });
}

async function confirmDelete(ctx: CommandContext, given: readonly string[], files: readonly string[]): Promise<void> {
  const [first = ""] = given;
  if (given.length === 1 && !first.endsWith("/")) {
    return ctx.confirm({ level: 1, action: `Delete file "${first}"`, name: first });
  }
  const { envName } = await ctx.connection();
  const isOneFolder = given.length === 1;
  await ctx.confirm({
    level: 2,
    action: isOneFolder
      ? `Delete folder "${first}" with ${countOf(files.length, "file")}`
      : `Delete ${countOf(files.length, "file")}`,
    name: isOneFolder ? first : envName || "files",
    items: files,
  });
}

/** The platform removes two dots from a path before it looks, and would delete another file. */
const isDeletable = (path: string): boolean => !path.includes("..");

/** Deletes files and returns those that are gone. Stops at the first failure; a warning says what is left and why. */
export async function removeFiles(
  ctx: CommandContext,
  remote: RemoteFiles,
  files: readonly string[],
): Promise<readonly string[]> {
  const dotted = files.filter((path) => !isDeletable(path));
  if (dotted.length > 0) {
    ctx.say.warning(
      `The platform cannot delete files with ".." in their path; rename them with "iot file move" first: ${firstOf(dotted)}.`,
    );
  }
  const done: string[] = [];
  for (const some of inParts(files.filter(isDeletable), PATHS_PER_REQUEST)) {
    if (ctx.signal.aborted) break;
    try {
      await remote.client.files.delete(some);
    } catch (error) {
      if (done.length === 0 && dotted.length === 0) throw error;
      ctx.say.warning(`After ${countOf(done.length, "file")}: ${messageOf(error)}`);
      break;
    }
    done.push(...some);
  }
  return done;
}

const SHOWN = 5;
const firstOf = (paths: readonly string[]): string =>
  `${paths.slice(0, SHOWN).join(", ")}${paths.length > SHOWN ? ` and ${countText(paths.length - SHOWN)} more` : ""}`;

function notAll(ctx: CommandContext, done: number, all: number): CommandError {
  const what = `${partOf(done, all, "file")} ${all === 1 ? "was" : "were"} deleted.`;
  if (ctx.signal.aborted) return stoppedError(what);
  return partialError(what, {
    why: "See the warning above.",
    next: "Run the command again for the rest.",
  });
}

/** The deletion is over: that a folder cannot be listed again does not make it fail. */
const notListed =
  (ctx: CommandContext) =>
  (error: unknown): void =>
    ctx.say.warning(`What was added meanwhile could not be listed: ${messageOf(error)}`);

/** What came into a folder since its files were listed is still there. */
async function warnOfNew(
  ctx: CommandContext,
  remote: RemoteFiles,
  given: readonly string[],
  known: readonly string[],
): Promise<void> {
  const before = new Set(known);
  for (const folder of given.filter((path) => path.endsWith("/"))) {
    const added: string[] = [];
    for await (const { filename } of remote.below(folder)) if (!before.has(filename)) added.push(filename);
    if (added.length > 0) ctx.say.warning(`Added to ${quote(folder)} meanwhile, and not deleted: ${firstOf(added)}.`);
  }
}
