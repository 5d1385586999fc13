import { argument, option, optionFlag, optionNumber } from "../kit/command/arguments.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { parseDuration } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { lookUp } from "../kit/resource/resolve-id.ts";
import { type ConsoleLine, followConsole, lineColumns, printLines } from "./console-lines.ts";
import { analysisFinder } from "./finder.ts";
import { namedAnalysis } from "./project.ts";

/** Lines the platform keeps. */
const KEPT_LINES = 200;

export const consoleCommand: Command = defineCommand({
  path: ["console"],
  aliases: ["logs"],
  effect: "reads",
  summary: "Show the console of an analysis",
  details:
    "Shows the last lines that the platform stores, without timestamps. With --follow, new lines are shown as they arrive, " +
    "until --for, --count or Ctrl-C.",
  args: [
    { name: "name", summary: "name in the project file, full id, or unique name:…, tag:key=value", required: true },
  ],
  options: [
    { name: "follow", summary: "show new lines as they arrive" },
    { name: "lines", value: "n", summary: "show at most this many stored lines (200; with --follow 0)" },
    { name: "for", value: "duration", summary: "stop --follow after this time" },
    { name: "count", value: "n", summary: "stop --follow after this many lines" },
  ],
  result: rows(lineColumns),
  examples: ['iot analysis console "name:report"', 'iot analysis console "name:report" --follow --for 1s'],
  exitCodes: [6, 130, 143],
  related: ["iot analysis run --wait", "iot stream analysis_console"],
  async run(ctx, input) {
    const isFollowed = optionFlag(input, "follow");
    const forText = option(input, "for");
    const limits = {
      forMs: forText === undefined ? undefined : parseDuration(forText, "--for"),
      count: optionNumber(input, "count", 1),
    };
    if (!isFollowed && (limits.forMs !== undefined || limits.count !== undefined))
      throw usageError("--for and --count need --follow.", { next: "Add --follow." });
    const amount = optionNumber(input, "lines") ?? (isFollowed ? 0 : KEPT_LINES);
    const { target } = await namedAnalysis(ctx, argument(input, "name") ?? "");
    const client = await ctx.client();
    const info = await lookUp(ctx, analysisFinder, target.id, () => client.analysis.info(target.id));
    const known = amount === 0 ? [] : (info.console ?? []).slice(-amount);
    const old = known.map((message): ConsoleLine => ({ message: String(message) }));
    if (!isFollowed) {
      await ctx.out.list(old, { columns: lineColumns.slice(1), empty: "The console is empty.", idKey: "message" });
      return;
    }
    const { label } = await ctx.connection();
    const onOpen = (): void =>
      ctx.say.info(`Following the console of analysis "${info.name}" in ${label}. Ctrl-C stops.`);
    async function* lines(): AsyncGenerator<ConsoleLine> {
      yield* old;
      yield* followConsole(ctx, target.id, { ...limits, onOpen });
    }
    await printLines(ctx, lines());
  },
});
