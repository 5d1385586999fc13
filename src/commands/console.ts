import { defineCommand } from "./kit/command/define.ts";
import { value } from "./kit/command/result.ts";
import { consoleEffect, consoleOptions, serveAccount } from "./kit/console/serve.ts";

const openConsole = defineCommand({
  path: [],
  effect: consoleEffect,
  result: value({ type: "string", description: "The address." }),
  summary: "Show devices and dashboards live in the browser",
  details:
    "Serves a page on this machine that reads the environment in use: devices with their data, dashboards with their widgets, live. " +
    "The token stays in this program. The page only reads; with --write, forms, buttons and tables of widgets write, and each change " +
    "is noted in the journal. What was read is read again after 10 seconds at the earliest; new data arrives as events. For the console of " +
    "a sandbox with its requests and faults, use iot sandbox open. See docs/console.md.",
  options: consoleOptions,
  groups: ["confirm"],
  examples: ["iot console --no-browser --for 1s", "iot console --no-browser --for 1s --json"],
  exitCodes: [143],
  related: ["iot dashboard view", "iot sandbox open", "iot fleet"],
  run: async (ctx, { options }) =>
    serveAccount(ctx, options, "", async (account) =>
      (await import("../sandbox/console/account.ts")).startAccountConsole(account),
    ),
});

export const commands = [openConsole];
