import { z } from "zod";
import { VERIFICATION_CODE_MAX_CHARS } from "../lib/core/limits.ts";
import type { TokenData } from "../lib/resources/index.ts";
import type { Nullish } from "./common.ts";
import { tokenMembers } from "./device.ts";

/** Body of `POST /serviceauth`. */
export const serviceAuthorizationCreate = z.object(tokenMembers) satisfies z.ZodType<Nullish<TokenData>>;

/** Body of `PUT /serviceauth/:token`: without a code the old one is removed. */
export const serviceAuthorizationEdit = z
  .object({ verification_code: z.string().max(VERIFICATION_CODE_MAX_CHARS).nullish() })
  .optional() satisfies z.ZodType<Nullish<Pick<TokenData, "verification_code">> | undefined>;
