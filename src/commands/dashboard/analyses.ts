import { related } from "./related.ts";

export const analysesOfDashboard = related("analyses", {
  summary: "List the analyses that the widgets of a dashboard run",
  related: ["iot dashboard devices", "iot analysis get"],
  read: ({ dashboards }, id) => dashboards.listAnalysisRelated(id),
});
