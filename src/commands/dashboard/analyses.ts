import { related } from "./related.ts";

export const analysesOfDashboard = related("analyses", {
  summary: "List the analyses used by a dashboard",
  related: ["iot dashboard devices", "iot analysis get"],
  read: ({ dashboards }, id) => dashboards.listAnalysisRelated(id),
});
