import { rmdirSync, statSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { countOf } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Arguments, ArgumentsOf, Input, Options } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { inputError, usageError } from "../kit/failures/command-error.ts";
import { linkOnTheWay, localTree } from "../kit/files/local-tree.ts";
import { checkNewFolder } from "../kit/files/out-file.ts";
import { partialError } from "../kit/jobs/ending.ts";
import { messageOf } from "../kit/resource/batch.ts";
import { removeFiles } from "./delete.ts";
import { fetchOne } from "./download.ts";
import { filesAtATime, formerFlags, publicMember, sendingOf, uploadOptions } from "./options.ts";
import { contentTypeOf, REMOTE_PREFIX, remoteFolder } from "./paths.ts";
import { noSuchFile, type RemoteFile, type RemoteFiles, remoteFiles } from "./remote.ts";
import { planDown, planUp, type SyncItem, type SyncPlan, type SyncSides } from "./sync-plan.ts";
import { runTransfers, throwOnFailedTransfers } from "./transfers.ts";
import { uploadOne } from "./upload-one.ts";

/** What was done with a file, or with --dry-run would be. */
interface SyncRow {
  readonly action: string;
  readonly filename: string;
  readonly file: string;
  readonly size: number;
}

const columns: readonly Column<SyncRow>[] = [
  { key: "action" },
  { key: "filename", kind: "id" },
  { key: "size", kind: "number" },
  { key: "file", hidden: true },
];

const localFolder = (path: string): string | undefined => (path.startsWith(REMOTE_PREFIX) ? undefined : path);

const args = [
  { name: "from", file: localFolder, summary: "folder to copy from: ./site or files:/site", required: true },
  { name: "to", file: localFolder, summary: "folder to copy to, on the other side", required: true },
] as const satisfies Arguments;

const options = [
  { name: "delete", summary: "delete files that exist only in the target" },
  ...uploadOptions,
] as const satisfies Options;

type Given = Input<typeof args, typeof options>;

export const syncFiles: Command = defineCommand({
  path: ["sync"],
  effect: {
    most: "deletes",
    of: (input) => (!input.args.to.startsWith(REMOTE_PREFIX) ? "local" : input.options.delete ? "deletes" : "changes"),
  },
  summary: "Sync a local folder and a folder of the profile",
  details:
    "The platform path starts with files:. Copies from the first path to the second. Files with the same size and MD5 checksum " +
    "are skipped; --no-checksum compares sizes only. Files that exist only in the target are kept unless --delete is set: " +
    "then they are deleted after all transfers, once you confirm by name. Links are not followed. " +
    "Names that could leave the folder, or that another system does not allow, are changed on download.",
  args,
  options,
  formerly: formerFlags,
  groups: ["confirm", "dryRun"],
  result: rows(columns),
  examples: [
    "iot file sync files:/reports/2024 downloads/2024",
    "iot file sync examples files:/examples --dry-run",
    "iot file sync examples/vitest files:/logos-old --delete --confirm logos-old/",
  ],
  exitCodes: [3, 6, 8, 9],
  related: ["iot file upload", "iot file download", "iot file list"],
  async run(ctx, input) {
    const { isUp, local, folder } = sidesOf(ctx, input.args);
    if (!isUp) checkNewFolder(ctx, local);
    const remote = await remoteFiles(ctx);
    const sides = await readSides(ctx, input, { isUp, local, folder, remote });
    const plan = isUp ? await planUp(sides) : await planDown(sides);
    const { isPublic } = sendingOf(
      input.options,
      plan.transfers.reduce((most, { size }) => Math.max(most, size), 0),
    );
    const deletions = input.options.delete ? plan.deletions : [];
    for (const { path, why } of plan.impossible) ctx.say.warning(`${path}: ${why}.`);
    if (ctx.flags.dryRun) return printPlan(ctx, { isUp, plan, deletions, isPublic });
    await confirmSync(ctx, { isUp, local, folder, plan, deletions });
    const outcome = await runTransfers(ctx, {
      items: plan.transfers,
      jobs: filesAtATime(ctx),
      verb: isUp ? "Uploading" : "Downloading",
      totalBytes: () => plan.transfers.reduce((sum, { size }) => sum + size, 0),
      title: ({ path }) => path,
      run: (item, onBytes) => transfer(ctx, input, sides, isUp, item, onBytes),
    });
    const missing = outcome.failed.length + outcome.left + plan.impossible.length;
    const isWhole = missing === 0 && !ctx.signal.aborted;
    if (!isWhole && deletions.length > 0)
      ctx.say.warning("Nothing was deleted because not every file was transferred.");
    const gone = isWhole ? await remove(ctx, sides, isUp, deletions) : [];
    const empty = isWhole ? "Both sides are identical." : "Nothing was transferred.";
    await ctx.out.list([...outcome.done, ...gone], { columns, empty, idKey: "filename" });
    const done = isUp ? "uploaded" : "downloaded";
    ctx.say.info(
      `${outcome.done.length} ${done}, ${plan.unchanged} unchanged, ${gone.length} deleted in ${isUp ? (await ctx.connection()).label : local}.`,
    );
    throwOnFailedTransfers(ctx, outcome, "Run the same command with --resume for the rest.");
    throwOnFailures(plan, deletions.length - gone.length);
  },
});

interface Places {
  readonly isUp: boolean;
  /** Whole path of the folder of this machine. */
  readonly local: string;
  /** Folder of the profile, with its slash. */
  readonly folder: string;
}

function sidesOf(ctx: CommandContext, { from, to }: ArgumentsOf<typeof args>): Places {
  const isUp = to.startsWith(REMOTE_PREFIX);
  if (isUp === from.startsWith(REMOTE_PREFIX)) {
    throw usageError(isUp ? "Both folders are on the platform." : "Neither folder is on the platform.", {
      why: "One path must start with files: and the other must be a local folder.",
      next: isUp
        ? 'Use "iot file copy" inside the profile.'
        : `Run: iot file sync ${quote(from)} files:/${basename(from)}`,
    });
  }
  const local = ctx.path(isUp ? from : to);
  return { isUp, local, folder: remoteFolder(isUp ? to : from) };
}

async function readSides(
  ctx: CommandContext,
  input: Given,
  { isUp, local, folder, remote }: Places & { readonly remote: RemoteFiles },
): Promise<SyncSides> {
  const stats = statSync(local, { throwIfNoEntry: false });
  if (stats === undefined ? isUp : !stats.isDirectory()) {
    throw inputError(`${quote(local)} ${stats === undefined ? "does not exist" : "is not a folder"}.`, {
      code: "file.not_found",
      next: "Use an existing folder; nothing was changed.",
    });
  }
  const found: RemoteFile[] = [];
  for await (const file of remote.below(folder)) found.push(file);
  if (!isUp && found.length === 0 && folder !== "") throw await noSuchFile(ctx, folder);
  const tree = stats === undefined ? { files: [], skipped: [] } : await localTree(local);
  if (isUp && tree.skipped.length > 0) {
    ctx.say.warning(
      `Skipped, not a regular file: ${tree.skipped.slice(0, 5).join(", ")}${tree.skipped.length > 5 ? " …" : ""}.`,
    );
  }
  return {
    remote,
    remoteFolder: folder,
    remoteFiles: found,
    localFolder: local,
    localFiles: tree.files,
    isChecked: input.options.checksum,
    signal: ctx.signal,
    lanes: ctx.flags.concurrency ?? 8,
  };
}

interface Planned {
  readonly isUp: boolean;
  readonly plan: SyncPlan;
  readonly deletions: readonly SyncItem[];
  readonly isPublic: boolean | undefined;
}

/** Upwards the requests, as everywhere; downwards nothing is sent, so what would be written. */
async function printPlan(ctx: CommandContext, { isUp, plan, deletions, isPublic }: Planned): Promise<void> {
  const rest = `${plan.unchanged} unchanged`;
  ctx.say.info(`${plan.transfers.length} to ${isUp ? "upload" : "download"}, ${rest}, ${deletions.length} to delete.`);
  if (!isUp) {
    const planned = [
      ...plan.transfers.map((item) => rowOf(item, item.replaces ? "overwrite" : "download")),
      ...deletions.map((item) => rowOf(item, "delete")),
    ];
    await ctx.out.list(planned, { columns, empty: "Both sides are identical.", idKey: "filename" });
    return;
  }
  const visibility = publicMember(isPublic);
  for (const { path, size } of plan.transfers) {
    const body = { multipart_action: "start", filename: path, contentType: contentTypeOf(path), ...visibility, size };
    await ctx.dryRun({ method: "POST", path: "/files", body });
  }
  if (deletions.length > 0) {
    await ctx.dryRun({ method: "DELETE", path: "/files", body: deletions.map(({ path }) => path) });
  }
}

function rowOf({ path, rel, size }: SyncItem, action: string): SyncRow {
  return { action, filename: path, file: rel, size };
}

async function confirmSync(
  ctx: CommandContext,
  { isUp, local, folder, plan, deletions }: Places & { plan: SyncPlan; deletions: readonly SyncItem[] },
): Promise<void> {
  const replaced = plan.transfers.filter(({ replaces }) => replaces);
  if (deletions.length + replaced.length === 0) return;
  const { envName } = await ctx.connection();
  const shown = (item: SyncItem): string => (isUp ? item.path : item.rel);
  const parts = [
    ...(replaced.length > 0 ? [`overwrite ${count(replaced.length)}`] : []),
    ...(deletions.length > 0 ? [`delete ${count(deletions.length)}`] : []),
  ];
  const action = parts.join(" and ");
  await ctx.confirm({
    level: deletions.length > 0 ? 2 : 1,
    action: action.charAt(0).toUpperCase() + action.slice(1),
    name: isUp ? folder || envName || "files" : basename(local),
    items: [...deletions.map((item) => `delete ${shown(item)}`), ...replaced.map((item) => `overwrite ${shown(item)}`)],
    ...(isUp ? {} : { where: `on this machine, in ${local}` }),
  });
}

const count = (files: number): string => countOf(files, "file");

async function transfer(
  ctx: CommandContext,
  { options }: Given,
  { remote, localFolder, isChecked }: SyncSides,
  isUp: boolean,
  item: SyncItem,
  onBytes: (done: number) => void,
): Promise<SyncRow> {
  const place = join(localFolder, item.rel);
  if (isUp) {
    const job = {
      local: place,
      path: item.path,
      contentType: contentTypeOf(item.path),
      ...sendingOf(options, item.size),
    };
    const { size } = await uploadOne(ctx, remote, job, onBytes);
    return { ...rowOf(item, "uploaded"), size };
  }
  const link = linkOnTheWay(localFolder, item.rel);
  if (link !== undefined) {
    throw inputError(`${quote(link)} is a link or a file, so the path would leave the folder.`, {
      next: "Remove it and run the command again.",
    });
  }
  const fetching = { isChecked, isResumed: options.resume };
  const { size } = await fetchOne(ctx, remote, { path: item.path, target: place }, fetching, onBytes);
  return { ...rowOf(item, "downloaded"), size };
}

/** Deletes on the side that was written to. Called only after every file has arrived. */
async function remove(
  ctx: CommandContext,
  { remote, localFolder }: SyncSides,
  isUp: boolean,
  deletions: readonly SyncItem[],
): Promise<readonly SyncRow[]> {
  if (isUp) {
    const gone = new Set(
      await removeFiles(
        ctx,
        remote,
        deletions.map(({ path }) => path),
      ),
    );
    return deletions.filter(({ path }) => gone.has(path)).map((item) => rowOf(item, "deleted"));
  }
  const gone: SyncRow[] = [];
  for (const item of deletions) {
    if (ctx.signal.aborted) break;
    try {
      if (linkOnTheWay(localFolder, item.rel) !== undefined) continue;
      unlinkSync(join(localFolder, item.rel));
      gone.push(rowOf(item, "deleted"));
      removeEmpty(localFolder, dirname(item.rel));
    } catch (error) {
      ctx.say.warning(`${item.rel}: ${messageOf(error)}`);
    }
  }
  return gone;
}

/** Folders that hold nothing any more. The platform has no empty ones. */
function removeEmpty(folder: string, rel: string): void {
  if (rel === "." || rel === "") return;
  try {
    rmdirSync(join(folder, rel));
  } catch {
    // Something else is in it.
    return;
  }
  removeEmpty(folder, dirname(rel));
}

function throwOnFailures({ impossible }: SyncPlan, notDeleted: number): void {
  if (impossible.length + notDeleted === 0) return;
  const [first] = impossible;
  throw partialError(
    first === undefined
      ? `${count(notDeleted)} could not be deleted.`
      : `${count(impossible.length)} could not be downloaded.`,
    {
      why: first === undefined ? "See the warnings above." : `${first.path}: ${first.why}.`,
      next: first === undefined ? "Run the command again." : "Rename those files and run the command again.",
    },
  );
}
