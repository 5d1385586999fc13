import { defined } from "../../lib/core/defined.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { isObject } from "../kit/files/files.ts";
import { chosen, inspect, objects, portOption } from "./place.ts";

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
  summary: "Show or switch the rate limits of a running sandbox",
  details: "Above a limit of the plan, the sandbox returns 429 with Retry-After until the next minute. Off by default.",
  options: [
    portOption,
    { name: "on", opposite: "off", summary: "enable rate limits" },
    { name: "off", summary: "disable rate limits" },
    {
      name: "plan",
      value: "name",
      summary: "plan whose limits apply (default: that of the account)",
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
    const { plan, on, off } = input.options;
    const running = await chosen(ctx, input);
    const body = { perMinute: on || (!off && plan !== undefined), ...defined({ plan }) };
    const isChange = on || off || plan !== undefined;
    const now = await inspect(running, isChange ? "PUT" : "GET", "limits", isChange ? { body } : {});
    if (!isObject(now)) return;
    const state = now["perMinute"] === true ? "on" : "off";
    ctx.say.info(`Rate limits are ${state}, plan: ${String(now["plan"] ?? "that of the account")}.`);
    await ctx.out.list(objects(now["uses"]), {
      columns: useColumns,
      empty: "No requests in this minute.",
      idKey: "limit",
    });
  },
});
