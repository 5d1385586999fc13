import { ApiError } from "../../../lib/core/errors.ts";
import type { CommandContext } from "../../kit/context.ts";
import type { DeviceWriter } from "../../kit/devices/writer.ts";
import { messageOf } from "../../kit/resource/batch.ts";
import { createProgress } from "../../kit/say/progress.ts";
import { showLimit } from "../../kit/say/waiting.ts";
import type { SampleSource } from "./source.ts";

export interface SimulatedDevice {
  readonly id: string;
  readonly name: string;
  readonly source: SampleSource;
  readonly writer: DeviceWriter;
}

export interface LivePlan {
  /** Milliseconds between two sends of a device. */
  readonly stepMs: number;
  /** Infinite until stopped. */
  readonly forMs: number;
  /** Sends of each device. */
  readonly count: number;
}

/** How it went, in sends, except for the records. */
export interface LiveTally {
  sent: number;
  failed: number;
  /** Left out because the platform did not keep up. */
  skipped: number;
  records: number;
  /** The first one. */
  failure?: unknown;
}

const USUAL_LANES = 50;
/** Sends that are due within this time are started together. */
const GRAIN_MS = 10;
const MINUTE_MS = 60_000;

/** Sends until the time or the number is over, or until Ctrl-C; running requests are finished. */
export async function sendLive(
  ctx: CommandContext,
  devices: readonly SimulatedDevice[],
  plan: LivePlan,
): Promise<LiveTally> {
  const run = new LiveRun(ctx, devices, plan);
  await run.toEnd();
  return run.tally;
}

class LiveRun {
  readonly tally: LiveTally = { sent: 0, failed: 0, skipped: 0, records: 0 };
  readonly #ctx: CommandContext;
  readonly #devices: readonly SimulatedDevice[];
  readonly #plan: LivePlan;
  readonly #running = new Map<SimulatedDevice, Promise<void>>();
  /** A wait for the rate limit, which all sends share. */
  #limit: Promise<void> | undefined;

  constructor(ctx: CommandContext, devices: readonly SimulatedDevice[], plan: LivePlan) {
    this.#ctx = ctx;
    this.#devices = devices;
    this.#plan = plan;
  }

  /** The devices take turns, spread evenly over the time between two sends of one. */
  async toEnd(): Promise<void> {
    const { clock, flags, signal } = this.#ctx;
    const { stepMs, forMs, count } = this.#plan;
    const progress = createProgress(this.#ctx, ["Sending", "records"]);
    const [startMs, startedMs] = [clock.now(), clock.elapsed()];
    const turnMs = stepMs / this.#devices.length;
    const turns = Math.min(count * this.#devices.length, Math.ceil(forMs / turnMs));
    for (let turn = 0; turn < turns && !signal.aborted; turn += 1) {
      const device = this.#devices[turn % this.#devices.length] as SimulatedDevice;
      const dueMs = turn * turnMs;
      const earlyMs = dueMs - (clock.elapsed() - startedMs);
      if (earlyMs > 0) await this.#pause(clock.sleep(Math.max(GRAIN_MS, earlyMs)));
      await this.#pause(this.#limit);
      if (this.#running.size >= (flags.concurrency ?? USUAL_LANES)) await Promise.race(this.#running.values());
      if (signal.aborted) break;
      const records = device.source(Math.round(startMs + dueMs));
      const isLate = clock.elapsed() - startedMs - dueMs > Math.max(stepMs, 1_000);
      if (isLate || this.#running.has(device)) this.tally.skipped += 1;
      else if (records.length > 0) this.#running.set(device, this.#send(device, records));
      progress.at(this.tally.records);
    }
    await Promise.all(this.#running.values());
    progress.end();
  }

  /** Ctrl-C ends a wait; the loop sees it. */
  async #pause(wait: Promise<void> | undefined): Promise<void> {
    try {
      await wait;
    } catch (error) {
      if (!this.#ctx.signal.aborted) throw error;
    }
  }

  async #send(device: SimulatedDevice, records: readonly object[]): Promise<void> {
    try {
      await this.#write(device, records);
      this.tally.sent += 1;
      this.tally.records += records.length;
    } catch (error) {
      this.tally.failed += 1;
      this.tally.failure ??= error;
      if (this.tally.failed <= SHOWN_FAILURES) {
        const more = this.tally.failed === SHOWN_FAILURES ? " (later failures are only counted)" : "";
        this.#ctx.say.warning(`Device "${device.name}": ${messageOf(error)}${more}`);
      }
    } finally {
      this.#running.delete(device);
    }
  }

  async #write(device: SimulatedDevice, records: readonly object[]): Promise<void> {
    for (;;) {
      try {
        await device.writer.send(records);
        return;
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 429 || this.#ctx.signal.aborted) throw error;
        this.#limit ??= this.#waitForLimit(error).finally(() => {
          this.#limit = undefined;
        });
        await this.#limit;
      }
    }
  }

  async #waitForLimit({ retryAfterMs }: ApiError): Promise<void> {
    const waitMs = retryAfterMs ?? MINUTE_MS - (this.#ctx.clock.now() % MINUTE_MS);
    showLimit(this.#ctx, waitMs);
    await this.#ctx.clock.sleep(waitMs);
  }
}

const SHOWN_FAILURES = 3;
