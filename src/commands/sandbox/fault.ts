import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { checkFaults, parseFault } from "./faults.ts";
import { chosen, inspect, objects, portOption } from "./place.ts";

const faultColumns: readonly Column<Readonly<Record<string, unknown>>>[] = [
  { key: "kind" },
  { key: "route" },
  { key: "status", kind: "number" },
  { key: "delay_ms", kind: "number" },
  { key: "jitter_ms", kind: "number" },
  { key: "after", kind: "number" },
  { key: "after_ms", kind: "number" },
  { key: "for_ms", kind: "number" },
  { key: "channel" },
  { key: "count", kind: "number" },
  { key: "rate", kind: "number" },
  { key: "injected", kind: "number" },
];

export const faultCommand: Command = defineCommand({
  path: ["fault"],
  asks: "nothing",
  result: rows(faultColumns),
  effect: "local",
  summary: "Inject, list or clear faults in a running sandbox",
  details:
    'A rule is a kind (status=503, latency=2s, drop, truncate), how often (count=2, rate=0.5), and a route ("GET /device*", *). ' +
    "A range such as latency=100ms-400ms is a random delay. " +
    "Kinds for the event stream: cut and stall (after=3 events or after=10s; stall for=1m), duplicate, delay=2s; " +
    "channel=device_data limits them to a channel. " +
    "New rules replace all current ones; without rules, the current ones are listed.",
  args: [{ name: "rules", summary: "rules, one per argument", variadic: true }],
  options: [portOption, { name: "clear", summary: "clear all faults", conflicts: ["<rules>"] }],
  examples: [
    'iot sandbox start --detach --port 0 --ephemeral --seed empty && iot sandbox fault "status=429 retry-after=1 count=2 *" && iot sandbox stop --all',
    'iot sandbox start --detach --port 0 --ephemeral --seed empty && iot sandbox fault "cut after=3 GET /events" && iot sandbox stop --all',
    "iot sandbox start --detach --port 0 --ephemeral --seed empty && iot sandbox fault --clear && iot sandbox stop --all",
  ],
  exitCodes: [6],
  related: ["iot sandbox start", "iot sandbox limits"],
  async run(ctx, input) {
    const texts = input.args.rules;
    await checkFaults(texts);
    const rules = texts.map(parseFault);
    const clear = input.options.clear;
    const running = await chosen(ctx, input);
    const isChange = clear || rules.length > 0;
    const now = await inspect(running, isChange ? "PUT" : "GET", "faults", isChange ? { body: rules } : {});
    await ctx.out.list(objects(now), { columns: faultColumns, empty: "No faults.", idKey: "kind" });
  },
});
