import { argumentList, optionFlag } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { parseFault } from "./faults.ts";
import { chosen, inspect, objects, portOption } from "./place.ts";

const faultColumns: readonly Column<Readonly<Record<string, unknown>>>[] = [
  { key: "kind" },
  { key: "route" },
  { key: "status", kind: "number" },
  { key: "delayMs", kind: "number" },
  { key: "count", kind: "number" },
  { key: "rate", kind: "number" },
  { key: "struck", kind: "number" },
];

export const faultCommand: Command = defineCommand({
  path: ["fault"],
  asks: "nothing",
  result: rows(faultColumns),
  effect: "local",
  summary: "Make trouble in a running sandbox, or show and end it",
  details:
    'A rule is a kind (status=503, latency=2s, drop, truncate), how often (count=2, rate=0.5), and a route ("GET /device*", *). ' +
    "The rules given take the place of all others; without one the present rules are shown.",
  args: [{ name: "rules", summary: "rules, each one argument", variadic: true }],
  options: [portOption, { name: "clear", summary: "end all trouble" }],
  examples: [
    'iot sandbox start --detach --port 0 --ephemeral --seed empty && iot sandbox fault "status=429 retry-after=1 count=2 *" && iot sandbox stop --all',
    "iot sandbox start --detach --port 0 --ephemeral --seed empty && iot sandbox fault --clear && iot sandbox stop --all",
  ],
  exitCodes: [6],
  related: ["iot sandbox start", "iot sandbox limits"],
  async run(ctx, input) {
    const rules = argumentList(input, "rules").map(parseFault);
    const clear = optionFlag(input, "clear");
    if (clear && rules.length > 0) throw usageError("--clear takes no rules.", { next: "Give rules, or --clear." });
    const running = await chosen(ctx, input);
    const isChange = clear || rules.length > 0;
    const now = await inspect(running, isChange ? "PUT" : "GET", "faults", isChange ? { body: rules } : {});
    await ctx.out.list(objects(now), { columns: faultColumns, empty: "There is no trouble.", idKey: "kind" });
  },
});
