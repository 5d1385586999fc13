import { countOf, countText } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Arguments, Input, Options } from "../kit/command/options.ts";
import { one } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { announceWriting } from "../kit/devices/cost.ts";
import { type FleetDevice, fleetOf, taggedOption } from "../kit/devices/fleet.ts";
import { deviceWriter } from "../kit/devices/writer.ts";
import { CommandError, usageError } from "../kit/failures/command-error.ts";
import { partialError } from "../kit/jobs/ending.ts";
import { mapLanes } from "../kit/lanes.ts";
import { messageOf } from "../kit/resource/batch.ts";
import { createProgress } from "../kit/say/progress.ts";
import { resumeOptions, withJournal } from "../kit/state/journal.ts";
import { tipWriter } from "../kit/tip/writer.ts";
import { samplesOf, sendHistory } from "./simulation/backfill.ts";
import { type LiveTally, type SimulatedDevice, sendLive } from "./simulation/live.ts";
import { type Content, fileOfForm, isForm, readContent, sourceOf } from "./simulation/source.ts";

interface Summary extends Omit<LiveTally, "failure"> {
  readonly devices: number;
  /** Records of `--backfill`. */
  readonly backfilled: number;
  readonly seed: number;
}

const columns: readonly Column<Summary>[] = [
  { key: "devices", kind: "number" },
  { key: "sent", kind: "number" },
  { key: "failed", kind: "number" },
  { key: "skipped", kind: "number" },
  { key: "records", kind: "number" },
  { key: "backfilled", kind: "number" },
  { key: "seed", kind: "number" },
];

const args = [
  {
    name: "id",
    file: fileOfForm,
    summary: "devices (full ids, or unique name:…, tag:key=value, serial:…), then variable=form",
    variadic: true,
  },
] as const satisfies Arguments;

const options = [
  taggedOption,
  { name: "rate", kind: "rate", summary: "sends of each device per s, m, h or d: 6/m", default: "1/s" },
  { name: "for", kind: "duration", summary: "stop after this time" },
  {
    name: "count",
    kind: "integer",
    least: 0,
    summary: "stop after this many sends of each device; 0 writes --backfill alone",
  },
  { name: "backfill", kind: "duration", summary: "write this much history first, at the --rate" },
  { name: "seed", kind: "integer", least: 0, summary: "number that repeats the random values of an earlier run" },
  {
    name: "over",
    value: "tip[:transport]",
    summary: "send by TagoTiP, over http or tip:udp, tip:tcp, tip:mqtt, instead of the API",
    conflicts: { flags: ["backfill"], why: "History is written by the API." },
  },
  ...resumeOptions,
] as const satisfies Options;

type Given = Input<typeof args, typeof options>;

export const simulateDevices = defineCommand({
  path: ["simulate"],
  result: one(columns),
  effect: "changes",
  summary: "Simulate devices: send data as they do, until stopped",
  details:
    "Each device sends all variables at the --rate. A form is a constant, sine(mean,amplitude,period), noise(deviation), " +
    "walk(start,step,min,max), step(value,value,...,every), toggle(every), or a sum of them with +. A unit stands in brackets " +
    "after the variable. temperature=file:day.csv sends the values of a column; file:records.csv alone replays records at " +
    "the distances of their times. --backfill writes history up to now first. See docs/simulate.md.",
  args,
  options,
  groups: ["confirm", "dryRun"],
  examples: [
    'iot device simulate "name:Freezer 1" "temperature[°C]=sine(-18,2,1h)+noise(0.3)" "door=toggle(10m)" --count 2',
    'iot device simulate "name:Freezer 1" "temperature=walk(-18,0.2,-22,-14)" --backfill 1d --rate 4/h --count 0',
    'iot device simulate serial:sensor-01 "temperature=noise(0.3)" --over tip --count 1',
    'iot device simulate --tag device_type=freezer "state=step(idle,running,30m)" file:examples/data/records.csv --dry-run',
  ],
  exitCodes: [3, 8, 9],
  related: ["iot device watch", "iot device data send", "iot device data import"],
  run: simulate,
});

async function simulate(ctx: CommandContext, input: Given): Promise<number> {
  const plan = planOf(input);
  const words = input.args.id;
  const content = await readContent(ctx, words.filter(isForm), plan.stepMs);
  const named = words.filter((word) => !isForm(word));
  const { tag } = input.options;
  if (tag.length > 0 && named.length > 0)
    throw usageError("Devices and --tag cannot be used together.", { next: "Use one of them." });
  const fleet = await fleetOf(ctx, named, tag);
  const { createRandom } = await import("../../lib/core/random.ts");
  if (ctx.flags.dryRun) return showSamples(ctx, content, fleet, plan, createRandom);
  await confirmFleet(ctx, fleet);
  const key = ["device simulate", (await ctx.target()).api, ...words, ...fleet.map(({ id }) => id)];
  const repeats =
    "Write history again that an interrupted simulation has already written (--resume continues it instead)";
  const run = { key, content: undefined, what: "simulation", ...(plan.backfillMs > 0 && { repeats }) };
  return withJournal(ctx, input, run, async (journal) => {
    // A continued run writes the same history: its end and its random numbers are noted.
    const noted = (item: string): number | undefined => {
      const mark = journal.mark(item);
      return mark === undefined ? undefined : Number(mark);
    };
    const seed = noted("seed") ?? plan.seed ?? Math.floor(Math.random() * 1_000_000);
    const toMs = noted("to") ?? ctx.clock.now();
    const history = { fromMs: toMs - plan.backfillMs, toMs, stepMs: plan.stepMs, seed };
    const records = samplesOf(history) * fleet.length * (content.variables.length + content.replays.length);
    await announceWriting(ctx, await ctx.client(), records);
    const { over } = input.options;
    const devices = await prepare(ctx, fleet, over, ({ id }) => sourceOf(content, id, seed, createRandom));
    journal.add("seed", String(seed));
    journal.add("to", String(toMs));
    const backfilled = plan.backfillMs === 0 ? 0 : await sendHistory(ctx, devices, history, createRandom, journal);
    journal.finish();
    if (plan.count > 0)
      ctx.say.info(`Sending as ${countOf(devices.length, "device")}, ${plan.rate} each; seed ${seed}.`);
    const tally = await sendLive(ctx, devices, plan).finally(() => closeAll(devices));
    if (tally.skipped > 0) ctx.say.warning(`Skipped ${countOf(tally.skipped, "send")}: the platform was too slow.`);
    const unprepared = fleet.length - devices.length;
    const { failure: _, ...counts } = tally;
    await ctx.out.item({ devices: devices.length, ...counts, backfilled, seed }, { columns });
    await ctx.done(`Sent ${countOf(tally.records + backfilled, "record")} to ${countOf(devices.length, "device")}`);
    return throwOnFailures(tally, unprepared);
  });
}

interface Plan {
  readonly rate: string;
  readonly stepMs: number;
  readonly forMs: number;
  readonly count: number;
  readonly backfillMs: number;
  readonly seed: number | undefined;
}

function planOf({ options, texts }: Given): Plan {
  const { rate: stepMs, for: forMs, count, backfill: backfillMs = 0, seed } = options;
  const plan = {
    rate: String(texts?.["rate"]),
    stepMs,
    forMs: forMs ?? Number.POSITIVE_INFINITY,
    count: count ?? Number.POSITIVE_INFINITY,
    backfillMs,
    seed,
  };
  if (plan.count > 0 || plan.backfillMs > 0) return plan;
  throw usageError("--count 0 needs --backfill.", { next: "Add --backfill 30d, or use a count from 1 on." });
}

const SAMPLE_DEVICES = 3;

/** The first request of some devices. */
async function showSamples(
  ctx: CommandContext,
  content: Content,
  fleet: readonly FleetDevice[],
  { seed = 0, backfillMs, stepMs }: Plan,
  random: Parameters<typeof sourceOf>[3],
): Promise<number> {
  const toMs = ctx.clock.now();
  const samples = samplesOf({ fromMs: toMs - backfillMs, toMs, stepMs });
  const history = samples === 0 ? "" : `; before that, ${countOf(samples, "sample")} of history for each`;
  ctx.say.info(`This sends to ${countOf(fleet.length, "device")}${history}. First requests:`);
  for (const { id } of fleet.slice(0, SAMPLE_DEVICES)) {
    const records = sourceOf(content, id, seed, random)(toMs - backfillMs);
    await ctx.dryRun({ method: "POST", path: "/data", body: { device: id, records } });
  }
  return 0;
}

async function confirmFleet(ctx: CommandContext, fleet: readonly FleetDevice[]): Promise<void> {
  if (fleet.length < 2) return;
  const action = `Send simulated data as ${countOf(fleet.length, "device")}`;
  await ctx.confirm({ level: 1, action, name: "simulate", items: fleet.map(({ name }) => name) });
}

/** Finds a token of each device. One without is named and left out. */
async function prepare(
  ctx: CommandContext,
  fleet: readonly FleetDevice[],
  over: string | undefined,
  source: (device: FleetDevice) => SimulatedDevice["source"],
): Promise<SimulatedDevice[]> {
  const progress = createProgress(ctx, ["Preparing", "devices"]);
  let done = 0;
  let failure: unknown;
  const found = await mapLanes(fleet, ctx.flags.concurrency ?? 8, async (device) => {
    try {
      ctx.signal.throwIfAborted();
      const writer =
        over === undefined ? await deviceWriter(ctx, device.id, true) : await tipWriter(ctx, device.id, over);
      done += 1;
      progress.at(done, fleet.length);
      return [{ ...device, source: source(device), writer }];
    } catch (error) {
      if (!(error instanceof CommandError) || fleet.length === 1) throw error;
      failure ??= error;
      ctx.say.warning(`Device "${device.name}" is left out: ${messageOf(error)}`);
      return [];
    }
  }).finally(() => progress.end());
  if (found.flat().length === 0) throw failure;
  return found.flat();
}

async function closeAll(devices: readonly SimulatedDevice[]): Promise<void> {
  await Promise.all(devices.map(({ writer }) => writer.close?.()));
}

function throwOnFailures({ sent, failed, skipped, failure }: LiveTally, unprepared: number): number {
  if (failed + unprepared === 0) return 0;
  if (sent === 0 && failed > 0) throw failure;
  throw partialError(`${countText(failed)} of ${countOf(sent + failed + skipped, "send")} failed.`, {
    ...(unprepared === 0 ? {} : { why: `${countOf(unprepared, "device")} had no token to send with.` }),
    next: "The warnings above name the first ones.",
  });
}
