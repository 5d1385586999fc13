import type { ProfileDocument } from "../accounts/accounts.ts";
import type { Owners } from "../accounts/owner.ts";
import { accountOf } from "../accounts/owner.ts";
import { requireId } from "../core/ids.ts";
import { denied, PlatformError } from "../core/platform-error.ts";
import type { Principal } from "../core/principal.ts";

/** Accounts a profile is shared with cannot do what only the owner can. */
export const memberGaps = {
  members: {
    subject: "Members of a team",
    choice:
      "may do everything but delete the profile, invite others and read the audit log; their tokens are removed when they leave",
  },
} as const;

/** The profile in a path; `current` is the token's own, others must be accessible to its account. */
export function reachProfile(app: Owners, profileId: string, principal: Principal): ProfileDocument {
  const { accounts } = app;
  const id = profileId === "current" ? principal.profile : requireId(profileId, "Profile");
  const isReachable =
    id === principal.profile ||
    (principal.kind === "profile" && accounts.profiles(accountOf(app, principal)).some((item) => item.id === id));
  const profile = isReachable ? accounts.profile(id) : undefined;
  if (profile === undefined) throw new PlatformError(404, "Profile Not Found");
  return profile;
}

/** Like `reachProfile`, for operations of the account that owns the profile. */
export function ownProfile(app: Owners, profileId: string, principal: Principal): ProfileDocument {
  const profile = reachProfile(app, profileId, principal);
  if (profile.account !== accountOf(app, principal)) {
    throw denied().assumed(memberGaps.members);
  }
  return profile;
}
