import { MAX_LIST_AMOUNT } from "../../lib/core/limits.ts";
import type { EntityRows } from "../entities/rows.ts";
import type { HandlerContext } from "../http/handler.ts";
import type { Collections, EntityDocument } from "../store/document.ts";
import type { ParamStore } from "../store/params.ts";
import { pageOf } from "./entries.ts";
import { widgetGaps } from "./gaps.ts";
import { carries, idOf, recordsOf, tagOf } from "./tags.ts";

interface ResourceParts extends Collections {
  readonly entityRows: EntityRows;
  readonly params: ParamStore;
}

type Request = Pick<HandlerContext, "assume" | "profile" | "query">;
type Resource = Readonly<Record<string, unknown>>;

function nameOf(document: EntityDocument | undefined): unknown {
  return document?.["name"] ?? null;
}

/** Value of a column in a device list. */
function viewOf(app: Pick<ResourceParts, "collection" | "params">, device: EntityDocument, view: string): unknown {
  if (view.startsWith("tags.")) return tagOf(device, view.slice(5)) ?? null;
  if (view.startsWith("param.")) {
    return app.params.list(device.id).find(({ key }) => key === view.slice(6))?.value ?? null;
  }
  if (view === "bucket") return device.id;
  if (view === "bucket_name") return device["name"];
  if (view === "connector_name") return nameOf(app.collection("connector").get(String(device["connector"])));
  if (view === "network_name") return nameOf(app.collection("network").get(String(device["network"])));
  return device[view] ?? null;
}

/** Fields of a portal user that a widget can show; the others are private. */
const USER_VIEWS: readonly string[] = [
  ...["id", "name", "email", "company", "phone", "timezone", "language"],
  ...["active", "last_login", "created_at", "updated_at"],
];

/** Value of a column in a list of portal users. */
function userView(user: EntityDocument, view: string): unknown {
  if (view.startsWith("tags.")) return tagOf(user, view.slice(5)) ?? null;
  return USER_VIEWS.includes(view) ? (user[view] ?? null) : null;
}

/** Rows of the entity in the `origin` of an entry, with the fields of all entries. */
function entityTable(
  app: Pick<ResourceParts, "collection" | "entityRows">,
  { profile, query }: Request,
  first: Resource,
  resources: readonly Resource[],
): unknown[] {
  const entity = app.collection("entity").get(idOf(first["origin"] ?? first["entity"]));
  if (entity?.profile !== profile) return [];
  const { page, amount = MAX_LIST_AMOUNT } = pageOf(query);
  const fields = resources.map(({ view }) => String(view ?? "id"));
  return app.entityRows.list(entity, { page: String(page), amount: String(amount), fields });
}

/**
 * Devices or portal users of a widget: those with all tags of the filter, one row each with the columns of all entries.
 */
export function resolveResources(app: ResourceParts, request: Request, resources: readonly Resource[]): unknown[] {
  const { assume, profile, query } = request;
  const [first] = resources;
  const type = first?.["type"] ?? "device";
  if (first === undefined) return [];
  if (type === "entity") assume(widgetGaps.entities);
  if (type === "entity") return entityTable(app, request, first, resources);
  if (type === "run_user") assume(widgetGaps.portalUsers);
  if (type !== "device" && type !== "run_user") return [];
  const filter = recordsOf(first["filter"]);
  const views = resources.map(({ view }) => String(view ?? "name"));
  const { page, amount = MAX_LIST_AMOUNT } = pageOf(query);
  const from = (page - 1) * amount;
  const show = (document: EntityDocument, view: string): unknown =>
    type === "device" ? viewOf(app, document, view) : userView(document, view);
  return app
    .collection(type)
    .all(profile)
    .filter((document) => carries(document, filter))
    .slice(from, from + amount)
    .map((document) => ({
      [type === "device" ? "device" : "user"]: document.id,
      ...Object.fromEntries(views.map((view) => [view, show(document, view)])),
    }));
}
