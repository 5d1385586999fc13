import { Resources } from "../../src/index.ts";
import type { SandboxUnderTest } from "./sandbox.ts";

/** A token for every widget of the dashboard that most examples name. */
async function widgetTokens({ dashboards }: Resources): Promise<readonly string[]> {
  const [plant] = await dashboards.list({ filter: { label: "Plant overview" } });
  if (plant === undefined) throw new Error("the demo account has no such dashboard");
  const { arrangement = [] } = await dashboards.info(plant.id);
  const made = arrangement.map(({ widget_id: widget }) => dashboards.widgets.tokenGenerate(plant.id, widget));
  return (await Promise.all(made)).map(({ widget_token }) => widget_token);
}

/**
 * The tokens of a sandbox that exist by now, as a token of full permission reads them, those of widgets that it makes,
 * and the passwords.
 */
export async function knownTokens({ sandbox }: SandboxUnderTest): Promise<readonly string[]> {
  const { url, eventsUrl, tokens, logins } = sandbox;
  const client = new Resources({ token: tokens.profile, region: { api: url, sse: eventsUrl } });
  const all = { amount: 1_000, fields: ["id", "token"] } as { amount: number };
  const devices = await client.devices.list(all);
  const networks = await client.integration.networks.list(all);
  const analyses = await client.analysis.list(all);
  const cores = await client.tagocores.list();
  const lists = await Promise.all([
    client.profiles.tokenList("current", all),
    client.serviceAuthorization.tokenList(all),
    ...devices.map(({ id }) => client.devices.tokenList(id, all)),
    ...networks.map(({ id }) => client.integration.networks.tokenList(id, all)),
    Promise.all(analyses.map(({ id }) => client.analysis.info(id))),
    Promise.all(cores.map(({ id }) => client.tagocores.info(id, true))),
  ]);
  const { anonymous_token: anonymous } = await client.run.info();
  const found = [
    ...lists.flat().flatMap(({ token }) => token ?? []),
    ...Object.values(tokens),
    ...logins.flatMap(({ password, token }) => [password, token ?? ""]),
    anonymous,
    ...(await widgetTokens(client)),
  ];
  return [...new Set(found.filter((token) => token.length > 8))];
}
