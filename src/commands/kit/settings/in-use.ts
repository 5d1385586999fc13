import type { CommandContext } from "../context.ts";
import type { EnvironmentEntry, UserConfig } from "./config.ts";

/** The settings with this environment, new or changed. */
export const withEntry = (config: UserConfig, name: string, entry: EnvironmentEntry): UserConfig => ({
  ...config,
  environments: { ...config.environments, [name]: entry },
});

/** The settings with this environment as the current one. */
export const using = (config: UserConfig, name: string): UserConfig => ({
  ...config,
  settings: { ...config.settings, env: name },
});

/** Warns of what goes before the environment that was just chosen. */
export function warnOfPrecedence(ctx: CommandContext): void {
  for (const variable of ["IOT_API_URL", "IOT_REGION", "IOT_ENV"]) {
    if (ctx.env[variable]) ctx.say.warning(`${variable} is set and takes precedence.`);
  }
  if (ctx.user.project?.settings["env"] !== undefined) {
    ctx.say.warning(
      `${ctx.user.project.path} sets "${ctx.user.project.settings["env"]}" and takes precedence in this folder.`,
    );
  }
}
