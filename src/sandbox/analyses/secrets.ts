import { tagsOf } from "../access/demands.ts";
import type { Policy } from "../access/policy.ts";
import type { Principal } from "../core/principal.ts";
import type { Collection, EntityDocument } from "../store/document.ts";

/** The secrets an analysis can read. */
export function readableSecrets(
  policy: Pick<Policy, "allows">,
  secrets: Pick<Collection, "all">,
  { id: refId, profile }: EntityDocument,
): EntityDocument[] {
  const principal: Principal = { kind: "analysis", profile, refId, permission: "full", key: "" };
  return secrets
    .all(profile)
    .filter(({ id, tags }) => policy.allows(principal, "secrets", ["access"], { id, tags: tagsOf(tags) }));
}
