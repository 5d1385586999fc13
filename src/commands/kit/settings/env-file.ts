import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { quote } from "../command/values.ts";
import { inputError, usageError } from "../failures/command-error.ts";
import { settingSpecs } from "./settings.ts";

/** Variables that a file may set: those that say where requests go and how results look, none that runs a program. */
const known = new Set([
  ...settingSpecs.flatMap(({ variable }) => (variable === undefined || variable === "IOT_PAGER" ? [] : [variable])),
  ...[
    "IOT_TOKEN",
    "IOT_REGION",
    "IOT_API_URL",
    "IOT_EVENTS_URL",
    "IOT_CONFIG_DIR",
    "IOT_NO_UPDATE_CHECK",
    "IOT_QUEUE_KEY",
    "IOT_SINK_USER",
    "IOT_SINK_PASSWORD",
    "IOT_SINK_TOKEN",
  ],
  ...["TAGOIO_API", "TAGOIO_SSE", "T_ANALYSIS_TOKEN", "ACCESSIBLE", "NO_COLOR", "FORCE_COLOR", "CI", "TERM"],
  ...["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy"],
]);

/** The first Node that leaves `--env-file` behind the script's name alone in every release. */
const LEAVES_IT_ALONE = 24;

/** The file that `--vars-file` names, or `--env-file` where Node has not read it before. */
export function varsFileOf(
  given: { readonly varsFile?: unknown; readonly envFile?: unknown },
  nodeVersion = process.versions.node,
): string | undefined {
  const { varsFile, envFile } = given;
  if (typeof envFile === "string" && Number.parseInt(nodeVersion, 10) < LEAVES_IT_ALONE) {
    throw usageError("--env-file cannot be used with this version of Node.", {
      code: "usage.env_file",
      why: `Node ${nodeVersion} may read the file itself before iot starts, and apply NODE_OPTIONS from it.`,
      next: `Use --vars-file ${quote(envFile)}.`,
    });
  }
  const file = varsFile ?? envFile;
  return typeof file === "string" ? file : undefined;
}

/** All variables of an environment file. */
export function readVars(path: string): Readonly<Record<string, string | undefined>> {
  try {
    return parseEnv(readFileSync(path, "utf8"));
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "an error";
    throw inputError(
      `The file ${quote(path)} ${code === "ENOENT" ? "does not exist" : code === "EISDIR" ? "is a folder" : "cannot be read"}.`,
      {
        code: code === "ENOENT" ? "file.not_found" : "file.unreadable",
        why: `The system returned ${code}.`,
        next: "Check the path of --vars-file.",
        cause,
      },
    );
  }
}

/** Those variables of an environment file that iot knows; all others are left out, NODE_OPTIONS and PATH among them. */
export function readKnownVars(path: string): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(readVars(path)).filter(([name]) => known.has(name)));
}
