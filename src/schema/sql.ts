import { z } from "zod";
import type { SQLCreateInfo, SQLExecute } from "../lib/resources/index.ts";
import { tags } from "./common.ts";

const MAX_CACHE_SECONDS = 86_400;

/** Body of `POST /sql` and of `PUT /sql/:id`, which replaces the whole record. */
export const sqlCreate = z.object({
  name: z.string().min(1).max(64),
  description: z.string().max(1_024).exactOptional(),
  query: z.string().max(30_000, "At most 30,000 characters"),
  params: z
    .array(z.object({ key: z.string(), value: z.string() }))
    .max(100)
    .exactOptional(),
  active: z.boolean().exactOptional(),
  tags: tags.exactOptional(),
  cache_enabled: z.boolean().exactOptional(),
  // Out of bounds it is moved to the nearest one.
  cache_ttl_seconds: z
    .number()
    .transform((seconds) => Math.max(0, Math.min(MAX_CACHE_SECONDS, Math.trunc(seconds))))
    .exactOptional(),
  rate_limit_rpm: z.number().int().min(1).nullable().exactOptional(),
}) satisfies z.ZodType<SQLCreateInfo>;

/** Body of `POST /sql/:id/execute`. Other fields are accepted. */
export const sqlExecute = z
  .looseObject({
    params: z.array(z.object({ key: z.string(), value: z.unknown() })).exactOptional(),
    test: z.boolean().exactOptional(),
    after_device: z.string().exactOptional(),
  })
  .optional() satisfies z.ZodType<SQLExecute | undefined>;
