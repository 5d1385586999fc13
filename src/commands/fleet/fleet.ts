import { isScreenAsked } from "../kit/ask/terminal.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { either, one, rows, value } from "../kit/command/result.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { parseComparison } from "../kit/resource/filter.ts";
import { fleetColumns, printChanges, printFleet, printSummary, summaryColumns } from "./print.ts";
import { createFleetReader, type FleetChoice } from "./read.ts";

const DAY = "24h";
const REFRESH_MS = 30_000;
/** Prometheus asks about once a minute. */
const METRICS_MS = 60_000;
const LEAST_REFRESH_MS = 1_000;
/** Offline is this many times as long without input as silent, unless said otherwise. */
const OFFLINE_TIMES = 7;
const smallest = { columns: 40, rows: 10 };

const options = [
  { name: "tag", kind: "tag", summary: "only devices with this tag", repeat: true },
  { name: "all", summary: "also print devices that are ok or inactive" },
  { name: "silent-for", kind: "duration", summary: "silent: no input for this long", default: DAY },
  { name: "offline-for", kind: "duration", summary: "offline: no input for this long (7 times --silent-for)" },
  { name: "battery", value: "variable<n", summary: "low battery: the last value is below n" },
  {
    name: "summary",
    summary: "print counts, plan usage, analyses and actions instead of devices",
    conflicts: ["refresh"],
  },
  {
    name: "metrics",
    value: "address",
    summary: "serve metrics for Prometheus here: 127.0.0.1:9400",
    conflicts: ["all", "summary"],
    leadsAway: true,
  },
  { name: "per-device", summary: "with --metrics, also a series for each device", needs: ["metrics"] },
  { name: "refresh", kind: "duration", summary: "read again after this time (30s on the screen, 60s with --metrics)" },
  { name: "for", kind: "duration", summary: "stop after this time" },
] as const satisfies Options;

type Given = Input<[], typeof options>;

export const fleet = defineCommand({
  path: [],
  result: either(
    rows(fleetColumns),
    one(summaryColumns),
    value({ type: "string", description: "Address of the metrics." }),
  ),
  effect: "reads",
  summary: "Show which devices, analyses and limits need attention",
  details:
    "Opens a screen on a terminal, sorted worst first; Enter opens the live view of a device. Elsewhere it prints the devices " +
    "that need attention, or all with --all. States: offline (no input for --offline-for), silent (none for --silent-for), " +
    "low battery, never (no input yet), inactive, ok. --battery reads the last value of a variable of each device: one request and one billed " +
    "record each, at most 1,000 devices, at most once an hour. An analysis is failing if it ran within 24 hours and the " +
    "console of its last run names an error. With --refresh and without the screen, each change of state is one more line. " +
    "--metrics serves counts of the states, use of the plan, failing analyses and the age of all that at /metrics, with names of devices " +
    "only with --per-device; without a host in the address, only this machine can read them. " +
    "See docs/fleet.md.",
  options,
  groups: ["limit"],
  examples: [
    "iot fleet",
    "iot fleet --tag site=plant --silent-for 6h --all -o csv",
    "iot fleet --summary --json",
    "iot fleet --refresh 1s --for 2s -o ndjson",
    "iot fleet --metrics 127.0.0.1:9400 --for 1s",
  ],
  exitCodes: [9, 143],
  related: ["iot device list --offline-for", "iot device watch --tag", "iot profile limits"],
  async run(ctx, input) {
    const choice = choiceOf(input);
    const { refresh: refreshMs, for: forMs, summary: isSummary, metrics } = input.options;
    if (refreshMs !== undefined && refreshMs < LEAST_REFRESH_MS)
      throw usageError("--refresh needs at least 1s.", { next: "Use a duration such as 30s." });
    const read = createFleetReader(ctx, choice);
    if (metrics !== undefined) {
      const { metricsAddress, serveMetrics } = await import("./serve.ts");
      const address = metricsAddress(metrics);
      const times = { refreshMs: refreshMs ?? METRICS_MS, forMs: forMs ?? Number.POSITIVE_INFINITY };
      return serveMetrics(ctx, { address, isEach: input.options.perDevice, read, ...times });
    }
    const hasScreen = !isSummary && isScreenAsked(ctx, smallest);
    if (!hasScreen && forMs !== undefined && refreshMs === undefined)
      throw usageError("--for needs --refresh.", { next: "Add --refresh 30s, or leave --for out." });

    const found = await read(true);
    if (isSummary) return printSummary(ctx, found);
    if (hasScreen) {
      const { showFleet } = await import("./screen.ts");
      return showFleet(ctx, { found, read, refreshMs: refreshMs ?? REFRESH_MS, forMs });
    }
    const shown = { isAll: input.options.all, hasBattery: choice.battery !== undefined };
    if (refreshMs === undefined) return printFleet(ctx, found, shown);
    return printChanges(ctx, found, { ...shown, read, refreshMs, forMs: forMs ?? Number.POSITIVE_INFINITY });
  },
});

function choiceOf(input: Given): FleetChoice {
  const { silentFor: silentMs, offlineFor: offlineMs = silentMs * OFFLINE_TIMES } = input.options;
  if (offlineMs < silentMs) {
    throw usageError("--offline-for is shorter than --silent-for.", {
      why: "A silent device becomes offline when it stays silent.",
      next: "Use a longer --offline-for, or a shorter --silent-for.",
    });
  }
  return { tags: input.options.tag, silentMs, offlineMs, ...batteryOf(input.options.battery) };
}

function batteryOf(text: string | undefined): Pick<FleetChoice, "battery" | "isLow"> {
  if (text === undefined) return { battery: undefined, isLow: () => false };
  const next = 'Use --battery "battery<20" or --battery "battery<3.3".';
  const { field, operator, value } = parseComparison(text, "--battery", next);
  const least = Number(value);
  if (!operator.startsWith("<") || !Number.isFinite(least))
    throw usageError("--battery needs a variable, < and a number.", { next });
  return { battery: field, isLow: (battery) => (operator === "<" ? battery < least : battery <= least) };
}
