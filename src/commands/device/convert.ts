import { existsSync } from "node:fs";
import type { DeviceInfo } from "../../index.ts";
import { countOf } from "../../text/count.ts";
import { batchClient } from "../kit/client/batch-client.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext, PlannedRequest } from "../kit/context.ts";
import { announceTransfer } from "../kit/devices/cost.ts";
import { conflictError, usageError } from "../kit/failures/command-error.ts";
import { deviceFinder } from "../kit/finders/device.ts";
import { lookUp } from "../kit/resource/resolve-id.ts";
import { olderRun, unfinishedRun, withJournal } from "../kit/state/journal.ts";
import { statePath } from "../kit/state/notes.ts";
import { namedDevice, namedDeviceArgument } from "./place.ts";
import { Conversion, convertedColumns } from "./transfer/conversion.ts";
import { type ConversionPlan, PLAN, plannedIn } from "./transfer/conversion-plan.ts";
import { countKept } from "./transfer/copy-records.ts";
import { type Storage, spanOf, storageFrom, storageOptions } from "./transfer/storage.ts";
import { watchingActions } from "./transfer/watching-actions.ts";

const args = [namedDeviceArgument] as const;

const options = [
  ...storageOptions,
  { name: "allow-actions", summary: "convert although active actions may fire again for the records" },
  { name: "resume", summary: "continue an interrupted conversion", conflicts: ["undo"] },
  { name: "undo", summary: "undo an interrupted conversion" },
] as const satisfies Options;

type Given = Input<typeof args, typeof options>;

export const convertDevice = defineCommand({
  path: ["convert"],
  result: rows(convertedColumns),
  effect: "deletes",
  summary: "Convert a device to another storage type",
  details:
    "The device keeps its id, tokens and settings. It is deactivated, its records are saved to a file on this machine and " +
    "compared by count, then deleted; the device is converted and activated, the records are written back and compared. Until " +
    "it is active again the platform rejects its data. Records that immutable storage does not take are left out and " +
    "saved to a second file. --resume continues an interrupted conversion; --undo goes back as long as no record was " +
    "written back. Afterwards, converting again is the way back. See docs/device-storage.md.",
  args,
  options,
  groups: ["confirm", "dryRun"],
  examples: [
    'iot device convert "name:Plant settings" --type immutable --period month --retention 12 --confirm "Plant settings"',
    'iot device convert "name:Water meter" --type mutable --dry-run',
  ],
  exitCodes: [7, 9, 11],
  related: ["iot device copy", "iot device data export", "iot action disable"],
  run: convert,
});

async function convert(ctx: CommandContext, input: Given): Promise<void> {
  const { id } = await namedDevice(ctx, input);
  const client = await batchClient(ctx);
  const info = await lookUp(ctx, deviceFinder, id, () => client.devices.info(id));
  const { resume: isResumed, undo: isUndone } = input.options;
  const { api } = await ctx.target();
  const key = ["device convert", api, id];
  const what = `conversion of device "${info.name}"`;
  refuseOlder(ctx, key, what);
  const goesOn = isResumed || isUndone;
  // Looked at before the journal is opened: a run from the beginning drops it.
  if (!goesOn && plannedIn(unfinishedRun(ctx.env, key)) !== undefined) throw interrupted(info);
  const run = { key, content: undefined, what, isResumed: goesOn, isBegun: goesOn };
  await withJournal(ctx, input, run, async (journal) => {
    const noted = plannedIn(journal);
    if (goesOn && noted === undefined) throw nothingBegun(info);
    const plan = noted ?? (await begin(ctx, input, info, key));
    if (plan === undefined) return;
    if (noted === undefined) journal.add(PLAN, JSON.stringify(plan));
    const conversion = new Conversion(ctx, { client, info, journal }, plan);
    if (isUndone) await conversion.undo();
    else await conversion.toEnd();
  });
}

/** The records of a device may be in a file of such a run, and the device empty. */
function refuseOlder(ctx: CommandContext, key: readonly string[], what: string): void {
  const path = statePath(ctx.env, "device-conversions", key);
  if (existsSync(path))
    throw olderRun(what, `Finish it with that version (--resume or --undo); its notes are in ${path}.`);
}

/** Plans a conversion, and asks. Nothing where nothing is to be done. */
async function begin(
  ctx: CommandContext,
  input: Given,
  info: DeviceInfo,
  key: readonly string[],
): Promise<ConversionPlan | undefined> {
  const { id, name, active, payload_decoder: parser } = info;
  const target = storageFrom(input, info);
  if (target.type === info.type && target.chunk_period === (info.chunk_period ?? undefined)) {
    if (target.chunk_retention === (info.chunk_retention ?? undefined)) {
      const empty = `Device "${name}" is ${storageText(target)} already; nothing to do.`;
      await ctx.out.list([], { columns: convertedColumns, empty });
      return undefined;
    }
    throw usageError("The retention alone needs no conversion.", {
      next: `Run "iot api PUT /device/${id} --field chunk_retention=${target.chunk_retention}".`,
    });
  }
  const client = await batchClient(ctx);
  const kept = await countKept(ctx, client, info, target, spanOf(target, ctx.clock.now()));
  if (await ctx.dryRun(requestsOf(info, target, kept))) return undefined;
  await checkActions(ctx, input, info, kept);
  await announceTransfer(ctx, client, kept, 2);
  const data = kept === 0 ? "" : `, and save, delete and write back ${countOf(kept, "record")},`;
  const action = `Convert device "${name}" from ${info.type} to ${storageText(target)}${data}`;
  await ctx.confirm({ level: 2, action, name });
  const { type, chunk_period, chunk_retention } = info;
  const chunks = chunk_period ? { chunk_period, chunk_retention: chunk_retention ?? 0 } : {};
  // The older type cannot be had again; it stores as mutable does.
  const before = { type: type === "legacy" ? "mutable" : type, ...chunks } as const;
  const stamp = new Date(ctx.clock.now()).toISOString().replace(/\D/g, "").slice(0, 14);
  const file = statePath(ctx.env, "device-conversions", key).replace(/\.json$/, `-${stamp}.ndjson`);
  return { before, target, active, parser, file };
}

const storageText = ({ type, chunk_period: period, chunk_retention: kept }: Storage): string =>
  type === "immutable" ? `immutable (${period}, ${kept})` : type;

function requestsOf(
  { id, active, payload_decoder: parser }: DeviceInfo,
  target: Storage,
  records: number,
): PlannedRequest[] {
  const path = `/device/${id}`;
  return [
    { method: "PUT", path, body: { active: false } },
    { method: "POST", path: `${path}/empty` },
    { method: "POST", path: `${path}/convert`, body: target },
    { method: "PUT", path, body: { active: true, payload_decoder: null } },
    { method: "POST", path: "/data", body: { records } },
    { method: "PUT", path, body: { active, payload_decoder: parser } },
  ];
}

/** Records that are written back are new to the platform, so actions look at them again. */
async function checkActions(ctx: CommandContext, input: Given, info: DeviceInfo, records: number): Promise<void> {
  if (records === 0 || input.options.allowActions) return;
  const actions = await watchingActions(await ctx.client(), info);
  if (actions.length === 0) return;
  throw conflictError(
    `${countOf(actions.length, "active action")} would fire again for the records of "${info.name}".`,
    {
      why: `${actions
        .map(({ id, name }) => `${id} ${name}`)
        .slice(0, 10)
        .join("; ")}.`,
      next: `Disable them first: "iot action disable ${actions[0]?.id}"; or add --allow-actions.`,
    },
  );
}

const nothingBegun = ({ name }: DeviceInfo): Error =>
  usageError(`No interrupted conversion of device "${name}" to continue.`, {
    code: "resume.nothing",
    next: "Leave out --resume and --undo to start one.",
  });

const interrupted = ({ name }: DeviceInfo): Error =>
  conflictError(`A conversion of device "${name}" was interrupted.`, {
    next: "Continue it with --resume, or go back with --undo.",
  });
