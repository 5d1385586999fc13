import type { DictionaryLanguage } from "../../lib/resources/dictionaries.ts";
import { optionList } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import type { Command, CommandInput } from "../kit/command/define.ts";
import { quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { type BodyField, bodyOptions, needChange, needMembers, readBody } from "../kit/resource/body.ts";
import { crud } from "../kit/resource/crud.ts";
import { applyDictionary } from "./apply.ts";
import { checkDictionaries } from "./check.ts";
import { dictionaryFinder, parseLocale } from "./finder.ts";
import { languageCommands } from "./lang.ts";
import { pullDictionaries } from "./pull.ts";

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

const fields: readonly BodyField[] = [
  { flag: "name", summary: "name of the dictionary" },
  { flag: "slug", summary: "name in expressions such as #SLUG.KEY#: up to 7 of A-Z, 0-9, _" },
  { flag: "fallback", value: "code", summary: "language that stands in for missing texts: en-US" },
];

const languageOption = { name: "language", value: "code", summary: "another language, active", repeat: true } as const;

/** The body with its slug in upper case. */
function withSlug(body: Record<string, unknown>): Record<string, unknown> {
  const { slug } = body;
  if (typeof slug !== "string") return body;
  if (/^[A-Z0-9_]{1,7}$/i.test(slug)) return { ...body, slug: slug.toUpperCase() };
  throw usageError(`The slug ${quote(slug)} cannot be used.`, {
    why: "It has up to seven of A-Z, 0-9 and _.",
    next: "Write it like --slug PORTAL.",
  });
}

const languagesOf = (input: CommandInput): DictionaryLanguage[] =>
  optionList(input, "language").map((code) => ({ code: parseLocale(code, "--language"), active: true }));

const dictionaryCommands = crud<DictionaryRow>({
  finder: dictionaryFinder,
  route: "/dictionary",
  columns,
  fields: columns.map(({ key }) => key),
  nameOf: ({ id, name }) => name ?? id,
  info: (client, id) => client.dictionaries.info(id),
  list: {
    options: [
      { name: "name", value: "text", summary: "dictionaries with this name; * stands for any text" },
      { name: "slug", value: "text", summary: "the dictionary with this slug" },
    ],
    examples: ["iot dictionary list", "iot dictionary list --slug TEST --json"],
    plan(ctx, input, request) {
      if (ctx.flags.tag.length > 0) throw usageError("Dictionaries have no tags.", { next: "Use --name or --slug." });
      const filter: Record<string, unknown> = { ...request.filter };
      for (const name of ["name", "slug"]) {
        const text = input.options[name];
        if (typeof text === "string") filter[name] = name === "slug" ? text.toUpperCase() : text;
      }
      return {
        request: { ...request, filter },
        read: (client, query) => client.dictionaries.list(query as Parameters<typeof client.dictionaries.list>[0]),
      };
    },
  },
  get: {
    details: 'The texts: "iot dictionary lang get".',
    examples: ['iot dictionary get "name:TEST"', 'iot dictionary get "name:Test texts" --json'],
    columns: columns.map(({ hidden: _, ...column }) => column),
  },
  create: {
    options: [...bodyOptions(fields), languageOption],
    examples: [
      "iot dictionary create --name Portal --slug PORTAL --fallback en-US --language pt-BR",
      "iot dictionary create --name Alarms --slug ALARMS --fallback en-US --dry-run",
    ],
    async body(ctx, input) {
      const body = await readBody(ctx, input, fields);
      needMembers(body, "dictionary", {
        name: "--name Portal",
        slug: "--slug PORTAL",
        fallback: "--fallback en-US",
      });
      parseLocale(String(body["fallback"]), "--fallback");
      const languages = languagesOf(input);
      return withSlug(languages.length === 0 ? body : { ...body, languages });
    },
    async send(client, body) {
      const created = await client.dictionaries.create(body as Parameters<typeof client.dictionaries.create>[0]);
      return created.dictionary;
    },
    hint: ({ id }) => `Add texts with "iot dictionary lang set ${id} en-US KEY=text".`,
  },
  update: {
    options: bodyOptions(fields),
    details: 'Texts and languages change with "iot dictionary lang set" and "lang delete".',
    examples: [
      'iot dictionary update "name:TEST" --fallback en-US',
      'iot dictionary update "name:TEST" --fallback pt-BR --dry-run',
    ],
    async body(ctx, input) {
      const body = await readBody(ctx, input, fields);
      needChange(body, "--name Portal");
      if (typeof body["fallback"] === "string") parseLocale(body["fallback"], "--fallback");
      return withSlug(body);
    },
    send: (client, id, body) => client.dictionaries.edit(id, body),
  },
  delete: {
    examples: ['iot dictionary delete "name:TEST" --dry-run', 'iot dictionary delete "name:Test texts" --dry-run'],
    send: (client, id) => client.dictionaries.delete(id),
  },
});

export const commands: readonly Command[] = [
  ...dictionaryCommands,
  ...languageCommands,
  applyDictionary,
  pullDictionaries,
  checkDictionaries,
];
