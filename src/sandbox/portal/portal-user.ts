import { denied } from "../core/platform-error.ts";
import type { Principal } from "../core/principal.ts";
import type { Collections, EntityDocument } from "../store/document.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { needPortal } from "./settings.ts";

interface PortalUserParts extends Collections {
  readonly db: SandboxDatabase;
}

/** The user of a token, at the portal in the path. A token is valid only for the portal of its own profile. */
export function portalUser(app: PortalUserParts, host: string, principal: Principal): EntityDocument {
  const portal = needPortal(app.db, host);
  const user = app.collection("run_user").get(principal.refId);
  if (user === undefined || user.profile !== portal.profile || user["active"] !== true) {
    throw denied();
  }
  return user;
}
