import { SEED_ANALYSIS, SEED_DASHBOARDS, SEED_DEVICES, SEED_TEMPLATE } from "../../helpers/seed.ts";
import type { RouteCases, World } from "./case.ts";
import * as model from "./models.ts";
import { date, exactly, id, list, object, text, uuid } from "./shape.ts";

const { current, legacy } = SEED_DASHBOARDS;
const { freezer } = SEED_DEVICES;

const onDashboard = async (world: World) => ({ params: { dashboardID: await world.newDashboard() } });
const onWidget = async (world: World) => ({ params: await world.newWidget() });

/** A widget with a row written through it. */
async function written(world: World) {
  const params = await world.newWidget();
  const { id: origin } = await world.newDevice();
  await world.send("POST", `/data/${params.dashboardID}/${params.widgetID}`, [{ origin, variable: "a", value: 1 }]);
  const [row] = await world.send<{ id: string }[]>("GET", `/device/${origin}/data`);
  return { params, origin, row: row?.id ?? "" };
}

export const dashboardCases: RouteCases = {
  "dashboard.list": { result: list(object({ id, tags: model.tags })) },
  "dashboard.create": {
    given: () => ({ body: { label: "Made here", arrangement: [], tabs: [], tags: [] } }),
    result: object({ dashboard: id }),
  },
  "dashboard.edit": {
    given: async (world) => ({ ...(await onDashboard(world)), body: { label: "Edited" } }),
    result: exactly("Successfully Updated"),
  },
  "dashboard.delete": { given: onDashboard, result: exactly("Successfully Removed") },
  "dashboard.info": { given: () => ({ params: { dashboardID: legacy } }), result: model.dashboard },
  "dashboard.duplicate": {
    given: () => ({ params: { dashboardID: current }, body: {} }),
    result: object({ dashboard_id: id, message: exactly("Copy sent") }),
  },
  "dashboard.getPublicKey": {
    given: () => ({ params: { dashboardID: current }, query: "expire_time=1%20day" }),
    result: object({ token: uuid, expire_time: date }),
  },
  "dashboard.listDevicesRelated": {
    given: () => ({ params: { dashboardID: current } }),
    result: list(object({ id, name: text, bucket: id })),
  },
  "dashboard.listAnalysisRelated": { given: () => ({ params: { dashboardID: current } }), result: list(model.named) },
  "dashboard.runWidgetHeaderButtonAnalysis": {
    given: async (world) => ({
      params: { ...(await world.newWidget()), analysisID: SEED_ANALYSIS },
      body: { scope: [{ a: 1 }] },
    }),
    result: object({ analysis_token: text }),
  },
  "widget.create": {
    given: async (world) => ({ ...(await onDashboard(world)), body: { label: "W", type: "dial", display: {} } }),
    result: object({ widget: id }),
  },
  "widget.edit": {
    given: async (world) => ({ ...(await onWidget(world)), body: { label: "Edited" } }),
    result: exactly("Successfully Updated"),
  },
  "widget.delete": { given: onWidget, result: exactly("Successfully Removed") },
  "widget.info": { given: onWidget, result: model.widget },
  "widget.getData": {
    given: async (world) => ({
      params: await world.newWidget({ data: [{ origin: freezer, variables: ["temperature"] }] }),
      query: "page=1&amount=20",
    }),
    result: model.widgetData,
  },
  "widget.sendData": {
    given: async (world) => ({
      ...(await onWidget(world)),
      query: "bypass_bucket=false",
      body: [{ origin: (await world.newDevice()).id, variable: "a", value: 1 }],
    }),
    result: list(exactly("1 Data Added")),
  },
  "widget.editData": {
    given: async (world) => {
      const { params, origin, row } = await written(world);
      return { params, body: [{ origin, id: row, value: 2 }] };
    },
    result: exactly("Device Data Updated"),
  },
  "widget.deleteData": {
    given: async (world) => {
      const { params, origin, row } = await written(world);
      return { params, query: `ids[0]=${row}:${origin}` };
    },
    result: exactly("Successfully Removed"),
  },
  "widget.editResource": {
    given: async (world) => ({
      ...(await onWidget(world)),
      body: [{ device: (await world.newDevice()).id, name: "Renamed", "tags.a": "b" }],
    }),
    result: exactly("Resource Updated"),
  },
  "widget.tokenGenerate": { given: onWidget, result: object({ widget_token: uuid }) },
  "template.generateTemplate": {
    given: () => ({ body: { name: "T", dashboard: current, setup: { config: [] } } }),
    result: id,
  },
  "template.installTemplate": {
    given: () => ({ params: { templateID: SEED_TEMPLATE }, body: { device: freezer } }),
    result: object({ dashboard: id }),
  },
  "template.getTemplate": { given: () => ({ params: { templateID: SEED_TEMPLATE } }), result: model.template },
};
