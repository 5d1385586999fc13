import { quote } from "../kit/command/values.ts";
import { inputError } from "../kit/failures/command-error.ts";
import { isObject, type JsonObject } from "../kit/files/files.ts";
import { documentText, listOf } from "../kit/folders/documents.ts";
import { isShallow, MAX_DEPTH } from "../kit/folders/read.ts";
import { canonical } from "../kit/profiles/canonical.ts";
import { entryName } from "../kit/profiles/folder.ts";
import type { Entry, ResourceKind } from "../kit/profiles/kind.ts";
import { kinds } from "../kit/profiles/kinds.ts";
import { Room, readZip, TooLargeError } from "./zip.ts";

/** The file of a backup that holds a kind. Entities, stored queries and core instances are in no backup. */
const fileNames: Readonly<Record<string, string>> = {
  network: "networks",
  connector: "connectors",
  device: "devices",
  dictionary: "dictionaries",
  secret: "secrets",
  analysis: "analysis",
  dashboard: "dashboards",
  "run-user": "run_users",
  action: "actions",
  access: "access_management",
  portal: "run",
};

/** Fields of backups that the platform sets by itself. */
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
  /^anonymous@[0-9a-f]{24}\.invalid$/.test(documentText(document, "email"));

function adapted(kind: string, document: JsonObject, script: unknown): JsonObject {
  if (kind === "dashboard") {
    const widgets = listOf(document["widgets"]).map((widget) => canonical(widget, ["dashboard"]));
    return { ...document, widgets };
  }
  return script === undefined ? document : { ...document, script };
}

/** The name inside the archive, whose files may lie in a folder of their own. */
const plainName = (name: string): string | undefined =>
  /(?:^|\/)(resources\/\w+\.json|versioning\/analysis\/[0-9a-f]{24}\.gz)$/.exec(name)?.[1];

function documentOf(bytes: Buffer): unknown {
  const document: unknown = JSON.parse(bytes.toString("utf8"));
  if (isShallow(document, MAX_DEPTH)) return document;
  throw new TooLargeError(`It has JSON of more than ${MAX_DEPTH} levels.`);
}

/** Resources as values and scripts as strings, by name; or why there are none. */
function contentsOf(archive: Buffer): ReadonlyMap<string, unknown> | string {
  try {
    const room = new Room();
    const files = readZip(archive, (name) => plainName(name) !== undefined, room);
    const contents = [...files].map(([name, content]): readonly [string, unknown] => [
      plainName(name) ?? name,
      name.endsWith(".gz") ? room.gunzip(content).toString("utf8") : documentOf(content),
    ]);
    return contents.length === 0 ? "The ZIP archive contains no resources/*.json." : new Map(contents);
  } catch (error) {
    return error instanceof TooLargeError ? error.message : "It is not a valid ZIP archive.";
  }
}

/** The resources of a backup, in the order they are made in. */
export function entriesOf(archive: Buffer, place: string, chosen: readonly ResourceKind[]): Entry[] {
  const contents = contentsOf(archive);
  if (typeof contents === "string") {
    throw inputError(`${quote(place)} is not a profile backup.`, {
      code: "backup.unknown_form",
      why: contents,
      next: 'Nothing was sent. Download one with "iot backup download", or use "iot profile import".',
    });
  }
  return kinds
    .filter((kind) => chosen.includes(kind))
    .flatMap(({ name: kind }) => {
      const found = contents.get(`resources/${fileNames[kind]}.json`);
      return (isObject(found) ? [found] : listOf(found))
        .filter((document) => !(kind === "run-user" && isAnonymous(document)))
        .map((document): Entry => {
          const id = documentText(document, kind === "portal" ? "profile" : "id");
          const script = contents.get(`versioning/analysis/${id}.gz`);
          const whole = canonical(adapted(kind, document, script), volatile, kind !== "dictionary");
          return { kind, id, name: entryName(kind, document), document: { ...whole, id } };
        });
    });
}
