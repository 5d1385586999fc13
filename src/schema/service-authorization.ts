import { z } from "zod";
import { tokenMembers } from "./device.ts";

/** Body of `POST /serviceauth`. */
export const serviceAuthorizationCreate = z.object(tokenMembers);

/** Body of `PUT /serviceauth/:token`: without a code the old one is taken off. */
export const serviceAuthorizationEdit = z.object({ verification_code: z.string().max(255).nullish() }).optional();
