import { simpleFinder } from "../kit/resource/simple-finder.ts";

/** How users of the portal are found. */
export const runUserFinder = simpleFinder({
  noun: "run user",
  forms: ["name", "tag"],
  list: ({ run }, query) => run.listUsers(query),
  info: ({ run }, id) => run.userInfo(id),
});
