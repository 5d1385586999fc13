import { widgetRoutes } from "../../../lib/resources/widgets.ts";
import type { App } from "../../app.ts";
import { PlatformError } from "../../core/platform-error.ts";
import type { HandlerContext } from "../../http/handler.ts";
import type { OldOptions } from "../../http/old-facts.ts";
import type { EntityDocument } from "../../store/document.ts";
import { sourceFinder } from "../../widgets/blueprint.ts";
import { createWidgetCache } from "../../widgets/cache.ts";
import { type EntryView, isTable, resolveEntry } from "../../widgets/entries.ts";
import { resolveResources } from "../../widgets/resources.ts";
import { recordsOf } from "../../widgets/tags.ts";
import { registerWidgetInputRoutes } from "./widget-input.ts";
import { needWidget, presentWidget } from "./widgets.ts";

type Context = HandlerContext<"/data/:dashboardID/:widgetID">;

/** Embed tokens and public keys read their own dashboard; writing needs more. */
const readers: OldOptions = { tokens: ["profile", "analysis", "dashboard"], rule: "own" };

/** The widget of a path. A key of one dashboard opens nothing of another. */
function widgetOf(app: App, { params, principal, profile }: Context): EntityDocument {
  if (principal.kind === "dashboard" && params.dashboardID !== principal.refId) {
    throw new PlatformError(401, "Authorization Denied");
  }
  return needWidget(app, params.dashboardID, params.widgetID, profile);
}

/** Reading and writing through widgets (QUERY.md section 8). */
export function registerWidgetDataRoutes(app: App): void {
  const cache = createWidgetCache();

  const contentOf = (context: Context, widget: EntityDocument): unknown[] => {
    const { now, principal, profile, query } = context;
    const dashboard = app.collection("dashboard").need(context.params.dashboardID, profile);
    const find = sourceFinder(app, { dashboard, query, principal });
    const view: EntryView = { find, query, nowMs: now, isTable: isTable(widget) };
    // The answer depends on what its reader may choose.
    const read = (part: string, make: () => unknown) =>
      cache.read(widget, `${principal.kind}.${principal.refId}.${part}`, query, now, make);
    const fromData = recordsOf(widget["data"]).map((data, index) => ({
      data,
      ...read(`data.${index}`, () => resolveEntry(app, view, data)),
    }));
    const resources = recordsOf(widget["resource"]);
    if (resources.length === 0) return fromData;
    const listed = read("resource", () => resolveResources(app, profile, query, resources));
    return [...fromData, ...resources.map((resource) => ({ resource, ...listed }))];
  };

  app.handle(widgetRoutes.getData, readers, (context) => {
    const widget = widgetOf(app, context);
    return { widget: presentWidget(widget), content: contentOf(context, widget) };
  });

  registerWidgetInputRoutes(app);
}
