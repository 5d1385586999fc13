import type { AnalysisInfo } from "../../index.ts";
import { countOf } from "../../text/count.ts";
import { hashOf } from "../kit/analyses/bundle.ts";
import type { Runtime } from "../kit/analyses/runtimes.ts";
import { isPython, isRuntime, runtimeOf, runtimes } from "../kit/analyses/runtimes.ts";
import { readScript } from "../kit/analyses/script-text.ts";
import { batchClient } from "../kit/client/batch-client.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Arguments, Input, Options } from "../kit/command/options.ts";
import { one } from "../kit/command/result.ts";
import { parseCount, quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { notFoundError } from "../kit/failures/command-error.ts";
import { analysisFinder } from "../kit/finders/analysis.ts";
import { lookUp } from "../kit/resource/resolve-id.ts";
import { openDeployed } from "./deployed.ts";
import { nameArgument, namedAnalysis } from "./project.ts";
import { type VersionRow, versionsOf } from "./versions.ts";

const columns = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "restored", kind: "number" },
  { key: "version", schema: { type: ["number", "string"] } },
  { key: "file_name", header: "file" },
  { key: "bytes", kind: "number" },
  { key: "sha256" },
] as const;

/** The version to restore: the one named, else the newest before the current one. */
function chosenVersion(info: AnalysisInfo, wanted: number | undefined): VersionRow {
  const all = versionsOf(info);
  const current = all.find((row) => row.current)?.version ?? Number.POSITIVE_INFINITY;
  const found = all.find(({ version }) => (wanted === undefined ? version < current : version === wanted));
  if (found === undefined) {
    throw notFoundError(
      `Analysis ${quote(info.name)} has no ${wanted === undefined ? "earlier version" : `version ${wanted}`}.`,
      {
        code: "analysis.version_not_found",
        ...(all.length > 0 && { why: `It has ${all.map(({ version }) => version).join(", ")}.` }),
        next: `Run "iot analysis versions ${info.id}".`,
      },
    );
  }
  return found;
}

/** The runtime now, unless it cannot run the file: the platform does not say what a version was uploaded for. */
function languageFor(runtime: unknown, fileName: string, asked: string | undefined): Runtime {
  const known = asked ?? runtime;
  const guess = runtimeOf(fileName);
  return isRuntime(known) && (asked !== undefined || isPython(known) === isPython(guess)) ? known : guess;
}

const args = [
  nameArgument,
  { name: "version", summary: "number of the version (default: the one before)" },
] as const satisfies Arguments;

const options = [
  {
    name: "language",
    value: "runtime",
    summary: "runtime of the script, instead of the current one",
    choices: runtimes,
  },
] as const satisfies Options;

type Given = Input<typeof args, typeof options>;

async function rollback(ctx: CommandContext, input: Given): Promise<void> {
  const text = input.args.version;
  const wanted = text === undefined ? undefined : parseCount(text, "version");
  const { target } = await namedAnalysis(ctx, input.args.name);
  const { id } = target;
  const { label, api } = await ctx.connection();
  const client = await batchClient(ctx);
  const info = await lookUp(ctx, analysisFinder, id, () => client.analysis.info(id));
  const { version: restored, file_name: name = info.file_name ?? "script.js" } = chosenVersion(info, wanted);
  const language = languageFor(info.runtime, name, input.options.language);
  const script = await readScript(ctx, id, String(restored));
  const sha256 = hashOf(script);
  const file = `(base64 of ${countOf(script.byteLength, "byte")}, sha256 ${sha256})`;
  if (await ctx.dryRun({ method: "POST", path: `/analysis/${id}/upload`, body: { file, file_name: name, language } }))
    return;
  await ctx.confirm({ level: 1, action: `Restore version ${restored} of analysis "${info.name}"`, name: info.name });
  await client.analysis.uploadScript(id, { name, content: script.toString("base64"), language });
  const { version = "" } = await client.analysis.info(id);
  openDeployed(ctx.env, api).remember(id, sha256, version);
  const row = { id, name: info.name, restored, version, file_name: name, bytes: script.byteLength, sha256 };
  await ctx.out.item(row, { columns });
  ctx.say.info(`Restored version ${restored} of analysis "${info.name}" in ${label} as version ${version}.`);
}

export const rollbackCommand: Command = defineCommand({
  path: ["rollback"],
  effect: "changes",
  summary: "Restore an earlier version of an analysis's script",
  details:
    "Downloads the script of the version and uploads it again, as a new version; without a number, the one before the " +
    "current version. A second rollback without a number undoes the first. Settings and variables stay as they are.",
  args,
  options,
  groups: ["confirm", "dryRun"],
  result: one(columns),
  examples: [
    'iot analysis rollback "name:report" 1 --yes',
    'iot analysis deploy "name:report" --file examples/analyses/freezer-report.ts --yes && iot analysis rollback "name:report" --yes',
  ],
  exitCodes: [6],
  related: ["iot analysis versions", "iot analysis deploy"],
  run: rollback,
});
