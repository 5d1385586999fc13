import { serviceAuthorizationRoutes } from "../../lib/resources/service-authorization.ts";
import { serviceAuthorizationCreate, serviceAuthorizationEdit } from "../../schema/service-authorization.ts";
import { ORDINARY_ACTIONS, onAll } from "../access/catalogue.ts";
import { type Demand, whole } from "../access/demands.ts";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import { refuseMore } from "../http/auth.ts";
import { created } from "../http/handler.ts";
import { presentToken } from "../info/routes.ts";
import type { Resource } from "../resource.ts";
import { listRecords } from "../store/list-records.ts";
import type { StoredToken } from "../store/tokens.ts";

const routes = serviceAuthorizationRoutes;

const ruled = (action: string): Demand => whole("service_authorization", action);
function needToken({ tokens }: App, text: string, profile: string): StoredToken {
  const token = tokens.find(text);
  if (token === undefined || token.kind !== "service" || token.profile !== profile) {
    throw new PlatformError(404, "Service Authorization Not Found");
  }
  return token;
}

function serve(app: App): void {
  const { tokens } = app;

  app.on(routes.tokenList, { rule: ruled("access") }, ({ principal, profile, query }) => {
    const rows = tokens.list("service", profile).map((token) => presentToken(token, principal));
    return listRecords(rows, query, routes.tokenList.list ?? {});
  });

  const create = { rule: ruled("create"), body: serviceAuthorizationCreate };
  app.on(routes.tokenCreate, create, ({ body, principal, profile }) => {
    refuseMore(principal, body.permission);
    const { token, name } = tokens.create({
      kind: "service",
      profile,
      refId: profile,
      name: body.name,
      permission: body.permission,
      expireTime: body.expire_time || "never",
      serieNumber: body.serie_number ?? null,
      verificationCode: body.verification_code ?? null,
      createdBy: app.accounts.profile(profile)?.account ?? null,
    });
    const code = body.verification_code;
    return created({ token, name, profile, ...(code && { additional_parameters: code }) });
  });

  const edit = { rule: ruled("edit"), body: serviceAuthorizationEdit };
  app.on(routes.tokenEdit, edit, ({ body, params, profile }) => {
    const { token } = needToken(app, params.token, profile);
    tokens.setVerificationCode(token, body?.verification_code ?? null);
    return "Authorization Code Successfully Updated";
  });

  app.on(routes.tokenDelete, { rule: ruled("delete") }, ({ params, profile }) => {
    tokens.remove(needToken(app, params.token, profile).token);
    return "Token Successfully Removed";
  });
}

/** Service authorizations: tokens of the profile with which networks send data. */
export const serviceAuthorizations: Resource = {
  tables: { serviceAuthorizationRoutes },
  access: { service_authorization: { label: "Service authorization", analysis: onAll(...ORDINARY_ACTIONS) } },
  serve,
};
