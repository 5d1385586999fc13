import { defineCommand } from "../kit/command/define.ts";
import { value } from "../kit/command/result.ts";
import { consoleEffect, consoleOptions, serveAccount } from "../kit/console/serve.ts";
import { dashboardFinder } from "../kit/finders/dashboard.ts";
import { lookUp, resolveOrPick } from "../kit/resource/resolve-id.ts";
import { dashboardArgument } from "./duplicate.ts";

export const viewDashboard = defineCommand({
  path: ["view"],
  effect: consoleEffect,
  result: value({ type: "string", description: "The address." }),
  summary: "Show a dashboard with live data in the browser",
  details:
    "Serves the console of iot console on this machine, opened at the dashboard. It is drawn as iotdeck does: some widgets look " +
    "different on the platform. The page only reads, unless --write is given. See docs/console.md.",
  args: [dashboardArgument],
  options: consoleOptions,
  groups: ["confirm"],
  examples: [
    'iot dashboard view "name:Plant overview" --no-browser --for 1s',
    'iot dashboard view "name:Plant overview" --no-browser --for 1s --json',
  ],
  exitCodes: [143],
  related: ["iot console", "iot dashboard render", "iot dashboard open"],
  async run(ctx, { args, options }) {
    const { id } = await resolveOrPick(ctx, dashboardFinder, args.id);
    const { dashboards } = await ctx.client();
    await lookUp(ctx, dashboardFinder, id, () => dashboards.info(id));
    await serveAccount(ctx, options, `dashboards/${id}`, async (account) =>
      (await import("../../sandbox/console/account.ts")).startAccountConsole(account),
    );
  },
});
