import { defined } from "../../lib/core/defined.ts";
import { countOf } from "../../text/count.ts";
import type { Script } from "../kit/analyses/bundle.ts";
import { bundleScript, plainScript } from "../kit/analyses/bundle.ts";
import type { Runtime } from "../kit/analyses/runtimes.ts";
import { isPython, isRuntime, runtimeOf, runtimes } from "../kit/analyses/runtimes.ts";
import { batchClient } from "../kit/client/batch-client.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Arguments, Input, Options } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError, stoppedError, usageError } from "../kit/failures/command-error.ts";
import { analysisFinder } from "../kit/finders/analysis.ts";
import { messageOf } from "../kit/resource/batch.ts";
import { lookUp } from "../kit/resource/resolve-id.ts";
import { type DeployedScripts, openDeployed } from "./deployed.ts";
import { analysisSource, type NamedAnalysis, namedAnalysis, projectAnalyses } from "./project.ts";

interface DeployRow {
  readonly id: string;
  readonly name: string;
  readonly file_name: string;
  readonly language: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly version?: number | string | undefined;
  readonly state: "deployed" | "unchanged";
}

const columns: readonly Column<DeployRow>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "file_name", header: "file" },
  { key: "bytes", kind: "number" },
  { key: "state" },
  { key: "sha256" },
  { key: "language", hidden: true },
  { key: "version", schema: { type: ["number", "string"] }, hidden: true },
];

/** One analysis and what will be its script. */
interface Deployment {
  readonly id: string;
  readonly name: string;
  readonly language: Runtime;
  readonly script: Script;
  /** The platform holds this script already. */
  readonly isSame: boolean;
}

const args = [
  { name: "names", summary: "names in the project file, full ids, or unique name:…, tag:key=value", variadic: true },
] as const satisfies Arguments;

const options = [
  { name: "all", summary: "deploy every analysis in the project file", conflicts: ["<names>", "file"] },
  { name: "changed", summary: "only analyses that changed since the last deployment" },
  { name: "file", file: "in", value: "path", summary: "source file, instead of the one in the project file" },
  { name: "bundle", summary: "upload the file without bundling", negatable: true },
  // The bundler reads the maps that comments of sources name, wherever these are.
  { name: "sourcemap", leadsAway: true, summary: "add a source map, so that errors show source lines" },
  { name: "language", value: "runtime", summary: "runtime, instead of the analysis's own", choices: runtimes },
] as const satisfies Options;

type Given = Input<typeof args, typeof options>;

async function chosen(ctx: CommandContext, input: Given): Promise<NamedAnalysis[]> {
  const words = input.args.names;
  const isAll = input.options.all;
  if (input.options.file !== undefined && words.length > 1)
    throw usageError("--file works with one analysis only.", { next: "Give one analysis, or omit --file." });
  const project = projectAnalyses(ctx);
  const wanted = isAll ? project.map(({ name }) => name) : words;
  if (wanted.length === 0) {
    throw usageError(isAll ? "The project file has no analyses." : "No analysis given.", {
      code: "usage.missing_argument",
      why:
        project.length === 0
          ? 'There is no entry under "analyses".'
          : `The project has ${project.map(({ name }) => name).join(", ")}.`,
      next: 'Give a name, such as "iot analysis deploy report", or add an analysis with "iot analysis init".',
    });
  }
  const found: NamedAnalysis[] = [];
  for (const word of wanted) found.push(await namedAnalysis(ctx, word));
  return found;
}

async function prepare(
  ctx: CommandContext,
  input: Given,
  named: NamedAnalysis,
  known: DeployedScripts,
): Promise<Deployment> {
  const file = analysisSource(ctx, named, input.options.file);
  const { id } = named.target;
  const client = await ctx.client();
  const info = await lookUp(ctx, analysisFinder, id, () => client.analysis.info(id));
  const asked = input.options.language ?? named.project?.language ?? info.runtime;
  const language = isRuntime(asked) ? asked : runtimeOf(file);
  const isBundled = input.options.bundle && named.project?.bundle !== false;
  const isPlain = !isBundled || isPython(language) || isPython(runtimeOf(file));
  const options = { file, language, sourcemap: input.options.sourcemap, allowFile: ctx.path };
  const script: Script = isPlain ? plainScript(file) : await bundleScript(options);
  for (const note of script.notes) ctx.say.warning(`${info.name}: ${note}`);
  return { id, name: info.name, language, script, isSame: known.isSame(id, script.hash, info.version) };
}

function rowOf({ id, name, language, script }: Deployment, state: DeployRow["state"], version?: DeployRow["version"]) {
  const { fileName, content, hash } = script;
  const row: DeployRow = {
    id,
    name,
    file_name: fileName,
    language,
    bytes: content.byteLength,
    sha256: hash,
    state,
    ...defined({ version }),
  };
  return row;
}

const sizeText = ({ script }: Deployment): string => countOf(script.content.byteLength, "byte");

async function confirmDeploy(ctx: CommandContext, todo: readonly Deployment[]): Promise<void> {
  const [first] = todo;
  if (first === undefined) return;
  const { envName } = await ctx.connection();
  const items = todo.map((one) => `${one.name} (${one.script.fileName}, ${sizeText(one)})`);
  const isOne = todo.length === 1;
  await ctx.confirm({
    level: 1,
    action: isOne
      ? `Deploy ${first.script.fileName} (${sizeText(first)}) to analysis "${first.name}"`
      : `Deploy ${countOf(todo.length, "analysis", "analyses")}`,
    name: isOne ? first.name : envName || "analyses",
    ...(isOne ? {} : { items }),
  });
}

async function upload(ctx: CommandContext, one: Deployment, known: DeployedScripts): Promise<DeployRow> {
  const { id, language, script } = one;
  const client = await batchClient(ctx);
  const content = Buffer.from(script.content).toString("base64");
  await client.analysis.uploadScript(id, { name: script.fileName, content, language });
  const { version } = await client.analysis.info(id);
  known.remember(id, script.hash, version);
  return rowOf(one, "deployed", version);
}

async function deploy(ctx: CommandContext, input: Given): Promise<number> {
  const named = await chosen(ctx, input);
  const { label, api } = await ctx.connection();
  const known = openDeployed(ctx.env, api);
  // Everything is bundled before anything is sent: a mistake in the last source must not leave half of them deployed.
  const all: Deployment[] = [];
  for (const one of named) all.push(await prepare(ctx, input, one, known));
  const todo = input.options.changed ? all.filter(({ isSame }) => !isSame) : all;
  const plan = todo.map(({ id, language, script }) => {
    const file = `(base64 of ${countOf(script.content.byteLength, "byte")}, sha256 ${script.hash})`;
    return { method: "POST", path: `/analysis/${id}/upload`, body: { file, file_name: script.fileName, language } };
  });
  if (await ctx.dryRun(plan)) return 0;
  await confirmDeploy(ctx, todo);

  const results = new Map<string, DeployRow>();
  const failures: unknown[] = [];
  for (const one of todo) {
    if (ctx.signal.aborted) break;
    try {
      results.set(one.id, await upload(ctx, one, known));
    } catch (error) {
      failures.push(error);
      if (todo.length > 1) ctx.say.warning(`Analysis "${one.name}": ${messageOf(error)}`);
    }
  }
  if (results.size === 0 && failures.length > 0) throw failures[0];
  const shown = all.flatMap((one) => results.get(one.id) ?? (todo.includes(one) ? [] : [rowOf(one, "unchanged")]));
  await ctx.out.list(shown, { columns, empty: "Nothing deployed." });
  for (const row of results.values())
    ctx.say.info(
      `Deployed analysis "${row.name}" in ${label}: ${countOf(row.bytes, "byte")}, sha256 ${row.sha256.slice(0, 12)}.`,
    );
  if (todo.length === 0) ctx.say.info(`No changes since the last deployment to ${label}.`);
  if (results.size + failures.length < todo.length)
    throw stoppedError(`Stopped after ${results.size} of ${todo.length} analyses.`);
  if (failures.length === 0) return 0;
  throw new CommandError(`${failures.length} of ${todo.length} analyses failed.`, {
    code: "batch.partial",
    exit: 8,
    why: messageOf(failures[0]),
    next: "See the warnings above, then run the command again with --changed.",
  });
}

export const deployCommand: Command = defineCommand({
  path: ["deploy"],
  effect: "changes",
  summary: "Bundle and upload analyses",
  details:
    "Give names from iot.config.json, or an id with --file. TypeScript and JavaScript are " +
    "bundled with all imports by esbuild, an optional dependency of iotdeck; Python is uploaded unchanged. " +
    "All sources are bundled before the first is uploaded.\n\n" +
    "--changed skips scripts that are already deployed: this machine stores the hash of each deployed script and the version " +
    "the platform assigned to it.",
  args,
  options,
  groups: ["confirm", "dryRun"],
  result: rows(columns),
  examples: [
    'iot analysis deploy "name:report" --file examples/analyses/freezer-report.ts --yes',
    'iot analysis deploy "name:report" --file examples/analyses/freezer-report.ts --sourcemap --changed --dry-run',
  ],
  exitCodes: [3, 6, 8],
  related: ["iot analysis init", "iot analysis download", "iot analysis run", "iot analysis dev"],
  run: deploy,
});
