import type { CommandContext } from "../context.ts";
import type { Command, CommandInput, Effect } from "./define.ts";

/** What one run does. */
export function effectOf({ effect }: Command, input: CommandInput, ctx: CommandContext): Effect {
  return typeof effect === "string" ? effect : effect.of(input, ctx);
}

/** The most a command can do, whatever its input. */
export const greatestEffect = ({ effect }: Pick<Command, "effect">): Effect =>
  typeof effect === "string" ? effect : effect.most;

/** Whether requests that change something are sent. */
export const changesPlatform = (effect: Effect): effect is "changes" | "deletes" =>
  effect === "changes" || effect === "deletes";

/** Whether it asks before it does its work. */
export function needsConfirmation(command: Command): boolean {
  return command.groups?.includes("confirm") === true && greatestEffect(command) !== "reads";
}
