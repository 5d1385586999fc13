import type { Services } from "../../../index.ts";
import type { OptionSpec } from "../command/define.ts";
import type { Input } from "../command/options.ts";
import type { CommandContext } from "../context.ts";
import { analysisFinder } from "../finders/analysis.ts";
import { lookUp, resolveId } from "../resource/resolve-id.ts";
import { rememberSecret } from "../say/redact.ts";
import { withOtherToken } from "../settings/other-token.ts";
import { shownToken } from "./shown-token.ts";

/** The flag of the commands that speak as an analysis. */
export const analysisOption = {
  name: "analysis",
  value: "id",
  summary: "external analysis whose token to use: id, name:… or tag:…",
} as const satisfies OptionSpec;

type AnalysisInput = Input<[], [typeof analysisOption]>;

export const tokenDetails =
  "Requires an analysis token. --analysis uses the token of that analysis; without it, the token in use " +
  "must be an analysis token.";

/** The token of `--analysis`, or the one in use. */
export async function analysisToken(ctx: CommandContext, input: AnalysisInput): Promise<string> {
  const named = input.options.analysis;
  if (named === undefined) return (await ctx.connection()).token;
  const { id } = await resolveId(ctx, analysisFinder, named);
  const client = await ctx.client();
  const token = shownToken(await lookUp(ctx, analysisFinder, id, () => client.analysis.info(id)));
  rememberSecret(token);
  return token;
}

/** Calls a service as an analysis. */
export async function asAnalysis<T>(
  ctx: CommandContext,
  input: AnalysisInput,
  call: (services: Services) => Promise<T>,
): Promise<T> {
  const { api, events } = await ctx.connection();
  const token = await analysisToken(ctx, input);
  const { Services: Client } = await import("../../../lib/analysis/services.ts");
  const services = new Client({ ...ctx.clientOptions(), token, region: { api, sse: events } });
  if (input.options.analysis !== undefined) return call(services);
  const next = "Add --analysis name:…, or use an analysis token.";
  return withOtherToken(ctx, { what: "an analysis", next }, () => call(services));
}
