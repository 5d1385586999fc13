import { dashboardContent } from "../dashboards/copy.ts";
import { type Filling, fillEach, timesOf } from "./filling.ts";

/** A dashboard is twelve units wide. */
const COLUMNS = 3;
const WIDTH = 4;
const HEIGHT = 4;

type WidgetRecord = Readonly<Record<string, unknown>>;

/** The nth widget of a dashboard: `65a1000000000000` + last four of the dashboard + number, in hex. */
const widgetId = (dashboard: string, index: number): string =>
  `${dashboard.slice(0, 16)}${dashboard.slice(-4)}${(index + 1).toString(16).padStart(4, "0")}`;

/** Dashboards with their widgets, and the templates created from them. */
export function fillDashboards(filling: Filling): void {
  const { app, profile } = filling;
  const times = timesOf(filling);
  fillEach(filling, "dashboards", ({ id, tabs, widgets, ...settings }) => {
    const arrangement: object[] = [];
    const store = (given: WidgetRecord, index: number, tab: string | undefined): void => {
      const { at, id: own = widgetId(id, arrangement.length), ...widget } = given;
      app.collection("widget").insert(profile, { realtime: null, ...widget, id: own, dashboard: id, ...times });
      const [x, y] = [(index % COLUMNS) * WIDTH, Math.floor(index / COLUMNS) * HEIGHT];
      const place = { x, y, width: WIDTH, height: HEIGHT, ...(typeof at === "object" ? at : {}) };
      arrangement.push({ widget_id: own, ...place, ...(tab === undefined ? {} : { tab }) });
    };
    for (const tab of tabs) for (const [index, widget] of tab.widgets.entries()) store(widget, index, tab.key);
    for (const [index, widget] of widgets.entries()) store(widget, index, tabs[0]?.key);
    app.collection("dashboard").insert(profile, {
      id,
      type: "dashboard",
      visible: true,
      description: null,
      arrangement,
      tabs: tabs.map(({ widgets: _widgets, ...tab }) => ({ hidden: false, ...tab })),
      background: null,
      theme: null,
      group_by: [],
      last_access: null,
      ...settings,
      ...times,
    });
  });
  fillEach(filling, "templates", ({ id, name, dashboard, image_logo, image_main }) => {
    const content = dashboardContent(app, app.collection("dashboard").need(dashboard, profile));
    app.collection("template").insert(profile, {
      id,
      name,
      type: "dashboard",
      image_logo,
      image_main,
      content: { ...content, analyses: [] },
      ...times,
    });
  });
}
