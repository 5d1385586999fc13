import { z } from "zod";
import type { TagoCoreEditInfo } from "../lib/resources/tagocores.ts";
import { tags } from "./common.ts";

/** Body of `PUT /tcore/instance/:id`. */
export const tcoreEdit = z.object({
  name: z.string().min(1, "Required").max(100, "At most 100 characters").exactOptional(),
  active: z.boolean().exactOptional(),
  tags: tags.exactOptional(),
}) satisfies z.ZodType<TagoCoreEditInfo>;
