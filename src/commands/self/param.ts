import { argumentList, optionPair } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import { notFoundError, usageError } from "../kit/failures/command-error.ts";
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
    { name: "sent-only", summary: "only parameters the device has taken" },
    { name: "unsent-only", summary: "only parameters that wait for the device" },
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
    const sent = optionPair(input, "sent-only", "unsent-only");
    const device = await selfDevice(ctx, input);
    const status = sent === undefined ? "all" : sent ? "onlyRead" : "onlyUnRead";
    const found = await device.getParameters(status);
    await ctx.out.list(found, { columns: paramColumns, empty: "The device has no such parameters." });
  },
});

const setParams = defineCommand({
  path: ["param", "set"],
  result: rows(paramColumns),
  effect: "changes",
  summary: "Mark configuration parameters as taken by the device",
  details: `${about} A device cannot change the values of its parameters; "iot device param set" can.`,
  args: [{ name: "keys", summary: "keys or ids of the parameters", required: true, variadic: true }],
  options: [{ name: "sent", summary: "mark as taken (the only thing there is to set)" }, deviceOption],
  examples: [
    'iot self param set target --device "name:Freezer 1"',
    'iot self param set target alarm_above --device "name:Freezer 1" --dry-run',
  ],
  exitCodes: [6],
  related: ["iot self param list", "iot device param set"],
  async run(ctx, input) {
    const given = argumentList(input, "keys");
    const pair = given.find((text) => text.includes("="));
    if (pair !== undefined) {
      throw usageError(`A device cannot give its parameter another value: ${quote(pair)}.`, {
        next: 'Name the key alone to mark it as taken, or use "iot device param set" with a token of the profile.',
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
    await ctx.out.list(after, { columns: paramColumns, empty: "Nothing was changed." });
    await ctx.done(`Marked ${chosen.map(({ key }) => key).join(", ")} as taken`);
  },
});

function findParam(params: readonly ParamRow[], text: string): ParamRow {
  const found = params.find(({ id, key }) => id === text || key === text);
  if (found !== undefined) return found;
  throw notFoundError(`The device has no parameter ${quote(text)}.`, {
    code: "device.param_not_found",
    why: params.length === 0 ? "It has no parameters." : `It has ${params.map(({ key }) => key).join(", ")}.`,
    next: "Give one of these keys, or an id.",
  });
}

export const paramCommands: readonly Command[] = [listParams, setParams];
