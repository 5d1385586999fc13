import type { WireRow } from "../data/types.ts";
import type { EntityDocument } from "../store/document.ts";

/** Values for the placeholders of a message. */
export interface MarkFacts {
  readonly row?: WireRow | undefined;
  readonly device?: EntityDocument | undefined;
  readonly state: string;
}

function placeText(row: WireRow | undefined): string {
  const [longitude, latitude] = row?.location?.coordinates ?? [];
  return longitude === undefined || latitude === undefined ? "" : `${latitude},${longitude}`;
}

/**
 * Fills in the placeholders of a message (docs/internals/platform/queries.md, Marks in messages). Unknown ones stay.
 */
export function fillMarks(text: string, { row, device, state }: MarkFacts): string {
  const marks: Readonly<Record<string, string>> = {
    VARIABLE: row?.variable ?? "",
    VALUE: row?.value === undefined ? "" : String(row.value),
    UNIT: row?.unit ?? "",
    TIME: row?.time ?? "",
    LOCATION: placeText(row),
    DEVICE: device?.id ?? "",
    "DEVICE.NAME": String(device?.["name"] ?? ""),
    "ACTION.STATE": state,
  };
  return text.replaceAll(/\$([A-Z.]+)\$/g, (mark, name: string) =>
    Object.hasOwn(marks, name) ? (marks[name] ?? "") : mark,
  );
}
