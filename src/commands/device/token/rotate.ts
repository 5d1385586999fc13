import { defineCommand } from "../../kit/command/define.ts";
import type { Arguments, Input, Options } from "../../kit/command/options.ts";
import { one } from "../../kit/command/result.ts";
import type { CommandContext } from "../../kit/context.ts";
import { maskToken } from "../../kit/say/redact.ts";
import { namedDevice, namedDeviceArgument } from "../place.ts";
import { createdColumns, ends, oldToken, replaceToken, tokensOf } from "../successor.ts";

const args = [
  namedDeviceArgument,
  { name: "token", summary: "name or ends of the token; may be left out if the device has one" },
] as const satisfies Arguments;

const options = [
  { name: "expire", kind: "expiry", summary: "expiry, if not that of the old token: 30d, 2027-01-31 or never" },
  { name: "keep-old", summary: "do not delete the old token" },
] as const satisfies Options;

type Given = Input<typeof args, typeof options>;

export const rotateToken = defineCommand({
  path: ["token", "rotate"],
  result: one(createdColumns),
  effect: { most: "deletes", of: ({ options: { keepOld } }) => (keepOld ? "changes" : "deletes") },
  summary: "Replace a token of a device by a new one",
  details:
    "Creates a token with the name, permission, expiry and serial number of the old one, prints it once, in full, and then " +
    "deletes the old one. If that fails, both exist and the exit code is 8. With --keep-old, the device can change over " +
    "first; delete the old one with iot device token delete and its ends.",
  args,
  options,
  groups: ["confirm", "dryRun"],
  examples: [
    'iot device token rotate "name:Weather station" --yes',
    'iot device token rotate "name:Weather station" Default --keep-old --expire 365d',
  ],
  exitCodes: [6, 8],
  related: ["iot device token list", "iot device token delete"],
  run: rotate,
});

async function rotate(ctx: CommandContext, input: Given): Promise<void> {
  const { keepOld, expire } = input.options;
  const target = await namedDevice(ctx, input);
  const known = await tokensOf(ctx, target);
  const old = await oldToken(ctx, known, input.args.token, `iot device token rotate ${target.id}`);
  const title = `token "${old.name}" (${maskToken(old.token)})`;
  const plan = { old, keepOld, changes: { expire_time: expire }, action: `Replace ${title}` };
  if (!(await replaceToken(ctx, target, plan))) return;
  const whose = `of device "${await target.name()}"`;
  if (!keepOld) return ctx.done(`Replaced ${title} ${whose}`);
  await ctx.done(`Created token "${old.name}" ${whose}`);
  ctx.say.hint(`Once the device uses it: iot device token delete ${target.id} ${ends(old.token)}.`);
}
