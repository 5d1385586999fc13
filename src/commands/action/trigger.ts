import type { ActionInfo } from "../../index.ts";
import { readScope, scopeOption } from "../kit/analyses/scope.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Arguments, Input, Options } from "../kit/command/options.ts";
import { one } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { deviceWriter } from "../kit/devices/writer.ts";
import { CommandError, usageError } from "../kit/failures/command-error.ts";
import { deviceFinder } from "../kit/finders/device.ts";
import { lookUp, resolveId, resolveOrPick } from "../kit/resource/resolve-id.ts";
import { triggersText } from "./describe.ts";
import { actionFinder } from "./finder.ts";
import { matchingRecord } from "./matching-record.ts";

interface Started {
  readonly id: string;
  readonly name: string;
  /** What was done: `data` was sent, or `analysis` was run. */
  readonly by: "data" | "analysis";
  readonly device?: string;
  readonly record?: object;
  readonly analyses?: readonly string[];
}

const columns: readonly Column<Started>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "by" },
  { key: "device", kind: "id" },
  { key: "record", kind: "json" },
  { key: "analyses", kind: "json" },
];

const args = [{ name: "id", summary: "Full id, or a unique name:…, tag:key=value" }] as const satisfies Arguments;

const options = [
  { name: "device", value: "id", summary: "device to send as, if the condition applies to several" },
  {
    name: "value",
    value: "v",
    summary: "value to send (default: one that meets the condition)",
    allowEmpty: true,
  },
  { name: "location", value: "lat,lng", summary: "location to send, for geofence actions" },
  scopeOption,
] as const satisfies Options;

type Given = Input<typeof args, typeof options>;

async function run(ctx: CommandContext, input: Given): Promise<void> {
  const target = await resolveOrPick(ctx, actionFinder, input.args.id);
  const client = await ctx.client();
  const action = await lookUp(ctx, actionFinder, target.id, () => client.actions.info(target.id));
  if (!action.active) {
    throw new CommandError(`Action "${action.name}" is disabled.`, {
      code: "action.inactive",
      exit: 1,
      why: "Only an enabled action can be triggered.",
      next: `Run "iot action enable ${action.id}".`,
    });
  }
  const isAboutData = action.type === "condition" || action.type === "condition_geofence";
  const done = isAboutData ? await sendRecord(ctx, input, action) : await runAnalyses(ctx, input, action);
  if (done === undefined) return;
  await ctx.out.item(done, { columns });
  const how = done.by === "data" ? "Sent data to trigger" : "Ran the analyses of";
  await ctx.done(`${how} action "${action.name}"`);
}

/** Sends the record the action waits for, in the name of its device. Undefined after a dry run. */
async function sendRecord(
  ctx: CommandContext,
  input: Given,
  { id, name, ...action }: ActionInfo,
): Promise<Started | undefined> {
  const { device: ruled, record } = matchingRecord(action, input.options);
  const named = input.options.device;
  const device = named === undefined ? ruled : (await resolveId(ctx, deviceFinder, named)).id;
  if (device === undefined) {
    throw usageError(`Action "${name}" applies to several devices.`, {
      code: "usage.missing_value",
      next: "Choose the device that sends the data: --device name:…",
    });
  }
  if (await ctx.dryRun({ method: "POST", path: "/data", body: [record] })) return undefined;
  await (await deviceWriter(ctx, device)).send([record]);
  return { id, name, by: "data", device, record };
}

/** Runs the analyses of the action. Undefined after a dry run. */
async function runAnalyses(ctx: CommandContext, input: Given, action: ActionInfo): Promise<Started | undefined> {
  const { id, name, action: does } = action;
  if (does.type !== "script") {
    throw new CommandError(`Action "${name}" cannot be triggered manually.`, {
      code: "action.cannot_trigger",
      exit: 1,
      why: `The platform has no API for it; its trigger is: ${triggersText(action)}.`,
      next: "Only actions that are triggered by data or that run analyses can be triggered.",
    });
  }
  const scope = await readScope(ctx, input.options.scope, "--scope");
  const body = { scope: scope ?? [] };
  if (await ctx.dryRun(does.script.map((id) => ({ method: "POST", path: `/analysis/${id}/run`, body }))))
    return undefined;
  const { analysis } = await ctx.client();
  for (const script of does.script) await analysis.run(script, scope);
  return { id, name, by: "analysis", analyses: does.script };
}

export const triggerAction: Command = defineCommand({
  path: ["trigger"],
  result: one(columns),
  effect: "changes",
  summary: "Trigger an action now",
  details:
    "The platform has no API to trigger an action. For an action with a data condition, a record that meets its first " +
    "condition is sent as the device, and stored. For any other action that runs analyses, the analyses are run. The rest " +
    "(a schedule that sends an email, for example) cannot be triggered.",
  args,
  options,
  examples: [
    'iot action trigger "name:Freezer too warm" --dry-run',
    'iot action trigger "name:Truck left the plant"',
    'iot action trigger "name:Report every morning"',
  ],
  exitCodes: [1, 3],
  related: ["iot analysis run", "iot device data send"],
  run,
});
