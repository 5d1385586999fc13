import type { AnalysisInfo } from "../../index.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { isObject } from "../kit/files/files.ts";
import { analysisFinder } from "../kit/finders/analysis.ts";
import { lookUp } from "../kit/resource/resolve-id.ts";
import { nameArgument, namedAnalysis } from "./project.ts";

/** An uploaded script. */
export interface VersionRow {
  readonly version: number;
  /** Whether it is the one that runs. */
  readonly current: boolean;
  readonly file_name?: string;
  readonly created_at?: unknown;
  readonly created_by?: unknown;
}

const columns: readonly Column<VersionRow>[] = [
  { key: "version", kind: "number", rank: 1 },
  { key: "current", kind: "flag" },
  { key: "file_name", header: "file" },
  { key: "created_at", header: "uploaded", kind: "time" },
  { key: "created_by", header: "by" },
];

/** The uploaded versions of an analysis, the newest first. */
export function versionsOf({ version, versions }: Pick<AnalysisInfo, "version" | "versions">): VersionRow[] {
  return Object.entries(versions ?? {})
    .filter(([number]) => /^[1-9]\d*$/.test(number))
    .map(([number, about]) => ({
      ...(isObject(about) ? about : {}),
      version: Number(number),
      current: number === String(version),
    }))
    .sort((a, b) => b.version - a.version);
}

export const versionsCommand: Command = defineCommand({
  path: ["versions"],
  effect: "reads",
  summary: "List the uploaded versions of an analysis",
  details: 'Each upload is a version. "iot analysis download --version" reads the script of one.',
  args: [nameArgument],
  groups: ["limit"],
  result: rows(columns),
  examples: ['iot analysis versions "name:report"', 'iot analysis versions "name:report" --json'],
  exitCodes: [6],
  related: ["iot analysis rollback", "iot analysis download"],
  async run(ctx, input) {
    const { target } = await namedAnalysis(ctx, input.args.name);
    const client = await ctx.client();
    const info = await lookUp(ctx, analysisFinder, target.id, () => client.analysis.info(target.id));
    await ctx.out.list(versionsOf(info), { columns, empty: "No script has been uploaded.", idKey: "version" });
  },
});
