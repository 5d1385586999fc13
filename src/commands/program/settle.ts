import type { GlobalFlags } from "../kit/command/flags.ts";
import { globalFlagsOf } from "../kit/command/shared-options.ts";
import { camelCase } from "../kit/command/values.ts";
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
import { table } from "../kit/settings/table.ts";
import type { Given } from "./input.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What a run works with once flags, variables and files are laid over each other. */
export interface SettledSettings {
  readonly flags: GlobalFlags;
  readonly settings: UserFiles["settings"];
  readonly user: UserConfig;
  readonly project: ProjectConfig | undefined;
  readonly problem?: unknown;
}

/** Flags that are settings, too, with the name of the setting. */
const settingFlags = table.flatMap((row) =>
  row.section === undefined || row.inProject === undefined
    ? []
    : [{ ...row, key: camelCase(row.name), setting: row.setting?.name ?? row.name }],
);

/** The settings that the flags of a line set. */
function flagsGiven(shared: Given["shared"]): Record<string, string> {
  const given: Record<string, string> = {};
  for (const { key, setting, off } of settingFlags) {
    const value = shared[key];
    if (typeof value === "string") given[setting] = value;
    else if (value === false && off !== undefined) given[setting] = off;
    else if (value === true && off === undefined) given[setting] = "true";
  }
  if (shared["json"] === true) given["output"] = "json";
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
  parseTemplate(template);
  return { ...flags, output: "template" };
}

function readFiles(env: Environment, cwd: string): Pick<SettledSettings, "user" | "project"> {
  return { user: readUserConfig(env), project: readProjectConfig(cwd) };
}

const noFiles = { user: { settings: {}, environments: {} }, project: undefined };

/** Reads the files once and lays the flags over variables, project file, user file and defaults. */
export function settleSettings(
  shared: Given["shared"],
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
  const settled = settingFlags.map(({ key, setting, kind, value, negatable }) => {
    const { value: text, origin } = settings.get(setting) ?? {};
    if (value === undefined) return [key, (switchOf(text ?? "") === true) !== (negatable === true)];
    // The library has its own defaults and variables for numbers; they are passed on only when somebody chose them.
    return [key, kind !== undefined && origin === "default" ? undefined : text];
  });
  const flags = globalFlagsOf({ ...shared, ...Object.fromEntries(settled), json: false });
  const accessible = flags.accessible || switchOf(env["ACCESSIBLE"] ?? "") === true;
  return { ...files, ...broken, settings, flags: checkOutput({ ...flags, accessible }) };
}
