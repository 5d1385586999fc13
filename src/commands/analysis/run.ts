import { readScope, scopeOption } from "../kit/analyses/scope.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Arguments, Input, Options } from "../kit/command/options.ts";
import { value } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError } from "../kit/failures/command-error.ts";
import { analysisFinder } from "../kit/finders/analysis.ts";
import { lookUp } from "../kit/resource/resolve-id.ts";
import { type ConsoleLine, followConsole, printLines } from "./console-lines.ts";
import { namedAnalysis } from "./project.ts";

const columns: readonly Column<{ readonly id: string }>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "run_on" },
  { key: "requested_at", kind: "time" },
];

/** Lines a platform prints at the end of a run; one of the second kind means that it failed or never began. */
const endLine = /^Analysis ended\b/;
const failedLine =
  /^(Analysis failed\b|The analysis (was (stopped|ended)|could not be|is not (active|connected)|has no script)|The sandbox runs )/;

/** Time without a line after which a run counts as over, where no line says so. */
const IDLE_MS = 10_000;

const args = [
  { name: "name", summary: "name in the project file, full id, or unique name:…, tag:key=value", required: true },
] as const satisfies Arguments;

const options = [
  scopeOption,
  { name: "wait", summary: "print the console until the run ends" },
  { name: "follow", summary: "print the console until stopped" },
  { name: "idle", kind: "duration", summary: "stop --wait after this time without a line (10s)" },
  { name: "for", kind: "duration", summary: "stop after this time", needs: ["wait", "follow"] },
  { name: "count", kind: "integer", summary: "stop after this many lines", needs: ["wait", "follow"] },
] as const satisfies Options;

type Given = Input<typeof args, typeof options>;

async function runAnalysis(ctx: CommandContext, input: Given): Promise<void> {
  const { wait: isWaited, follow: isFollowed, for: forMs, count, idle: idleMs = IDLE_MS } = input.options;
  const scope = await readScope(ctx, input.options.scope, "--scope");

  const { target } = await namedAnalysis(ctx, input.args.name);
  const { id } = target;
  if (await ctx.dryRun({ method: "POST", path: `/analysis/${id}/run`, body: { scope } })) return;
  const client = await ctx.client();
  const { name, run_on } = await lookUp(ctx, analysisFinder, id, () => client.analysis.info(id));
  const start = async (): Promise<void> => {
    await client.analysis.run(id, scope);
    await ctx.done(`Started analysis "${name}"`);
  };
  if (!isWaited && !isFollowed) {
    await start();
    await ctx.out.item({ id, name, run_on, requested_at: new Date(ctx.clock.now()).toISOString() }, { columns });
    return;
  }
  let failed: string | undefined;
  const isLast = ({ message }: ConsoleLine): boolean => {
    if (failedLine.test(message)) failed = message;
    return !isFollowed && (failed !== undefined || endLine.test(message));
  };
  const instead = `or omit ${isFollowed ? "--follow" : "--wait"}`;
  const limits = { forMs, count, instead, ...(isFollowed ? {} : { idleMs }) };
  await printLines(ctx, followConsole(ctx, id, { ...limits, onOpen: start, isLast }));
  if (failed === undefined || isFollowed) return;
  throw new CommandError(`The run of analysis "${name}" failed.`, {
    code: "analysis.failed",
    exit: 1,
    why: `Its console shows: ${failed}.`,
    next: "See the console lines above for the script's errors.",
  });
}

export const runCommand: Command = defineCommand({
  path: ["run"],
  effect: "changes",
  summary: "Run an analysis",
  details:
    "Starts a run on the platform and returns at once. --wait prints the console until the run ends: until the line that " +
    "says so, or until no line arrives for the time in --idle; a failed run exits with 1. --follow prints the console " +
    "until --for, --count or Ctrl-C.",
  args,
  options,
  result: value({
    anyOf: [
      {
        type: "object",
        required: ["id", "name"],
        properties: {
          id: { type: "string" },
          name: { type: "string" },
          run_on: { type: "string" },
          requested_at: { type: "string" },
        },
      },
      {
        type: "array",
        description: "With --wait or --follow: the lines of the console.",
        items: { type: "object", properties: { time: { type: "string" }, message: { type: "string" } } },
      },
    ],
  }),
  examples: [
    'iot analysis run "name:report"',
    'iot analysis run "name:report" --wait',
    `iot analysis run "name:report" --scope '[{"variable": "level", "value": 3}]'`,
  ],
  exitCodes: [3, 6, 130, 143],
  related: ["iot analysis console", "iot analysis dev"],
  run: runAnalysis,
});
