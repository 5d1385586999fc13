import { lstatSync, statSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { UPLOAD_PART_BYTES } from "../../lib/core/limits.ts";
import { cleanText, safeRelativePath } from "../../text/clean.ts";
import { countOf } from "../../text/count.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError, inputError, usageError } from "../kit/failures/command-error.ts";
import { downloadFile } from "../kit/files/download.ts";
import { fetchBytes } from "../kit/files/fetch-bytes.ts";
import { checkNewFile } from "../kit/files/out-file.ts";
import { mapLanes } from "../kit/lanes.ts";
import { createProgress } from "../kit/say/progress.ts";
import { type TransferRow, transferColumns } from "./columns.ts";
import { createSums, fileSums, isSameContent } from "./hash.ts";
import { filesAtATime, formerFlags, transferOptions } from "./options.ts";
import { lastPart, remotePath } from "./paths.ts";
import { folderExists, noSuchFile, type RemoteFiles, remoteFiles } from "./remote.ts";
import { runTransfers, throwOnFailedTransfers } from "./transfers.ts";

const columns = [...transferColumns.slice(0, 1), { key: "file" }, ...transferColumns.slice(1)] as const;

export const downloadFiles: Command = defineCommand({
  path: ["download"],
  effect: "local",
  summary: "Download files",
  details:
    "Writes to a hidden file beside the target, compares the MD5 checksum and renames it, so nobody sees an incomplete file. " +
    "--out is a folder if it ends with a slash, is an existing folder, or several files are given; otherwise it is the new " +
    "name. Names that could leave the folder, or that another system does not allow, are changed. After a crash, the " +
    "same command with --resume downloads what is missing.",
  args: [{ name: "path", summary: "path in the profile", required: true, variadic: true }],
  options: [
    {
      name: "out",
      file: "out",
      value: "file",
      summary: "file or folder to write to; - is stdout (the current folder)",
    },
    ...transferOptions,
  ],
  formerly: formerFlags,
  groups: ["confirm"],
  result: rows(columns),
  examples: [
    "iot file download reports/2024/january.csv --out downloads/",
    "iot file download reports/open.txt logos/plant.svg --out downloads/",
    "iot file download reports/open.txt --out -",
  ],
  exitCodes: [3, 6, 8],
  related: ["iot file sync", "iot file url"],
  async run(ctx, { args, options }) {
    const paths = args.path.map((text) => remotePath(text));
    const { out, checksum: isChecked, resume: isResumed } = options;
    if (out === "-") return toStdout(ctx, paths, { isChecked, isResumed });
    const jobs = placesFor(ctx, paths, out);
    for (const { target } of jobs) checkNewFile(ctx, target);
    const remote = await remoteFiles(ctx);
    await needFiles(ctx, remote, paths);
    const isSame = await alreadyHere(ctx, remote, jobs, isChecked);
    const totals = new Map<string, number>();
    const outcome = await runTransfers(ctx, {
      items: jobs.map((job, index) => ({ job, isThere: isSame[index] === true })),
      jobs: filesAtATime(ctx),
      verb: "Downloading",
      totalBytes: () =>
        totals.size < jobs.length ? undefined : [...totals.values()].reduce((sum, one) => sum + one, 0),
      title: ({ job }) => job.path,
      run: async ({ job, isThere }, onBytes) => {
        if (isThere) {
          totals.set(job.path, 0);
          return { ...(await asItIs(job)), file: shown(ctx, job.target), result: "unchanged" };
        }
        const found = await fetchOne(ctx, remote, job, { isChecked, isResumed }, (done, total) => {
          if (total !== undefined) totals.set(job.path, total);
          onBytes(done);
        });
        return { ...found, file: shown(ctx, job.target), result: "downloaded" };
      },
    });
    await ctx.out.list(outcome.done, { columns, empty: "Nothing was downloaded.", idKey: "file" });
    const [first, ...others] = outcome.done;
    if (first !== undefined) {
      const { file } = first;
      ctx.say.info(`Wrote ${others.length === 0 ? file : countOf(outcome.done.length, "file")}.`, file);
    }
    throwOnFailedTransfers(ctx, outcome, "Run the same command with --resume to download the rest.");
  },
});

/** A file of the profile and its local path. */
export interface DownloadPlace {
  readonly path: string;
  /** Whole path. */
  readonly target: string;
}

/** How a file is fetched. */
interface Fetching {
  readonly isChecked: boolean;
  readonly isResumed: boolean;
}

/** Downloads one file to its path. */
export async function fetchOne(
  ctx: CommandContext,
  remote: RemoteFiles,
  { path, target }: DownloadPlace,
  { isChecked, isResumed }: Fetching,
  onBytes: (done: number, total: number | undefined) => void,
): Promise<Omit<TransferRow, "result">> {
  const found = await downloadFile(ctx, {
    address: () => remote.signedAddress(path),
    source: `${remote.place} ${path}`,
    target,
    isResumed,
    onBytes,
    ...(isChecked ? { md5: () => knownMd5(ctx, remote, path) } : {}),
  });
  return { filename: path, size: found.bytes, md5: found.md5, resumed_bytes: found.resumedFrom };
}

/** The checksum the platform returns, if it covers the whole content. */
async function knownMd5(ctx: CommandContext, remote: RemoteFiles, path: string): Promise<string | undefined> {
  const text = (await remote.md5(path)).replaceAll('"', "").trim();
  if (/^[0-9a-f]{32}$/i.test(text)) return text;
  ctx.say.warning(`The platform returned no usable MD5 checksum for ${quote(path)}.`);
  return undefined;
}

function placesFor(ctx: CommandContext, paths: readonly string[], out: string | undefined): readonly DownloadPlace[] {
  const folder = paths.find((path) => path.endsWith("/"));
  if (folder !== undefined) throw isFolder(folder);
  const place = ctx.path(out ?? ".");
  const isFolderPlace =
    out === undefined ||
    paths.length > 1 ||
    /[/\\]$/.test(out) ||
    statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
  const jobs = paths.map((path) => ({
    path,
    target: isFolderPlace ? join(place, safeRelativePath(lastPart(path).replaceAll("\\", "_"))) : place,
  }));
  if (new Set(jobs.map(({ target }) => target.toLowerCase())).size === jobs.length) return jobs;
  throw usageError("Two files would get the same name.", {
    next: "Download them one by one, each with its own --out.",
  });
}

function isFolder(path: string): Error {
  return usageError(`${quote(path)} is a folder.`, {
    next: `Run "iot file sync files:/${path} ./${lastPart(path)}" to download what is in it.`,
  });
}

async function needFiles(ctx: CommandContext, remote: RemoteFiles, paths: readonly string[]): Promise<void> {
  const found = await mapLanes(paths, ctx.flags.concurrency ?? 8, (path) => remote.isPublic(path));
  const missing = paths.find((_, index) => found[index] === undefined);
  if (missing === undefined) return;
  if (await folderExists(remote, `${missing}/`)) throw isFolder(`${missing}/`);
  throw await noSuchFile(ctx, missing);
}

/** Finds files that exist locally: the same content needs no download, other content a confirmation. */
async function alreadyHere(
  ctx: CommandContext,
  remote: RemoteFiles,
  jobs: readonly DownloadPlace[],
  isChecked: boolean,
): Promise<readonly boolean[]> {
  const found = await mapLanes(jobs, ctx.flags.concurrency ?? 8, async ({ path, target }) => {
    const stats = lstatSync(target, { throwIfNoEntry: false });
    if (stats === undefined) return "new";
    if (!isChecked || !stats.isFile()) return "other";
    const sums = await fileSums(target, UPLOAD_PART_BYTES, ctx.signal);
    return isSameContent(await remote.md5(path), sums) === true ? "same" : "other";
  });
  const others = jobs.filter((_, index) => found[index] === "other").map(({ target }) => shown(ctx, target));
  const [first] = others;
  if (first !== undefined) {
    const what = others.length === 1 ? `the file "${first}"` : countOf(others.length, "file");
    const items = others.length > 1 ? { items: others } : {};
    await ctx.confirm({ level: 1, action: `Overwrite ${what}`, where: "on this machine", name: first, ...items });
  }
  return found.map((one) => one === "same");
}

async function asItIs({ path, target }: DownloadPlace): Promise<Omit<TransferRow, "result">> {
  const sums = await fileSums(target, UPLOAD_PART_BYTES);
  return { filename: path, size: statSync(target).size, md5: sums.md5, resumed_bytes: 0 };
}

/** A path as the user would write it. */
function shown(ctx: CommandContext, path: string): string {
  const short = relative(ctx.cwd, path);
  const isBelow = short !== "" && !isAbsolute(short) && short.split(sep)[0] !== "..";
  return isBelow ? short.split(sep).join("/") : path;
}

async function toStdout(
  ctx: CommandContext,
  paths: readonly string[],
  { isChecked, isResumed }: Fetching,
): Promise<void> {
  const [path, ...others] = paths;
  if (path === undefined || others.length > 0 || path.endsWith("/")) {
    throw usageError("Only one file can be written to stdout.", { next: "Pass one file, or a folder with --out." });
  }
  if (isResumed) throw usageError("Output to stdout cannot be resumed.", { next: "Add --out with a file." });
  const remote = await remoteFiles(ctx);
  await needFiles(ctx, remote, [path]);
  const sums = createSums(UPLOAD_PART_BYTES);
  const progress = createProgress(ctx, ["Downloading", "bytes"]);
  let size = 0;
  // A terminal obeys what it is sent, so it gets the content as text that was made safe.
  const decoder = ctx.io.stdoutIsTerminal ? new StringDecoder("utf8") : undefined;
  const sink = {
    get size() {
      return size;
    },
    async write(bytes: Buffer): Promise<void> {
      sums.add(bytes);
      size += bytes.length;
      await ctx.io.write(decoder === undefined ? bytes : cleanText(decoder.write(bytes), Number.MAX_SAFE_INTEGER));
    },
    async restart(): Promise<void> {
      throw inputError("The file changed while it was read.", { next: "Run the command again and write to a file." });
    },
  };
  const address = (): Promise<string> => remote.signedAddress(path);
  await fetchBytes(ctx, { address, sink, onBytes: progress.at }).finally(progress.end);
  if (!isChecked) return;
  const given = await remote.md5(path);
  if (isSameContent(given, sums.end()) === false) {
    throw new CommandError(`Checksum mismatch: the content of ${quote(path)} is not what the platform stores.`, {
      code: "file.checksum",
      exit: 1,
      why: `The MD5 checksum should be ${given}.`,
      next: "Delete the output and run the command again.",
    });
  }
}
