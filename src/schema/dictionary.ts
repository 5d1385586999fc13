import { z } from "zod";
import type {
  DictionaryCreateInfo,
  DictionaryEditInfo,
  LanguageData,
  LanguageEditData,
} from "../lib/resources/index.ts";
import type { Nullish } from "./common.ts";

/** `en-US`, `es` ... */
export const locale = z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, "Invalid language");

const slug = z
  .string()
  .transform((text) => text.toUpperCase())
  .refine((text) => /^[A-Z0-9_]{1,100}$/.test(text), "Only A-Z, 0-9 and _");

const name = z.string().min(1, "Required").max(100, "At most 100 characters");

const languages = z
  .array(z.object({ code: locale, active: z.boolean().default(true) }))
  .max(100, "At most 100 languages");

/** Body of `POST /dictionary`. */
export const dictionaryCreate = z.object({
  name,
  slug,
  fallback: locale,
  languages: languages.exactOptional(),
}) satisfies z.ZodType<DictionaryCreateInfo>;

/** Body of `PUT /dictionary/:id`. */
export const dictionaryEdit = dictionaryCreate.partial() satisfies z.ZodType<Nullish<DictionaryEditInfo>>;

/** Body of `PUT /dictionary/:id/:locale`. A `null` value removes the key. */
export const languageEdit = z.object({
  dictionary: z
    .record(
      z.string().regex(/^[A-Z0-9_]{1,100}$/, "Keys are made of A-Z, 0-9 and _"),
      z.string().max(10_000, "At most 10000 characters").nullable(),
    )
    .refine((texts) => Object.keys(texts).length <= 5000, "At most 5000 keys")
    .exactOptional(),
  active: z.boolean().exactOptional(),
}) satisfies z.ZodType<Partial<Pick<LanguageEditData, "active"> & { dictionary: Nullish<LanguageData> }>>;
