import type { FullApp } from "../../app.ts";
import { needPortal } from "../../portal/settings.ts";
import { type EntityDocument, PlatformError, type Principal } from "../../types.ts";

/** The user behind a token, at the portal the path names. A token opens only the portal of its own profile. */
export function portalUser(app: FullApp, host: string, principal: Principal): EntityDocument {
  const portal = needPortal(app.db, host);
  const user = app.collection("run_user").get(principal.refId);
  if (user === undefined || user.profile !== portal.profile || user["active"] !== true) {
    throw new PlatformError(401, "Authorization Denied");
  }
  return user;
}
