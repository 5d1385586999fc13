import { denied, PlatformError } from "../core/platform-error.ts";
import type { Principal } from "../core/principal.ts";
import type { StoredToken, Tokens } from "../store/tokens.ts";

/** What a link in an email is for. */
export type LinkPurpose = "Confirm account" | "Reset password" | "Team invitation" | "Confirm user";

export interface NewLink {
  readonly purpose: LinkPurpose;
  /** Id of what the link belongs to: an account, an invitation, a portal user. */
  readonly refId: string;
  readonly profile?: string;
}

export const linkGaps = {
  links: {
    subject: "Links in emails",
    choice:
      "in the outbox as token; once each: confirmation 3 days, password 1 hour, invitation 7 days; used or unknown: 404 Token Not Found",
  },
} as const;

const LIFETIME: Readonly<Record<LinkPurpose, string>> = {
  "Confirm account": "3 days",
  "Reset password": "1 hour",
  "Team invitation": "7 days",
  "Confirm user": "3 days",
};

interface Links {
  readonly tokens: Tokens;
}

/** Creates the token of an email. An earlier one for the same purpose becomes invalid. */
export function createLink({ tokens }: Links, { purpose, refId, profile = "" }: NewLink): string {
  for (const old of tokens.list("link", refId)) if (old.name === purpose) tokens.remove(old.token);
  const link = tokens.create({ kind: "link", profile, refId, name: purpose, expireTime: LIFETIME[purpose] });
  return link.token;
}

/** Uses up the link of a path. Throws 404 if it is unknown, used, expired or for another purpose. */
export function takeLink({ tokens }: Links, text: string, purpose: LinkPurpose): StoredToken {
  const found = tokens.authorize(text);
  if (found === undefined || found.kind !== "link" || found.name !== purpose) {
    throw new PlatformError(404, "Token Not Found").assumed(linkGaps.links);
  }
  tokens.remove(found.token);
  return found;
}

/** Uses up the link a request was made with. Throws 401 if it is for another purpose. */
export function spendLink({ tokens }: Links, principal: Principal, purpose: LinkPurpose): StoredToken {
  const found = tokens.find(principal.key);
  if (found === undefined || found.name !== purpose) throw denied();
  tokens.remove(found.token);
  return found;
}
