import { appendFileSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand, type Program } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { one } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { conflictError, inputError } from "../kit/failures/command-error.ts";
import {
  isObject,
  type JsonObject,
  objectOf,
  onFile,
  parseObject,
  readTextIfThere,
  writeWhole,
} from "../kit/files/files.ts";
import { checkNewFile, checkWritable, refuseFolder, shownPath } from "../kit/files/out-file.ts";
import type { Io } from "../kit/io.ts";
import { projectFileName } from "../kit/settings/config.ts";
import { missingPackageFiles, type NewFile } from "../kit/settings/project-package.ts";
import { writeProjectSchema } from "../kit/settings/project-schema.ts";
import { askStart, type Start } from "./ask.ts";
import { ciFile, ciServices } from "./ci-file.ts";
import { type Ignored, missingIgnored } from "./ignored.ts";

/** A file of the project, for everybody who works on it. */
const mode = { file: 0o644, folder: 0o755 };

interface Written {
  readonly file: string;
  readonly env: string | null;
  readonly analyses: number;
  /** What this run wrote or added to, without the script. */
  readonly written: readonly string[];
}

const columns: readonly Column<Written>[] = [
  { key: "file" },
  { key: "env" },
  { key: "analyses", kind: "number" },
  { key: "written", kind: "json", value: ({ written }) => written.join(", ") },
];

const text = (value: unknown): string => (typeof value === "string" ? value : "");

interface TakenOver {
  readonly env?: string;
  readonly analyses: Readonly<Record<string, { readonly file: string; readonly id?: string }>>;
}

/**
 * Imports the project file of the official command line: the analyses of one environment, with the folder of their
 * sources. Addresses, emails and tokens are left out: a project file may not contain them.
 */
function takeOver(file: JsonObject, wanted: string | undefined, shownPath: string): TakenOver {
  const env = wanted ?? (text(file["default"]) || undefined);
  const own = env !== undefined && isObject(file[env]) ? file[env] : file;
  const list = Array.isArray(own["analysisList"]) ? own["analysisList"] : file["analysisList"];
  if (!Array.isArray(list)) {
    throw inputError(`${shownPath} contains no analysisList.`, {
      code: "input.invalid",
      why: env === undefined ? "It sets no default environment." : `Neither the file nor its section "${env}" has one.`,
      next: "Choose a section with --env, or remove --from.",
    });
  }
  const folder = text(own["analysisPath"]) || text(file["analysisPath"]) || ".";
  const analyses = list.filter(isObject).flatMap((entry) => {
    const fileName = text(entry["fileName"]);
    const name = text(entry["name"]) || fileName;
    if (name === "" || fileName === "" || name === "__proto__") return [];
    const path = join(text(entry["path"]) || folder, fileName).replaceAll("\\", "/");
    const id = text(entry["id"]);
    return [[name, { file: path, ...(/^[0-9a-f]{24}$/i.test(id) ? { id } : {}) }] as const];
  });
  return { ...(env === undefined ? {} : { env }), analyses: Object.fromEntries(analyses) };
}

const options = [
  { name: "from", file: "in", value: "file", summary: "project file of the official CLI to import (JSON)" },
  { name: "force", summary: `overwrite an existing ${projectFileName}` },
  { name: "analysis", value: "name", summary: "also create a starter script, as iot analysis init does" },
  { name: "ci", value: "service", summary: "also write a CI file that runs the tests", choices: ciServices },
  { name: "package", summary: "do not write package.json and tsconfig.json", negatable: true },
] as const satisfies Options;

type Given = Input<[], typeof options>;

const isEnvGiven = ({ user }: CommandContext): boolean => user.settings.get("env")?.origin === "flag";

/** Values of the flags; on a terminal without any, those the user enters. An existing project needs no questions. */
async function startOf(ctx: CommandContext, { options: given }: Given, isThere: boolean): Promise<Start> {
  const { analysis, ci, from, force } = given;
  const isSilent = !isEnvGiven(ctx) && analysis === undefined && ci === undefined && from === undefined && !force;
  if (isSilent && !isThere && ctx.canPrompt) return askStart(ctx);
  return { ...(isEnvGiven(ctx) ? { env: ctx.flags.env } : {}), analysis, ci };
}

/** Runs another command of the program, as the user would next. The result on stdout, and what comes next, is that of this one. */
async function also({ io, env, cwd, signal, say }: CommandContext, program: Program, line: readonly string[]) {
  const quiet: Io = {
    get stdin() {
      return io.stdin;
    },
    write: async () => undefined,
    writeError: (text) => (text.startsWith("hint: ") ? undefined : io.writeError(text)),
    stdoutIsTerminal: false,
    stderrIsTerminal: io.stderrIsTerminal,
    stdinIsTerminal: io.stdinIsTerminal,
    columns: () => io.columns(),
  };
  const code = await program.run(line, env, { io: quiet, cwd, signal });
  if (code !== 0) say.warning(`iot ${line.join(" ")} ended with ${code}; the project file was written.`);
  return code;
}

/** How the project gets the library: what npm has to do, where it has something to do. */
function npmStep(folder: string): string | undefined {
  for (let place = folder; ; place = dirname(place)) {
    const text = readTextIfThere(join(place, "package.json"));
    if (text !== undefined) return /"iotdeck"\s*:/.test(text) ? undefined : "npm install iotdeck";
    if (dirname(place) === place) return "npm install";
  }
}

interface Next extends Start {
  /** What npm has to do. */
  readonly npm: string | undefined;
  /** An analysis the project has already. */
  readonly other: string | undefined;
}

function hintNext(ctx: CommandContext, { npm, env, sandbox, analysis, other }: Next): void {
  const login = env === undefined ? [] : [`iot auth login --env ${env}`];
  const platform = env === undefined && sandbox !== true ? ["iot sandbox start --use"] : login;
  const create = analysis === undefined ? "iot analysis init hello" : `iot analysis create --name ${quote(analysis)}`;
  const script = analysis === undefined && other !== undefined ? `iot analysis dev ${quote(other)}` : create;
  ctx.say.hint(`Next: ${[...(npm === undefined ? [] : [npm]), ...platform, script].join(", then ")}`);
}

/** The project file that is there; flags may not say something else than it does. */
function existing(ctx: CommandContext, path: string, { options: { from } }: Given): JsonObject {
  const document = parseObject(readTextIfThere(path) ?? "{}", projectFileName);
  if (from === undefined && (!isEnvGiven(ctx) || document["env"] === ctx.flags.env)) return document;
  throw conflictError(`${projectFileName} already exists.`, {
    code: "file.exists",
    why: "It would be overwritten.",
    next: "Add --force, or edit the file.",
  });
}

/** The content of a new project file. */
async function documentOf(ctx: CommandContext, { options: { from } }: Given, start: Start): Promise<JsonObject> {
  const taken: TakenOver =
    from === undefined
      ? { analyses: {} }
      : takeOver(
          parseObject(await ctx.readInput(from === "-" ? from : ctx.path(from), "--from"), from),
          start.env,
          from,
        );
  const env = start.env ?? taken.env;
  return {
    ...(env === undefined ? {} : { env }),
    ...(Object.keys(taken.analyses).length === 0 ? {} : { analyses: taken.analyses }),
  };
}

/** What a run writes beside the project file. */
interface Plan {
  /** What npm has to do for the library, if anything. */
  readonly npm: string | undefined;
  readonly files: readonly NewFile[];
  /** Files that were asked for and are there: they are the user's own. */
  readonly kept: readonly NewFile[];
  readonly ignored: Ignored | undefined;
}

/** Reads and checks everything before the first file is written. */
function planOf(ctx: CommandContext, { options: given }: Given, { ci }: Start): Plan {
  checkWritable(ctx, join(ctx.cwd, projectFileName));
  refuseFolder(ctx, join(ctx.cwd, ".gitignore"));
  const step = npmStep(ctx.cwd);
  const asked = ci === undefined ? [] : [ciFile(ctx.cwd, ci)];
  for (const { path } of asked) checkNewFile(ctx, path);
  const isPackage = step === "npm install" && given.package;
  const [kept, missing] = [true, false].map((isThere) => asked.filter(({ path }) => existsSync(path) === isThere));
  return {
    // Without package.json, npm would install into a folder that is no project.
    npm: step === "npm install" && !isPackage ? undefined : step,
    files: [...(isPackage ? missingPackageFiles(ctx.cwd) : []), ...(missing ?? [])],
    kept: kept ?? [],
    ignored: missingIgnored(ctx.cwd),
  };
}

/** Writes what is missing, and says so file by file; returns their names. */
function writeFiles(ctx: CommandContext, { files, kept, ignored }: Plan, document: JsonObject | undefined): string[] {
  const written: string[] = [];
  const wrote = (path: string): void => {
    written.push(shownPath(ctx, path));
    ctx.say.info(`Wrote ${shownPath(ctx, path)}.`, shownPath(ctx, path));
  };
  const write = ({ path, text: content }: NewFile): void => {
    writeWhole(path, content, mode);
    wrote(path);
  };
  if (document !== undefined) {
    const $schema = writeProjectSchema(ctx.cwd);
    wrote(join(ctx.cwd, $schema));
    const content = `${JSON.stringify({ $schema, ...document }, null, 2)}\n`;
    write({ path: join(ctx.cwd, projectFileName), text: content });
  }
  for (const file of files) write(file);
  for (const { path } of kept) ctx.say.warning(`${shownPath(ctx, path)} already exists, and was not changed.`);
  if (ignored === undefined) return written;
  // Appended: what is there stays as it is, its mode and a link included.
  onFile(ignored.path, () => appendFileSync(ignored.path, ignored.text));
  if (ignored.isNew) wrote(ignored.path);
  else {
    written.push(shownPath(ctx, ignored.path));
    ctx.say.info(`Added ${ignored.lines.join(" and ")} to .gitignore.`);
  }
  return written;
}

export const init = defineCommand({
  path: [],
  asks: "nothing",
  result: one(columns),
  effect: "local",
  summary: `Create ${projectFileName} and what a project needs`,
  details:
    `Writes ${projectFileName} with its JSON Schema, package.json and tsconfig.json where no package.json is in this folder or above, and ` +
    "the lines .gitignore lacks. Files that exist are not changed, so a second run adds only what is missing. " +
    "On a terminal without flags, asks for the platform, a first analysis and a CI file.\n\n" +
    "--from reads the project file of the official CLI (JSON) and imports its analyses. URLs and tokens are never imported: " +
    'add them with "iot env add" and "iot auth login".',
  options,
  examples: ["iot init --env prod --force", "iot init", "iot init --analysis hourly --ci github"],
  exitCodes: [3, 7],
  related: ["iot config schema", "iot env add", "iot analysis deploy"],
  async run(ctx, input, program) {
    const path = join(ctx.cwd, projectFileName);
    const isThere = existsSync(path) && !input.options.force;
    const old = isThere ? existing(ctx, path, input) : undefined;
    const start = await startOf(ctx, input, isThere);
    const document = old ?? (await documentOf(ctx, input, start));
    const plan = planOf(ctx, input, start);
    const written = writeFiles(ctx, plan, isThere ? undefined : document);
    const known = objectOf(document["analyses"]);
    const { analysis, sandbox } = start;
    const isNew = analysis !== undefined && !Object.hasOwn(known, analysis);
    const added = isNew ? await also(ctx, program, ["analysis", "init", analysis]) : 0;
    const started = sandbox === true ? await also(ctx, program, ["sandbox", "start", "--use"]) : 0;
    const env = text(document["env"]) || undefined;
    const analyses = Object.keys(known).length + (isNew && added === 0 ? 1 : 0);
    await ctx.out.item({ file: path, env: env ?? null, analyses, written }, { columns, idKey: "file" });
    if (written.length === 0 && !isNew) ctx.say.info("The project has all its files; nothing was changed.");
    else if (isThere) ctx.say.info(`${projectFileName} was there already.`);
    if (added !== 0 || started !== 0) return added || started;
    hintNext(ctx, { ...start, env, npm: plan.npm, other: Object.keys(known)[0] });
    return 0;
  },
});
