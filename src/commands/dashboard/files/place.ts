import { relative } from "node:path";
import type { ArgumentSpec } from "../../kit/command/define.ts";
import type { CommandContext } from "../../kit/context.ts";

/** Folder of dashboards unless one is named: that of the project file, else `dashboards`. */
export function standardFolder({ cwd, user }: Pick<CommandContext, "cwd" | "user">): string {
  const folder = user.project?.dashboards;
  return folder === undefined ? "dashboards" : relative(cwd, folder) || ".";
}

export const folderArgument = {
  name: "folder",
  file: "in",
  summary: "folder of one or more dashboards (project file, else dashboards)",
  variadic: true,
} as const satisfies ArgumentSpec;

/** The folders that were named, or the usual one. */
export const foldersOf = (ctx: CommandContext, named: readonly string[]): readonly string[] =>
  named.length === 0 ? [standardFolder(ctx)] : named;
