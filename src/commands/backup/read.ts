import { listOf, textOf } from "../dashboard/files/canonical.ts";
import { inputError } from "../kit/command-error.ts";
import { isObject, type JsonObject } from "../kit/files.ts";
import { quote } from "../kit/options.ts";
import { canonical } from "../profile/content/canonical.ts";
import { nameOf } from "../profile/content/folder.ts";
import { type Entry, type Kind, kinds } from "../profile/content/kinds.ts";

/** What the resources of a backup are called, where it is not the noun of the command line. */
const platformNames: Readonly<Record<string, string>> = {
  "run-user": "run_user",
  access: "am",
  core: "tcore",
  query: "sql",
  portal: "run",
};

/** Members of backups that the platform sets by itself. */
const volatile: readonly string[] = [
  "last_input",
  "last_output",
  "inspected_at",
  "bucket",
  "data_retention",
  "last_run",
  "last_login",
  "last_triggered",
  "otp",
  "console",
  "version",
  "versions",
  "value_length",
  "public",
  "url",
];

const isAnonymous = (document: JsonObject): boolean =>
  /^anonymous@[0-9a-f]{24}\.invalid$/.test(textOf(document, "email"));

/** Fields and indexes that every entity has, and that nobody can make. */
const entityFields = ["id", "created_at", "updated_at"];
const entityIndexes = ["id_idx", "id_created_at_idx", "id_updated_at_idx"];

function withoutMembers(value: unknown, names: readonly string[]): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => !names.includes(key))) : value;
}

function adapted(kind: string, document: JsonObject, widgets: readonly JsonObject[]): JsonObject {
  if (kind === "entity") {
    const { schema, index } = document;
    return { ...document, schema: withoutMembers(schema, entityFields), index: withoutMembers(index, entityIndexes) };
  }
  if (kind !== "dashboard") return document;
  const own = widgets.filter((widget) => widget["dashboard"] === document["id"]);
  return { ...document, widgets: own.map((widget) => canonical(widget, ["dashboard"])) };
}

/** The resources of a backup file, in the order they are made in. */
export function entriesOf(text: string, place: string, chosen: readonly Kind[]): Entry[] {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    content = undefined;
  }
  const resources = isObject(content) && content["format"] === "profile-backup" ? content["resources"] : undefined;
  if (!isObject(resources)) {
    throw inputError(`${quote(place)} has a form this program cannot read.`, {
      code: "backup.unknown_form",
      why: text.startsWith("PK") ? "It is a zip archive." : "It is no JSON document with the resources of a profile.",
      next: 'Nothing was sent. For files whose form is sure, use "iot profile export".',
    });
  }
  const widgets = listOf(resources["widget"]);
  return kinds
    .filter((kind) => chosen.includes(kind))
    .flatMap(({ name: kind }) =>
      listOf(resources[platformNames[kind] ?? kind])
        .filter((document) => !(kind === "run-user" && isAnonymous(document)))
        .map((document): Entry => {
          const id = textOf(document, kind === "portal" ? "profile" : "id");
          const whole = canonical(adapted(kind, document, widgets), volatile, kind !== "dictionary");
          return { kind, id, name: nameOf(kind, document), document: { ...whole, id } };
        }),
    );
}
