import { isRecord } from "../../lib/core/json.ts";
import type { SourceFinder } from "../dashboards/blueprint.ts";
import { cleanPath } from "../files/paths.ts";
import type { EntityDocument } from "../store/document.ts";
import { idOf, recordsOf } from "./tags.ts";

/** A field of a form that takes files. */
interface UploadField {
  readonly id: string;
  /** Folder set in the widget, empty for the default one. */
  readonly folder: string;
  /** Id of the device its value is stored in. */
  readonly origin: string;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Upload fields of a form, in the current and the legacy format. */
function uploadFields({ display }: EntityDocument): UploadField[] {
  if (!isRecord(display)) return [];
  const current = recordsOf(display["sections"])
    .flatMap(({ fields }) => recordsOf(fields))
    .filter(({ type }) => type === "upload")
    .map(({ id, path, data }) => ({ id, path, origin: isRecord(data) ? data["origin"] : undefined }));
  const form = isRecord(display["form"]) ? display["form"] : {};
  const legacy = Object.entries(isRecord(form["fields"]) ? form["fields"] : {}).flatMap(([id, field]) =>
    isRecord(field) && field["fieldtype"] === "upload" ? [{ id, path: field["path"], origin: field["origin"] }] : [],
  );
  return [...current, ...legacy].map(({ id, path, origin }) => ({
    id: textOf(id),
    folder: cleanPath(textOf(path)),
    origin: idOf(origin),
  }));
}

/**
 * Folders of the upload fields of a form: the one set in a field, else that of its device. With an id only of that
 * field.
 */
export function formFolders(widget: EntityDocument, find: SourceFinder, fieldId: string | undefined): string[] {
  return uploadFields(widget)
    .filter(({ id }) => fieldId === undefined || id === fieldId)
    .flatMap(({ folder, origin }) => {
      if (folder !== "") return [folder];
      const source = find(origin);
      return source?.kind === "device" ? [`devices/${source.document.id}`] : [];
    });
}
