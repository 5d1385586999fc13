import { widgetRoutes } from "../../lib/resources/widgets.ts";
import { widgetCreate, widgetEdit } from "../../schema/widget.ts";
import { portal, record } from "../access/demands.ts";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import { clientMembers, type Resource } from "../resource.ts";
import type { EntityDocument } from "../store/document.ts";
import { recordsOf } from "./tags.ts";

/** Default fields of a widget. */
const UNSET = { analysis_run: null, resource: [], token: null } as const;

/** A widget in the format of responses. */
export function presentWidget(widget: EntityDocument): Record<string, unknown> {
  const { profile: _, ...shown } = widget;
  return { ...UNSET, ...shown };
}

/** The widget in a path, if it belongs to the dashboard in the path. */
export function needWidget(app: App, dashboardId: string, widgetId: string, profile: string): EntityDocument {
  const dashboard = app.collection("dashboard").need(dashboardId, profile);
  const widget = app.collection("widget").need(widgetId, profile);
  if (widget["dashboard"] !== dashboard.id) throw new PlatformError(404, "Widget Not Found");
  return widget;
}

/** True for changes to a widget that the platform cannot draw. */
function cannotBeDrawn(widget: EntityDocument, changes: Readonly<Record<string, unknown>>): boolean {
  const { type = widget["type"], data } = changes;
  return type !== widget["type"] || recordsOf(data).some(({ query }) => query === "all_data");
}

const canEdit = record("dashboard", "dashboardID", "edit");

function serve(app: App): void {
  const widgets = app.collection("widget");
  const dashboards = app.collection("dashboard");
  const write = { rule: canEdit } as const;

  app.on(widgetRoutes.create, { ...write, body: widgetCreate }, ({ body, params, profile }) => {
    const dashboard = dashboards.need(params.dashboardID, profile);
    return { widget: widgets.insert(profile, { ...clientMembers(body), dashboard: dashboard.id }).id };
  });

  const canRead = portal(record("dashboard", "dashboardID", "access"));
  app.on(widgetRoutes.info, { rule: canRead }, ({ params, profile }) =>
    presentWidget(needWidget(app, params.dashboardID, params.widgetID, profile)),
  );

  app.on(widgetRoutes.edit, { ...write, body: widgetEdit }, ({ assume, body, params, profile }) => {
    const widget = needWidget(app, params.dashboardID, params.widgetID, profile);
    const { dashboard: _, ...changes } = clientMembers(body);
    if (cannotBeDrawn(widget, changes)) assume(gaps.notDrawable);
    // Omitting the analysis detaches it.
    widgets.update(widget.id, { analysis_run: null, ...changes });
    return "Successfully Updated";
  });

  app.on(widgetRoutes.delete, write, ({ params, profile }) => {
    const widget = needWidget(app, params.dashboardID, params.widgetID, profile);
    // Its entry in the arrangement stays, and its files do.
    widgets.remove(widget.id);
    return "Successfully Removed";
  });

  app.on(widgetRoutes.tokenGenerate, { rule: canEdit, permission: "write" }, ({ params, profile }) => {
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
    // Unlike an update it does not pass the token to listeners.
    widgets.touch(widget.id, { token });
    return { widget_token: token };
  });
}

const gaps = {
  notDrawable: {
    subject: "Widgets edited to what the platform cannot draw",
    choice: "stored: another type, the query all_data",
  },
} as const;

/** Widgets, stored as sent: old and new ones alike. */
export const widgets: Resource = {
  tables: { widgetRoutes },
  records: [
    {
      kind: "widget",
      thing: "Widget",
      keys: { label: "text", type: "exact", dashboard: "exact" },
      defaults: {},
      audit: ["dashboard", "Widget"],
      parent: "dashboard",
    },
  ],
  gaps,
  serve,
};
