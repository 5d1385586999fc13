import { z } from "zod";
import type { TagoCoreEditInfo } from "../lib/resources/tagocores.ts";
import { name, tags } from "./common.ts";

/** Body of `PUT /tcore/instance/:id`. */
export const tcoreEdit = z.object({
  name: name.exactOptional(),
  active: z.boolean().exactOptional(),
  tags: tags.exactOptional(),
}) satisfies z.ZodType<TagoCoreEditInfo>;
