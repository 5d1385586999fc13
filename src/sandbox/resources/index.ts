import { oldSpecs } from "../store/collections.ts";
import { createKinds, type Kinds } from "../store/kinds.ts";
import { accessRules } from "./access.ts";
import { billing } from "./billing.ts";
import type { Resource } from "./kit.ts";
import { secrets } from "./secrets.ts";

/** Everything the sandbox serves. */
export const resources: readonly Resource[] = [accessRules, billing, secrets];

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
    { kind: "run", audit: ["run", "Portal"] },
    { kind: "bucket", trigger: ["bucket"] },
    { kind: "file", trigger: ["file"] },
  ],
);
