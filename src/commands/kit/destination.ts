import { option } from "./arguments.ts";
import type { CommandContext } from "./context.ts";
import type { CommandInput, OptionSpec } from "./define.ts";

export const toEnvOption: OptionSpec = {
  name: "to-env",
  value: "name",
  summary: "environment that is written to (the one in use)",
  leadsAway: true,
};

/** The environment that is written to. */
export function destination(ctx: CommandContext, input: CommandInput): CommandContext {
  const name = option(input, toEnvOption.name);
  return name === undefined ? ctx : ctx.inEnvironment(name);
}
