import { MAX_DATA_STREAM_QTY } from "../../lib/core/limits.ts";
import { countOf, countText } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { one, type ResultSpec } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import type { DataSelection } from "../kit/devices/data-read.ts";
import { stoppedError, usageError } from "../kit/failures/command-error.ts";
import { partialError } from "../kit/jobs/ending.ts";
import { messageOf } from "../kit/resource/batch.ts";
import { countLeft, warnLeft } from "../kit/resource/left.ts";
import { isNarrowed, selectionFrom, selectionOptions } from "./data-query.ts";

/** What a deletion of records prints. */
export interface DeletedRecords {
  /** Id of the device. */
  readonly device: string;
  readonly deleted: number;
  /** Records that match and are still there, counted after the deletion; null where they could not be counted. */
  readonly remaining: number | null;
}

const columns: readonly Column<DeletedRecords>[] = [
  { key: "device", kind: "id" },
  { key: "deleted", kind: "number" },
  { key: "remaining", kind: "number", schema: { type: ["integer", "null"], minimum: 0 } },
];

export const deletedRecords: ResultSpec = one(columns);

export const printDeleted = (ctx: CommandContext, row: DeletedRecords): Promise<void> =>
  ctx.out.item(row, { columns, idKey: "device" });

/** Records per variable of a deletion without `--limit` and `--all`. */
const USUAL_LIMIT = 15;

export const deleteOptions = [
  ...selectionOptions,
  {
    name: "limit",
    kind: "integer",
    summary: `at most this many records per variable (15; at most ${countText(MAX_DATA_STREAM_QTY)})`,
  },
  { name: "all", summary: "delete every matching record", conflicts: ["limit"] },
] as const satisfies Options;

export const deleteDetails =
  "Deletes the newest matching records, 15 per variable unless --limit or --all is set, and counts those that still match. " +
  "Only mutable storage supports this.";

/** A device whose records go, with the token that deletes them. */
export interface DeletingDevice {
  /** Of the request, for `--dry-run`. */
  readonly path: string;
  about(): Promise<{ readonly id: string; readonly name: string }>;
  count(selection: DataSelection): Promise<number>;
  /** Resolves to the platform's response: `15 Data Removed`. */
  remove(query: object): Promise<unknown>;
}

/** Deletes the records that the flags select, and says how many of them are left. */
export async function deleteRecords(
  ctx: CommandContext,
  input: Input<[], typeof deleteOptions>,
  open: () => Promise<DeletingDevice>,
): Promise<void> {
  const selection = selectionFrom(ctx, input);
  if (!isNarrowed(selection)) {
    throw usageError("No records selected.", {
      next: 'Add --variable, --group, --id, --from or --last; "iot device data empty" deletes all records.',
    });
  }
  const { all: isAll, limit: given } = input.options;
  const limit = isAll
    ? MAX_DATA_STREAM_QTY
    : Math.min(given ?? selection.ids?.length ?? USUAL_LIMIT, MAX_DATA_STREAM_QTY);
  const query = { ...selection, qty: limit };
  const device = await open();
  if (await ctx.dryRun({ method: "DELETE", path: device.path, body: query })) return;
  const { id, name } = await device.about();
  const matching = await device.count(selection);
  if (matching === 0) {
    await printDeleted(ctx, { device: id, deleted: 0, remaining: 0 });
    ctx.say.info(`No records of device "${name}" match; nothing was deleted.`);
    return;
  }
  const isOne = selection.ids?.length === 1;
  await ctx.confirm({
    level: isOne ? 1 : 2,
    action: `Delete ${isOne ? "1 record" : `${amountOf(isAll, limit, matching, selection)} matching records`} of device "${name}"`,
    name,
  });
  const { deleted, failure } = await remove(ctx, device, query, isAll ? matching : undefined);
  const remaining = await countLeft(ctx, "records", () => device.count(selection));
  await printDeleted(ctx, { device: id, deleted, remaining });
  await ctx.done(
    `Deleted ${countOf(deleted, "record")} of device "${name}"${remaining === null ? "" : stillThere(remaining)}`,
  );
  if (failure !== undefined) throw partlyDeleted(deleted, failure.cause);
  if (remaining === null || remaining === 0) return;
  if (isAll && ctx.signal.aborted) throw stoppedError("Stopped.", `${countOf(remaining, "record")} still match.`);
  if (isAll) warnLeft(ctx, remaining, "matching record", "iot device data count");
  else if (given === undefined && selection.ids === undefined) {
    ctx.say.warning(
      `Without --limit or --all, ${USUAL_LIMIT} records per variable are deleted. Add --all to delete the ${countText(remaining)} that still match, or --limit N.`,
    );
  } else ctx.say.hint(`Add --all to delete the ${countText(remaining)} that still match.`);
}

const stillThere = (remaining: number): string =>
  remaining === 0 ? "" : `; ${countText(remaining)} still ${remaining === 1 ? "matches" : "match"}`;

/** How many are about to go; with several variables the platform takes the limit for each. */
function amountOf(isAll: boolean, limit: number, matching: number, { variables = [], ids }: DataSelection): string {
  if (isAll) return `all ${countText(matching)}`;
  const isPerVariable = variables.length !== 1 && ids === undefined;
  const most = isPerVariable ? limit : Math.min(limit, matching);
  return `up to ${countText(most)}${isPerVariable ? " per variable" : ""} of ${countText(matching)}`;
}

/**
 * One request, or as many as it takes to delete `all` records. Failures after the first one are returned, not thrown.
 */
async function remove(
  ctx: CommandContext,
  device: DeletingDevice,
  query: object,
  all: number | undefined,
): Promise<{ readonly deleted: number; readonly failure?: { readonly cause: unknown } }> {
  let deleted = 0;
  do {
    try {
      const count = Number.parseInt(String(await device.remove(query)), 10) || 0;
      if (count === 0) break;
      deleted += count;
    } catch (cause) {
      if (deleted === 0) throw cause;
      return { deleted, failure: { cause } };
    }
  } while (all !== undefined && deleted < all && !ctx.signal.aborted);
  return { deleted };
}

const partlyDeleted = (deleted: number, cause: unknown): Error =>
  partialError(`The deletion stopped after ${countOf(deleted, "record")}.`, {
    why: messageOf(cause),
    next: "Run the same command again for the rest.",
    cause,
  });
