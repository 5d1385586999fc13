import { serviceAuthorizationRoutes } from "../../lib/resources/service-authorization.ts";
import { serviceAuthorizationCreate, serviceAuthorizationEdit } from "../../schema/service-authorization.ts";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import { refuseMore } from "../http/auth.ts";
import { created } from "../http/handler.ts";
import { listRecords } from "../store/list-records.ts";
import type { StoredToken } from "../store/tokens.ts";
import { presentToken } from "./info.ts";

/** Service authorizations: tokens of the profile that networks come in with. */
export function registerServiceAuthorizationRoutes(app: App): void {
  const { tokens } = app;
  const routes = serviceAuthorizationRoutes;
  const defaults = routes.tokenList.list ?? {};

  const need = (text: string, profile: string): StoredToken => {
    const token = tokens.find(text);
    if (token === undefined || token.kind !== "service" || token.profile !== profile) {
      throw new PlatformError(404, "Service Authorization Not Found");
    }
    return token;
  };

  app.handle(routes.tokenList, ({ principal, profile, query }) => {
    const rows = tokens.list("service", profile).map((token) => presentToken(token, principal));
    return listRecords(rows, query, defaults);
  });

  app.handle(routes.tokenCreate, { body: serviceAuthorizationCreate }, ({ body, principal, profile }) => {
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

  app.handle(routes.tokenEdit, { body: serviceAuthorizationEdit }, ({ body, params, profile }) => {
    const { token } = need(params.token, profile);
    tokens.setVerificationCode(token, body?.verification_code ?? null);
    return "Authorization Code Successfully Updated";
  });

  app.handle(routes.tokenDelete, ({ params, profile }) => {
    tokens.remove(need(params.token, profile).token);
    return "Token Successfully Removed";
  });
}
