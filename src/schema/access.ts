import { z } from "zod";
import type { AccessCreateInfo, AccessEditInfo } from "../lib/resources/access.ts";
import { ruleResources, ruleTargets } from "../lib/resources/enums.ts";
import { tags } from "./common.ts";

const text = z.string().max(1_000);

const AT_LEAST_ONE = "Array must contain at least 1 element(s)";

/** Type of a resource or target, alone or with a condition. Tuples of another length are stored and never match. */
const tuple = (types: readonly string[]) =>
  z
    .array(text)
    .min(1, AT_LEAST_ONE)
    .max(50)
    .refine(([type = ""]) => types.includes(type), {
      error: ({ input }) =>
        `Invalid enum value. Expected ${types.map((type) => `'${type}'`).join(" | ")}, received '${String(Array.isArray(input) ? input[0] : input)}'`,
    });

const accessPermission = z.object({
  effect: z.enum(["allow", "deny"]),
  action: z.array(text).min(1, AT_LEAST_ONE).max(100),
  resource: tuple(ruleResources),
});

const members = {
  name: z.string().min(1).max(255),
  active: z.boolean().exactOptional(),
  permissions: z.array(accessPermission).max(500),
  targets: z.array(tuple(ruleTargets)).min(1, AT_LEAST_ONE).max(500),
  tags: tags.exactOptional(),
};

/** Body of `POST /am`. */
export const accessCreate = z.object(members) satisfies z.ZodType<AccessCreateInfo>;

/** Body of `PUT /am/:id`. */
export const accessEdit = z.object({
  name: members.name.exactOptional(),
  active: members.active,
  permissions: members.permissions.exactOptional(),
  targets: members.targets.exactOptional(),
  tags: members.tags,
}) satisfies z.ZodType<AccessEditInfo>;
