import { simpleFinder } from "../kit/resource/simple-finder.ts";

export const entityFinder = simpleFinder({
  noun: "entity",
  plural: "entities",
  forms: ["name", "tag"],
  list: (client, query) => client.entities.list(query),
  info: (client, id) => client.entities.info(id),
});
