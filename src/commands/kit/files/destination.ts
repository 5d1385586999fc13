import type { CommandInput, OptionSpec } from "../command/define.ts";
import { optionString } from "../command/dynamic.ts";
import type { CommandContext } from "../context.ts";

export const toEnvOption = {
  name: "to-env",
  value: "name",
  summary: "target environment (the current one)",
  leadsAway: true,
} as const satisfies OptionSpec;

/** The environment that is written to. */
export function destination(ctx: CommandContext, input: CommandInput): CommandContext {
  const name = optionString(input, toEnvOption.name);
  return name === undefined ? ctx : ctx.inEnvironment(name);
}
