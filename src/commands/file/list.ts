import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { listRequest, selected } from "../kit/resource/paging.ts";
import { remoteFolder } from "./paths.ts";
import { type RemoteFiles, remoteFiles } from "./remote.ts";

/** A file or a folder. */
interface ListRow {
  /** Path inside the profile; that of a folder ends with a slash. */
  readonly filename: string;
  readonly type: "file" | "folder";
  readonly size?: number;
  readonly last_modified?: Date | null;
  readonly public?: boolean;
}

const columns: readonly Column<ListRow>[] = [
  { key: "filename", kind: "id" },
  { key: "size", kind: "number" },
  { key: "last_modified", kind: "time" },
  { key: "public", kind: "flag" },
  { key: "type", hidden: true },
];

export const listFiles: Command = defineCommand({
  path: ["list"],
  aliases: ["ls"],
  effect: "reads",
  summary: "List files and folders",
  details:
    "Folders come first and end with a slash. --filter compares all fields, with * as wildcard. The storage the profile uses is printed on stderr.",
  args: [{ name: "path", summary: "folder in the profile (the root)" }],
  options: [
    { name: "path", value: "path", summary: "the folder, as a flag", conflicts: ["<path>"] },
    { name: "recursive", summary: "list every file below the folder, without the folders" },
  ],
  groups: ["list"],
  result: rows(columns),
  examples: [
    "iot file list",
    "iot file list reports/ --sort size:desc",
    "iot file list --recursive --all --filter 'filename=*.csv'",
  ],
  related: ["iot file download", "iot file sync"],
  async run(ctx, { args, options }) {
    const ask = listRequest(ctx, { what: "files", columns });
    const folder = remoteFolder(args.path ?? options.path ?? "");
    const remote = await remoteFiles(ctx);
    const all = options.recursive ? filesBelow(remote, folder) : levelRows(remote, folder);
    const page = selected(ctx, all, ask);
    await ctx.out.list(page.rows, {
      columns,
      empty: folder === "" ? "No files found." : `No files in ${folder}.`,
      more: page.more,
      idKey: "filename",
    });
    await sayUsage(ctx, remote);
  },
});

async function* levelRows(remote: RemoteFiles, folder: string): AsyncGenerator<ListRow> {
  for await (const { files, folders } of remote.pages(folder)) {
    for (const filename of folders) yield { filename, type: "folder" };
    for (const file of files) yield { ...file, type: "file" };
  }
}

async function* filesBelow(remote: RemoteFiles, folder: string): AsyncGenerator<ListRow> {
  for await (const file of remote.below(folder)) yield { ...file, type: "file" };
}

async function sayUsage(ctx: CommandContext, { client }: RemoteFiles): Promise<void> {
  const { total, usage } = await client.files.list({ path: "/", quantity: 1 });
  if (!Number.isFinite(total) || !Number.isFinite(usage)) return;
  ctx.say.detail(`The profile uses ${usage.toLocaleString("en-US")} of ${total.toLocaleString("en-US")} MB.`);
}
