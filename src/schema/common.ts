import { z } from "zod";
import { MAX_TAGS, NAME_MAX_CHARS, TAG_KEY_MAX_CHARS, TAG_VALUE_MAX_CHARS } from "../lib/core/limits.ts";
import { otpTypes, permissions } from "../lib/resources/enums.ts";

/** Pieces the bodies share. Texts are the platform's where it shows one. */

export const id = z.string().regex(/^[0-9a-f]{24}$/, "Invalid ID");

/** The name of a resource. */
export const name = z.string().min(1, "Required").max(NAME_MAX_CHARS, `At most ${NAME_MAX_CHARS} characters`);

/** Any JSON object. */
export const jsonObject = z.record(z.string(), z.unknown());

const tag = z.object({
  key: z.string().min(1).max(TAG_KEY_MAX_CHARS),
  value: z.string().max(TAG_VALUE_MAX_CHARS),
  metadata: jsonObject.exactOptional(),
});

export const tags = z.array(tag).max(MAX_TAGS, `At most ${MAX_TAGS} tags`);

export const permission = z.enum(permissions);

/** A one-time code, as a string or a number. */
export const pinCode = z
  .union([z.string(), z.number().int().nonnegative()])
  .transform((code) => String(code).padStart(6, "0"));

export const otpType = z.enum(otpTypes);

/** A whole number, as a number or a string. */
export const wholeNumber = (least: number, most: number) =>
  z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\s*\d+\s*$/, "Invalid number")
        .transform(Number),
    ])
    .pipe(z.number().int().min(least).max(most));

/** The same properties; forms of the platform send null for those left empty. */
export type Nullish<T> = { [Key in keyof T]: T[Key] | null | undefined };
