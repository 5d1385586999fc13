import { type Command, defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { didYouMean } from "../kit/failures/unknown-word.ts";
import { analysisFinder } from "../kit/finders/analysis.ts";
import { lookUp } from "../kit/resource/resolve-id.ts";
import { restoreLeftovers } from "./dev-note.ts";
import { nameArgument, namedAnalysis } from "./project.ts";

const modes = ["tago", "external"] as const;
type Mode = (typeof modes)[number];

const modeColumns = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "run_on" },
  { key: "active", kind: "flag" },
] as const;

function modeOf(text: string): Mode {
  const found = modes.find((mode) => mode === text);
  if (found !== undefined) return found;
  throw usageError(`Invalid mode ${quote(text)}.`, {
    code: "usage.invalid_value",
    why: `Valid modes: ${modes.join(", ")}.`,
    ...didYouMean(text, modes),
  });
}

export const modeCommand: Command = defineCommand({
  path: ["mode"],
  effect: "changes",
  summary: "Show or change where an analysis runs",
  details:
    "tago is the platform; external is any machine that waits for triggers. The platform creates a new token at every " +
    'change, so programs with the old one stop working. Also restores the mode if "iot analysis dev" was killed.',
  args: [nameArgument, { name: "run_on", summary: "tago or external; omit to show the mode" }],
  result: one(modeColumns),
  examples: ['iot analysis mode "name:report"', 'iot analysis mode "name:hello (node-legacy)" external'],
  exitCodes: [6],
  related: ["iot analysis dev", "iot analysis token"],
  async run(ctx, input) {
    const wanted = input.args.run_on;
    const mode = wanted === undefined ? undefined : modeOf(wanted);
    const { target } = await namedAnalysis(ctx, input.args.name);
    const { id } = target;
    const client = await ctx.client();
    await restoreLeftovers(ctx, mode === undefined ? undefined : id);
    const before = await lookUp(ctx, analysisFinder, id, () => client.analysis.info(id));
    const { name, active } = before;
    const isChange = mode !== undefined && mode !== (before.run_on ?? "tago");
    if (isChange && (await ctx.dryRun({ method: "PUT", path: `/analysis/${id}`, body: { run_on: mode } }))) return;
    if (isChange) await client.analysis.edit(id, { run_on: mode });
    await ctx.out.item({ id, name, run_on: mode ?? before.run_on ?? "tago", active }, { columns: modeColumns });
    const { label } = await ctx.connection();
    if (isChange) ctx.say.info(`Analysis "${name}" in ${label} now runs on ${mode} and has a new token.`);
    else if (mode !== undefined) ctx.say.info(`Analysis "${name}" in ${label} already runs on ${mode}.`);
  },
});
