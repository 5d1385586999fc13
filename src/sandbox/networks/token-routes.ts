import { networkRoutes } from "../../lib/resources/networks.ts";
import { networkTokenCreate } from "../../schema/integration.ts";
import { named, record, tokenOwner } from "../access/demands.ts";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import { refuseMore, shownToken } from "../http/auth.ts";
import { created } from "../http/handler.ts";
import type { Collection } from "../store/document.ts";
import { listRecords } from "../store/list-records.ts";

const { tokenList, tokenCreate, tokenDelete } = networkRoutes;

/** Binds the tokens of networks. A public network has tokens of each profile. */
export function bindNetworkTokens(app: App, networks: Collection): void {
  app.on(tokenList, { rule: record("network", "networkID", "token_access") }, (context) => {
    const { params, principal, profile, query } = context;
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
    return listRecords(rows, query, tokenList.list ?? {});
  });

  const create = { rule: named("network", "network", "token_access"), body: networkTokenCreate };
  app.on(tokenCreate, create, ({ body, principal, profile }) => {
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

  app.on(tokenDelete, { rule: tokenOwner("network", "token", "token_access") }, ({ params, profile }) => {
    const token = app.tokens.find(params.token);
    if (token === undefined || token.kind !== "network" || token.profile !== profile) {
      throw new PlatformError(404, "Token Not Found");
    }
    app.tokens.remove(token.token);
    return "Token Successfully Removed";
  });
}
