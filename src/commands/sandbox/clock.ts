import { defined } from "../../lib/core/defined.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { isObject } from "../kit/files/files.ts";
import { chosen, inspect, portOption } from "./place.ts";

const clockColumns = [
  { key: "now", kind: "time", exact: true },
  { key: "manual", kind: "flag" },
  { key: "offset_ms", kind: "number" },
] as const;

export const clockCommand: Command = defineCommand({
  path: ["clock"],
  asks: "nothing",
  result: one(clockColumns),
  effect: "local",
  summary: "Show or set the clock of a running sandbox",
  details:
    "The clock keeps running from the new time, unless the sandbox was started with --clock and a date: then it stays fixed. " +
    "Schedules, tokens and retention follow it; anything due runs before the command returns. " +
    "Setting it back changes no stored data; schedules count from the new time. A restart resets the clock.",
  options: [
    portOption,
    {
      name: "set",
      kind: "instant",
      value: "when",
      conflicts: ["advance", "reset"],
      summary: "set it to a date: 2026-01-31T08:00:00Z",
    },
    { name: "advance", kind: "duration", conflicts: ["reset"], summary: "advance it by a duration: 1h30m" },
    { name: "reset", summary: "undo every change of a running clock" },
  ],
  examples: [
    "iot sandbox start --detach --port 0 --ephemeral --seed empty --clock 2026-01-31T08:00:00Z && iot sandbox clock --advance 1h && iot sandbox stop --all",
    "iot sandbox start --detach --port 0 --ephemeral --seed empty && iot sandbox clock --advance 1h && iot sandbox stop --all",
  ],
  exitCodes: [6],
  related: ["iot sandbox start"],
  async run(ctx, input) {
    const { set, advance, reset } = input.options;
    const change = defined({ set: set?.toISOString(), advance, reset: reset || undefined });
    const body = Object.keys(change).length === 0 ? undefined : change;
    const running = await chosen(ctx, input);
    const now = await inspect(running, body === undefined ? "GET" : "PUT", "clock", defined({ body }));
    if (isObject(now)) await ctx.out.item(now, { columns: clockColumns, idKey: "now" });
  },
});
