import { z } from "zod";
import type { SecretsCreate, SecretsEdit } from "../lib/resources/index.ts";
import { tags } from "./common.ts";

/** The sandbox checks key and value: the platform rejects all invalid ones with one message. */
const value = z.string();

/** Body of `POST /secrets`. */
export const secretCreate = z.object({
  key: z.string(),
  value,
  tags: tags.exactOptional(),
}) satisfies z.ZodType<SecretsCreate>;

/** Body of `PUT /secrets/:id`; the key cannot change. */
export const secretEdit = z.object({
  value: value.exactOptional(),
  tags: tags.exactOptional(),
}) satisfies z.ZodType<SecretsEdit>;
