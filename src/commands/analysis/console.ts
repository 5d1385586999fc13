import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { analysisFinder } from "../kit/finders/analysis.ts";
import { emptyText } from "../kit/output/empty.ts";
import { parsePattern } from "../kit/pattern.ts";
import { lookUp } from "../kit/resource/resolve-id.ts";
import { type ConsoleLine, followConsole, lineColumns, linesSince, printLines } from "./console-lines.ts";
import { namedAnalysis } from "./project.ts";

/** Lines the platform keeps. */
const KEPT_LINES = 200;

/** Stored lines of the last while; all of them where no line says how old it is. */
function since(ctx: CommandContext, lines: readonly string[], ageMs: number | undefined): readonly string[] {
  const found = ageMs === undefined ? lines : linesSince(lines, ctx.clock.now() - ageMs);
  if (found !== undefined || lines.length === 0) return found ?? [];
  ctx.say.warning("--since has no effect: the platform stores lines without timestamps, and none begins with a date.");
  return lines;
}

export const consoleCommand: Command = defineCommand({
  path: ["console"],
  aliases: ["logs"],
  effect: "reads",
  summary: "Show the console of an analysis",
  details:
    "Shows the last lines that the platform stores, without timestamps. With --follow, new lines are shown as they arrive, " +
    "until --for, --count or Ctrl-C.\n\n" +
    "--since reads the age of a line from a date at its start, such as 2026-05-14T10:37:21Z, where the script prints one; a " +
    "line without one is as old as the line before it. --grep uses RE2 syntax: (?i) ignores case, lookaround is not supported.",
  args: [
    { name: "name", summary: "name in the project file, full id, or unique name:…, tag:key=value", required: true },
  ],
  options: [
    { name: "follow", summary: "show new lines as they arrive" },
    { name: "since", kind: "duration", summary: "stored lines of this time only, as far as they show their date: 1h" },
    { name: "grep", value: "regex", summary: "only lines that match this regular expression" },
    {
      name: "lines",
      kind: "integer",
      least: 0,
      summary: "show at most this many stored lines (200; with --follow 0, unless --since)",
    },
    { name: "for", kind: "duration", summary: "stop --follow after this time", needs: ["follow"] },
    { name: "count", kind: "integer", summary: "stop --follow after this many lines", needs: ["follow"] },
  ],
  result: rows(lineColumns),
  examples: [
    'iot analysis console "name:report"',
    'iot analysis console "name:report" --follow --for 1s',
    'iot analysis console "name:report" --since 1h --grep "error|failed"',
  ],
  exitCodes: [6, 130, 143],
  related: ["iot analysis run --wait", "iot stream analysis_console"],
  async run(ctx, input) {
    const { follow: isFollowed, for: forMs, count, since: ageMs, grep } = input.options;
    const matches = grep === undefined ? () => true : await parsePattern(grep, "--grep");
    const amount = input.options.lines ?? (isFollowed && ageMs === undefined ? 0 : KEPT_LINES);
    const { target } = await namedAnalysis(ctx, input.args.name);
    const client = await ctx.client();
    const info = await lookUp(ctx, analysisFinder, target.id, () => client.analysis.info(target.id));
    const stored = amount === 0 ? [] : (info.console ?? []).map(String);
    const old = since(ctx, stored, ageMs)
      .filter(matches)
      .slice(-amount)
      .map((message): ConsoleLine => ({ message }));
    if (!isFollowed) {
      const empty = emptyText(amount, stored.length === 0 ? "The console is empty." : "No lines match.", "--lines");
      await ctx.out.list(old, { columns: lineColumns.slice(1), empty, idKey: "message" });
      return;
    }
    const { label } = await ctx.connection();
    const onOpen = (): void =>
      ctx.say.info(`Following the console of analysis "${info.name}" in ${label}. Ctrl-C stops.`);
    async function* lines(): AsyncGenerator<ConsoleLine> {
      yield* old;
      yield* followConsole(ctx, target.id, { forMs, count, onOpen, keep: ({ message }) => matches(message) });
    }
    await printLines(ctx, lines());
  },
});
