import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { AnalysisInfo } from "../../index.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError } from "../kit/failures/command-error.ts";
import { readVars, varsFileOf } from "../kit/settings/env-file.ts";

/** Folders of packages from a source upwards: what is not bundled is looked for there. */
function packageFolders(file: string): string {
  const folders: string[] = [];
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const own = join(folder, "node_modules");
    if (existsSync(own)) folders.push(own);
    if (dirname(folder) === folder) return folders.join(delimiter);
  }
}

/** Variables of the script: those of the user and of `--vars-file`, without what this program alone needs. */
export async function childEnvironment(
  ctx: CommandContext,
  vars: { readonly varsFile: string | undefined; readonly envFile: string | undefined },
  { id, variables, token }: AnalysisInfo,
  file: string,
): Promise<Record<string, string | undefined>> {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new CommandError("The platform returned an invalid token.", {
      code: "platform.invalid_reply",
      exit: 1,
      why: "It contains invalid characters.",
      next: 'Check the API URL with "iot env current".',
    });
  }
  const varsFile = varsFileOf(vars);
  const own = varsFile === undefined ? {} : readVars(ctx.path(varsFile));
  const inherited = Object.entries(ctx.env).filter(([name]) => !/^(IOT_|T_ANALYSIS_|NODE_OPTIONS$)/.test(name));
  const { api, events } = await ctx.connection();
  return {
    ...Object.fromEntries([...inherited, ...Object.entries(own).filter(([name]) => name !== "NODE_OPTIONS")]),
    T_ANALYSIS_TOKEN: token,
    T_ANALYSIS_ID: id,
    T_ANALYSIS_ENV: JSON.stringify(variables ?? []),
    TAGOIO_API: api,
    TAGO_API: api,
    TAGOIO_SSE: events,
    NODE_PATH: packageFolders(file),
  };
}
