import { widgetRoutes } from "../../../lib/resources/widgets.ts";
import { widgetCreate, widgetEdit } from "../../../schema/widget.ts";
import type { App } from "../../app.ts";
import { PlatformError } from "../../core/platform-error.ts";
import type { EntityDocument } from "../../store/document.ts";
import { clientMembers } from "../kit.ts";

/** Members of a widget that nothing was stored for. */
const UNSET = { analysis_run: null, resource: [], token: null } as const;

/** A widget as it goes over the wire. */
export function presentWidget(widget: EntityDocument): Record<string, unknown> {
  const { profile: _, ...shown } = widget;
  return { ...UNSET, ...shown };
}

/** The widget of a path, if it is on the dashboard of the path. */
export function needWidget(app: App, dashboardId: string, widgetId: string, profile: string): EntityDocument {
  const dashboard = app.collection("dashboard").need(dashboardId, profile);
  const widget = app.collection("widget").need(widgetId, profile);
  if (widget["dashboard"] !== dashboard.id) throw new PlatformError(404, "Widget Not Found");
  return widget;
}

/** Widgets, stored as sent: old and new ones alike. */
export function registerWidgetRoutes(app: App): void {
  const widgets = app.collection("widget");
  const dashboards = app.collection("dashboard");

  app.handle(widgetRoutes.create, { body: widgetCreate }, ({ body, params, principal, profile }) => {
    const dashboard = dashboards.need(params.dashboardID, profile);
    const widget = widgets.insert(profile, { ...clientMembers(body), dashboard: dashboard.id });
    app.signals.emit("resourceChanged", { profile, kind: "widget", event: "create", document: widget, principal });
    return { widget: widget.id };
  });

  app.handle(widgetRoutes.info, ({ params, profile }) =>
    presentWidget(needWidget(app, params.dashboardID, params.widgetID, profile)),
  );

  app.handle(widgetRoutes.edit, { body: widgetEdit }, ({ body, params, principal, profile }) => {
    const widget = needWidget(app, params.dashboardID, params.widgetID, profile);
    const { dashboard: _, ...changes } = clientMembers(body);
    // Leaving the analysis out detaches it.
    const document = widgets.update(widget.id, { analysis_run: null, ...changes });
    app.signals.emit("resourceChanged", { profile, kind: "widget", event: "edit", document, principal });
    return "Successfully Updated";
  });

  app.handle(widgetRoutes.delete, ({ params, principal, profile }) => {
    const widget = needWidget(app, params.dashboardID, params.widgetID, profile);
    // Its place in the arrangement stays, and its files do.
    widgets.remove(widget.id);
    app.signals.emit("resourceChanged", { profile, kind: "widget", event: "delete", document: widget, principal });
    return "Successfully Removed";
  });

  app.handle(widgetRoutes.tokenGenerate, { permission: "write" }, ({ params, profile }) => {
    const widget = needWidget(app, params.dashboardID, params.widgetID, profile);
    const old = widget["token"];
    if (typeof old === "string") app.tokens.remove(old);
    const { token } = app.tokens.create({
      kind: "dashboard",
      profile,
      refId: params.dashboardID,
      name: `Widget ${widget.id}`,
      permission: "read",
    });
    widgets.update(widget.id, { token });
    return { widget_token: token };
  });
}
