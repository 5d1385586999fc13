import { countOf } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Arguments, ArgumentsOf } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { inParts, mapLanes } from "../kit/lanes.ts";
import { lastPart, remotePath } from "./paths.ts";
import { folderExists, noSuchFile, type RemoteFiles, remoteFiles } from "./remote.ts";

/** One file and its new path. */
interface Pair {
  readonly from: string;
  readonly to: string;
}

const columns: readonly Column<Pair>[] = [
  { key: "from", kind: "id" },
  { key: "to", kind: "id" },
];

/** Pairs of one request. */
const PAIRS_PER_REQUEST = 100;

interface Kind {
  readonly verb: "copy" | "move";
  readonly done: "Copied" | "Moved";
  readonly route: string;
  readonly summary: string;
  readonly examples: readonly string[];
}

const args = [
  { name: "from", summary: "file, or folder with a slash at its end", required: true },
  { name: "to", summary: "new path", required: true },
] as const satisfies Arguments;

export function relocation({ verb, done, route, summary, examples }: Kind): Command {
  return defineCommand({
    path: [verb],
    ...(verb === "move" ? { aliases: ["mv"] } : { aliases: ["cp"] }),
    effect: "changes",
    summary,
    details:
      "Runs on the platform: no content passes through this machine. A path that ends with a slash is a folder with everything in it. " +
      "If the second path ends with a slash or is a folder, a file keeps its name in it.",
    args,
    groups: ["confirm", "dryRun"],
    result: rows(columns),
    examples,
    exitCodes: [6, 8],
    related: ["iot file list", "iot file sync"],
    async run(ctx, input) {
      const remote = await remoteFiles(ctx);
      const pairs = await pairsFor(ctx, input.args, remote);
      const parts = inParts(pairs, PAIRS_PER_REQUEST);
      if (await ctx.dryRun(parts.map((body) => ({ method: "PUT", path: route, body })))) return;
      await confirmOverwrite(ctx, remote, pairs);
      for (const part of parts)
        await (verb === "copy" ? remote.client.files.copy(part) : remote.client.files.move(part));
      await ctx.out.list(pairs, { columns, empty: "No files found.", idKey: "to" });
      const [first] = pairs;
      const what =
        pairs.length === 1 && first !== undefined ? `"${first.from}" to "${first.to}"` : countOf(pairs.length, "file");
      await ctx.done(`${done} ${what}`);
    },
  });
}

async function pairsFor(
  ctx: CommandContext,
  { from: source, to: target }: ArgumentsOf<typeof args>,
  remote: RemoteFiles,
): Promise<readonly Pair[]> {
  const from = remotePath(source, "The first path");
  const pairs = from.endsWith("/")
    ? await folderPairs(remote, from, target)
    : [await filePair(ctx, remote, from, target)];
  const same = pairs.find((pair) => pair.from === pair.to);
  if (same === undefined && pairs.length > 0) return pairs;
  if (same === undefined) throw await noSuchFile(ctx, from);
  throw usageError(`${quote(same.from)} is both source and target.`, { next: "Use another target." });
}

async function filePair(ctx: CommandContext, remote: RemoteFiles, from: string, target: string): Promise<Pair> {
  if ((await remote.isPublic(from)) === undefined) {
    if (!(await folderExists(remote, `${from}/`))) throw await noSuchFile(ctx, from);
    throw usageError(`${quote(from)} is a folder.`, {
      next: `Use ${from}/ for the folder and everything in it.`,
    });
  }
  const isRoot =
    target
      .replace(/^files:/, "")
      .replaceAll("/", "")
      .trim() === "";
  if (isRoot) return { from, to: lastPart(from) };
  const to = remotePath(target, "The second path");
  if (to.endsWith("/")) return { from, to: `${to}${lastPart(from)}` };
  const isName = (await remote.isPublic(to)) !== undefined || !(await folderExists(remote, `${to}/`));
  return { from, to: isName ? to : `${to}/${lastPart(from)}` };
}

async function folderPairs(remote: RemoteFiles, from: string, target: string): Promise<readonly Pair[]> {
  const given = remotePath(target, "The second path");
  const to = given.endsWith("/") ? given : `${given}/`;
  if (to.startsWith(from)) {
    throw usageError(`${quote(to)} is inside ${quote(from)}.`, { next: "Use a target outside the folder." });
  }
  const pairs: Pair[] = [];
  for await (const { filename } of remote.below(from)) {
    pairs.push({ from: filename, to: `${to}${filename.slice(from.length)}` });
  }
  return pairs;
}

async function confirmOverwrite(ctx: CommandContext, remote: RemoteFiles, pairs: readonly Pair[]): Promise<void> {
  const found = await mapLanes(pairs, ctx.flags.concurrency ?? 8, ({ to }) => remote.isPublic(to));
  const others = pairs.filter((_, index) => found[index] !== undefined).map(({ to }) => to);
  const [first] = others;
  if (first === undefined) return;
  const what = others.length === 1 ? `the file "${first}"` : countOf(others.length, "file");
  await ctx.confirm({
    level: 1,
    action: `Overwrite ${what}`,
    name: first,
    ...(others.length > 1 && { items: others }),
  });
}
