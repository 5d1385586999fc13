import type { DictionaryLanguage } from "../../lib/resources/dictionaries.ts";
import type { Column } from "../kit/command/columns.ts";
import type { Command } from "../kit/command/define.ts";
import { quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { dictionaryFinder, parseLocale, withSlug } from "../kit/finders/dictionary.ts";
import type { Body } from "../kit/resource/fields.ts";
import { resource } from "../kit/resource/resource.ts";
import { resourceRoutes } from "../kit/resource/routes.ts";

interface DictionaryRow {
  readonly id: string;
  readonly name?: string;
  readonly slug?: string;
  readonly languages?: readonly DictionaryLanguage[];
}

const columns: readonly Column<DictionaryRow>[] = [
  { key: "id", kind: "id" },
  { key: "slug", kind: "id" },
  { key: "name" },
  { key: "fallback" },
  {
    key: "languages",
    kind: "json",
    value: ({ languages }) => languages?.map(({ code, active }) => (active ? code : `${code} (inactive)`)).join(", "),
  },
  { key: "created_at", kind: "time", hidden: true },
  { key: "updated_at", kind: "time", hidden: true },
];

const languageOption = {
  name: "language",
  value: "code",
  summary: "additional language, active",
  repeat: true,
} as const;

/** The body with its slug in upper case. */
function checked(body: Body): Body {
  const { slug, fallback } = body;
  if (typeof fallback === "string") parseLocale(fallback, "--fallback");
  if (typeof slug !== "string") return body;
  if (/^[A-Z0-9_]{1,7}$/i.test(slug)) return { ...body, slug: slug.toUpperCase() };
  throw usageError(`Invalid slug ${quote(slug)}.`, {
    why: "A slug has up to 7 characters of A-Z, 0-9 and _.",
    next: "Example: --slug PORTAL.",
  });
}

const languagesOf = (codes: readonly string[]): DictionaryLanguage[] =>
  codes.map((code) => ({ code: parseLocale(code, "--language"), active: true }));

export const commands: readonly Command[] = resource({
  finder: dictionaryFinder,
  route: resourceRoutes.dictionary,
  api: ({ dictionaries }) => dictionaries,
  createdKey: "dictionary",
  columns,
  fields: [
    { name: "name", kind: "content", needed: "--name Portal", summary: "name of the dictionary" },
    {
      name: "slug",
      kind: "content",
      needed: "--slug PORTAL",
      summary: "name in expressions such as #SLUG.KEY#: up to 7 of A-Z, 0-9, _",
    },
    {
      name: "fallback",
      kind: "content",
      needed: "--fallback en-US",
      value: "code",
      summary: "fallback for missing translations: en-US",
    },
  ],
  list: {
    filterable: ["id", "name", "slug"],
    sortable: ["name", "slug", "fallback", "created_at", "updated_at"],
    filters: [
      { name: "name", value: "text", summary: "only dictionaries with this name; * matches any text" },
      { name: "slug", value: "text", summary: "only the dictionary with this slug", as: (text) => text.toUpperCase() },
    ],
    examples: ["iot dictionary list", "iot dictionary list --slug TEST --json"],
  },
  get: {
    details: 'Show translations with "iot dictionary lang get".',
    examples: ['iot dictionary get "name:TEST"', 'iot dictionary get "name:Test texts" --json'],
  },
  create: {
    twins: { member: "slug", isUnique: true, find: withSlug },
    options: [languageOption],
    examples: [
      "iot dictionary create --name Portal --slug PORTAL --fallback en-US --language pt-BR",
      "iot dictionary create --name Alarms --slug ALARMS --fallback en-US --dry-run",
    ],
    complete(_ctx, input, body) {
      const languages = languagesOf(input.options.language);
      return checked(languages.length === 0 ? body : { ...body, languages });
    },
    hint: ({ id }) => `Add translations with "iot dictionary lang set ${id} en-US KEY=text".`,
  },
  update: {
    change: "--name Portal",
    details: 'Change translations and languages with "iot dictionary lang set" and "lang delete".',
    examples: [
      'iot dictionary update "name:TEST" --fallback en-US',
      'iot dictionary update "name:TEST" --fallback pt-BR --dry-run',
    ],
    complete: (_ctx, _input, body) => checked(body),
  },
  delete: {
    examples: ['iot dictionary delete "name:TEST" --dry-run', 'iot dictionary delete "name:Test texts" --dry-run'],
  },
});
