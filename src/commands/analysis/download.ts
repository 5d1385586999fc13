import { existsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { safeRelativePath } from "../../text/clean.ts";
import { hashOf } from "../kit/analyses/bundle.ts";
import { readScript } from "../kit/analyses/script-text.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import { notFoundError } from "../kit/failures/command-error.ts";
import { writeWhole } from "../kit/files/files.ts";
import { confirmOutFile } from "../kit/files/out-file.ts";
import { analysisFinder } from "../kit/finders/analysis.ts";
import { lookUp } from "../kit/resource/resolve-id.ts";
import { namedAnalysis } from "./project.ts";

interface DownloadRow {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

const columns: readonly Column<DownloadRow>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "file" },
  { key: "bytes", kind: "number" },
  { key: "sha256" },
];

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

export const downloadCommand: Command = defineCommand({
  path: ["download"],
  effect: "local",
  summary: "Download the script of an analysis",
  details: "The file keeps the name it was uploaded with, unless --out sets another name, a folder or - for stdout.",
  args: [
    { name: "name", summary: "name in the project file, full id, or unique name:…, tag:key=value", required: true },
  ],
  options: [
    { name: "out", file: "out", value: "file", summary: "file or folder to write to; - is stdout" },
    { name: "version", value: "n", summary: "version to download (default: the newest)" },
  ],
  groups: ["confirm"],
  result: one(columns),
  examples: [
    'iot analysis download "name:report" --out report-now.js',
    'iot analysis download "name:report" --version 1 --out -',
  ],
  exitCodes: [6],
  related: ["iot analysis deploy"],
  async run(ctx, input) {
    const { target } = await namedAnalysis(ctx, input.args.name);
    const version = input.options.version;
    const client = await ctx.client();
    const { name, file_name } = await lookUp(ctx, analysisFinder, target.id, () => client.analysis.info(target.id));
    if (!file_name) {
      throw notFoundError(`Analysis ${quote(name)} has no script.`, {
        code: "analysis.script_not_found",
        why: "No script has been uploaded.",
        next: 'Upload one with "iot analysis deploy".',
      });
    }
    const content = await readScript(ctx, target.id, version);
    const place = input.options.out;
    if (place === "-") {
      await ctx.io.write(content);
      return;
    }
    const serverName = basename(safeRelativePath(file_name));
    const wanted = ctx.path(place ?? serverName);
    const path = isFolder(wanted) ? join(wanted, serverName) : wanted;
    await confirmOutFile(ctx, path);
    writeWhole(path, content, { file: 0o644, folder: 0o755 });
    const row = { id: target.id, name, file: path, bytes: content.byteLength, sha256: hashOf(content) };
    await ctx.out.item(row, { columns });
    ctx.say.info(`Wrote the script of analysis "${name}" to ${path}.`, path);
  },
});
