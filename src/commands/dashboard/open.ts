import { openInBrowser } from "../kit/ask/browser.ts";
import { defineCommand } from "../kit/command/define.ts";
import { value } from "../kit/command/result.ts";
import { dashboardFinder } from "../kit/finders/dashboard.ts";
import { lookUp, resolveOrPick } from "../kit/resource/resolve-id.ts";
import { addressOf } from "./address.ts";
import { dashboardArgument } from "./duplicate.ts";
import { tabKey } from "./tab-key.ts";

export const openDashboard = defineCommand({
  path: ["open"],
  effect: "local",
  summary: "Open a dashboard in the browser, or print its URL",
  details:
    "Only https URLs are opened. Without a terminal, or with --print, the URL is only printed. " +
    "--tab adds the tab's key to the URL.",
  args: [dashboardArgument],
  options: [
    { name: "tab", value: "title", summary: "title or key of a tab" },
    { name: "print", summary: "print the URL without opening it" },
  ],
  examples: [
    'iot dashboard open "name:Plant overview" --print',
    'iot dashboard open "name:Plant overview" --tab More --print',
  ],
  related: ["iot dashboard get", "iot dashboard share"],
  result: value({ type: "string", description: "The URL." }),
  async run(ctx, { args, options }) {
    const { id } = await resolveOrPick(ctx, dashboardFinder, args.id);
    const { dashboards } = await ctx.client();
    const { tabs = [], label } = await lookUp(ctx, dashboardFinder, id, () => dashboards.info(id));
    const address = new URL(addressOf(await ctx.target(), id));
    const { tab: title, print } = options;
    if (title !== undefined) address.searchParams.set("tab", tabKey(tabs, title, label));
    await ctx.out.value(address.href);
    if (print || !ctx.io.stdoutIsTerminal || !ctx.canPrompt) return;
    if (address.protocol !== "https:") return ctx.say.info("The URL was not opened: only https URLs are opened.");
    await openInBrowser(ctx, address.href);
  },
});
