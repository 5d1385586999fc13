import { get } from "../../lib/core/route.ts";
import type { FullApp } from "../app.ts";
import { listOf } from "../query-decode.ts";
import { PUBLIC_PROFILE, project } from "../store.ts";
import type { CollectionName, EntityDocument } from "../types.ts";

/** Until the client has a table of these. */
export const integrationRoutes = {
  connectorList: get("/integration/connector/"),
  connectorInfo: get("/integration/connector/:connectorID"),
  networkList: get("/integration/network/"),
  networkInfo: get("/integration/network/:networkID"),
};

/** Public records belong to nobody. */
function present(document: EntityDocument): Record<string, unknown> {
  const { profile, ...shown } = document;
  return profile === PUBLIC_PROFILE ? shown : { ...shown, profile };
}

/** Connectors and networks, listed and read. */
export function registerIntegrationRoutes(app: FullApp): void {
  const info = (name: CollectionName, id: string, profile: string, fields: readonly string[]) =>
    project(present(app.collection(name).need(id, profile)), fields);

  app.handle(integrationRoutes.connectorList, ({ profile, query }) =>
    app.collection("connector").list(profile, query, { present }),
  );
  app.handle(integrationRoutes.networkList, ({ profile, query }) =>
    app.collection("network").list(profile, query, { present }),
  );
  app.handle(integrationRoutes.connectorInfo, ({ params, profile, query }) =>
    info("connector", params.connectorID, profile, listOf(query["fields"])),
  );
  app.handle(integrationRoutes.networkInfo, ({ params, profile, query }) =>
    info("network", params.networkID, profile, listOf(query["fields"])),
  );
}
