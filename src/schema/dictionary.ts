import { z } from "zod";
import { DICTIONARY_KEY, LONG_TEXT_MAX_CHARS } from "../lib/core/limits.ts";
import type {
  DictionaryCreateInfo,
  DictionaryEditInfo,
  LanguageData,
  LanguageEditData,
} from "../lib/resources/index.ts";
import type { Nullish } from "./common.ts";
import { name } from "./common.ts";

/** `en-US`, `es` ... */
export const locale = z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, "Invalid language");

const slug = z
  .string()
  .max(7, "String must contain at most 7 character(s)")
  .regex(/^[A-Z0-9_]+$/, "Invalid 'slug' format, it must be a uppercase alphanumeric");

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

/** Body of `PUT /dictionary/:id/:locale`: all texts of the language. */
export const languageEdit = z.object({
  dictionary: z
    .record(
      z.string().regex(DICTIONARY_KEY, "Invalid language 'key' should be an uppercase alphanumeric field (type)"),
      z.string().max(LONG_TEXT_MAX_CHARS, `At most ${LONG_TEXT_MAX_CHARS} characters`),
    )
    .refine((texts) => Object.keys(texts).length <= 5000, "At most 5000 keys")
    .exactOptional(),
  active: z.boolean().exactOptional(),
}) satisfies z.ZodType<Partial<Pick<LanguageEditData, "active"> & { dictionary: Nullish<LanguageData> }>>;
