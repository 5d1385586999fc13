import type { App } from "../app.ts";
import { dashboardContent } from "../widgets/dashboard-copy.ts";
import { SEED_PROFILES } from "./accounts.ts";
import { BLUEPRINT_PLACEHOLDERS, BLUEPRINT_WIDGETS, CURRENT_WIDGETS, type CurrentWidget } from "./current-widgets.ts";
import type { LegacyWidget } from "./legacy/parts.ts";
import { LEGACY_TABS } from "./legacy-widgets.ts";
import { ENGINEER_WIDGETS, MORE_WIDGETS } from "./more-widgets.ts";
import { SEED_CREATED_AT, SEED_DASHBOARDS, SEED_TEMPLATE } from "./names.ts";

/** A dashboard is twelve units wide. */
const COLUMNS = 3;
const WIDTH = 4;
const HEIGHT = 4;

interface Tab {
  readonly key: string;
  readonly value: string;
  readonly widgets: readonly (LegacyWidget | CurrentWidget)[];
  readonly hidden?: boolean;
  /** Makes it a tab that leads elsewhere. */
  readonly link?: string;
}

interface Arrangement {
  readonly widget_id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly tab: string;
}

/** The nth widget of a dashboard: `65a1000000000000` + last four of the dashboard + number, in hex. */
function widgetId(dashboard: string, index: number): string {
  return `${dashboard.slice(0, 16)}${dashboard.slice(-4)}${(index + 1).toString(16).padStart(4, "0")}`;
}

function seedDashboard(
  app: Pick<App, "collection">,
  id: string,
  settings: Readonly<Record<string, unknown>>,
  tabs: readonly Tab[],
): void {
  const widgets = app.collection("widget");
  const arrangement: Arrangement[] = [];
  const times = { created_at: SEED_CREATED_AT, updated_at: SEED_CREATED_AT };
  for (const tab of tabs) {
    tab.widgets.forEach((widget, index) => {
      const widgetIdentity = widgetId(id, arrangement.length);
      widgets.insert(SEED_PROFILES.demoPlant, {
        realtime: null,
        ...widget,
        id: widgetIdentity,
        dashboard: id,
        ...times,
      });
      const [x, y] = [(index % COLUMNS) * WIDTH, Math.floor(index / COLUMNS) * HEIGHT];
      arrangement.push({ widget_id: widgetIdentity, x, y, width: WIDTH, height: HEIGHT, tab: tab.key });
    });
  }
  app.collection("dashboard").insert(SEED_PROFILES.demoPlant, {
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
}

/** The legacy dashboard, one in the present format, and a blueprint. */
export function seedDashboards(app: Pick<App, "collection">): void {
  seedDashboard(
    app,
    SEED_DASHBOARDS.legacy,
    { label: "Plant, old widgets", tags: [{ key: "format", value: "legacy" }], icon: { url: "", color: "" } },
    LEGACY_TABS,
  );
  seedDashboard(
    app,
    SEED_DASHBOARDS.current,
    {
      label: "Plant overview",
      tags: [{ key: "format", value: "current" }],
      filter: {
        period: {
          enabled: true,
          presets: [{ type: "this_day", amount: 1, default: true }],
          show_calendar: true,
          max_range: "31 day",
        },
      },
    },
    [
      { key: "1705050000101", value: "Overview", widgets: CURRENT_WIDGETS },
      { key: "1705050000102", value: "More", widgets: MORE_WIDGETS },
      { key: "1705050000103", value: "For engineers", widgets: ENGINEER_WIDGETS, hidden: true },
      { key: "1705050000104", value: "Manual", widgets: [], link: "https://example.test/manual" },
    ],
  );
  seedDashboard(
    app,
    SEED_DASHBOARDS.blueprint,
    {
      label: "Silo, any of them",
      type: "blueprint",
      tags: [{ key: "format", value: "blueprint" }],
      blueprint_device_behavior: "more_than_one",
      blueprint_selector_behavior: "open",
      blueprint_devices: [
        {
          id: BLUEPRINT_PLACEHOLDERS.silo,
          name: "silo",
          label: "Silo",
          type: "device",
          conditions: [{ key: "device_type", value: "silo" }],
          placeholder: "Choose a silo",
        },
        {
          id: BLUEPRINT_PLACEHOLDERS.store,
          name: "store",
          label: "Cold store",
          type: "device",
          conditions: [{ key: "device_type", value: "freezer" }],
          filter_conditions: [{ blueprint_device: BLUEPRINT_PLACEHOLDERS.silo, tag_key: "site", type: "tag_match" }],
          hide_when_empty: true,
        },
      ],
    },
    [{ key: "1705050000201", value: "Silo", widgets: BLUEPRINT_WIDGETS }],
  );
  seedTemplate(app);
}

function seedTemplate(app: Pick<App, "collection">): void {
  const content = dashboardContent(
    app,
    app.collection("dashboard").need(SEED_DASHBOARDS.blueprint, SEED_PROFILES.demoPlant),
  );
  app.collection("template").insert(SEED_PROFILES.demoPlant, {
    id: SEED_TEMPLATE,
    name: "Any silo",
    type: "dashboard",
    image_logo: "https://example.test/silo-logo.png",
    image_main: "https://example.test/silo.png",
    content: { ...content, analyses: [] },
    created_at: SEED_CREATED_AT,
    updated_at: SEED_CREATED_AT,
  });
}
