import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import { notFoundError, usageError } from "../kit/failures/command-error.ts";
import { onOff } from "../kit/resource/body.ts";
import { about, deviceOption, selfDevice } from "./place.ts";

interface ParamRow {
  readonly id: string;
  readonly key: string;
  readonly value: string;
  readonly sent: boolean;
}

const paramColumns: readonly Column<ParamRow>[] = [
  { key: "id", kind: "id", rank: 3 },
  { key: "key", rank: 1 },
  { key: "value", rank: 1 },
  { key: "sent", kind: "flag" },
];

const listParams = defineCommand({
  path: ["param", "list"],
  aliases: ["ls"],
  result: rows(paramColumns),
  effect: "reads",
  summary: "List the configuration parameters of the device",
  details: about,
  options: [
    { name: "sent-only", opposite: "unsent-only", summary: "only parameters the device has read" },
    { name: "unsent-only", summary: "only parameters the device has not read" },
    deviceOption,
  ],
  groups: ["limit"],
  examples: [
    'iot self param list --device "name:Freezer 1"',
    'iot self param list --device "name:Freezer 1" --unsent-only',
  ],
  exitCodes: [6],
  related: ["iot self param set"],
  async run(ctx, input) {
    const sent = onOff(input.options.sentOnly, input.options.unsentOnly);
    const device = await selfDevice(ctx, input);
    const status = sent === undefined ? "all" : sent ? "onlyRead" : "onlyUnRead";
    const found = await device.getParameters(status);
    await ctx.out.list(found, { columns: paramColumns, empty: "No matching parameters." });
  },
});

const setParams = defineCommand({
  path: ["param", "set"],
  result: rows(paramColumns),
  effect: "changes",
  summary: "Mark configuration parameters as read by the device",
  details: `${about} A device cannot change the values of its parameters; "iot device param set" can.`,
  args: [{ name: "keys", summary: "keys or ids of the parameters", required: true, variadic: true }],
  options: [{ name: "sent", summary: "mark as read (the only supported change)" }, deviceOption],
  examples: [
    'iot self param set target --device "name:Freezer 1"',
    'iot self param set target alarm_above --device "name:Freezer 1" --dry-run',
  ],
  exitCodes: [6],
  related: ["iot self param list", "iot device param set"],
  async run(ctx, input) {
    const given = input.args.keys;
    const pair = given.find((text) => text.includes("="));
    if (pair !== undefined) {
      throw usageError(`A device cannot change the value of its parameters: ${quote(pair)}.`, {
        next: 'Give only the key to mark it as read, or use "iot device param set" with a profile token.',
      });
    }
    const device = await selfDevice(ctx, input);
    const before = await device.getParameters();
    const chosen = given.map((text) => findParam(before, text));
    const body = { sent: true };
    if (await ctx.dryRun(chosen.map(({ id }) => ({ method: "PUT", path: `/device/params/${id}`, body })))) return;
    for (const { id } of chosen) await device.setParameterAsRead(id);
    const ids = new Set(chosen.map(({ id }) => id));
    const after = (await device.getParameters()).filter(({ id }) => ids.has(id));
    await ctx.out.list(after, { columns: paramColumns, empty: "No parameters." });
    await ctx.done(`Marked ${chosen.map(({ key }) => key).join(", ")} as read`);
  },
});

function findParam(params: readonly ParamRow[], text: string): ParamRow {
  const found = params.find(({ id, key }) => id === text || key === text);
  if (found !== undefined) return found;
  throw notFoundError(`Parameter ${quote(text)} not found on the device.`, {
    code: "device.param_not_found",
    why:
      params.length === 0
        ? "The device has no parameters."
        : `The parameters are ${params.map(({ key }) => key).join(", ")}.`,
    next: "Use one of these keys, or an id.",
  });
}

export const paramCommands: readonly Command[] = [listParams, setParams];
