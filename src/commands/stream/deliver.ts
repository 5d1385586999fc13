import { appendFileSync } from "node:fs";
import { countOf } from "../../text/count.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError } from "../kit/failures/command-error.ts";
import { networkReason } from "../kit/failures/network-reason.ts";
import { onFile } from "../kit/files/files.ts";
import { afterMs } from "../kit/long-wait.ts";
import { redact } from "../kit/say/redact.ts";
import { digest } from "../kit/state/digest.ts";
import type { StreamCursor } from "../kit/streams/entry.ts";
import type { Arrival } from "../kit/streams/follow.ts";
import { deviceOf, type StreamRecord } from "../kit/streams/records.ts";
import type { Ack, RecordSink, SinkRecord } from "./sinks/sink.ts";

/** Records that may be on the way to the engine, and as many that wait for their turn. */
const WINDOW = 1_000;
const SAVE_MS = 1_000;
const FIRST_WAIT_MS = 500;
const MOST_WAIT_MS = 30_000;
/** How long the end of the command waits for an engine that is away. */
const END_MS = 15_000;
/** How long a stop waits for the acknowledgement of what was sent. */
const LAST_MS = 2_000;

interface Item extends SinkRecord {
  readonly cursor?: StreamCursor | undefined;
}

export interface Delivery {
  readonly sink: RecordSink;
  /** Address of the engine. */
  readonly to: string;
  /** File for records that the engine rejects, as given; without one the first of them ends the command. */
  readonly deadLetter: string | undefined;
  /** Ends what arrives. */
  close(): void;
  /** Stores how far the records were delivered. */
  save(cursor: StreamCursor): void;
}

/** Sends what arrives to an engine, in its order, and says at the end how much that was. */
export async function deliver(
  ctx: CommandContext,
  arrivals: AsyncIterable<Arrival>,
  delivery: Delivery,
): Promise<void> {
  const lane = new DeliveryLane(ctx, delivery);
  try {
    for await (const arrival of arrivals) await lane.add(arrival);
    await lane.finish();
  } finally {
    await lane.stop();
    ctx.say.info(lane.summary());
  }
}

/** Records on their way: one batch is with the engine while the next one gathers. */
class DeliveryLane {
  readonly #ctx: CommandContext;
  readonly #delivery: Delivery;
  #waiting: Item[] = [];
  #running: Promise<void> | undefined;
  #failure: { readonly cause: unknown } | undefined;
  #cursor: StreamCursor | undefined;
  #ids: readonly string[] = [];
  #savedMs: number;
  #endMs = Number.POSITIVE_INFINITY;
  #isStopped = false;
  #delivered = 0;
  #rejected = 0;
  #isAway = false;
  #tellTaken: () => void = () => undefined;

  constructor(ctx: CommandContext, delivery: Delivery) {
    this.#ctx = ctx;
    this.#delivery = delivery;
    this.#savedMs = ctx.clock.elapsed();
  }

  /** Takes the records of an event. Waits while as many are waiting as may. */
  async add({ entry, records }: Arrival): Promise<void> {
    const items = records.map((record): Item => itemOf(record));
    const last = items.pop();
    if (last !== undefined) items.push({ ...last, cursor: entry.cursor });
    this.#waiting.push(...items);
    if (this.#failure === undefined) this.#running ??= this.#run();
    while (this.#waiting.length >= WINDOW && this.#running !== undefined) {
      await new Promise<void>((resolve) => {
        this.#tellTaken = resolve;
      });
    }
  }

  /** Waits for what was added. */
  async finish(): Promise<void> {
    this.#endMs = this.#ctx.clock.elapsed() + END_MS;
    await this.#running;
    if (this.#failure !== undefined) throw this.#failure.cause;
  }

  /** What the engine has acknowledged is noted; the rest comes again with the next run. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const { sink, save } = this.#delivery;
    // A batch that the engine is about to acknowledge need not come again.
    await new Promise<void>((resolve) => {
      const cancel = afterMs(LAST_MS, resolve);
      void Promise.resolve(this.#running).then(() => {
        cancel();
        resolve();
      });
    });
    await sink.close();
    if (this.#cursor !== undefined) save({ ...this.#cursor, ids: this.#ids });
  }

  summary(): string {
    const rejected = this.#rejected > 0 ? `; ${this.#rejected} rejected, in ${this.#delivery.deadLetter}` : "";
    return `${countOf(this.#delivered, "record")} delivered to ${this.#delivery.to}${rejected}.`;
  }

  async #run(): Promise<void> {
    try {
      while (this.#waiting.length > 0 && !this.#isStopped) {
        const batch = this.#waiting.splice(0, WINDOW);
        this.#tellTaken();
        await this.#deliver(batch);
      }
    } catch (error) {
      this.#failure = { cause: error };
      this.#delivery.close();
    } finally {
      this.#running = undefined;
      this.#tellTaken();
    }
  }

  /** Sends a batch until the engine has acknowledged or rejected each of its records. */
  async #deliver(batch: readonly Item[]): Promise<void> {
    let left = batch;
    for (let failures = 0; ; ) {
      const acks = await this.#acks(left);
      const open = left.filter((item, at) => !this.#isSettled(item, acks[at]));
      failures = open.length < left.length ? 1 : failures + 1;
      left = open;
      if (left.length === 0) break;
      await this.#wait(failures, acks);
    }
    if (this.#isAway) this.#ctx.say.info(`${this.#delivery.to} acknowledges again.`);
    this.#isAway = false;
    this.#note(batch);
  }

  async #acks(items: readonly Item[]): Promise<readonly Ack[]> {
    try {
      return await this.#delivery.sink.send(items);
    } catch (unknown) {
      if (unknown instanceof CommandError || this.#ctx.signal.aborted) throw unknown;
      return items.map(() => ({ unknown }));
    }
  }

  #isSettled(item: Item, ack: Ack | undefined): boolean {
    if (ack === undefined || (ack !== "stored" && "unknown" in ack)) return false;
    if (ack === "stored") this.#delivered += 1;
    else this.#reject(item, ack.rejected);
    return true;
  }

  #reject({ id, body }: Item, reason: string): void {
    const { deadLetter, to } = this.#delivery;
    if (deadLetter === undefined) {
      throw new CommandError(`${to} rejects the record ${id}.`, {
        code: "sink.record_rejected",
        exit: 3,
        why: reason,
        next: "Add --dead-letter FILE: rejected records are written there, and the others are delivered.",
      });
    }
    const line = { at: new Date(this.#ctx.clock.now()).toISOString(), to, reason: redact(reason), id, body };
    onFile(deadLetter, () =>
      appendFileSync(this.#ctx.path(deadLetter), `${JSON.stringify(line)}\n`, { mode: 0o600, flush: true }),
    );
    this.#rejected += 1;
    if (this.#rejected === 1) this.#ctx.say.warning(`${to} rejects a record (${reason}); it is in ${deadLetter}.`);
  }

  async #wait(failures: number, acks: readonly Ack[]): Promise<void> {
    const [cause] = acks.flatMap((ack) => (ack !== "stored" && "unknown" in ack ? [ack.unknown] : []));
    if (this.#isStopped) throw cause;
    if (this.#ctx.clock.elapsed() >= this.#endMs) throw unacknowledged(this.#delivery.to, this.#waiting.length, cause);
    if (failures > 1 && !this.#isAway) {
      const reason = redact(reasonOf(cause));
      this.#ctx.say.warning(`${this.#delivery.to} does not acknowledge (${reason}); records wait for it.`);
      this.#isAway = true;
    }
    const { reconnectDelayMs } = await import("../../lib/realtime/timing.ts");
    await this.#ctx.clock.sleep(reconnectDelayMs(FIRST_WAIT_MS, failures, MOST_WAIT_MS));
  }

  #note(batch: readonly Item[]): void {
    this.#cursor = batch.findLast(({ cursor }) => cursor !== undefined)?.cursor ?? this.#cursor;
    this.#ids = [...this.#ids, ...batch.map(({ id }) => id)].slice(-WINDOW);
    const nowMs = this.#ctx.clock.elapsed();
    if (this.#cursor === undefined || nowMs - this.#savedMs < SAVE_MS) return;
    this.#delivery.save({ ...this.#cursor, ids: this.#ids });
    this.#savedMs = nowMs;
  }
}

const reasonOf = (cause: unknown): string =>
  cause instanceof Error && !("code" in cause) ? cause.message : networkReason(cause);

function unacknowledged(to: string, waiting: number, cause: unknown): CommandError {
  return new CommandError(`${to} did not acknowledge all records.`, {
    code: "sink.unreachable",
    exit: 10,
    why: `${reasonOf(cause)}; at least ${countOf(waiting + 1, "record")} had to be left.`,
    next: "Run the command again once it runs: it continues with them.",
    cause,
  });
}

/** As the lines of `device watch`: the record with its device, or the event of another channel. */
function itemOf(found: StreamRecord): SinkRecord {
  const { channel, resource, record } = found;
  const isData = channel === "device_data";
  const content = isData ? { device: deviceOf(found), ...record } : { channel, resource, ...record };
  const id = record["id"];
  return { id: typeof id === "string" ? id : digest([content]).slice(0, 24), body: JSON.stringify(content) };
}
