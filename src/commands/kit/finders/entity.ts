import { simpleFinder } from "../resource/simple-finder.ts";

export const entityFinder = simpleFinder({
  noun: "entity",
  plural: "entities",
  forms: ["name", "tag"],
  api: ({ entities }) => entities,
});
