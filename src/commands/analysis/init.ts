import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { conflictError, usageError } from "../kit/failures/command-error.ts";
import { writeWhole } from "../kit/files/files.ts";
import { checkNewFile, checkWritable } from "../kit/files/out-file.ts";
import { projectFileName } from "../kit/settings/config.ts";
import { missingPackageFiles } from "../kit/settings/project-package.ts";
import { addToProject, projectAnalyses, projectFileFor } from "./project.ts";

const columns: readonly Column<{ readonly name: string }>[] = [{ key: "name" }, { key: "file" }, { key: "project" }];

const typescript = `import { Analysis, type AnalysisContext, Resources, type ScopeRow } from "iotdeck";

/** Runs for each trigger: a button, an action, or "iot analysis run". */
async function run(context: AnalysisContext, scope: ScopeRow[]): Promise<void> {
  context.log("Rows in the scope:", scope.length);
  const devices = await new Resources({ token: context.token }).devices.list({ amount: 5 });
  for (const { name } of devices) context.log("Device:", name);
}

Analysis.use(run, { token: process.env["T_ANALYSIS_TOKEN"] ?? "unknown" });
`;

const javascript = typescript
  .replace(", type AnalysisContext", "")
  .replace(", type ScopeRow", "")
  .replace("context: AnalysisContext, scope: ScopeRow[]): Promise<void>", "context, scope)");

const python = `from tagoio_sdk import Analysis


def run(context, scope):
    """Runs for each trigger: a button, an action, or "iot analysis run"."""
    context.log("Rows in the scope:", len(scope))


Analysis.use(run)
`;

const templates = {
  typescript: [".ts", typescript],
  javascript: [".js", javascript],
  python: [".py", python],
} as const;
type TemplateName = keyof typeof templates;
const languages = Object.keys(templates) as TemplateName[];

function templateOf(language: string | undefined, file: string | undefined): readonly [ending: string, text: string] {
  const named = languages.find((name) => name === language);
  const byEnding = languages.find((name) => file?.endsWith(templates[name][0]));
  return templates[named ?? byEnding ?? "typescript"];
}

function writePackage(ctx: CommandContext, folder: string): void {
  for (const { path, text } of missingPackageFiles(folder)) {
    writeWhole(path, text, { file: 0o644, folder: 0o755 });
    ctx.say.info(`Wrote ${path}.`, path);
  }
}

export const initCommand: Command = defineCommand({
  path: ["init"],
  asks: "nothing",
  effect: "local",
  summary: `Create a starter script and add it to ${projectFileName}`,
  details:
    `Creates ${projectFileName} in this folder if there is none here or in a parent folder. Nothing is sent; create the analysis ` +
    'with "iot analysis create --name <name>". An existing script file is not changed, only added to the project file.',
  args: [{ name: "name", summary: "name of the analysis, on the platform and in the project", required: true }],
  options: [
    { name: "file", file: "out", value: "path", summary: "script to create (analyses/<name>.ts)" },
    { name: "with-package", summary: "also create package.json and tsconfig.json if missing" },
    { name: "language", value: "name", summary: "language of the script", choices: languages },
  ],
  result: one(columns),
  examples: [
    "iot analysis init hello",
    "iot analysis init hourly-report --language javascript --file scripts/hourly-report.js",
  ],
  exitCodes: [3, 7],
  related: ["iot analysis create", "iot analysis deploy", "iot analysis dev", "iot init"],
  async run(ctx, input) {
    const name = input.args.name;
    if (!/^[\w][\w .()-]{0,99}$/.test(name)) {
      throw usageError(`${quote(name)} is not a valid name for an analysis in a project.`, {
        why: "It becomes a file name, so it can contain only letters, digits, spaces, dots, hyphens, underscores and brackets.",
        next: "Choose another name; with --file or the project file, any analysis name works.",
      });
    }
    if (projectAnalyses(ctx).some((known) => known.name === name)) {
      throw conflictError(`Analysis ${quote(name)} already exists in the project.`, {
        code: "config.exists",
        why: `It is in ${projectFileFor(ctx)}.`,
        next: "Choose another name, or edit the entry.",
      });
    }
    const asked = input.options.file;
    const [ending, text] = templateOf(input.options.language, asked);
    const file =
      asked === undefined
        ? join(dirname(projectFileFor(ctx)), "analyses", `${name.replaceAll(" ", "-")}${ending}`)
        : ctx.path(asked);
    const isThere = existsSync(file);
    // Nothing is written where the rest could not be.
    checkNewFile(ctx, file);
    checkWritable(ctx, projectFileFor(ctx));
    if (!isThere) writeWhole(file, text, { file: 0o644, folder: 0o755 });
    const project = addToProject(ctx, name, { file });
    if (input.options.withPackage) writePackage(ctx, dirname(project));
    await ctx.out.item({ name, file, project }, { columns, idKey: "name" });
    ctx.say.info(`${isThere ? `${file} already exists;` : `Wrote ${file};`} added it to ${project}.`);
    ctx.say.hint(`Next: iot analysis create --name ${quote(name)}, then iot analysis deploy ${quote(name)}.`);
  },
});
