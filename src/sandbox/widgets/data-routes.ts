import { isRecord } from "../../lib/core/json.ts";
import { widgetRoutes } from "../../lib/resources/widgets.ts";
import { portal, record } from "../access/demands.ts";
import type { App } from "../app.ts";
import { denied } from "../core/platform-error.ts";
import { sourceFinder } from "../dashboards/blueprint.ts";
import type { HandlerContext } from "../http/handler.ts";
import type { Resource } from "../resource.ts";
import type { EntityDocument } from "../store/document.ts";
import { WidgetCache } from "./cache.ts";
import { type EntryView, isTable, resolveEntry } from "./entries.ts";
import { widgetGaps } from "./gaps.ts";
import { inputGaps, serveWidgetInput } from "./input-routes.ts";
import { resolveResources } from "./resources.ts";
import { needWidget, presentWidget } from "./routes.ts";
import { recordsOf } from "./tags.ts";

type Context = HandlerContext<"/data/:dashboardID/:widgetID">;

const gaps = {
  keys: {
    subject: "Public key and embed token",
    choice: "open the data of all widgets of their dashboard, and nothing else",
    general: true,
  },
  cache: {
    subject: "cache.expiration of a widget",
    choice: "the same response for that long, with cacheTime; null without it",
  },
  ...widgetGaps,
  ...inputGaps,
} as const;

/** The widget in a path. A key of one dashboard is not valid for another. */
function widgetOf(app: App, { params, principal, profile }: Context): EntityDocument {
  if (principal.kind === "dashboard" && params.dashboardID !== principal.refId) {
    throw denied();
  }
  return needWidget(app, params.dashboardID, params.widgetID, profile);
}

function serve(app: App): void {
  const cache = new WidgetCache();

  const contentOf = (context: Context, widget: EntityDocument): unknown[] => {
    const { assume, now, principal, profile, query } = context;
    const dashboard = app.collection("dashboard").need(context.params.dashboardID, profile);
    const find = sourceFinder(app, { dashboard, query, principal, assume });
    const view: EntryView = { find, query, nowMs: now, isTable: isTable(widget), assume };
    if (query["page"] !== undefined || query["amount"] !== undefined) assume(widgetGaps.pages);
    if (isRecord(widget["cache"]) && typeof widget["cache"]["expiration"] === "string") assume(gaps.cache);
    // The response depends on the placeholders its reader can choose.
    const read = (part: string, make: () => unknown) =>
      cache.read(widget, `${principal.kind}.${principal.refId}.${part}`, query, now, make);
    const fromData = recordsOf(widget["data"]).map((data, index) => ({
      data,
      ...read(`data.${index}`, () => resolveEntry(app, view, data)),
    }));
    const resources = recordsOf(widget["resource"]);
    if (resources.length === 0) return fromData;
    const listed = read("resource", () => resolveResources(app, context, resources));
    return [...fromData, ...resources.map((resource) => ({ resource, ...listed }))];
  };

  const canRead = portal(record("dashboard", "dashboardID", "access"));
  app.on(
    widgetRoutes.getData,
    // Embed tokens and public keys can read their own dashboard; writing requires more.
    { rule: [canRead, "own"], tokens: ["profile", "analysis", "dashboard"], counts: "dashboard_output" },
    (context) => {
      const widget = widgetOf(app, context);
      return { widget: presentWidget(widget), content: contentOf(context, widget) };
    },
  );

  serveWidgetInput(app);
}

/** Reading and writing through widgets (docs/internals/platform/queries.md, Widget data). */
export const widgetData: Resource = { gaps, serve };
