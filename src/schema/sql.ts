import { z } from "zod";
import type { SQLCreateInfo, SQLEditInfo, SQLExecute } from "../lib/resources/index.ts";
import { tags } from "./common.ts";

const settings = {
  name: z.string().min(1, "Required").max(100, "At most 100 characters"),
  query: z.string().min(1, "Required").max(30_000, "At most 30,000 characters"),
  active: z.boolean().exactOptional(),
  tags: tags.exactOptional(),
  cache_ttl_seconds: z.number().int().min(0).exactOptional(),
};

/** Body of `POST /sql`. */
export const sqlCreate = z.object(settings) satisfies z.ZodType<SQLCreateInfo>;

/** Body of `PUT /sql/:id`. */
export const sqlEdit = z.object({
  ...settings,
  name: settings.name.exactOptional(),
  query: settings.query.exactOptional(),
}) satisfies z.ZodType<SQLEditInfo>;

/** Body of `POST /sql/:id/execute`. Other fields are accepted. */
export const sqlExecute = z
  .looseObject({
    params: z.array(z.object({ key: z.string(), value: z.unknown() })).exactOptional(),
    test: z.boolean().exactOptional(),
    after_device: z.string().exactOptional(),
  })
  .optional() satisfies z.ZodType<SQLExecute | undefined>;
