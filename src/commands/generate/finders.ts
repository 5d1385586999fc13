import { simpleFinder } from "../kit/resource/simple-finder.ts";

/** Entities by id, name or tag. */
export const entityFinder = simpleFinder({
  noun: "entity",
  plural: "entities",
  forms: ["name", "tag"],
  api: ({ entities }) => entities,
});

/** Dictionaries by id or name. */
export const dictionaryFinder = simpleFinder({
  noun: "dictionary",
  plural: "dictionaries",
  api: ({ dictionaries }) => dictionaries,
});
