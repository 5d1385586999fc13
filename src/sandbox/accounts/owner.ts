import type { Principal } from "../core/principal.ts";
import type { Tokens } from "../store/tokens.ts";
import type { Accounts } from "./accounts.ts";

/** The account behind a token. */
export interface Owners {
  readonly accounts: Accounts;
  readonly tokens: Tokens;
}

/** The account behind a token: the one that created it, else the one that owns the profile. */
export function accountOf({ accounts, tokens }: Owners, principal: Principal): string {
  const maker = tokens.find(principal.key)?.createdBy;
  if (maker !== undefined && maker !== null && accounts.get(maker) !== undefined) return maker;
  return accounts.profile(principal.profile)?.account ?? "";
}

/** Id for the audit log: of the account, analysis or portal user that acts. */
export function actorOf(app: Owners, principal: Principal): string {
  return principal.kind === "profile" ? accountOf(app, principal) : principal.refId;
}
