import type { GlobalFlags } from "../kit/command/flags.ts";
import { globalFlagsOf } from "../kit/command/shared-options.ts";
import type { UserFiles } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { parseTemplate } from "../kit/output/template.ts";
import {
  type ProjectConfig,
  readProjectConfig,
  readUserConfig,
  resolveSettings,
  type UserConfig,
} from "../kit/settings/config.ts";
import { switchOf } from "../kit/settings/settings.ts";
import type { ParsedLine } from "./commander.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What a run works with once flags, variables and files are laid over each other. */
export interface SettledSettings {
  readonly flags: GlobalFlags;
  readonly settings: UserFiles["settings"];
  readonly user: UserConfig;
  readonly project: ProjectConfig | undefined;
  readonly problem?: unknown;
}

/** Settings that are flags of the same name. */
const settingFlags = ["env", "profile", "output", "tz", "time", "timeout", "retries", "concurrency", "proxy"] as const;

function flagsGiven(shared: ParsedLine["shared"]): Record<string, string> {
  const given: Record<string, string> = {};
  for (const name of settingFlags) {
    const value = shared[name];
    if (typeof value === "string") given[name] = value;
  }
  if (typeof shared["caFile"] === "string") given["ca-file"] = shared["caFile"];
  if (shared["json"] === true) given["output"] = "json";
  if (shared["color"] === false) given["color"] = "never";
  else if (typeof shared["color"] === "string") given["color"] = shared["color"];
  for (const name of ["accessible", "ascii", "debug"]) if (shared[name] === true) given[name] = "true";
  if (shared["input"] === false) given["no-input"] = "true";
  return given;
}

function checkOutput(flags: GlobalFlags): GlobalFlags {
  const { template, output } = flags;
  if (template === undefined) {
    if (output !== "template") return flags;
    throw usageError("-o template needs --template <text>.", {
      code: "usage.template",
      next: 'Write it like --template "{{id}} {{name}}"; see "iot help output".',
    });
  }
  if (flags.jq !== undefined)
    throw usageError("--jq and --template exclude each other.", { next: "Give one of the two." });
  parseTemplate(template);
  return { ...flags, output: "template" };
}

function readFiles(env: Environment, cwd: string): Pick<SettledSettings, "user" | "project"> {
  return { user: readUserConfig(env), project: readProjectConfig(cwd) };
}

const noFiles = { user: { settings: {}, environments: {} }, project: undefined };

/** Reads the files once and lays the flags over variables, project file, user file and defaults. */
export function settleSettings(
  shared: ParsedLine["shared"],
  env: Environment,
  cwd: string,
  toleratesBroken: boolean,
): SettledSettings {
  let files: Pick<SettledSettings, "user" | "project"> = noFiles;
  let broken: { readonly problem?: unknown } = {};
  try {
    files = readFiles(env, cwd);
  } catch (problem) {
    if (!toleratesBroken) throw problem;
    broken = { problem };
  }
  const settings = resolveSettings({ flags: flagsGiven(shared), env, ...files });
  const text = (name: string): string | undefined => settings.get(name)?.value;
  const isOn = (name: string): boolean => switchOf(text(name) ?? "") === true;
  // The library has its own defaults and variables for these; they are passed on only when somebody chose them.
  const chosen = (name: string): string | undefined =>
    settings.get(name)?.origin === "default" ? undefined : text(name);
  const flags = globalFlagsOf({
    ...shared,
    ...Object.fromEntries(settingFlags.map((name) => [name, text(name)])),
    timeout: chosen("timeout"),
    retries: chosen("retries"),
    caFile: text("ca-file"),
    color: text("color"),
    json: false,
    accessible: isOn("accessible") || switchOf(env["ACCESSIBLE"] ?? "") === true,
    ascii: isOn("ascii"),
    debug: isOn("debug"),
    input: !isOn("no-input"),
  });
  return { ...files, ...broken, settings, flags: checkOutput(flags) };
}
