import { dashboardRoutes } from "../../../lib/resources/dashboards.ts";
import { analysisRun } from "../../../schema/analysis.ts";
import { dashboardCreate, dashboardDuplicate, dashboardEdit } from "../../../schema/dashboard.ts";
import type { App } from "../../app.ts";
import { textOf } from "../../core/query.ts";
import { created } from "../../http/handler.ts";
import type { EntityDocument } from "../../store/document.ts";
import { analysesOf, dashboardContent, insertDashboard, originsOf } from "../../widgets/dashboard-copy.ts";
import { runHeaderButton } from "../../widgets/run.ts";
import { crud } from "../crud.ts";
import { needWidget } from "./widgets.ts";

/** Members of a new dashboard that the body does not name. */
const DEFAULTS = {
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

/** Dashboards: the ordinary routes, copies, public keys and what their widgets use. */
export function registerDashboardRoutes(app: App): void {
  const widgets = app.collection("widget");
  const dashboards = crud(app, dashboardRoutes, "dashboard", {
    create: dashboardCreate,
    edit: dashboardEdit,
    defaults: DEFAULTS,
    created: ({ id }) => ({ dashboard: id }),
    removing: ({ id }) => {
      for (const widget of widgets.children(id)) widgets.remove(widget.id);
      app.tokens.removeOf(id);
    },
  });

  app.handle(dashboardRoutes.duplicate, { body: dashboardDuplicate }, ({ body, params, principal, profile }) => {
    const source = dashboards.need(params.dashboardID, profile);
    const { dashboard, widgets: copies } = dashboardContent(app, source);
    const label = body?.new_label ?? `${String(source["label"])} copy`;
    const document = insertDashboard(app, profile, {
      dashboard: { ...dashboard, label, ...(body?.setup && { setup: body.setup }) },
      widgets: copies,
    });
    app.signals.emit("resourceChanged", { profile, kind: "dashboard", event: "create", document, principal });
    return created({ dashboard_id: document.id, message: "Copy sent" });
  });

  app.handle(dashboardRoutes.getPublicKey, ({ params, profile, query }) => {
    const dashboard = dashboards.need(params.dashboardID, profile);
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

  app.handle(
    dashboardRoutes.runWidgetHeaderButtonAnalysis,
    { body: analysisRun },
    ({ body, params, principal, profile }) => {
      const { analysisID, dashboardID, widgetID } = params;
      // Programs send the two last ids in either order.
      const isTurned = widgets.get(dashboardID) !== undefined && principal.kind === "profile";
      const widget = isTurned ? widgets.need(dashboardID, profile) : needWidget(app, dashboardID, widgetID, profile);
      return runHeaderButton(app, { widget, principal, exec: "run" }, analysisID, body?.scope);
    },
  );

  /** Records of the profile that the ids name. */
  const related = (name: string, ids: readonly string[], profile: string): EntityDocument[] =>
    ids
      .map((id) => app.collection(name).get(id))
      .filter((document): document is EntityDocument => document?.profile === profile);

  app.handle(dashboardRoutes.listDevicesRelated, ({ params, profile }) => {
    const dashboard = dashboards.need(params.dashboardID, profile);
    return related("device", originsOf(widgets.children(dashboard.id)), profile).map((device) => ({
      id: device.id,
      name: device["name"],
      bucket: device.id,
    }));
  });

  app.handle(dashboardRoutes.listAnalysisRelated, ({ params, profile }) => {
    const dashboard = dashboards.need(params.dashboardID, profile);
    return related("analysis", analysesOf(widgets.children(dashboard.id)), profile).map((analysis) => ({
      id: analysis.id,
      name: analysis["name"],
    }));
  });
}
