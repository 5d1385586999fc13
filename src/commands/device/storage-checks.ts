import type { Resources } from "../../index.ts";
import { ApiError } from "../../lib/core/errors.ts";
import { MUTABLE_RECORDS } from "../../lib/core/limits.ts";
import { countOf, countText } from "../../text/count.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { type OutgoingRecord, type RecordPlace, recordFailure } from "../kit/devices/record-checks.ts";
import { conflictError } from "../kit/failures/command-error.ts";
import { deviceFinder } from "../kit/finders/device.ts";
import { isNotFound } from "../kit/resource/not-found.ts";
import { lookUp } from "../kit/resource/resolve-id.ts";
import { everything, isWithin, type Storage, spanOf, type TimeSpan } from "./transfer/storage.ts";
import { countUpTo } from "./transfer/stored.ts";

/** A device that records go to, as far as its storage decides what it takes. */
interface Receiver {
  readonly name: string;
  readonly isMutable: boolean;
  readonly span: TimeSpan;
}

/** One whose storage the token may not see: the platform decides. */
const unknownReceiver = (name: string): Receiver => ({ name, isMutable: false, span: everything });

/**
 * What the storage of devices takes: times of immutable storage, room of mutable storage. A device is looked up once.
 * Nothing is checked of hybrid storage: a pattern of the platform decides where its records go.
 */
export class StorageChecks {
  readonly #ctx: CommandContext;
  readonly #client: Resources;
  readonly #timeOf: (value: unknown) => number | undefined;
  readonly #devices = new Map<string, Receiver>();

  private constructor(ctx: CommandContext, client: Resources, timeOf: (value: unknown) => number | undefined) {
    this.#ctx = ctx;
    this.#client = client;
    this.#timeOf = timeOf;
  }

  static async open(ctx: CommandContext, client: Resources): Promise<StorageChecks> {
    const { parseRecordTime } = await import("../../lib/core/record-rules.ts");
    return new StorageChecks(ctx, client, parseRecordTime);
  }

  /** Looks a device up. @throws exit 6 where there is none */
  async add(device: string): Promise<Receiver> {
    const known = this.#devices.get(device);
    if (known !== undefined) return known;
    const { devices } = this.#client;
    const found = await lookUp(this.#ctx, deviceFinder, device, () => devices.info(device)).then(
      (info) => receiverOf(info.name, info as Storage, this.#ctx.clock.now()),
      (error: unknown) => {
        if (error instanceof ApiError && [401, 403].includes(error.status) && !isNotFound(error))
          return unknownReceiver(device);
        throw error;
      },
    );
    this.#devices.set(device, found);
    return found;
  }

  /** @throws a failure that names row and column, for a time that the storage of the device does not take */
  async requireTime(device: string, record: OutgoingRecord, place: RecordPlace): Promise<void> {
    const { span } = this.#devices.get(device) ?? (await this.add(device));
    if (span === everything || record["time"] === undefined) return;
    const ms = this.#timeOf(record["time"]) ?? Number.NaN;
    if (isWithin(span, ms)) return;
    const [from, to] = [span.fromMs, span.toMs].map((end) => new Date(end).toISOString());
    const why = `the immutable storage of the device takes times from ${from} to ${to}; it is ${new Date(ms).toISOString()}.`;
    throw recordFailure(place, "time", why);
  }

  /**
   * Compares what is to be sent with what the devices can still take.
   *
   * @param total an upper limit of the records that one device gets
   * @param pending the records that each device gets; read only where the total may not fit
   * @throws exit 7, naming how many fit
   */
  async requireRoom(total: number, pending: () => Promise<ReadonlyMap<string, number>>): Promise<void> {
    const full: string[] = [];
    let counts: ReadonlyMap<string, number> | undefined;
    for (const [id, { name, isMutable }] of this.#devices) {
      if (!isMutable) continue;
      const held = await countUpTo(this.#client, id, everything);
      const room = Math.max(0, MUTABLE_RECORDS - held);
      if (total <= room) continue;
      counts ??= await pending();
      const wanted = counts.get(id) ?? 0;
      if (wanted > room)
        full.push(`${quote(name)} has ${countOf(held, "record")}, so ${countText(room)} of ${countText(wanted)} fit`);
    }
    if (full.length > 0) throw noRoom(full);
  }
}

/** Checks records of one device that are held at once; those of the file are the last `rows`. */
export async function requireStorage(
  ctx: CommandContext,
  client: Resources,
  device: string,
  records: readonly OutgoingRecord[],
  { place, rows }: { readonly place: string; readonly rows: number },
): Promise<void> {
  const checks = await StorageChecks.open(ctx, client);
  await checks.add(device);
  for (const [at, record] of records.slice(-rows).entries())
    await checks.requireTime(device, record, { row: at + 1, place });
  await checks.requireRoom(records.length, async () => new Map([[device, records.length]]));
}

function receiverOf(name: string, storage: Storage, nowMs: number): Receiver {
  const span = spanOf(storage, nowMs);
  return { name, isMutable: ["mutable", "legacy"].includes(storage.type), span };
}

const SHOWN = 5;

function noRoom(full: readonly string[]): Error {
  const more = full.length > SHOWN ? `; and ${countOf(full.length - SHOWN, "more device", "more devices")}` : "";
  return conflictError(
    full.length === 1
      ? "The records do not fit into the device."
      : `The records do not fit into ${full.length} devices.`,
    {
      code: "device.full",
      why: `Mutable storage holds ${countText(MUTABLE_RECORDS)} records per device. ${full.slice(0, SHOWN).join("; ")}${more}.`,
      next: `${ROOM_ADVICE} Nothing was sent.`,
    },
  );
}

const ROOM_ADVICE =
  'Send fewer records, delete old ones ("iot device data delete --to 2026-01-01 --all"), or convert the device to immutable storage ("iot device convert").';

/** Converts the platform's error for records sent to a full mutable device to the words of the check. */
export function asFull(error: unknown, device: string): Error | undefined {
  if (!(error instanceof ApiError) || !/limit of \d+ data registers/i.test(error.message)) return undefined;
  return conflictError(`Device ${device} is full.`, {
    code: "device.full",
    why: `The platform returned ${error.status}: "${error.message}".`,
    next: ROOM_ADVICE,
  });
}
