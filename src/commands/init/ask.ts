import type { Choice, CommandContext } from "../kit/context.ts";
import { type CiService, ciServices } from "./ci-file.ts";

/** What a project starts with. */
export interface Start {
  readonly env?: string | undefined;
  /** Whether to start a sandbox and use it. */
  readonly sandbox?: boolean;
  readonly analysis?: string | undefined;
  readonly ci?: CiService | undefined;
}

const ciNames: Readonly<Record<CiService, string>> = { github: "GitHub Actions", gitlab: "GitLab CI" };

/** Asks what a new project is to start with, on a terminal. */
export async function askStart(ctx: CommandContext): Promise<Start> {
  const prompts = await ctx.prompts("--env");
  const environments = Object.keys(ctx.user.config.environments).map(
    (env): Choice<Start> => ({ label: env, value: { env } }),
  );
  const where = await prompts.select<Start>("Which platform is the project for?", [
    ...environments,
    { label: "a sandbox on this machine", value: { sandbox: true }, hint: "starts it; no account needed" },
    { label: "decide later", value: {} },
  ]);
  const analysis = (await prompts.text("Name of a first analysis (empty for none)")).trim();
  const ci = await prompts.select<CiService | undefined>("Which CI runs its tests?", [
    { label: "none", value: undefined },
    ...ciServices.map((value) => ({ label: ciNames[value], value })),
  ]);
  return { ...where, analysis: analysis === "" ? undefined : analysis, ci };
}
