import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Column } from "./kit/command/columns.ts";
import { type Command, defineCommand } from "./kit/command/define.ts";
import { one } from "./kit/command/result.ts";
import { conflictError, inputError } from "./kit/failures/command-error.ts";
import { isObject, type JsonObject, parseObject, writeWhole } from "./kit/files/files.ts";
import { projectFileName } from "./kit/settings/config.ts";
import { writeProjectSchema } from "./kit/settings/project-schema.ts";

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

const init = defineCommand({
  path: [],
  asks: "nothing",
  result: one(columns),
  effect: "local",
  summary: `Create ${projectFileName} and its JSON Schema`,
  details:
    "--from reads the project file of the official CLI (JSON) and imports its analyses. URLs and tokens are never imported: " +
    'add them with "iot env add" and "iot auth login".',
  options: [
    { name: "from", file: "in", value: "file", summary: "project file of the official CLI to import (JSON)" },
    { name: "force", summary: "overwrite an existing file" },
  ],
  examples: ["iot init --env prod --force", "iot init --force"],
  exitCodes: [3, 7],
  related: ["iot config schema", "iot env add", "iot analysis deploy"],
  async run(ctx, input) {
    const path = join(ctx.cwd, projectFileName);
    if (existsSync(path) && !input.options.force) {
      throw conflictError(`${projectFileName} already exists.`, {
        code: "file.exists",
        why: "It would be overwritten.",
        next: "Add --force, or edit the file.",
      });
    }
    const { env: asked } = ctx.flags;
    const isAsked = ctx.user.settings.get("env")?.origin === "flag";
    const from = input.options.from;
    const taken: TakenOver =
      from === undefined
        ? { analyses: {} }
        : takeOver(
            parseObject(await ctx.readInput(from === "-" ? from : ctx.path(from), "--from"), from),
            isAsked ? asked : undefined,
            from,
          );
    const env = isAsked ? asked : taken.env;
    const document = {
      $schema: writeProjectSchema(ctx.cwd),
      ...(env === undefined ? {} : { env }),
      ...(Object.keys(taken.analyses).length === 0 ? {} : { analyses: taken.analyses }),
    };
    writeWhole(path, `${JSON.stringify(document, null, 2)}\n`, mode);
    const analyses = Object.keys(taken.analyses).length;
    await ctx.out.item({ file: path, env: env ?? null, analyses }, { columns, idKey: "file" });
    ctx.say.info(`Wrote ${projectFileName}.`);
    if (env !== undefined) ctx.say.hint(`Next: iot auth login --env ${env}`);
  },
});

export const commands: readonly Command[] = [init];
