import { countOf } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { mapLanes } from "../kit/lanes.ts";
import { onOff } from "../kit/resource/body.ts";
import { fileOnly } from "./paths.ts";
import { noSuchFile, remoteFiles } from "./remote.ts";

interface PermissionRow {
  readonly filename: string;
  readonly public: boolean;
}

const columns: readonly Column<PermissionRow>[] = [
  { key: "filename", kind: "id" },
  { key: "public", kind: "flag" },
];

export const filePermission: Command = defineCommand({
  path: ["permission"],
  effect: "changes",
  summary: "Show or change who can read files",
  details: "Without a flag it shows the visibility. With one it changes all given files.",
  args: [{ name: "path", summary: "path in the profile", required: true, variadic: true }],
  options: [
    { name: "public", opposite: "private", summary: "anyone can read the files" },
    { name: "private", summary: "only profile tokens and signed URLs can read the files" },
  ],
  result: rows(columns),
  examples: [
    "iot file permission reports/open.txt logos/plant.svg",
    "iot file permission reports/2024/january.csv --public",
  ],
  exitCodes: [6],
  related: ["iot file url"],
  async run(ctx, { args, options }) {
    const paths = [...new Set(args.path.map(fileOnly))];
    const wanted = onOff(options.public, options.private);
    const remote = await remoteFiles(ctx);
    const before = await mapLanes(paths, ctx.flags.concurrency ?? 8, (path) => remote.isPublic(path));
    const missing = paths.find((_, index) => before[index] === undefined);
    if (missing !== undefined) throw await noSuchFile(ctx, missing);
    const changed = paths.filter((_, index) => wanted !== undefined && before[index] !== wanted);
    if (wanted !== undefined && changed.length > 0) {
      const body = changed.map((file) => ({ file, public: wanted }));
      if (await ctx.dryRun({ method: "PUT", path: "/files/permission", body })) return;
      const what = changed.length === 1 ? `"${changed[0]}"` : countOf(changed.length, "file");
      await remote.client.files.changePermission(body);
      await ctx.done(`Made ${what} ${wanted ? "public" : "private"}`);
    }
    const list = paths.map((filename, index) => ({ filename, public: wanted ?? before[index] ?? false }));
    await ctx.out.list(list, { columns, empty: "No files given.", idKey: "filename" });
  },
});
