import type { CommandContext } from "../context.ts";

/** The smallest window a screen can be drawn in. */
export interface SmallestWindow {
  readonly columns: number;
  readonly rows: number;
}

/** Whether a screen can be opened here. Where not, the same work is done line by line, and a message says why. */
export function canDraw(ctx: Pick<CommandContext, "io" | "env" | "flags" | "say">, smallest: SmallestWindow): boolean {
  const reason = plainReason(ctx);
  if (reason !== undefined) {
    ctx.say.detail(`No screen: ${reason}`);
    return false;
  }
  const { columns, rows } = windowSize();
  if (columns >= smallest.columns && rows >= smallest.rows) return true;
  // Nobody asked for lines here: a larger window is a screen.
  ctx.say.info(
    `No screen: the window has ${columns}x${rows} cells, and the screen needs ${smallest.columns}x${smallest.rows}.`,
  );
  return false;
}

/** Why the user or the terminal wants lines instead of a screen. */
function plainReason({ io, env, flags }: Pick<CommandContext, "io" | "env" | "flags">): string | undefined {
  if (!io.stdoutIsTerminal || !io.stdinIsTerminal) return "stdin and stdout are not both a terminal.";
  if (flags.accessible) return "--accessible is set.";
  if (!flags.input) return "--no-input is set.";
  if (env["CI"]) return "CI is set.";
  if (env["TERM"] === "dumb") return "TERM=dumb cannot draw a screen.";
  return undefined;
}

/** Whether a screen is opened here: one can be, and no output format was chosen. */
export function isScreenAsked(ctx: CommandContext, smallest: SmallestWindow): boolean {
  return !isFormatChosen(ctx) && canDraw(ctx, smallest);
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
