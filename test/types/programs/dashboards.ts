// Dashboards, their widgets and the data of widgets.
import type { DashboardCreateInfo, EditDataModel, GetDataModel, PostDataModel, Resources, WidgetInfo } from "iotdeck";

const board: DashboardCreateInfo = { label: "Tanks", visible: true, tags: [] };
const widget: WidgetInfo = {
  dashboard: "b1",
  id: "w1",
  label: "Level",
  type: "line_chart",
  display: { theme: "dark" },
  data: [{ origin: "d1", variables: ["level"], query: "last_value", start_date: new Date(0) }],
};
const read: GetDataModel = {
  page: 1,
  amount: 20,
  overwrite: { start_date: "1 day", end_date: "now", timezone: "UTC" },
};

export async function build(resources: Resources, post: PostDataModel, edit: EditDataModel): Promise<string> {
  const { dashboard } = await resources.dashboards.create(board);
  const { widget: id } = await resources.dashboards.widgets.create(dashboard, widget);
  await resources.dashboards.edit(dashboard, {
    type: "dashboard",
    arrangement: [{ widget_id: id, x: 0, y: 0, width: 1, height: 1 }],
  });
  await resources.dashboards.widgets.getData(dashboard, id, read);
  await resources.dashboards.widgets.sendData(dashboard, id, post, false);
  await resources.dashboards.widgets.editData(dashboard, id, [edit], true);
  await resources.dashboards.widgets.editResource(
    dashboard,
    id,
    { device: "d1", "tags.site": "north" },
    { identifier: "x" },
  );
  await resources.dashboards.duplicate(dashboard, { new_label: "Copy", setup: { a: 1 } as object });
  const key = await resources.dashboards.getPublicKey(dashboard, new Date("2027-01-01"));
  const run: string = await resources.dashboards.runWidgetHeaderButtonAnalysis("a1", dashboard, id, { device: "d1" });
  return `${key.token} ${key.expire_time} ${run}`;
}
