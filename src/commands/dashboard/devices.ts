import { related } from "./related.ts";

export const devicesOfDashboard = related("devices", {
  summary: "List the devices used by a dashboard",
  related: ["iot dashboard analyses", "iot device get"],
  read: ({ dashboards }, id) => dashboards.listDevicesRelated(id),
});
