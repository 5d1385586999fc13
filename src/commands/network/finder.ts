import { simpleFinder } from "../kit/resource/simple-finder.ts";

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
