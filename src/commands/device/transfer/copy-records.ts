import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import type { DeviceCreateInfo, DeviceInfo, Resources } from "../../../index.ts";
import { MUTABLE_RECORDS } from "../../../lib/core/limits.ts";
import { makeFolder } from "../../../lib/core/make-folder.ts";
import { countOf, countText } from "../../../text/count.ts";
import { batchClient } from "../../kit/client/batch-client.ts";
import type { Column } from "../../kit/command/columns.ts";
import type { CommandInput } from "../../kit/command/define.ts";
import type { CommandContext } from "../../kit/context.ts";
import { announceTransfer, BILLING_NOTICE } from "../../kit/devices/cost.ts";
import { CommandError, conflictError } from "../../kit/failures/command-error.ts";
import type { JobNotes } from "../../kit/jobs/job.ts";
import { doneRow } from "../../kit/jobs/run-items.ts";
import { runSteps } from "../../kit/jobs/run-steps.ts";
import { resourceRoutes } from "../../kit/resource/routes.ts";
import { withJournal } from "../../kit/state/journal.ts";
import { statePath } from "../../kit/state/notes.ts";
import { sendStored } from "./send-stored.ts";
import { type Storage, spanOf, type TimeSpan } from "./storage.ts";
import { countUpTo, type Stored, storeRecords, sumOfDevice, sumOfFile } from "./stored.ts";

/** A device that was made, or converted. */
export interface CopiedRow {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly records?: number;
  /** Records that the storage does not take. */
  readonly left_out?: number;
}

export const copiedColumns: readonly Column<CopiedRow>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "type" },
  { key: "records", kind: "number" },
  { key: "left_out", kind: "number" },
];

/** The body of a new device. */
export type NewDevice = DeviceCreateInfo & Pick<DeviceInfo, "active" | "tags">;

interface CopyInput extends CommandInput {
  readonly options: { readonly verify: boolean; readonly resume: boolean; readonly again: boolean };
}

interface CopyPlan {
  readonly info: DeviceInfo;
  readonly body: NewDevice;
  readonly storage: Storage;
}

/** Creates the device under a working name, fills it, and sets its name, tags, parser and state last. */
export async function copyRecords(
  ctx: CommandContext,
  to: CommandContext,
  input: CopyInput,
  { info, body, storage }: CopyPlan,
): Promise<void> {
  const client = await batchClient(ctx);
  const span = spanOf(storage, ctx.clock.now());
  const kept = await countKept(ctx, client, info, storage, span);
  const { name, tags, active, payload_decoder: parser, ...rest } = body;
  const held = { name, tags, active, ...(parser === undefined ? {} : { payload_decoder: parser }) };
  const first = { ...rest, active: true };
  if (ctx.flags.dryRun) {
    const path = "/device/{new id}";
    await to.dryRun({
      method: "POST",
      path: resourceRoutes.device,
      body: { ...first, name: working(name ?? "", "0") },
    });
    await to.dryRun({ method: "POST", path: "/data", body: { records: kept } });
    await to.dryRun({ method: "PUT", path, body: held });
    return;
  }
  const verifies = input.options.verify;
  const key = ["device copy", (await ctx.target()).api, info.id, (await to.target()).api, to.flags.env ?? "", name];
  const what = `copy of device "${info.name}"`;
  const repeats = `Start another ${what}; the interrupted one stays incomplete (--resume continues it instead)`;
  await withJournal(ctx, input, { key, content: undefined, what, repeats }, async (journal) => {
    if (!journal.isBegun) {
      await announceTransfer(ctx, client, kept, verifies ? 2 : 1);
      if (kept > BILLING_NOTICE)
        await ctx.confirm({ level: 1, action: `Copy about ${countText(kept)} billed records`, name: "copy" });
      journal.add("mark", randomBytes(3).toString("hex"));
    }
    const file = `${statePath(ctx.env, "device-copies", [...key, journal.mark("mark") ?? ""])}.ndjson`;
    makeFolder(dirname(file), 0o700);
    const work = async () => {
      await runSteps(ctx, journal, {
        stored: (notes) => storeRecords(ctx, client, info, file, notes),
        device: (notes) => makeDevice(to, { ...first, name: working(name, journal.mark("mark") ?? "") }, notes),
      });
      const stored = doneRow<Stored>(journal, "stored") ?? { records: 0, toMs: 0 };
      const { id = "" } = doneRow<{ readonly id?: string }>(journal, "device") ?? {};
      return { stored, id, sent: await sendStored(to, { device: id, span, total: kept }, file, journal) };
    };
    const { stored, id, sent } = await work().catch((error: unknown) => {
      ctx.say.warning("Interrupted; run the same command with --resume to continue.");
      throw error;
    });
    const there = await batchClient(to);
    await there.devices.edit(id, held);
    const isSame = await isCopied(to, there, id, { span, stored, sent, ...(verifies && { file }) });
    journal.finish();
    rmSync(file, { force: true });
    const row = { id, name, type: storage.type, records: sent, left_out: stored.records - sent };
    await to.out.list([row], { columns: copiedColumns, empty: "Nothing was copied." });
    await to.done(`Copied device "${info.name}" with ${countOf(sent, "record")} as "${name}"`);
    if (!isSame) throw differs(id);
  });
}

const working = (name: string, mark: string): string => `${name.slice(0, 70)} (incomplete ${mark})`;

/** How many of the records the storage takes. @throws exit 7 when these are more than it holds */
export async function countKept(
  ctx: CommandContext,
  client: Resources,
  { id, name }: Pick<DeviceInfo, "id" | "name">,
  { type }: Storage,
  span: TimeSpan,
): Promise<number> {
  const total = await countUpTo(client, id, { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY });
  const kept = Number.isFinite(span.fromMs) ? await countUpTo(client, id, span) : total;
  if (type === "mutable" && kept > MUTABLE_RECORDS) {
    throw conflictError(
      `Device "${name}" has ${countOf(kept, "record")}; mutable storage holds ${countText(MUTABLE_RECORDS)}.`,
      {
        next: `Export them with "iot device data export ${id}" and import the part that is needed.`,
      },
    );
  }
  if (kept < total) {
    const from = new Date(span.fromMs).toISOString();
    ctx.say.warning(
      `${countOf(total - kept, "record")} will be left out: this immutable storage takes times from ${from} to ${new Date(span.toMs).toISOString()}.`,
    );
  }
  return kept;
}

/** An interrupted run may have created the device without a response: its working name shows it. */
async function makeDevice(to: CommandContext, body: DeviceCreateInfo, notes: JobNotes): Promise<{ id: string }> {
  const { devices } = await batchClient(to);
  const query = { filter: { name: body.name }, fields: ["id", "name"] as ["id", "name"], amount: 10 };
  const found = notes.of("begun") === undefined ? [] : await devices.list(query);
  await notes.add("begun", "");
  return { id: found.find(({ name }) => name === body.name)?.id ?? (await devices.create(body)).device_id };
}

/** Compares the counts, and with a file what the records say. */
export async function isCopied(
  ctx: CommandContext,
  client: Resources,
  id: string,
  { span, stored, sent, file }: { span: TimeSpan; stored: Stored; sent: number; file?: string },
): Promise<boolean> {
  const range = { fromMs: span.fromMs, toMs: Math.min(span.toMs, stored.toMs) };
  const there = await countUpTo(client, id, range);
  if (there !== sent) {
    ctx.say.warning(`The device has ${countOf(there, "record")} in the range; ${countText(sent)} were sent.`);
    return false;
  }
  if (file === undefined) return true;
  const [wanted, found] = [await sumOfFile(ctx, file, range), await sumOfDevice(ctx, client, id, range)];
  if (wanted.text === found.text)
    ctx.say.info(`Verified: ${countOf(found.records, "record")} are the same on both sides.`);
  else ctx.say.warning("The records of the device do not say the same as those that were sent.");
  return wanted.text === found.text;
}

export const differs = (id: string): Error =>
  new CommandError("The records do not match those of the original.", {
    code: "copy.differs",
    exit: 11,
    why: "Records arrived or were deleted in the meantime, or the connector's parser changed them.",
    next: `Compare them with "iot device data count ${id}" and "iot device data list ${id}".`,
  });
