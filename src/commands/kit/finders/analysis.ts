import { simpleFinder } from "../resource/simple-finder.ts";

/** How analyses are found: by id, by a unique name or by a tag. */
export const analysisFinder = simpleFinder({
  noun: "analysis",
  plural: "analyses",
  forms: ["name", "tag"],
  api: ({ analysis }) => analysis,
});
