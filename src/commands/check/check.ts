import { cleanOutput } from "../../text/clean.ts";
import { countOf } from "../../text/count.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { annotationLines, annotationNames, annotationsOf } from "./annotations.ts";
import { checkDictionaries } from "./dictionaries.ts";
import { type CheckName, type Finding, findingColumns } from "./finding.ts";
import { type Material, materialArguments, materialOf, materialOptions } from "./material.ts";
import { checkProfile } from "./profile.ts";
import { openReports, type Report } from "./reports.ts";
import { checkTypes } from "./types.ts";
import { checkWidgets } from "./widgets.ts";

/** A context that says nothing: findings are said once, as rows. */
const quiet = (ctx: CommandContext): CommandContext => ({
  ...ctx,
  say: { ...ctx.say, info: () => undefined, warning: () => undefined, hint: () => undefined },
});

async function doCheck(ctx: CommandContext, name: CheckName, material: Material): Promise<readonly Finding[]> {
  const { profile, isOffline } = material;
  if (name === "widgets") return checkWidgets(ctx, material.widgets);
  if (name === "dictionaries") return checkDictionaries(ctx, material.dictionaries, isOffline);
  if (name === "profile") return profile === undefined ? [] : checkProfile(ctx, profile, isOffline);
  const found: Finding[] = [];
  for (const file of material.types) found.push(...(await checkTypes(ctx, file)));
  return found;
}

const options = [
  ...materialOptions,
  {
    name: "annotations",
    value: "system",
    summary: "CI system that shows the problems",
    choices: annotationNames,
    default: "auto",
  },
  {
    name: "report",
    file: "out",
    value: "file",
    summary: "also write a report: .json (GitLab) or .xml (JUnit)",
    repeat: true,
  },
] as const satisfies Options;

type Given = Input<typeof materialArguments, typeof options>;

async function check(ctx: CommandContext, input: Given): Promise<number> {
  const material = materialOf(ctx, input);
  const { checks, isOffline } = material;
  const system = annotationsOf(input.options.annotations, ctx.env);
  const reports = openReports(ctx, input.options.report);
  if (input.options.annotations === "gitlab") needCodeQuality(reports);
  const found: Finding[] = [];
  for (const name of checks) found.push(...(await doCheck(quiet(ctx), name, material)));
  await ctx.out.list(found, { columns: findingColumns, empty: "No problems found.", idKey: "rule" });
  for (const report of reports) report.write(found, checks);
  // Both systems read stderr as well, and stdout is for data.
  for (const line of annotationLines(ctx, system, found)) ctx.io.writeError(`${cleanOutput(line, false)}\n`);
  conclude(ctx, found, material);
  if (system === "gitlab" && !isWritten(reports))
    ctx.say.hint("GitLab shows problems in merge requests with --report gl-code-quality-report.json.");
  if (isOffline) ctx.say.info("Nothing was compared with the platform.");
  if (found.length === 0) return 0;
  return found.some(({ rule }) => rule === "unreadable") ? 3 : 11;
}

function conclude(ctx: CommandContext, found: readonly Finding[], { checks }: Material): void {
  const errors = found.filter(({ severity }) => severity === "error").length;
  const counts = `${countOf(errors, "error")}, ${countOf(found.length - errors, "warning")}`;
  ctx.say.info(`Checked ${checks.join(", ")}: ${counts}.`);
}

const isWritten = (reports: readonly Report[]): boolean => reports.some(({ isCodeQuality }) => isCodeQuality);

function needCodeQuality(reports: readonly Report[]): void {
  if (isWritten(reports)) return;
  throw usageError("--annotations gitlab needs a report.", {
    why: "GitLab reads findings from a file.",
    next: "Add --report gl-code-quality-report.json.",
  });
}

const checkProject: Command = defineCommand({
  path: [],
  effect: "reads",
  summary: "Check the files of a project, for CI",
  details:
    "Compares an exported profile with the platform, validates widgets, lists missing translations, and compares generated " +
    'types with the platform. What is checked follows from the flags, else from "check" in iot.config.json; ' +
    "widgets in the dashboards folder and in the profile are included, and the profile's dictionaries. Exits with 11 if " +
    "there are problems, with 3 if a file cannot be read.\n\n" +
    "--offline checks widgets, the profile's dictionaries, and whether its files can be read; it needs no platform.\n\n" +
    "In GitHub Actions and Azure Pipelines, problems are also written to stderr as annotations. --report writes a GitLab code " +
    "quality report (.json) or a JUnit report (.xml).",
  args: materialArguments,
  options,
  result: rows(findingColumns),
  examples: [
    "iot check examples/profile --include dictionary",
    "iot check --offline --widgets examples/current-widgets.json",
    "iot check --only dictionaries --file examples/greeting.html --report check.xml",
  ],
  exitCodes: [3, 11],
  related: ["iot profile diff", "iot widget validate", "iot dictionary check", "iot generate types"],
  run: check,
});

export const commands: readonly Command[] = [checkProject];
