import { related } from "./related.ts";

export const devicesOfDashboard = related("devices", {
  summary: "List the devices whose data the widgets of a dashboard show",
  related: ["iot dashboard analyses", "iot device get"],
  read: ({ dashboards }, id) => dashboards.listDevicesRelated(id),
});
