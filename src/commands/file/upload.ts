import { lstatSync, type Stats, statSync } from "node:fs";
import { basename } from "node:path";
import { UPLOAD_PART_BYTES } from "../../lib/core/limits.ts";
import { countOf } from "../../text/count.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { OptionsOf } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { inputError, usageError } from "../kit/failures/command-error.ts";
import { mapLanes } from "../kit/lanes.ts";
import { type TransferRow, transferColumns } from "./columns.ts";
import { fileSums, isSameContent } from "./hash.ts";
import { fileOptions, filesAtATime, formerFlags, publicMember, sendingOf } from "./options.ts";
import { contentTypeOf, remoteFolder, remotePath } from "./paths.ts";
import { folderExists, type RemoteFiles, remoteFiles } from "./remote.ts";
import { runTransfers, throwOnFailedTransfers } from "./transfers.ts";
import { hasUploadState, type UploadJob, uploadOne } from "./upload-one.ts";
import { uploadStdin } from "./upload-stdin.ts";

export const uploadFiles: Command = defineCommand({
  path: ["upload"],
  effect: "changes",
  summary: "Upload files",
  details:
    "Large files are sent in parts, three at a time. --path is a folder if it ends with a slash, is an existing folder, or several " +
    "files are given; otherwise it is the new name. Without --path a file keeps its name and goes to the root. Progress is " +
    "saved in the state folder: after a crash, the same command with --resume sends the missing parts. " +
    'A file that already exists with the same content is skipped; with other content you are asked first. For folders: "iot ' +
    'file sync".',
  args: [
    { name: "file", file: "in", summary: "local file; - is stdin and needs --path", required: true, variadic: true },
  ],
  options: fileOptions,
  formerly: formerFlags,
  groups: ["confirm", "dryRun"],
  result: rows(transferColumns),
  examples: [
    "iot file upload examples/legacy-widgets.json --path examples/",
    "iot file upload examples/legacy-widgets.json --path examples/widgets-public.json --public",
    "echo hello | iot file upload - --path notes/hello.txt --dry-run",
  ],
  exitCodes: [3, 7, 8, 9],
  related: ["iot file sync", "iot file download", "iot file url"],
  async run(ctx, input) {
    const given = input.args.file;
    if (given.includes("-")) {
      if (given.length > 1) throw usageError("stdin cannot be uploaded together with files.", { next: "Use - alone." });
      return uploadStdin(ctx, input.options);
    }
    const files = given.map((name) => localFile(ctx, name));
    const remote = await remoteFiles(ctx);
    const jobs = await jobsFor(input.options, remote, files);
    if (ctx.flags.dryRun) return printRequests(ctx, jobs);
    const isSame = await alreadyThere(ctx, remote, jobs);
    const totalBytes = files.reduce((sum, { stats }, index) => sum + (isSame[index] === true ? 0 : stats.size), 0);
    const outcome = await runTransfers(ctx, {
      items: jobs.map((job, index) => ({ job, isSame: isSame[index] === true })),
      jobs: filesAtATime(ctx),
      verb: "Uploading",
      totalBytes: () => totalBytes,
      title: ({ job }) => job.path,
      run: async ({ job, isSame: isThere }, onBytes) =>
        isThere
          ? { ...(await asItIs(remote, job)), result: "unchanged" }
          : { ...(await uploadOne(ctx, remote, job, onBytes)), result: "uploaded" },
    });
    await ctx.out.list(outcome.done, { columns: transferColumns, empty: "Nothing was uploaded.", idKey: "filename" });
    await sayDone(ctx, outcome.done);
    throwOnFailedTransfers(ctx, outcome, "Run the same command with --resume to send only what is missing.");
  },
});

interface LocalFile {
  readonly name: string;
  readonly path: string;
  readonly stats: Stats;
}

function localFile(ctx: CommandContext, name: string): LocalFile {
  const path = ctx.path(name);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() === true) return { name: basename(path), path, stats };
  if (stats?.isDirectory() === true) {
    throw usageError(`${quote(name)} is a folder.`, {
      next: `Run "iot file sync ${name} files:/${basename(path)}" to upload what is in it.`,
    });
  }
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  throw inputError(`The file ${quote(name)} ${stats !== undefined ? "is not a regular file" : "does not exist"}.`, {
    code: "file.not_found",
    why: isLink ? "It is a broken link." : "No regular file exists at this path.",
    next: "Check the path; nothing was sent.",
  });
}

async function jobsFor(
  given: OptionsOf<typeof fileOptions>,
  remote: RemoteFiles,
  files: readonly LocalFile[],
): Promise<readonly UploadJob[]> {
  const { path: place, contentType } = given;
  const sending = sendingOf(given, Math.max(...files.map(({ stats }) => stats.size)));
  const folder = await folderFor(remote, place, files.length);
  const jobs = files.map(({ name, path }): UploadJob => {
    const target = folder === undefined ? remotePath(place ?? name, "--path") : remotePath(`${folder}${name}`);
    return { ...sending, local: path, path: target, contentType: contentType ?? contentTypeOf(target) };
  });
  const names = new Set(jobs.map((job) => job.path));
  if (names.size < jobs.length) {
    throw usageError("Two of the files would get the same path.", {
      why: "Files keep their names, and two names are the same.",
      next: "Upload them one by one, each with its own --path.",
    });
  }
  return jobs;
}

/** The folder that `--path` names; undefined where it is the name of the one file. */
async function folderFor(remote: RemoteFiles, place: string | undefined, files: number): Promise<string | undefined> {
  if (place === undefined) return "";
  const folder = remoteFolder(place);
  if (files > 1 || folder === "" || place.trimEnd().endsWith("/")) return folder;
  // A file of this name is meant before a folder of the same name.
  if ((await remote.isPublic(folder.slice(0, -1))) !== undefined) return undefined;
  return (await folderExists(remote, folder)) ? folder : undefined;
}

async function printRequests(ctx: CommandContext, jobs: readonly UploadJob[]): Promise<void> {
  for (const { path, local, contentType, isPublic } of jobs) {
    const { size } = statSync(local);
    const body = { multipart_action: "start", filename: path, contentType, ...publicMember(isPublic), size };
    await ctx.dryRun({ method: "POST", path: "/files", body });
  }
}

/** Finds files that exist already: the same content needs no upload, other content a confirmation. */
async function alreadyThere(
  ctx: CommandContext,
  remote: RemoteFiles,
  jobs: readonly UploadJob[],
): Promise<readonly boolean[]> {
  const found = await mapLanes(jobs, ctx.flags.concurrency ?? 8, async (job) => {
    const visibility = await remote.isPublic(job.path);
    if (visibility === undefined) return "new";
    // The run that began this upload has asked.
    if (job.isResumed && hasUploadState(ctx, remote, job)) return "new";
    const isAsWanted = job.isPublic === undefined || job.isPublic === visibility;
    if (!job.isChecked || !isAsWanted) return "other";
    const sums = await fileSums(job.local, job.chunkSize ?? UPLOAD_PART_BYTES, ctx.signal);
    return isSameContent(await remote.md5(job.path), sums) === true ? "same" : "other";
  });
  const others = jobs.filter((_, index) => found[index] === "other").map(({ path }) => path);
  const [first] = others;
  if (first !== undefined) {
    const what = others.length === 1 ? `the file "${first}"` : countOf(others.length, "file");
    await ctx.confirm({
      level: 1,
      action: `Overwrite ${what}`,
      name: first,
      ...(others.length > 1 && { items: others }),
    });
  }
  return found.map((one) => one === "same");
}

async function asItIs(remote: RemoteFiles, job: UploadJob): Promise<Omit<TransferRow, "result">> {
  const { size } = statSync(job.local);
  return { filename: job.path, size, md5: await remote.md5(job.path), resumed_bytes: 0 };
}

async function sayDone(ctx: CommandContext, done: readonly { filename: string; result: string }[]): Promise<void> {
  const { label } = await ctx.connection();
  const sent = done.filter(({ result }) => result === "uploaded");
  const [first] = sent;
  if (sent.length < done.length)
    ctx.say.info(`${done.length - sent.length} of ${done.length} were already up to date.`);
  if (first === undefined) return;
  ctx.say.info(`Uploaded ${sent.length === 1 ? `"${first.filename}"` : countOf(sent.length, "file")} to ${label}.`);
}
