import { simpleFinder } from "../kit/resource/simple-finder.ts";

/** Entities by id, name or tag. */
export const entityFinder = simpleFinder({
  noun: "entity",
  plural: "entities",
  forms: ["name", "tag"],
  list: (client, query) => client.entities.list(query),
  info: (client, id) => client.entities.info(id),
});

/** Dictionaries by id or name. */
export const dictionaryFinder = simpleFinder({
  noun: "dictionary",
  plural: "dictionaries",
  list: (client, query) =>
    client.dictionaries.list({ ...query, filter: query.filter.name === undefined ? {} : { name: query.filter.name } }),
  info: (client, id) => client.dictionaries.info(id),
});
