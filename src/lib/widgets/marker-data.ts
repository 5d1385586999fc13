import { displayOf } from "./engine.ts";
import { copy, get, isRecord, list, type Out, record, type Source, setOwn, text } from "./readers.ts";

/**
 * Converts the stored records of an image-marker layer: pin positions, once stored under origin and variable, are
 * added under the origin alone. The old keys stay. When two markers belong to one device the last one wins.
 *
 * @param widget the image-marker widget
 * @param dataList entries of `{ data: { origin, variables }, result: records }`
 * @returns the records of the layer's own variable, as new objects; `[]` when there are none
 */
export function convertMarkerData(widget: unknown, dataList: unknown): Out[] {
  const source = record(widget);
  const layer = record(displayOf(source)["layer_variable"]);
  const origin = get(record(get(layer, "origin")), "id");
  const isLayer = (data: Source) =>
    origin !== undefined && get(data, "origin") === origin && firstVariable(data) === get(layer, "variable");
  const markers = list(source["data"])
    .filter(isRecord)
    .filter((item) => !isLayer(item));
  const records: Out[] = [];
  for (const entry of list(dataList)) {
    if (!isLayer(record(get(record(entry), "data")))) continue;
    for (const item of list(get(record(entry), "result"))) records.push(convertRecord(item, markers));
  }
  return records;
}

function firstVariable(data: Source): unknown {
  return list(get(data, "variables"))[0];
}

function convertRecord(item: unknown, markers: readonly Source[]): Out {
  const out = isRecord(item) && !Array.isArray(item) ? (copy(item) as Out) : {};
  const metadata = isRecord(out["metadata"]) ? (out["metadata"] as Out) : {};
  const old = metadata["fixed_position"];
  const positions: Out = isRecord(old) ? (old as Out) : {};
  for (const marker of markers) {
    const variable = firstVariable(marker);
    if (variable === undefined) continue;
    const name = text(marker["origin"]);
    const position = get(positions, name + text(variable));
    if (position) setOwn(positions, name, copy(position));
  }
  metadata["fixed_position"] = positions;
  out["metadata"] = metadata;
  return out;
}
