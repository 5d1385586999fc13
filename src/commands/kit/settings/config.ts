import { existsSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { inputError } from "../failures/command-error.ts";
import { isObject, type JsonObject, parseObject, readTextIfThere } from "../files/files.ts";
import { changeStored } from "../state/store.ts";
import { showPath, userFolders } from "./paths.ts";
import { checkSetting, findSetting, settingSpecs } from "./settings.ts";

/** A named set of connection settings on the user's machine. */
export interface EnvironmentEntry {
  readonly region?: string;
  readonly api?: string;
  readonly events?: string;
  readonly label?: string;
  readonly protected?: boolean;
  /** Platform profile whose credential is used when several are stored. */
  readonly profile?: string;
}

/** The user's own settings file. */
export interface UserConfig {
  readonly settings: Readonly<Record<string, string>>;
  readonly environments: Readonly<Record<string, EnvironmentEntry>>;
}

/** A setting and where it came from. */
export interface ResolvedSetting {
  readonly name: string;
  readonly value: string | undefined;
  /** `flag`, `IOT_ENV`, a file, or `default`. */
  readonly origin: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function userConfigPath(env: Environment): string {
  return join(userFolders(env).config, "config.json");
}

function settingsOf(value: unknown, shownPath: string, isProject: boolean): Record<string, string> {
  if (value === undefined) return {};
  if (!isObject(value)) throw inputError(`${shownPath}: the settings are not an object.`, { code: "config.invalid" });
  const found: Record<string, string> = {};
  for (const [name, raw] of Object.entries(value)) {
    const spec = findSetting(name);
    if (spec === undefined) {
      throw inputError(`${shownPath} has an unknown setting "${name}".`, {
        code: "config.unknown_setting",
        next: 'Remove it; "iot config list" shows all settings.',
      });
    }
    if (isProject && !spec.inProject) {
      throw inputError(`${shownPath} may not set "${name}".`, {
        code: "config.not_in_project",
        why: "A project file is not trusted, and this setting decides where credentials are sent.",
        next: `Set it for yourself: iot config set ${name} <value>.`,
      });
    }
    if (typeof raw !== "string" && typeof raw !== "number" && typeof raw !== "boolean") {
      throw inputError(`${shownPath}: "${name}" must be a string, a number or true/false.`, {
        code: "config.invalid",
      });
    }
    found[name] = checkSetting(spec, String(raw), `"${name}" in ${shownPath}`);
  }
  return found;
}

function environmentOf(name: string, value: unknown, shownPath: string): EnvironmentEntry {
  if (!isObject(value))
    throw inputError(`${shownPath}: environment "${name}" is not an object.`, { code: "config.invalid" });
  const entry: Record<string, string | boolean> = {};
  for (const key of ["region", "api", "events", "label", "profile"]) {
    const text = value[key];
    if (text === undefined) continue;
    if (typeof text !== "string")
      throw inputError(`${shownPath}: "${key}" of environment "${name}" is not a string.`, { code: "config.invalid" });
    entry[key] = text;
  }
  if (value["protected"] === true) entry["protected"] = true;
  return entry;
}

/** Reads the user's settings. A missing file is an empty one, and stays missing. */
export function readUserConfig(env: Environment): UserConfig {
  const path = userConfigPath(env);
  const text = readTextIfThere(path);
  return text === undefined
    ? { settings: {}, environments: {} }
    : configIn(parseObject(text, showPath(path)), showPath(path));
}

function configIn(file: JsonObject, shown: string): UserConfig {
  const environments = file["environments"] ?? {};
  if (!isObject(environments))
    throw inputError(`${shown}: "environments" is not an object.`, { code: "config.invalid" });
  return {
    settings: settingsOf(file["settings"], shown, false),
    environments: Object.fromEntries(
      Object.entries(environments).map(([name, entry]) => [name, environmentOf(name, entry, shown)]),
    ),
  };
}

/** Changes the user's settings as they are on the disk now, while no other process does; returns the new ones. */
export async function changeUserConfig(
  env: Environment,
  change: (config: UserConfig) => UserConfig,
): Promise<UserConfig> {
  const path = userConfigPath(env);
  const shown = showPath(path);
  return configIn(await changeStored(path, (file) => ({ ...file, ...change(configIn(file, shown)) })), shown);
}

export const projectFileName = "iot.config.json";

/** The nearest project file upwards; the search ends at the root of a repository. */
function findProjectFile(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, projectFileName);
    if (existsSync(path)) return path;
    if (existsSync(join(folder, ".git")) || dirname(folder) === folder) return undefined;
  }
}

const projectKeys = new Set(["$schema", "env", "analyses", "dashboards", "check", "defaults"]);
const secretName = /token|password|secret|credential|authorization/i;
const addressName = /^(api|sse|events|region|url|api[-_]?url|events[-_]?url|endpoint|environments|proxy)$/i;

function refuseInProject(file: JsonObject, shownPath: string): void {
  for (const name of Object.keys(file)) {
    if (projectKeys.has(name)) continue;
    const isDangerous = secretName.test(name) || addressName.test(name);
    throw inputError(`${shownPath} may not contain "${name}".`, {
      code: isDangerous ? "config.not_in_project" : "config.unknown_setting",
      why: isDangerous
        ? "A project file is not trusted: it cannot contain credentials or URLs that receive them."
        : `The allowed keys are ${[...projectKeys].join(", ")}.`,
      next: isDangerous ? 'Use "iot env add" and "iot auth login" instead.' : "Remove it.",
    });
  }
}

export interface ProjectConfig {
  readonly path: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Folder of the dashboards' files, below that of the project file. */
  readonly dashboards?: string;
}

/** Reads the project file: which environment, and defaults for how commands behave. */
export function readProjectConfig(cwd: string): ProjectConfig | undefined {
  const path = findProjectFile(cwd);
  if (path === undefined) return undefined;
  const file = parseObject(readTextIfThere(path) ?? "{}", path);
  refuseInProject(file, path);
  const named = file["env"] === undefined ? {} : { env: file["env"] };
  const defaults = file["defaults"] ?? {};
  if (!isObject(defaults)) throw inputError(`${path}: "defaults" is not an object.`, { code: "config.invalid" });
  const dashboards =
    file["dashboards"] === undefined ? {} : { dashboards: placeInProject(file["dashboards"], path, "dashboards") };
  return { path, settings: settingsOf({ ...defaults, ...named }, path, true), ...dashboards };
}

/**
 * Resolves a path in the project file to an absolute path. The file comes with its folder, so it may only name paths
 * inside it.
 */
export function placeInProject(value: unknown, path: string, name: string): string {
  const root = dirname(path);
  const folder = typeof value === "string" ? resolve(root, value) : "";
  if (folder === root || folder.startsWith(root + sep)) return folder;
  throw inputError(`${path}: "${name}" must be a path below the folder of the file.`, { code: "config.invalid" });
}

/** Every setting with its value and origin: flag, variable, project file, user file, default. */
export function resolveSettings(sources: {
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly env: Environment;
  readonly project: ProjectConfig | undefined;
  readonly user: UserConfig;
}): ReadonlyMap<string, ResolvedSetting> {
  const { flags, env, project, user } = sources;
  const resolved = new Map<string, ResolvedSetting>();
  for (const spec of settingSpecs) {
    const variable = spec.variable === undefined ? undefined : env[spec.variable] || undefined;
    const candidates: readonly (readonly [string | undefined, string])[] = [
      [flags[spec.name], "flag"],
      [variable, spec.variable ?? ""],
      [project?.settings[spec.name], project?.path ?? ""],
      [user.settings[spec.name], showPath(userConfigPath(env))],
      [spec.default, "default"],
    ];
    const [value, origin] = candidates.find(([candidate]) => candidate !== undefined) ?? [undefined, "not set"];
    if (value !== undefined && origin === spec.variable) checkSetting(spec, value, origin);
    resolved.set(spec.name, { name: spec.name, value, origin });
  }
  return resolved;
}
