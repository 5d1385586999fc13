import { oldSpecs } from "../store/collections.ts";
import { createKinds, type Kinds } from "../store/kinds.ts";
import { accessRules } from "./access.ts";
import { accountsAndLogin } from "./accounts/accounts.ts";
import { billing } from "./billing.ts";
import type { Resource } from "./kit.ts";
import { profileBackups } from "./profiles/backups.ts";
import { profileTokens, teams } from "./profiles/members.ts";
import { profiles } from "./profiles/profiles.ts";
import { profileServiceProviders } from "./profiles/services.ts";
import { profileUsage } from "./profiles/usage.ts";
import { secrets } from "./secrets.ts";

/** Everything the sandbox serves. */
export const resources: readonly Resource[] = [
  accessRules,
  accountsAndLogin,
  billing,
  profileBackups,
  profiles,
  profileServiceProviders,
  profileTokens,
  profileUsage,
  secrets,
  teams,
];

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
    { kind: "run", audit: ["run", "Portal"] },
    { kind: "bucket", trigger: ["bucket"] },
    { kind: "file", trigger: ["file"] },
  ],
);
