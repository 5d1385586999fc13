import { z } from "zod";
import type { InstallAnalysisTemplate, InstallDashboardTemplate, TemplateCreateInfo } from "../lib/resources/index.ts";
import { id, jsonObject } from "./common.ts";

/** Body of `POST /template`: one dashboard or one analysis. */
export const templateCreate = z
  .looseObject({
    name: z.string().min(1).max(255),
    dashboard: id.exactOptional(),
    analysis: id.exactOptional(),
    image_main: z.string().exactOptional(),
    image_logo: z.string().exactOptional(),
    setup: jsonObject.exactOptional(),
  })
  .refine(({ dashboard, analysis }) => (dashboard === undefined) !== (analysis === undefined), {
    path: ["dashboard"],
    message: "Name a dashboard or an analysis",
  }) satisfies z.ZodType<TemplateCreateInfo>;

const named = z.array(z.looseObject({ id }));

/** Body of `POST /template/:id`. */
export const templateInstall = z
  .looseObject({
    device: id.exactOptional(),
    devices: named.exactOptional(),
    analysis: named.exactOptional(),
    device_token: z.string().max(200).exactOptional(),
    replace: z
      .record(z.string().min(1).max(255), z.union([z.string().max(255), z.number(), z.boolean()]))
      .refine((map) => Object.keys(map).length <= 1_000, "At most 1,000 texts")
      .exactOptional(),
  })
  .optional() satisfies z.ZodType<(InstallDashboardTemplate & InstallAnalysisTemplate) | undefined>;
