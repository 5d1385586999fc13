import { dashboardRoutes } from "../../lib/resources/dashboards.ts";
import { dashboardCreate, dashboardDuplicate, dashboardEdit } from "../../schema/dashboard.ts";
import type { FullApp } from "../app.ts";
import { crud } from "../crud.ts";
import { textOf } from "../query-decode.ts";
import { isRecord } from "../records.ts";
import { created, type EntityDocument } from "../types.ts";

/** Members of a new dashboard that the body does not name. */
const DEFAULTS = {
  type: "dashboard",
  visible: true,
  arrangement: [],
  tabs: [],
  background: null,
  theme: null,
  description: null,
  disable_blueprint_fallback: false,
  last_access: null,
} as const;

/** Places of widgets under their new ids; the others fall away. */
function moveArrangement(arrangement: unknown, newIds: ReadonlyMap<string, string>): unknown[] {
  if (!Array.isArray(arrangement)) return [];
  return arrangement.filter(isRecord).flatMap((place) => {
    const id = newIds.get(String(place["widget_id"]));
    return id === undefined ? [] : [{ ...place, widget_id: id }];
  });
}

/** Values of one member over the entries of all widgets, each once. */
function distinct(widgets: readonly EntityDocument[], pick: (widget: EntityDocument) => readonly unknown[]): string[] {
  return [...new Set(widgets.flatMap(pick).filter((value): value is string => typeof value === "string"))];
}

function originsOf(widget: EntityDocument): readonly unknown[] {
  const entries = widget["data"];
  return Array.isArray(entries) ? entries.filter(isRecord).map((entry) => entry["origin"]) : [];
}

/** Dashboards: the ordinary routes, copies, public keys and what their widgets use. */
export function registerDashboardRoutes(app: FullApp): void {
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
    const { id: _, created_at: _created, updated_at: _updated, ...members } = source;
    const label = body?.new_label ?? `${String(source["label"])} copy`;
    const copy = dashboards.insert(profile, { ...members, label, ...(body?.setup && { setup: body.setup }) });
    const newIds = new Map<string, string>();
    for (const widget of widgets.children(source.id)) {
      const { id, created_at: _c, updated_at: _u, token: _t, ...rest } = widget;
      newIds.set(id, widgets.insert(profile, { ...rest, dashboard: copy.id }).id);
    }
    const document = dashboards.update(copy.id, { arrangement: moveArrangement(source["arrangement"], newIds) });
    app.signals.emit("resourceChanged", { profile, kind: "dashboard", event: "create", document, principal });
    return created({ dashboard_id: copy.id, message: "Copy sent" });
  });

  app.handle(dashboardRoutes.getPublicKey, { permission: "write" }, ({ params, profile, query }) => {
    const dashboard = dashboards.need(params.dashboardID, profile);
    const { token, expireTime } = app.tokens.create({
      kind: "dashboard",
      profile,
      refId: dashboard.id,
      name: "Public key",
      permission: "read",
      expireTime: textOf(query["expire_time"]) ?? "never",
    });
    return { token, expire_time: expireTime };
  });

  app.handle(dashboardRoutes.listDevicesRelated, ({ params, profile }) => {
    const dashboard = dashboards.need(params.dashboardID, profile);
    return distinct(widgets.children(dashboard.id), originsOf)
      .map((id) => app.collection("device").get(id))
      .filter((device) => device?.profile === profile)
      .map((device) => ({ id: device?.id, name: device?.["name"], bucket: device?.id }));
  });

  app.handle(dashboardRoutes.listAnalysisRelated, ({ params, profile }) => {
    const dashboard = dashboards.need(params.dashboardID, profile);
    return distinct(widgets.children(dashboard.id), (widget) => [widget["analysis_run"]])
      .map((id) => app.collection("analysis").get(id))
      .filter((analysis) => analysis?.profile === profile)
      .map((analysis) => ({ id: analysis?.id, name: analysis?.["name"] }));
  });
}
