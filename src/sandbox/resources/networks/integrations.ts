import { connectorRoutes } from "../../../lib/resources/connectors.ts";
import { networkRoutes } from "../../../lib/resources/networks.ts";
import {
  connectorCreate,
  connectorEdit,
  networkCreate,
  networkEdit,
  networkTokenCreate,
} from "../../../schema/integration.ts";
import type { App } from "../../app.ts";
import { PlatformError } from "../../core/platform-error.ts";
import { listOf } from "../../core/query.ts";
import { refuseMore, shownToken } from "../../http/auth.ts";
import { created } from "../../http/handler.ts";
import { PUBLIC_PROFILE, project } from "../../store/collection.ts";
import type { EntityDocument } from "../../store/document.ts";
import { listRecords } from "../../store/list-records.ts";
import { crud } from "../crud.ts";

/** Stands for the sandbox itself in a network's `middleware_endpoint`: its port is known when it is asked for. */
const OWN_MIDDLEWARE = "127.0.0.1/middleware";

/** Public records belong to nobody. */
function present(document: EntityDocument): Record<string, unknown> {
  const { profile, ...shown } = document;
  return profile === PUBLIC_PROFILE ? shown : { ...shown, profile };
}

/** A network with the sandbox's own middleware under the name the caller knows it by. */
export function presentNetwork(origin: string): (network: EntityDocument) => Record<string, unknown> {
  const host = origin.replace(/^https?:\/\//, "");
  return (network) => {
    const shown = present(network);
    return shown["middleware_endpoint"] === OWN_MIDDLEWARE
      ? { ...shown, middleware_endpoint: `${host}/middleware` }
      : shown;
  };
}

function registerConnectors(app: App): void {
  const connectors = app.collection("connector");
  const { create, edit, delete: remove } = connectorRoutes;
  crud(app, { create, edit, delete: remove }, "connector", {
    create: connectorCreate,
    edit: connectorEdit,
    createdStatus: 200,
    tagged: false,
    defaults: { public: false, networks: [], device_parameters: [] },
    created: ({ id }) => ({ connector: id }),
    edited: "Connector Successfully Updated",
    removed: "Connector Successfully Deleted",
    onlyOwn: true,
  });
  app.handle(connectorRoutes.list, { tokenOptional: true }, ({ profile, query }) =>
    connectors.list(profile, query, { present }),
  );
  app.handle(connectorRoutes.info, ({ params, profile, query }) =>
    project(present(connectors.need(params.connectorID, profile)), listOf(query["fields"])),
  );
}

function registerNetworks(app: App): void {
  const networks = app.collection("network");
  const { create, edit, delete: remove } = networkRoutes;
  crud(app, { create, edit, delete: remove }, "network", {
    create: networkCreate,
    edit: networkEdit,
    createdStatus: 200,
    tagged: false,
    defaults: { public: false, device_parameters: [] },
    created: ({ id }) => ({ network: id }),
    edited: "Network Successfully Updated",
    onlyOwn: true,
    removing: ({ id }) => app.tokens.removeOf(id),
  });
  app.handle(networkRoutes.list, { tokenOptional: true }, ({ profile, query, request }) =>
    networks.list(profile, query, { present: presentNetwork(request.origin) }),
  );
  app.handle(networkRoutes.info, ({ params, profile, query, request }) =>
    project(presentNetwork(request.origin)(networks.need(params.networkID, profile)), listOf(query["fields"])),
  );
}

function registerNetworkTokens(app: App): void {
  const networks = app.collection("network");
  const defaults = networkRoutes.tokenList.list ?? {};

  app.handle(networkRoutes.tokenList, ({ params, principal, profile, query }) => {
    const network = networks.need(params.networkID, profile);
    const rows = app.tokens
      .list("network", network.id)
      .filter((token) => token.profile === profile)
      .map((token) => ({
        name: token.name,
        token: shownToken(principal, token),
        permission: token.permission,
        serie_number: token.serieNumber,
        verification_code: token.verificationCode,
        expire_time: token.expireTime,
        created_at: token.createdAt,
      }));
    return listRecords(rows, query, defaults);
  });

  app.handle(networkRoutes.tokenCreate, { body: networkTokenCreate }, ({ body, principal, profile }) => {
    const network = networks.need(body.network, profile);
    refuseMore(principal, body.permission);
    const { token, name } = app.tokens.create({
      kind: "network",
      profile,
      refId: network.id,
      name: body.name,
      permission: body.permission,
      serieNumber: body.serie_number ?? null,
      verificationCode: body.verification_code ?? null,
      ...(body.expire_time !== undefined && { expireTime: body.expire_time }),
    });
    return created({ token, name, network: network.id });
  });

  app.handle(networkRoutes.tokenDelete, ({ params, profile }) => {
    const token = app.tokens.find(params.token);
    if (token === undefined || token.kind !== "network" || token.profile !== profile) {
      throw new PlatformError(404, "Token Not Found");
    }
    app.tokens.remove(token.token);
    return "Token Successfully Removed";
  });
}

/** Connectors, networks and the tokens of networks. */
export function registerIntegrationRoutes(app: App): void {
  registerConnectors(app);
  registerNetworks(app);
  registerNetworkTokens(app);
}
