import { relative } from "node:path";
import { argumentList, option } from "../../kit/command/arguments.ts";
import type { ArgumentSpec, CommandInput } from "../../kit/command/define.ts";
import type { CommandContext } from "../../kit/context.ts";

/** Folder of dashboards unless one is named: that of the project file, else `dashboards`. */
function standardFolder({ cwd, user }: Pick<CommandContext, "cwd" | "user">): string {
  const folder = user.project?.dashboards;
  return folder === undefined ? "dashboards" : relative(cwd, folder) || ".";
}

export const folderArgument: ArgumentSpec = {
  name: "folder",
  file: "in",
  summary: "folder of one or more dashboards (project file, else dashboards)",
  variadic: true,
};

/** The folders that were named, or the usual one. */
export function foldersOf(ctx: CommandContext, input: CommandInput): readonly string[] {
  const named = argumentList(input, "folder");
  return named.length === 0 ? [standardFolder(ctx)] : named;
}

/** The folder of `--out`, or the usual one. */
export function outFolder(ctx: CommandContext, input: CommandInput): string {
  return option(input, "out") ?? standardFolder(ctx);
}
