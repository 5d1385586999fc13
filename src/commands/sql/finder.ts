import { simpleFinder } from "../kit/resource/simple-finder.ts";

/** How stored queries are found: by id, by a unique name or by a tag. */
export const queryFinder = simpleFinder({
  noun: "sql",
  plural: "stored queries",
  title: "stored query",
  forms: ["name", "tag"],
  api: ({ sql }) => sql,
});
