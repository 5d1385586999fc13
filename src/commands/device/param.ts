import { argument, argumentList, keyValue, optionPair } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type ArgumentSpec, type Command, type CommandInput, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { notFoundError, usageError } from "../kit/failures/command-error.ts";
import { resolveId, type Target } from "../kit/resource/resolve-id.ts";
import { deviceFinder } from "./finder.ts";

interface ParamRow {
  readonly id: string;
  readonly key: string;
  readonly value: string;
  readonly sent: boolean;
}

const columns: readonly Column<ParamRow>[] = [
  { key: "id", kind: "id", rank: 3 },
  { key: "key", rank: 1 },
  { key: "value", rank: 1 },
  { key: "sent", kind: "flag" },
];

const idArgument: ArgumentSpec = {
  name: "id",
  summary: "device: full id, or a unique name:…, tag:key=value, serial:…",
  required: true,
};

const target = (ctx: CommandContext, input: CommandInput): Promise<Target> =>
  resolveId(ctx, deviceFinder, argument(input, "id") ?? "");

async function paramsOf(ctx: CommandContext, id: string, sent?: boolean): Promise<readonly ParamRow[]> {
  const { devices } = await ctx.client();
  return sent === undefined ? devices.paramList(id) : devices.paramList(id, sent);
}

const listParams = defineCommand({
  path: ["param", "list"],
  result: rows(columns),
  aliases: ["ls"],
  effect: "reads",
  summary: "List the configuration parameters of a device",
  args: [idArgument],
  options: [
    { name: "sent-only", summary: "only parameters already sent to the device" },
    { name: "unsent-only", summary: "only parameters not yet sent to the device" },
  ],
  groups: ["limit"],
  examples: ['iot device param list "name:Freezer 1"', 'iot device param list "name:Freezer 1" --unsent-only'],
  related: ["iot device param set"],
  async run(ctx, input) {
    const sent = optionPair(input, "sent-only", "unsent-only");
    const { id } = await target(ctx, input);
    await ctx.out.list(await paramsOf(ctx, id, sent), { columns, empty: "No parameters match." });
  },
});

const setParams = defineCommand({
  path: ["param", "set"],
  result: rows(columns),
  effect: "changes",
  summary: "Set configuration parameters of a device",
  details: "An existing key gets the new value and is marked as not sent, unless --sent is given.",
  args: [idArgument, { name: "pairs", summary: "key=value, one or more", required: true, variadic: true }],
  options: [{ name: "sent", summary: "mark the parameters as sent" }],
  examples: [
    'iot device param set "name:Freezer 1" interval=15',
    'iot device param set "name:Freezer 1" setpoint=-18 alarm=on --sent',
  ],
  related: ["iot device param list"],
  async run(ctx, input) {
    const pairs = argumentList(input, "pairs").map((text) => keyValue(text, "A parameter"));
    const device = await target(ctx, input);
    const before = new Map((await paramsOf(ctx, device.id)).map((param) => [param.key, param.id]));
    const sent = input.options["sent"] === true;
    const body = pairs.map(({ key, value }) => {
      const id = before.get(key);
      return { ...(id === undefined ? {} : { id }), key, value, sent };
    });
    if (await ctx.dryRun({ method: "POST", path: `/device/${device.id}/params`, body })) return;
    await (await ctx.client()).devices.paramSet(device.id, body);
    const keys = new Set(pairs.map(({ key }) => key));
    const after = (await paramsOf(ctx, device.id)).filter(({ key }) => keys.has(key));
    await ctx.out.list(after, { columns, empty: "The platform did not store the parameters." });
    await ctx.done(`Set ${[...keys].join(", ")} of device "${await device.name()}"`);
  },
});

const deleteParams = defineCommand({
  path: ["param", "delete"],
  result: rows(columns),
  aliases: ["rm"],
  effect: "deletes",
  summary: "Delete configuration parameters of a device",
  args: [idArgument, { name: "keys", summary: "keys or ids of the parameters", required: true, variadic: true }],
  examples: [
    'iot device param delete "name:Freezer 1" alarm_above --dry-run',
    'iot device param delete "name:Freezer 1" interval --yes',
  ],
  related: ["iot device param list"],
  async run(ctx, input) {
    const device = await target(ctx, input);
    const params = await paramsOf(ctx, device.id);
    const chosen = argumentList(input, "keys").map((text) => findParam(params, text));
    const path = `/device/${device.id}/params`;
    if (await ctx.dryRun(chosen.map(({ id }) => ({ method: "DELETE", path: `${path}/${id}` })))) return;
    const name = await device.name();
    const keys = chosen.map(({ key }) => key).join(", ");
    const level = chosen.length === 1 ? 1 : 2;
    await ctx.confirm({
      level,
      action: `Delete ${keys} of device "${name}"`,
      name,
      items: chosen.map(({ key, value }) => `${key}=${value}`),
    });
    const { devices } = await ctx.client();
    for (const { id } of chosen) await devices.paramRemove(device.id, id);
    await ctx.out.list(chosen, { columns, empty: "Nothing was deleted." });
    await ctx.done(`Deleted ${keys} of device "${name}"`);
  },
});

function findParam(params: readonly ParamRow[], text: string): ParamRow {
  const matches = params.filter(({ id, key }) => id === text || key === text);
  const [only, ...others] = matches;
  if (only === undefined) {
    throw notFoundError(`The device has no parameter ${quote(text)}.`, {
      code: "device.param_not_found",
      why: params.length === 0 ? "It has no parameters." : `It has ${params.map(({ key }) => key).join(", ")}.`,
      next: "Use one of these keys, or an id.",
    });
  }
  if (others.length === 0) return only;
  throw usageError(`The device has ${matches.length} parameters named ${quote(text)}.`, {
    why: `Their ids are ${matches.map(({ id }) => id).join(", ")}.`,
    next: "Use one of these ids.",
  });
}

export const commands: readonly Command[] = [listParams, setParams, deleteParams];
