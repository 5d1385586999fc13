import { openInBrowser } from "../kit/ask/browser.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { value } from "../kit/command/result.ts";
import { CommandError } from "../kit/failures/command-error.ts";
import { isObject } from "../kit/files/files.ts";
import { chosen, inspect, portOption } from "./place.ts";

export const openCommand: Command = defineCommand({
  path: ["open"],
  asks: "nothing",
  result: value({ type: "string", description: "The address." }),
  effect: "local",
  summary: "Open the console of a running sandbox in the browser",
  details:
    "The console shows and changes devices, dashboards, analyses, actions, files and users, with live data, and shows " +
    "requests, the outbox, faults, the clock and snapshots. The URL works once, within one minute. " +
    "Without a terminal, or with --no-browser, only prints the URL.",
  options: [portOption, { name: "browser", summary: "only print the URL", negatable: true }],
  examples: [
    "iot sandbox start --detach --port 0 --ephemeral --seed empty && iot sandbox open --no-browser && iot sandbox stop --all",
    "iot sandbox start --detach --port 0 --ephemeral --seed empty && iot sandbox open | cat && iot sandbox stop --all",
  ],
  exitCodes: [6],
  related: ["iot sandbox start", "iot sandbox logs"],
  async run(ctx, input) {
    const running = await chosen(ctx, input);
    const made = await inspect(running, "POST", "open");
    const address = isObject(made) ? made["url"] : undefined;
    if (typeof address !== "string") {
      throw new CommandError(`The sandbox at ${running.url} returned no URL.`, { code: "sandbox.refused", exit: 1 });
    }
    await ctx.out.value(address);
    if (input.options.browser && ctx.io.stdoutIsTerminal && ctx.canPrompt) await openInBrowser(ctx, address);
  },
});
