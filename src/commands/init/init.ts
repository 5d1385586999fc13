import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand, type Program } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { one } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { conflictError, inputError } from "../kit/failures/command-error.ts";
import { isObject, type JsonObject, parseObject, writeWhole } from "../kit/files/files.ts";
import type { Io } from "../kit/io.ts";
import { projectFileName } from "../kit/settings/config.ts";
import { writeProjectSchema } from "../kit/settings/project-schema.ts";
import { askStart, type Start } from "./ask.ts";
import { ciServices, writeCiFile } from "./ci-file.ts";

/** A file of the project, for everybody who works on it. */
const mode = { file: 0o644, folder: 0o755 };

interface Written {
  readonly file: string;
  readonly env: string | null;
  readonly analyses: number;
}

const columns: readonly Column<Written>[] = [{ key: "file" }, { key: "env" }, { key: "analyses", kind: "number" }];

const text = (value: unknown): string => (typeof value === "string" ? value : "");

interface TakenOver {
  readonly env?: string;
  readonly analyses: Readonly<Record<string, { readonly file: string; readonly id?: string }>>;
}

/**
 * Takes over the project file of the official command line: the analyses of one environment, with the folder of their
 * sources. Addresses, e-mails and tokens stay behind: a project file may not hold them.
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
  { name: "force", summary: "overwrite an existing file" },
  { name: "analysis", value: "name", summary: "also create a starter script, as iot analysis init does" },
  { name: "ci", value: "service", summary: "also write a CI file that runs the tests", choices: ciServices },
] as const satisfies Options;

/** What the flags say; on a terminal without any, what the user says. */
async function startOf(ctx: CommandContext, { options: given }: Input<[], typeof options>): Promise<Start> {
  const { analysis, ci, from, force } = given;
  const isAsked = ctx.user.settings.get("env")?.origin === "flag";
  const isSilent = !isAsked && analysis === undefined && ci === undefined && from === undefined && !force;
  return isSilent && ctx.canPrompt ? askStart(ctx) : { ...(isAsked ? { env: ctx.flags.env } : {}), analysis, ci };
}

/** Runs another command of the program, as the user would next. The result on stdout is that of this one. */
async function also({ io, env, cwd, signal, say }: CommandContext, program: Program, line: readonly string[]) {
  const quiet: Io = {
    get stdin() {
      return io.stdin;
    },
    write: async () => undefined,
    writeError: (text) => io.writeError(text),
    stdoutIsTerminal: false,
    stderrIsTerminal: io.stderrIsTerminal,
    stdinIsTerminal: io.stdinIsTerminal,
    columns: () => io.columns(),
  };
  const code = await program.run(line, env, { io: quiet, cwd, signal });
  if (code !== 0) say.warning(`iot ${line.join(" ")} ended with ${code}; the project file was written.`);
  return code === 0;
}

function hintNext(ctx: CommandContext, env: string | undefined, { sandbox, analysis }: Start): void {
  const login = env === undefined ? [] : [`iot auth login --env ${env}`];
  const platform = env === undefined && sandbox !== true ? ["iot sandbox start --use"] : login;
  const script = analysis === undefined ? "iot analysis init hello" : `iot analysis create --name ${quote(analysis)}`;
  ctx.say.hint(`Next: ${[...platform, script].join(", then ")}`);
}

export const init = defineCommand({
  path: [],
  asks: "nothing",
  result: one(columns),
  effect: "local",
  summary: `Create ${projectFileName} and its JSON Schema`,
  details:
    "On a terminal without flags, asks for the platform, a first analysis and a CI file.\n\n" +
    "--from reads the project file of the official CLI (JSON) and imports its analyses. URLs and tokens are never imported: " +
    'add them with "iot env add" and "iot auth login".',
  options,
  examples: ["iot init --env prod --force", "iot init --force", "iot init --force --analysis hourly --ci github"],
  exitCodes: [3, 7],
  related: ["iot config schema", "iot env add", "iot analysis deploy"],
  async run(ctx, input, program) {
    const path = join(ctx.cwd, projectFileName);
    if (existsSync(path) && !input.options.force) {
      throw conflictError(`${projectFileName} already exists.`, {
        code: "file.exists",
        why: "It would be overwritten.",
        next: "Add --force, or edit the file.",
      });
    }
    const start = await startOf(ctx, input);
    const from = input.options.from;
    const taken: TakenOver =
      from === undefined
        ? { analyses: {} }
        : takeOver(
            parseObject(await ctx.readInput(from === "-" ? from : ctx.path(from), "--from"), from),
            start.env,
            from,
          );
    const env = start.env ?? taken.env;
    const document = {
      $schema: writeProjectSchema(ctx.cwd),
      ...(env === undefined ? {} : { env }),
      ...(Object.keys(taken.analyses).length === 0 ? {} : { analyses: taken.analyses }),
    };
    writeWhole(path, `${JSON.stringify(document, null, 2)}\n`, mode);
    const { analysis, ci, sandbox } = start;
    const isAdded = analysis !== undefined && (await also(ctx, program, ["analysis", "init", analysis]));
    if (ci !== undefined) writeCiFile(ctx, ci);
    if (sandbox === true) await also(ctx, program, ["sandbox", "start", "--use"]);
    const analyses = Object.keys(taken.analyses).length + (isAdded ? 1 : 0);
    await ctx.out.item({ file: path, env: env ?? null, analyses }, { columns, idKey: "file" });
    ctx.say.info(`Wrote ${projectFileName}.`);
    hintNext(ctx, env, start);
  },
});
