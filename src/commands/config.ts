import { defineCommand } from "./kit/command/define.ts";
import { one, rows, value } from "./kit/command/result.ts";
import { quote } from "./kit/command/values.ts";
import type { CommandContext } from "./kit/context.ts";
import { notFoundError, usageError } from "./kit/failures/command-error.ts";
import { unknownWord } from "./kit/failures/unknown-word.ts";
import { redact } from "./kit/say/redact.ts";
import { changeUserConfig, projectFileName, type UserConfig, userConfigPath } from "./kit/settings/config.ts";
import { credentialsPath } from "./kit/settings/credentials.ts";
import { userFolders } from "./kit/settings/paths.ts";
import { projectSchema } from "./kit/settings/project-schema.ts";
import { checkSetting, findSetting, settingSpecs } from "./kit/settings/settings.ts";
import type { SettingSpec } from "./kit/settings/table.ts";

const settingNames = settingSpecs.map(({ name }) => name);

function settingOf(name: string): SettingSpec {
  const spec = findSetting(name);
  if (spec !== undefined) return spec;
  const isSecret = /token|password|secret/i.test(name);
  const code = "config.unknown_setting";
  if (!isSecret) throw unknownWord("setting", name, settingNames, { code, next: 'Run "iot config list".' });
  throw usageError(`Setting ${quote(name)} not found.`, {
    code,
    why: "Secrets are not settings; they are stored separately.",
    next: 'Run "iot auth login".',
  });
}

const keyArgument = {
  name: "key",
  summary: "setting name",
  required: true,
  values: settingNames,
} as const;

/** The address of a proxy or a queue may hold a password. */
const valueColumn = {
  key: "value",
  kind: "secret",
  masked: ({ value }: { readonly value: string }) => redact(value),
} as const;
const columns = [{ key: "key", kind: "id" }, valueColumn, { key: "origin" }, { key: "summary" }] as const;
const setColumns = [{ key: "key", kind: "id" }, valueColumn] as const;
const unsetColumns = [{ key: "key", kind: "id" }, { key: "value" }] as const;
const pathColumns = ["settings", "credentials", "state", "cache", "project"].map((key) => ({ key }));

const list = defineCommand({
  path: ["list"],
  asks: "nothing",
  result: rows(columns),
  effect: "reads",
  summary: "List the settings",
  options: [{ name: "origin", summary: "show where each value came from" }],
  groups: ["limit"],
  examples: ["iot config list", "iot config list --origin"],
  related: ["iot config get", "iot help environment"],
  async run(ctx, input) {
    const rows = settingSpecs.map((spec) => {
      const { value, origin } = ctx.user.settings.get(spec.name) ?? { value: undefined, origin: "not set" };
      return { key: spec.name, value: value ?? "", origin, summary: spec.summary };
    });
    const hidden = !input.options.origin;
    await ctx.out.list(rows, {
      columns: columns.map((column) => (column.key === "origin" ? { ...column, hidden } : column)),
      empty: "No settings.",
      idKey: "key",
    });
  },
});

const get = defineCommand({
  path: ["get"],
  asks: "nothing",
  result: value({ type: "string" }),
  effect: "reads",
  summary: "Print the value of a setting",
  args: [keyArgument],
  examples: ["iot config get output", "iot config get env"],
  exitCodes: [6],
  related: ["iot config list --origin"],
  async run(ctx, input) {
    const { name } = settingOf(input.args.key);
    const value = ctx.user.settings.get(name)?.value;
    if (value === undefined) {
      throw notFoundError(`The setting "${name}" has no value.`, {
        code: "config.not_set",
        why: "No flag, variable or file sets it, and it has no default.",
        next: `Run "iot config set ${name} <value>".`,
      });
    }
    await ctx.out.value(value);
  },
});

type Settings = UserConfig["settings"];

async function change(ctx: CommandContext, changed: (settings: Settings) => Settings): Promise<void> {
  await changeUserConfig(ctx.env, (config) => ({ ...config, settings: changed(config.settings) }));
}

const set = defineCommand({
  path: ["set"],
  asks: "nothing",
  result: one(setColumns),
  effect: "local",
  summary: "Save a setting",
  args: [keyArgument, { name: "value", summary: "new value", required: true }],
  examples: ["iot config set output json", "iot config set timeout 30s"],
  related: ["iot config unset", "iot config list"],
  async run(ctx, input) {
    const spec = settingOf(input.args.key);
    const value = checkSetting(spec, input.args.value, quote(spec.name));
    await change(ctx, (settings) => ({ ...settings, [spec.name]: value }));
    await ctx.out.item({ key: spec.name, value }, { columns: setColumns, idKey: "key" });
    ctx.say.info(`Set "${spec.name}" to ${quote(value)}.`);
    const { origin } = ctx.user.settings.get(spec.name) ?? {};
    if (origin === spec.variable || origin === ctx.user.project?.path) ctx.say.warning(`${origin} takes precedence.`);
  },
});

const unset = defineCommand({
  path: ["unset"],
  asks: "nothing",
  result: one(unsetColumns),
  effect: "local",
  summary: "Remove a saved setting",
  args: [keyArgument],
  examples: ["iot config unset output", "iot config unset timeout"],
  related: ["iot config set"],
  async run(ctx, input) {
    const { name } = settingOf(input.args.key);
    const { settings } = ctx.user.config;
    await ctx.out.item({ key: name, value: null }, { columns: unsetColumns, idKey: "key" });
    if (settings[name] === undefined) {
      ctx.say.info(`"${name}" is not set in the user file.`);
      return;
    }
    await change(ctx, (now) => Object.fromEntries(Object.entries(now).filter(([key]) => key !== name)));
    ctx.say.info(`"${name}" is no longer set in the user file.`);
  },
});

const path = defineCommand({
  path: ["path"],
  asks: "nothing",
  result: one(pathColumns),
  effect: "reads",
  summary: "Show the paths of settings, credentials, state and cache",
  toleratesBrokenSettings: true,
  examples: ["iot config path", "iot config path --json"],
  related: ["iot doctor"],
  async run(ctx) {
    const folders = userFolders(ctx.env);
    const row = {
      settings: userConfigPath(ctx.env),
      credentials: credentialsPath(ctx.env),
      state: folders.state,
      cache: folders.cache,
      project: ctx.user.project?.path ?? "",
    };
    await ctx.out.item(row, { columns: pathColumns, idKey: "settings" });
  },
});

const schema = defineCommand({
  path: ["schema"],
  asks: "nothing",
  result: value({ type: "object" }),
  effect: "reads",
  summary: `Print the JSON Schema of ${projectFileName}`,
  toleratesBrokenSettings: true,
  examples: ["iot config schema", "iot config schema > iot.config.schema.json"],
  related: ["iot help environment"],
  async run(ctx) {
    await ctx.out.value(projectSchema());
  },
});

export const commands = [list, get, set, unset, path, schema];
