import { simpleFinder } from "../resource/simple-finder.ts";

/** Dashboards have a label where other resources have a name. */
export const dashboardFinder = simpleFinder({
  noun: "dashboard",
  nameKey: "label",
  forms: ["name", "tag"],
  api: ({ dashboards }) => dashboards,
});
