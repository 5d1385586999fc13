import { defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { one } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { conflictError } from "../kit/failures/command-error.ts";
import { deviceFinder } from "../kit/finders/device.ts";
import { maskToken } from "../kit/say/redact.ts";
import { namedDevice, namedDeviceArgument } from "./place.ts";
import { createdColumns, oldToken, replaceToken, tokensOf } from "./successor.ts";

const args = [
  namedDeviceArgument,
  { name: "token", summary: "name or ends of the old token; may be left out if one has the serial number" },
] as const;

const options = [
  {
    name: "serial",
    value: "text",
    required: '--serial, or replace only the token with "iot device token rotate"',
    summary: "serial number of the new hardware",
  },
] as const satisfies Options;

export const replaceDevice = defineCommand({
  path: ["replace"],
  result: one(createdColumns),
  effect: "deletes",
  summary: "Replace broken hardware: new serial number and token",
  details:
    "The device keeps its id, data, settings, tags and parameters. A token with the new serial number is created like the " +
    "old one, printed once, in full, and then the old one is deleted. If that fails, both exist and the exit code is 8.",
  args,
  options,
  examples: [
    'iot device replace "name:Soil probe" --serial 0004A30B001C0531 --dry-run',
    'iot device replace "name:Soil probe" Default --serial 0004A30B001C0532 --dry-run',
  ],
  exitCodes: [6, 7, 8],
  related: ["iot device token list", "iot device usage", "iot device token rotate"],
  run: replace,
});

async function replace(ctx: CommandContext, input: Input<typeof args, typeof options>): Promise<void> {
  const { serial } = input.options;
  const target = await namedDevice(ctx, input);
  await requireFree(ctx, serial);
  const known = await tokensOf(ctx, target);
  const numbered = known.filter(({ serie_number: number }) => (number ?? "") !== "");
  const among = input.args.token === undefined && numbered.length > 0 ? numbered : known;
  const old = await oldToken(ctx, among, input.args.token, `iot device replace ${target.id} --serial ${serial}`);
  const action = `Replace serial number ${old.serie_number || "(none)"} by ${serial}, and token "${old.name}" (${maskToken(old.token)}),`;
  const plan = { old, keepOld: false, changes: { serie_number: serial }, action };
  if (await replaceToken(ctx, target, plan))
    await ctx.done(`Device "${await target.name()}" has the serial number ${serial} and a new token`);
}

/** Two devices with one serial number: nobody knows whose data arrives. */
async function requireFree(ctx: CommandContext, serial: string): Promise<void> {
  const [holder] = await deviceFinder.find(ctx, { form: "serial", serial }, 1);
  if (holder === undefined) return;
  throw conflictError(`Device "${holder.name}" (${holder.id}) already has the serial number ${quote(serial)}.`, {
    next: "Use the number of the new hardware, or delete the token of that device first.",
  });
}
