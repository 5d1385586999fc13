import { defined } from "../lib/core/defined.ts";
import { countOf } from "../text/count.ts";
import type { Column } from "./kit/command/columns.ts";
import { defineCommand } from "./kit/command/define.ts";
import type { Options, OptionsOf } from "./kit/command/options.ts";
import { one, rows } from "./kit/command/result.ts";
import { quote } from "./kit/command/values.ts";
import type { CommandContext } from "./kit/context.ts";
import { conflictError, usageError } from "./kit/failures/command-error.ts";
import { cleartextOf } from "./kit/settings/cleartext.ts";
import { changeUserConfig, type EnvironmentEntry, type UserConfig } from "./kit/settings/config.ts";
import { firstEnvironment, unknownEnvironment } from "./kit/settings/connect.ts";
import { changeCredentials, readCredentials } from "./kit/settings/credentials.ts";
import { using, warnOfPrecedence, withEntry } from "./kit/settings/in-use.ts";

interface EnvironmentRow {
  readonly name: string;
  readonly current: boolean;
  readonly api: string;
  readonly events: string;
  readonly label: string;
  readonly protected: boolean;
  readonly logged_in: boolean;
}

const columns: readonly Column<EnvironmentRow>[] = [
  { key: "name", kind: "id" },
  { key: "current", kind: "flag" },
  { key: "api" },
  { key: "protected", kind: "flag" },
  { key: "logged_in", kind: "flag" },
  { key: "label" },
  { key: "events", hidden: true },
];

const addressOptions = [
  {
    name: "region",
    value: "name",
    summary: "region of the platform: us-e1, eu-w1",
    choices: ["us-e1", "usa-1", "eu-w1"],
    conflicts: { flags: ["api-url", "events-url"], why: "A region has its own URLs." },
  },
  { name: "api-url", value: "url", summary: "API URL of a self-hosted platform" },
  { name: "events-url", value: "url", summary: "event stream URL (default: <api-url>/events)" },
  { name: "label", value: "text", summary: "text shown next to the name", allowEmpty: true },
] as const satisfies Options;

interface EntryFlags extends OptionsOf<typeof addressOptions> {
  readonly defaultProfile: string | undefined;
  readonly protected: boolean;
}

/** Names become keys of files and words of commands. */
function checkName(name: string): string {
  if (/^[a-z0-9][a-z0-9_.-]{0,62}$/i.test(name) && name !== "__proto__") return name;
  throw usageError(`Invalid environment name ${quote(name)}.`, {
    code: "usage.invalid_value",
    why: "Names contain letters, digits, dots, dashes and underscores, and start with a letter or digit.",
    next: "Choose another name, such as prod.",
  });
}

function checkUrl(text: string, flag: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.username === "" &&
    url.password === "" &&
    url.hash === "";
  if (isPlain) return text.replace(/\/+$/, "");
  throw usageError(`Invalid ${flag} ${quote(text)}.`, {
    code: "usage.invalid_value",
    why: "It must be an http or https URL without a user name or password.",
    next: "Use a URL such as https://api.example.test.",
  });
}

/** What the flags say, laid over what was there. */
function entryOf(options: EntryFlags, before: EnvironmentEntry): EnvironmentEntry {
  const { region, apiUrl: api, eventsUrl: events, label, defaultProfile: profile } = options;
  if (events !== undefined && api === undefined && before.api === undefined) {
    throw usageError("--events-url needs --api-url.", {
      why: "A region has its own event stream.",
      next: "Use both flags.",
    });
  }
  const { region: oldRegion, api: oldApi, events: oldEvents, ...rest } = before;
  const place =
    region !== undefined
      ? { region }
      : api !== undefined
        ? { api: checkUrl(api, "--api-url") }
        : defined({ region: oldRegion, api: oldApi, events: oldEvents });
  return {
    ...rest,
    ...place,
    ...(events === undefined ? {} : { events: checkUrl(events, "--events-url") }),
    ...defined({ label }),
    ...(options.protected ? { protected: true } : {}),
    ...defined({ profile }),
  };
}

function known(config: UserConfig, name: string): EnvironmentEntry {
  const entry = Object.hasOwn(config.environments, name) ? config.environments[name] : undefined;
  if (entry !== undefined) return entry;
  if (name === firstEnvironment) return {};
  throw unknownEnvironment(name, config, 'Run "iot env list".');
}

/** A protected environment has no address that tokens would be sent to unencrypted. */
function checkProtected(name: string, entry: EnvironmentEntry): EnvironmentEntry {
  const address = entry.protected === true ? cleartextOf([entry.api, entry.events]) : undefined;
  if (address === undefined) return entry;
  throw usageError(`${quote(name)} cannot be protected: its tokens would cross the network unencrypted.`, {
    code: "env.cleartext",
    why: `${address} is plain http and not on this machine.`,
    next: "Use an https URL, or leave the environment unprotected.",
  });
}

function warnOfCleartext(ctx: CommandContext, name: string, entry: EnvironmentEntry): void {
  const address = cleartextOf([entry.api, entry.events]);
  if (address === undefined) return;
  ctx.say.warning(
    `Tokens for "${name}" will cross the network unencrypted: ${address} is plain http and not on this machine.`,
  );
}

const addressOf = (entry: EnvironmentEntry): string => entry.api ?? entry.region ?? "us-e1";

/** URL of the API. A region that does not exist stays as the file says it: it must not keep others from being listed. */
async function apiOf(entry: EnvironmentEntry): Promise<string> {
  const { regionsDefinition } = await import("../lib/core/regions.ts");
  const address = addressOf(entry);
  const regions = new Map(Object.entries(regionsDefinition));
  return regions.get(address)?.api ?? address;
}

async function rowsOf(ctx: CommandContext, current: string): Promise<EnvironmentRow[]> {
  const { environments } = ctx.user.config;
  const names = new Set([...Object.keys(environments), ...(current === "" ? [] : [current])]);
  const stored = readCredentials(ctx.env, ctx.say.warning);
  const isLoggedIn = (name: string): boolean => stored.some((one) => one.env === name);
  return Promise.all([...names].sort().map((name) => rowOf(name, environments[name] ?? {}, current, isLoggedIn(name))));
}

async function rowOf(
  name: string,
  entry: EnvironmentEntry,
  current: string,
  isLoggedIn: boolean,
): Promise<EnvironmentRow> {
  return {
    name,
    current: name === current,
    api: await apiOf(entry),
    events: entry.events ?? "",
    label: entry.label ?? "",
    protected: entry.protected === true,
    logged_in: isLoggedIn,
  };
}

const list = defineCommand({
  path: ["list"],
  asks: "nothing",
  result: rows(columns),
  effect: "reads",
  summary: "List the environments of this machine",
  groups: ["limit"],
  examples: ["iot env list", "iot env list --json"],
  related: ["iot env add", "iot env use"],
  async run(ctx) {
    // An environment that cannot be used must not keep the others from being listed.
    const current = await ctx.target().then(
      (target) => target.envName,
      () => "",
    );
    await ctx.out.list(await rowsOf(ctx, current), {
      columns,
      empty: "No environments have been added.",
      idKey: "name",
    });
  },
});

const currentColumns = [
  { key: "name" },
  { key: "api" },
  { key: "events" },
  { key: "protected", kind: "flag" },
  { key: "origin" },
] as const;

const current = defineCommand({
  path: ["current"],
  asks: "nothing",
  result: one(currentColumns),
  effect: "reads",
  summary: "Show the current environment and where it is set",
  examples: ["iot env current", "iot env current --json"],
  related: ["iot env list", "iot config list --origin"],
  async run(ctx) {
    const target = await ctx.target();
    const origin =
      target.envName === "" ? target.label.split(" ")[0] : (ctx.user.settings.get("env")?.origin ?? "default");
    const row = {
      name: target.envName,
      api: target.api,
      events: target.events,
      protected: target.isProtected,
      origin: origin === "not set" ? "default" : origin,
    };
    await ctx.out.item(row, { columns: currentColumns, idKey: "name" });
  },
});

function refuseKnown(config: UserConfig, name: string): void {
  if (!Object.hasOwn(config.environments, name)) return;
  throw conflictError(`Environment ${quote(name)} already exists.`, {
    code: "env.exists",
    why: `It points to ${addressOf(known(config, name))}.`,
    next: `Change it with "iot env update ${name}", or choose another name.`,
  });
}

async function show(
  ctx: CommandContext,
  name: string,
  entry: EnvironmentEntry,
  inUse = ctx.user.config.settings["env"] ?? "",
): Promise<void> {
  const isLoggedIn = readCredentials(ctx.env, ctx.say.warning).some((one) => one.env === name);
  await ctx.out.item(await rowOf(name, entry, inUse, isLoggedIn), { columns, idKey: "name" });
}

const nameArgument = { name: "name", summary: "environment name", required: true } as const;

const add = defineCommand({
  path: ["add"],
  asks: "nothing",
  result: one(columns),
  effect: "local",
  summary: "Add an environment",
  args: [nameArgument],
  options: [
    ...addressOptions,
    { name: "default-profile", value: "id", summary: "profile whose token to use if several are stored" },
    { name: "protected", summary: "require the environment name to confirm changes" },
    { name: "use", summary: "make it the current environment" },
  ],
  examples: ["iot env add prod --region us-e1 --protected", "iot env add local --api-url http://127.0.0.1:4000 --use"],
  exitCodes: [7],
  related: ["iot env use", "iot auth login"],
  async run(ctx, input) {
    const name = checkName(input.args.name);
    refuseKnown(ctx.user.config, name);
    const entry = checkProtected(name, entryOf(input.options, {}));
    await changeUserConfig(ctx.env, (config) => {
      refuseKnown(config, name);
      const added = withEntry(config, name, entry);
      return input.options.use ? using(added, name) : added;
    });
    await show(ctx, name, entry, input.options.use ? name : undefined);
    ctx.say.info(`Added environment "${name}" (${addressOf(entry)}).`);
    warnOfCleartext(ctx, name, entry);
    ctx.say.hint(`Next: iot auth login --env ${name}`);
  },
});

const update = defineCommand({
  path: ["update"],
  asks: "nothing",
  result: one(columns),
  effect: "local",
  summary: "Update an environment",
  args: [nameArgument],
  options: [
    ...addressOptions,
    { name: "default-profile", value: "id", summary: "profile whose token to use if several are stored" },
    { name: "protected", summary: "require the environment name to confirm changes" },
    { name: "unprotected", summary: "remove the protection" },
  ],
  examples: ["iot env update prod --label Production", "iot env update local --api-url http://127.0.0.1:4001"],
  related: ["iot env list"],
  async run(ctx, input) {
    const name = input.args.name;
    const before = known(ctx.user.config, name);
    const laidOver = (now: EnvironmentEntry): EnvironmentEntry =>
      input.options.unprotected ? { ...entryOf(input.options, now), protected: false } : entryOf(input.options, now);
    if (Object.values(input.options).every((value) => value === undefined || value === false)) {
      throw usageError("No changes given.", { next: 'Run "iot env update --help" for the flags.' });
    }
    const after = await changeUserConfig(ctx.env, (now) =>
      withEntry(now, name, checkProtected(name, laidOver(known(now, name)))),
    );
    const entry = known(after, name);
    await show(ctx, name, entry);
    ctx.say.info(`Updated environment "${name}" (${addressOf(entry)}).`);
    warnOfCleartext(ctx, name, entry);
    if (addressOf(before) !== addressOf(entry)) {
      ctx.say.warning(
        `Tokens stored for "${name}" belong to the old address and are not sent to the new one; log in again.`,
      );
    }
  },
});

const useCommand = defineCommand({
  path: ["use"],
  asks: "nothing",
  result: one(columns),
  effect: "local",
  summary: "Choose the environment for the next commands",
  args: [nameArgument],
  examples: ["iot env use prod", "iot env use default"],
  related: ["iot env list", "iot env current"],
  async run(ctx, input) {
    const name = input.args.name;
    const entry = known(ctx.user.config, name);
    await changeUserConfig(ctx.env, (config) => using(config, name));
    await show(ctx, name, entry, name);
    ctx.say.info(`Commands now use "${name}" (${addressOf(entry)}).`);
    warnOfPrecedence(ctx);
  },
});

const remove = defineCommand({
  path: ["remove"],
  asks: "nothing",
  result: one(columns),
  aliases: ["delete", "rm"],
  effect: "local",
  summary: "Remove an environment and its stored tokens",
  args: [nameArgument],
  groups: ["confirm"],
  examples: ["iot env remove old --yes", "iot env remove prod --confirm prod"],
  related: ["iot auth logout"],
  async run(ctx, input) {
    const name = input.args.name;
    const entry = known(ctx.user.config, name);
    const stored = readCredentials(ctx.env, ctx.say.warning);
    const own = stored.filter((one) => one.env === name);
    await ctx.confirm({
      level: entry.protected === true ? 2 : 1,
      action: `Remove environment "${name}"`,
      where: `and ${countOf(own.length, "stored token")} from this machine`,
      name,
    });
    if (own.length > 0) changeCredentials(ctx, (list) => list.filter((one) => one.env !== name));
    await changeUserConfig(ctx.env, ({ settings, environments }) => ({
      settings: Object.fromEntries(Object.entries(settings).filter(([key, value]) => key !== "env" || value !== name)),
      environments: Object.fromEntries(Object.entries(environments).filter(([key]) => key !== name)),
    }));
    await ctx.out.item(await rowOf(name, entry, "", false), { columns, idKey: "name" });
    ctx.say.info(`Removed environment "${name}".`);
    if (own.length > 0)
      ctx.say.warning(
        "Its tokens were removed from this machine, not revoked; delete them on the platform if nothing else uses them.",
      );
  },
});

export const commands = [list, current, useCommand, add, update, remove];
