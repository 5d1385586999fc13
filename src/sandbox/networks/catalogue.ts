import type { Gap } from "../core/gap.ts";
import { PUBLIC_PROFILE } from "../store/collection.ts";
import type { EntityDocument } from "../store/document.ts";

/** Common code of connectors and networks. */
export const catalogueGaps = {
  notOwn: { subject: "Connectors and networks of the catalogue", choice: "cannot be edited or deleted: 404" },
} as const satisfies Readonly<Record<string, Gap>>;

/** Public records have no owner. */
export function withoutOwner({ profile, ...shown }: EntityDocument): Record<string, unknown> {
  return profile === PUBLIC_PROFILE ? shown : { ...shown, profile };
}
