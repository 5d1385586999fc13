import type { Finder } from "../resource/resolve-id.ts";
import { simpleFinder } from "../resource/simple-finder.ts";
import type { Twins } from "../resource/twins.ts";

/** Networks are found by name; those of the catalogue, too. */
export const networkFinder = simpleFinder({
  noun: "network",
  api: ({ integration }) => integration.networks,
});

/** As networks. */
export const connectorFinder = simpleFinder({
  noun: "connector",
  api: ({ integration }) => integration.connectors,
});

/** A network or connector of the profile with this name: one of the platform's catalogue cannot be changed. */
const own = (finder: Finder): Twins => ({
  member: "name",
  async find(ctx, name) {
    const { integration } = await ctx.client();
    const query = { amount: 20, fields: ["id" as const, "name" as const], filter: { name, public: false } };
    const { networks, connectors } = integration;
    const rows = finder.noun === "network" ? await networks.list(query) : await connectors.list(query);
    return rows.filter((row) => row.name === name);
  },
});

export const networkTwins = own(networkFinder);
export const connectorTwins = own(connectorFinder);
