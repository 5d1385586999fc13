import type { AnalysisVariable } from "../../index.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { parsePair, quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { notFoundError, usageError } from "../kit/failures/command-error.ts";
import { analysisFinder } from "../kit/finders/analysis.ts";
import { lookUp } from "../kit/resource/resolve-id.ts";
import { redact } from "../kit/say/redact.ts";
import { nameArgument, namedAnalysis } from "./project.ts";

/** The platform's limit. */
const MAX_VARIABLES = 20;
const secretKey = /token|passw|secret|credential|authorization|private|api[-_]?key|(^|[-_])key$|pin(_code)?$/i;

const isSecret = ({ key, value }: AnalysisVariable): boolean =>
  secretKey.test(key) || (typeof value === "string" && redact(value) !== value);

const shownValue = (row: AnalysisVariable): unknown => (isSecret(row) ? "…" : row.value);

const columns: readonly Column<AnalysisVariable>[] = [
  { key: "key" },
  { key: "value", kind: "secret", masked: shownValue, schema: { type: ["string", "number", "boolean"] } },
];

interface Known {
  readonly id: string;
  readonly name: string;
  readonly variables: readonly AnalysisVariable[];
}

async function read(ctx: CommandContext, word: string): Promise<Known> {
  const { target } = await namedAnalysis(ctx, word);
  const client = await ctx.client();
  const { name, variables } = await lookUp(ctx, analysisFinder, target.id, () => client.analysis.info(target.id));
  return { id: target.id, name, variables: variables ?? [] };
}

async function print(ctx: CommandContext, variables: readonly AnalysisVariable[]): Promise<void> {
  await ctx.out.list(variables, { columns, empty: "The analysis has no variables.", idKey: "key" });
}

/** Sends the whole list, as the platform wants it. The dry run hides what a table would hide. */
async function save(
  ctx: CommandContext,
  { id, name }: Known,
  variables: AnalysisVariable[],
  done: string,
): Promise<void> {
  const shown = variables.map((row) => ({ ...row, value: shownValue(row) }));
  if (await ctx.dryRun({ method: "PUT", path: `/analysis/${id}`, body: { variables: shown } })) return;
  await (await ctx.client()).analysis.edit(id, { variables });
  await print(ctx, variables);
  await ctx.done(`${done} of analysis "${name}"`);
}

async function assigned(ctx: CommandContext, text: string): Promise<AnalysisVariable> {
  const { key, value } = parsePair(text, "set");
  if (value === undefined)
    throw usageError(`${quote(text)} is not in the form key=value.`, {
      next: `Use ${key}=7, ${key}=@file or ${key}=-.`,
    });
  if (value === "-" || value.startsWith("@"))
    return { key, value: (await ctx.readInput(value, key)).replace(/\r?\n$/, "") };
  if (!isSecret({ key, value })) return { key, value };
  throw usageError(`The value of ${quote(key)} looks like a secret.`, {
    code: "usage.secret_value",
    why: "Command lines are saved in the shell history and visible to other programs.",
    next: "Use @file or - as the value to read it from a file or stdin.",
  });
}

const list = defineCommand({
  path: ["env", "list"],
  aliases: ["ls"],
  effect: "reads",
  summary: "List the variables of an analysis",
  details: "Hides values that look like secrets in every format; --reveal shows them.",
  args: [nameArgument],
  result: rows(columns),
  groups: ["limit"],
  examples: ['iot analysis env list "name:report"', 'iot analysis env list "name:report" -o json'],
  exitCodes: [6],
  related: ["iot analysis env set"],
  async run(ctx, input) {
    await print(ctx, (await read(ctx, input.args.name)).variables);
  },
});

const set = defineCommand({
  path: ["env", "set"],
  effect: "changes",
  summary: "Set variables of an analysis",
  details:
    "Other variables stay unchanged. A value that looks like a secret must come from a file or stdin: key=@file, key=-.",
  args: [
    nameArgument,
    { name: "pairs", file: "=@", summary: "key=value, key=@file or key=-", required: true, variadic: true },
  ],
  result: rows(columns),
  examples: [
    'iot analysis env set "name:report" limit=8 unit=C',
    'printf %s "not-a-real-one" | iot analysis env set "name:report" MAIL_PASSWORD=-',
  ],
  exitCodes: [3, 6],
  related: ["iot analysis env list", "iot analysis env delete", "iot secret create"],
  async run(ctx, input) {
    const pairs = input.args.pairs;
    if (pairs.filter((pair) => /=(-|@-)$/.test(pair)).length > 1)
      throw usageError("Only one value can be read from stdin.", { next: "Read the others from files: key=@file." });
    const named: AnalysisVariable[] = [];
    for (const pair of pairs) named.push(await assigned(ctx, pair));
    const known = await read(ctx, input.args.name);
    const changes = new Map(named.map(({ key, value }) => [key, value]));
    const kept = known.variables.map(({ key, value }) => ({ key, value: changes.get(key) ?? value }));
    const keys = new Set(kept.map(({ key }) => key));
    const added = [...changes].filter(([key]) => !keys.has(key)).map(([key, value]) => ({ key, value }));
    const next = [...kept, ...added];
    if (next.length > MAX_VARIABLES) {
      throw usageError(`An analysis can have at most ${MAX_VARIABLES} variables.`, {
        why: `It has ${kept.length}, and ${added.length} would be added.`,
        next: "Delete some first, or combine several values into one.",
      });
    }
    await save(ctx, known, next, `Set ${[...changes.keys()].map(quote).join(", ")}`);
  },
});

const remove = defineCommand({
  path: ["env", "delete"],
  aliases: ["rm"],
  effect: "deletes",
  summary: "Delete variables of an analysis",
  args: [nameArgument, { name: "keys", summary: "names of the variables", required: true, variadic: true }],
  result: rows(columns),
  examples: [
    'iot analysis env delete "name:report" device --dry-run',
    'iot analysis env delete "name:hello (node-legacy)" device --yes',
  ],
  exitCodes: [6],
  related: ["iot analysis env list"],
  async run(ctx, input) {
    const keys = input.args.keys;
    const known = await read(ctx, input.args.name);
    const missing = keys.find((key) => !known.variables.some((row) => row.key === key));
    if (missing !== undefined) {
      throw notFoundError(`Variable ${quote(missing)} not found in analysis "${known.name}".`, {
        code: "analysis.variable_not_found",
        why: `It has ${known.variables.map(({ key }) => key).join(", ") || "none"}.`,
        next: 'Run "iot analysis env list" for the analysis.',
      });
    }
    const next = known.variables.filter(({ key }) => !keys.includes(key));
    const what = keys.map(quote).join(", ");
    if (!ctx.flags.dryRun)
      await ctx.confirm({ level: 1, action: `Delete ${what} of analysis "${known.name}"`, name: known.name });
    await save(ctx, known, next, `Deleted ${what}`);
  },
});

export const envCommands: readonly Command[] = [list, set, remove];
