import { argumentList, option, optionFlag } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { one, rows } from "../kit/command/result.ts";
import { parseDuration, parseInstant } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { isObject } from "../kit/files/files.ts";
import { parseFault } from "./faults.ts";
import { chosen, inspect, portOption } from "./place.ts";

const objects = (value: unknown): Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

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

const clockColumns = [
  { key: "now", kind: "time", exact: true },
  { key: "manual", kind: "flag" },
] as const;

export const clockCommand: Command = defineCommand({
  path: ["clock"],
  asks: "nothing",
  result: one(clockColumns),
  effect: "local",
  summary: "Show or move the clock of a running sandbox",
  details:
    "The clock runs on from where it is put, unless the sandbox was started with --clock and a date: then it stands still. " +
    "Schedules and retention follow it. What is due is run before the command ends. A restart forgets the move.",
  options: [
    portOption,
    { name: "set", value: "when", summary: "set it to a date, such as 2026-01-31T08:00:00Z" },
    { name: "advance", value: "duration", summary: "move it on, such as 1h30m" },
  ],
  examples: [
    "iot sandbox start --detach --port 0 --ephemeral --seed empty --clock 2026-01-31T08:00:00Z && iot sandbox clock --advance 1h && iot sandbox stop --all",
    "iot sandbox start --detach --port 0 --ephemeral --seed empty && iot sandbox clock --advance 1h && iot sandbox stop --all",
  ],
  exitCodes: [6],
  related: ["iot sandbox start"],
  async run(ctx, input) {
    const set = option(input, "set");
    const advance = option(input, "advance");
    if (set !== undefined && advance !== undefined) {
      throw usageError("--set and --advance exclude each other.", { next: "Give one of the two." });
    }
    const body =
      set !== undefined
        ? { set: parseInstant(set, "--set", ctx.clock.now()).toISOString() }
        : advance !== undefined
          ? { advance: parseDuration(advance, "--advance") }
          : undefined;
    const running = await chosen(ctx, input);
    const now = await inspect(running, body === undefined ? "GET" : "PUT", "clock", body === undefined ? {} : { body });
    if (isObject(now)) await ctx.out.item(now, { columns: clockColumns, idKey: "now" });
  },
});

const useColumns: readonly Column<Readonly<Record<string, unknown>>>[] = [
  { key: "profile", kind: "id" },
  { key: "limit" },
  { key: "used", kind: "number" },
  { key: "most", kind: "number" },
];

export const limitsCommand: Command = defineCommand({
  path: ["limits"],
  asks: "nothing",
  result: rows(useColumns),
  effect: "reads",
  summary: "Switch the limits per minute of a running sandbox, or show their use",
  details:
    "Beyond a limit the sandbox answers 429 with Retry-After until the next minute, as the plan says. Off at the start.",
  options: [
    portOption,
    { name: "on", summary: "limit requests per minute" },
    { name: "off", summary: "do not" },
    {
      name: "plan",
      value: "name",
      summary: "plan whose limits apply; that of the account unless given",
      choices: ["free", "starter", "scale"],
    },
  ],
  groups: ["limit"],
  examples: [
    "iot sandbox start --detach --port 0 --ephemeral --seed empty && iot sandbox limits --on --plan free && iot sandbox stop --all",
    "iot sandbox start --detach --port 0 --ephemeral --seed empty --rate-limits && iot sandbox limits --off && iot sandbox stop --all",
  ],
  exitCodes: [6],
  related: ["iot sandbox fault"],
  async run(ctx, input) {
    const plan = option(input, "plan");
    const on = optionFlag(input, "on");
    const off = optionFlag(input, "off");
    if (on && off) throw usageError("--on and --off exclude each other.", { next: "Give one of the two." });
    const running = await chosen(ctx, input);
    const body = { perMinute: on || (!off && plan !== undefined), ...(plan === undefined ? {} : { plan }) };
    const isChange = on || off || plan !== undefined;
    const now = await inspect(running, isChange ? "PUT" : "GET", "limits", isChange ? { body } : {});
    if (!isObject(now)) return;
    const state = now["perMinute"] === true ? "on" : "off";
    ctx.say.info(`Limits per minute are ${state}, plan: ${String(now["plan"] ?? "that of the account")}.`);
    await ctx.out.list(objects(now["uses"]), {
      columns: useColumns,
      empty: "Nothing was counted in this minute.",
      idKey: "limit",
    });
  },
});
