import type { EntityDocument, QueryObject, SandboxApp } from "../types.ts";
import { MAX_ROWS, pageOf } from "./entries.ts";
import { carries, recordsOf, tagOf } from "./tags.ts";

type Resource = Readonly<Record<string, unknown>>;

function nameOf(document: EntityDocument | undefined): unknown {
  return document?.["name"] ?? null;
}

/** What a column of a device list shows. */
function viewOf(app: SandboxApp, device: EntityDocument, view: string): unknown {
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

/** Devices a widget lists: those with all tags of the filter, a row each with the columns of all entries. */
export function resolveResources(
  app: SandboxApp,
  profile: string,
  query: QueryObject,
  resources: readonly Resource[],
): unknown[] {
  const [first] = resources;
  if (first === undefined || (first["type"] ?? "device") !== "device") return [];
  const filter = recordsOf(first["filter"]);
  const views = resources.map(({ view }) => String(view ?? "name"));
  const { page, amount = MAX_ROWS } = pageOf(query);
  const from = (page - 1) * amount;
  return app
    .collection("device")
    .all(profile)
    .filter((device) => carries(device, filter))
    .slice(from, from + amount)
    .map((device) => ({
      device: device.id,
      ...Object.fromEntries(views.map((view) => [view, viewOf(app, device, view)])),
    }));
}
