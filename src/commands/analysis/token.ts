import { shownToken } from "../kit/analyses/shown-token.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { value } from "../kit/command/result.ts";
import { analysisFinder } from "../kit/finders/analysis.ts";
import { lookUp } from "../kit/resource/resolve-id.ts";
import { rememberSecret } from "../kit/say/redact.ts";
import { nameArgument, namedAnalysis } from "./project.ts";

export const tokenCommand: Command = defineCommand({
  path: ["token"],
  effect: { most: "changes", of: (input) => (input.options.renew ? "changes" : "reads") },
  summary: "Print the token of an analysis",
  details:
    "Prints the token in full. Available only for external analyses. --renew creates a new token, and the old " +
    "one stops working.",
  args: [nameArgument],
  options: [{ name: "renew", summary: "create a new token" }],
  groups: ["confirm", "dryRun"],
  result: value({ type: "string" }),
  examples: ['iot analysis token "name:alert"', 'iot analysis token "name:hello (node-legacy)" --renew --yes'],
  exitCodes: [6],
  related: ["iot analysis mode", "iot analysis dev"],
  async run(ctx, input) {
    const { target } = await namedAnalysis(ctx, input.args.name);
    const { id } = target;
    const isRenewed = input.options.renew;
    if (isRenewed && (await ctx.dryRun({ method: "GET", path: `/analysis/${id}/token` }))) return;
    const client = await ctx.client();
    const info = await lookUp(ctx, analysisFinder, id, () => client.analysis.info(id));
    const { name } = info;
    if (isRenewed)
      await ctx.confirm({ level: 1, action: `Create a new token for analysis "${name}" and revoke the old one`, name });
    const shown = isRenewed ? (await client.analysis.tokenGenerate(id)).analysis_token : shownToken(info);
    await ctx.out.value(shown);
    rememberSecret(shown);
    if (isRenewed) await ctx.done(`Created a new token for analysis "${name}"`);
  },
});
