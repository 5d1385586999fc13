import { type Command, defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { chosen, inspect, portOption } from "./place.ts";

/** The demo account is filled in again. */
const RESET_MS = 60_000;

const placeColumns = [{ key: "port", kind: "number" }, { key: "url" }] as const;

export const resetCommand: Command = defineCommand({
  path: ["reset"],
  asks: "nothing",
  result: one(placeColumns),
  effect: "local",
  summary: "Reset a running sandbox to its initial state",
  details:
    "Deletes all stored data and creates the initial data again: the demo account, or the scenario or folder it was started with.",
  options: [portOption],
  groups: ["confirm"],
  examples: [
    "iot sandbox start --detach --port 0 --ephemeral && iot sandbox reset --yes && iot sandbox stop --all",
    "iot sandbox status && iot sandbox stop --all",
  ],
  exitCodes: { only: [6] },
  related: ["iot sandbox seed"],
  async run(ctx, input) {
    const running = await chosen(ctx, input);
    await ctx.confirm({
      level: 1,
      action: `Delete all data in the sandbox at ${running.url}`,
      where: "on this machine",
      name: String(running.port),
    });
    await inspect(running, "POST", "reset", { timeoutMs: RESET_MS });
    await ctx.out.item({ port: running.port, url: running.url }, { columns: placeColumns, idKey: "port" });
    ctx.say.info(`Reset the sandbox at ${running.url}.`);
  },
});
