import { z } from "zod";
import type { SecretsCreate, SecretsEdit } from "../lib/resources/index.ts";
import { tags } from "./common.ts";

const value = z.string().min(1, "Required").max(10_000, "At most 10000 characters");

/** Body of `POST /secrets`. */
export const secretCreate = z.object({
  key: z.string().min(1, "Required").max(100, "At most 100 characters"),
  value,
  tags: tags.exactOptional(),
}) satisfies z.ZodType<SecretsCreate>;

/** Body of `PUT /secrets/:id`; the key cannot change. */
export const secretEdit = z.object({
  value: value.exactOptional(),
  tags: tags.exactOptional(),
}) satisfies z.ZodType<SecretsEdit>;
