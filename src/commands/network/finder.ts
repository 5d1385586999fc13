import { simpleFinder } from "../kit/resource/simple-finder.ts";

/** Networks are found by name; those of the catalogue, too. */
export const networkFinder = simpleFinder({
  noun: "network",
  list: (client, query) => client.integration.networks.list(query),
  info: (client, id) => client.integration.networks.info(id),
});
