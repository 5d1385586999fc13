import { oldSpecs } from "../store/collections.ts";
import { createKinds, type Kinds } from "../store/kinds.ts";
import { accessCatalogue, accessRules } from "./access.ts";
import { actions } from "./actions.ts";
import { analyses } from "./analyses/analyses.ts";
import { services } from "./analyses/services.ts";
import { dictionaries } from "./dictionaries.ts";
import { events } from "./events/events.ts";
import type { Resource } from "./kit.ts";
import { notifications } from "./notifications.ts";
import { portal } from "./portal/portal.ts";
import { portalSettings } from "./portal/run.ts";
import { portalNotifications } from "./portal/run-notifications.ts";
import { portalUsers } from "./portal/run-users.ts";
import { secrets } from "./secrets.ts";

const parts: readonly Resource[] = [
  accessRules,
  actions,
  analyses,
  dictionaries,
  events,
  notifications,
  portal,
  portalNotifications,
  portalSettings,
  portalUsers,
  secrets,
  services,
];

/** Everything the sandbox serves. */
export const resources: readonly Resource[] = [...parts, accessCatalogue(parts)];

const records = resources.flatMap((each) => each.records ?? []);
const known = new Set(records.map(({ kind }) => kind));

/** Every kind of record there is, and every other thing that changes. */
export const kinds: Kinds = createKinds(
  [
    ...records,
    ...Object.values(oldSpecs)
      .filter(({ kind }) => !known.has(kind))
      .map((spec) => ({ ...spec, silent: true })),
  ],
  [
    ...resources.flatMap((each) => each.kinds ?? []),
    { kind: "profile", audit: ["profile", "Profile"], trigger: ["profile"] },
    { kind: "token", audit: ["profile", "Token"] },
    { kind: "bucket", trigger: ["bucket"] },
    { kind: "file", trigger: ["file"] },
    { kind: "financial", trigger: ["financial"] },
  ],
);
