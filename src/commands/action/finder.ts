import { simpleFinder } from "../kit/resource/simple-finder.ts";

/** Actions are found by name or tag. */
export const actionFinder = simpleFinder({
  noun: "action",
  forms: ["name", "tag"],
  api: ({ actions }) => actions,
});
