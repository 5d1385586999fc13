import { isRecord } from "../../lib/core/json.ts";
import { dashboardRoutes } from "../../lib/resources/dashboards.ts";
import { analysisRun } from "../../schema/analysis.ts";
import { dashboardCreate, dashboardDuplicate, dashboardEdit } from "../../schema/dashboard.ts";
import { ORDINARY_ACTIONS, onRecords } from "../access/catalogue.ts";
import { type Demand, portal, record } from "../access/demands.ts";
import type { App } from "../app.ts";
import { perPlan } from "../core/plans.ts";
import { textOf } from "../core/query.ts";
import { created } from "../http/handler.ts";
import { clientMembers, resource } from "../resource.ts";
import type { Collection, EntityDocument } from "../store/document.ts";
import { needWidget } from "../widgets/routes.ts";
import { runHeaderButton } from "../widgets/run.ts";
import { recordsOf } from "../widgets/tags.ts";
import { analysesOf, dashboardContent, insertDashboard, originsOf } from "./copy.ts";

/** Default fields of a new dashboard. */
const INITIAL = {
  type: "dashboard",
  visible: true,
  arrangement: [],
  tabs: [],
  group_by: [],
  blueprint_device_behavior: null,
  blueprint_selector_behavior: null,
  background: null,
  theme: null,
  description: null,
  disable_blueprint_fallback: false,
  last_access: null,
} as const;

const gaps = {
  keyExpiry: { subject: "public_token_expire", choice: "the expire_time of the newest public key" },
  headerButton: {
    subject: "Button in the head of a widget",
    choice: "_widget_exec is run; the ids of dashboard and widget in either order",
  },
  copyLabel: { subject: "Copy of a dashboard without new_label", choice: 'the label and "copy"' },
  analyses: {
    subject: "GET /dashboard/{id}/analysis",
    choice: "also those of buttons in forms and in the head of widgets",
  },
  tabs: { subject: "Tabs of a dashboard with the same key", choice: "stored" },
  limits: {
    subject: "Limits of dashboards",
    choice:
      "10 tabs; the 20 blueprints, 5 period presets, kept versions, monthly output and the size of a template's mock data are not enforced; public keys need neither portal nor anonymous user; GET /template takes host= and ignores it",
    general: true,
  },
  lastAccess: { subject: "last_access of a dashboard", choice: "stays null", general: true },
} as const;

const rule = (...actions: readonly string[]): Demand => record("dashboard", "dashboardID", ...actions);

/** Portal users can move widgets with `arrangement`, and change nothing else of a dashboard. */
const editRule: Demand = {
  ...portal(rule("edit")),
  actionsFor: ({ body }) => {
    const members = isRecord(body) ? Object.keys(body) : [];
    return members.length === 1 && members[0] === "arrangement" ? ["edit", "arrangement"] : ["edit"];
  },
};

function hasDoubleTabs({ tabs }: { readonly tabs?: unknown }): boolean {
  const keys = recordsOf(tabs).map(({ key }) => key);
  return new Set(keys).size < keys.length;
}

function serveChanges(app: App, dashboards: Collection): void {
  app.on(dashboardRoutes.edit, { body: dashboardEdit, rule: editRule }, ({ assume, body, params, profile }) => {
    const dashboard = dashboards.need(params.dashboardID, profile);
    if (hasDoubleTabs(body)) assume(gaps.tabs);
    dashboards.update(dashboard.id, clientMembers(body));
    return "Successfully Updated";
  });

  const copy = { body: dashboardDuplicate, rule: rule("duplicate"), creates: "dashboard" };
  app.on(dashboardRoutes.duplicate, copy, ({ assume, body, params, profile }) => {
    const source = dashboards.need(params.dashboardID, profile);
    const { dashboard, widgets } = dashboardContent(app, source);
    if (body?.new_label === undefined) assume(gaps.copyLabel);
    const label = body?.new_label ?? `${String(source["label"])} copy`;
    const { id } = insertDashboard(app, profile, {
      dashboard: { ...dashboard, label, ...(body?.setup && { setup: body.setup }) },
      widgets,
    });
    return created({ dashboard_id: id, message: "Copy sent" });
  });

  app.on(dashboardRoutes.getPublicKey, { rule: rule("edit") }, ({ assume, params, profile, query }) => {
    const dashboard = dashboards.need(params.dashboardID, profile);
    if (typeof dashboard["public_token_expire"] === "string") assume(gaps.keyExpiry);
    const { token, expireTime } = app.tokens.create({
      kind: "dashboard",
      profile,
      refId: dashboard.id,
      name: "Public key",
      permission: "read",
      expireTime: textOf(query["expire_time"]) ?? "never",
    });
    dashboards.touch(dashboard.id, { public_token_expire: expireTime });
    return { token, expire_time: expireTime };
  });
}

function serveHeaderButton(app: App): void {
  const options = { body: analysisRun, rule: portal(rule("access")) };
  app.on(dashboardRoutes.runWidgetHeaderButtonAnalysis, options, (context) => {
    const { assume, body, params, principal, profile } = context;
    const { analysisID, dashboardID, widgetID } = params;
    const widgets = app.collection("widget");
    // Programs send the last two ids in either order.
    const isTurned = widgets.get(dashboardID) !== undefined && principal.kind === "profile";
    if (isTurned) assume(gaps.headerButton);
    const widget = isTurned ? widgets.need(dashboardID, profile) : needWidget(app, dashboardID, widgetID, profile);
    return runHeaderButton(app, { widget, principal, exec: "run", assume }, analysisID, body?.scope);
  });
}

/** What the widgets of a dashboard use. */
function serveRelated(app: App, dashboards: Collection): void {
  const widgetsOf = (id: string, profile: string): EntityDocument[] =>
    app.collection("widget").children(dashboards.need(id, profile).id);

  /** Records of the profile with these ids. */
  const related = (kind: string, ids: readonly string[], profile: string): EntityDocument[] =>
    ids
      .map((id) => app.collection(kind).get(id))
      .filter((document): document is EntityDocument => document?.profile === profile);

  app.on(dashboardRoutes.listDevicesRelated, { rule: rule("related_devices") }, ({ params, profile }) =>
    related("device", originsOf(widgetsOf(params.dashboardID, profile)), profile).map((device) => ({
      id: device.id,
      name: device["name"],
      bucket: device.id,
    })),
  );

  app.on(dashboardRoutes.listAnalysisRelated, { rule: rule("related_analysis") }, ({ assume, params, profile }) => {
    const widgets = widgetsOf(params.dashboardID, profile);
    const own = widgets.map((widget) => widget["analysis_run"]);
    const ids = analysesOf(widgets);
    if (ids.some((id) => !own.includes(id))) assume(gaps.analyses);
    return related("analysis", ids, profile).map((analysis) => ({ id: analysis.id, name: analysis["name"] }));
  });
}

const { edit: _edit, ...ordinary } = dashboardRoutes;

/** Dashboards: basic routes, copies, public keys and what their widgets use. */
export const dashboards = resource({
  tables: { dashboardRoutes },
  kind: "dashboard",
  thing: "Dashboard",
  keys: { label: "text", type: "exact", visible: "boolean", active: "boolean", last_access: "date" },
  defaults: dashboardRoutes.list.list ?? {},
  most: perPlan(5, 100, 1000),
  audit: ["dashboard", "Dashboard"],
  tagged: true,
  backup: { file: "dashboards" },
  amounts: ["dashboard"],
  routes: ordinary,
  rule: "dashboard",
  portal: true,
  access: {
    label: "Dashboard",
    analysis: onRecords(...ORDINARY_ACTIONS, "duplicate", "related_devices", "related_analysis"),
    runUser: onRecords("access", "arrangement"),
  },
  initial: INITIAL,
  create: { body: dashboardCreate, answer: ({ id }) => ({ dashboard: id }) },
  prepare: (_, body, { assume }) => {
    if (hasDoubleTabs(body)) assume(gaps.tabs);
    return body;
  },
  // One event for the dashboard, none for each widget.
  removing: (app, { id }) => {
    const widgets = app.collection("widget");
    app.signals.quietly(() => {
      for (const widget of widgets.children(id)) widgets.remove(widget.id);
    });
    app.tokens.removeOf(id);
  },
  more: (app, records) => {
    serveChanges(app, records);
    serveHeaderButton(app);
    serveRelated(app, records);
  },
  gaps,
});
