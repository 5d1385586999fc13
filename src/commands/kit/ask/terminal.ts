import type { CommandContext } from "../context.ts";

/** The smallest window a screen can be drawn in. */
export interface SmallestWindow {
  readonly columns: number;
  readonly rows: number;
}

/**
 * Why a screen cannot or should not be opened here, in words for `--verbose`; undefined when it can. The same work is then
 * done line by line.
 */
export function screenProblem(
  ctx: Pick<CommandContext, "io" | "env" | "flags">,
  smallest: SmallestWindow,
): string | undefined {
  const { io, env, flags } = ctx;
  if (!io.stdoutIsTerminal || !io.stdinIsTerminal) return "stdin and stdout are not both a terminal.";
  if (flags.accessible) return "--accessible is set.";
  if (!flags.input) return "--no-input is set.";
  if (env["CI"]) return "CI is set.";
  if (env["TERM"] === "dumb") return "TERM=dumb cannot draw a screen.";
  const { columns, rows } = windowSize();
  if (columns >= smallest.columns && rows >= smallest.rows) return undefined;
  return `The window has ${columns}x${rows} cells; the screen needs ${smallest.columns}x${smallest.rows}.`;
}

/** Whether a screen is opened here: one can be, and no output format was chosen. */
export function isScreenAsked(ctx: CommandContext, smallest: SmallestWindow): boolean {
  if (isFormatChosen(ctx)) return false;
  const problem = screenProblem(ctx, smallest);
  if (problem !== undefined) ctx.say.detail(`No screen: ${problem}`);
  return problem === undefined;
}

/** Whether the user said how the output should look. */
export function isFormatChosen(ctx: Pick<CommandContext, "user" | "flags">): boolean {
  const isSet = ctx.user.settings.get("output")?.origin !== "default";
  return isSet || ctx.flags.fields !== undefined || ctx.flags.jq !== undefined;
}

function windowSize(): SmallestWindow {
  return { columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 };
}

/** Whether a screen has colours: as asked, otherwise as `NO_COLOR`, `FORCE_COLOR` and the kind of terminal say. */
export function screenColor({ env, flags }: Pick<CommandContext, "env" | "flags">): boolean {
  if (flags.color !== "auto") return flags.color === "always";
  if (env["NO_COLOR"]) return false;
  return env["TERM"] !== "dumb";
}
