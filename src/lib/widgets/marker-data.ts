import { displayOf } from "./engine.ts";
import { copy, get, isSource, list, type Out, record, type Source, setOwn, text } from "./readers.ts";

/**
 * Converts the stored records of an image marker: adds each pin position under the origin alone, beside the old key of
 * origin and variable. If a device has two markers, the last one wins.
 *
 * @param widget the image-marker widget
 * @param dataList entries of `{ data: { origin, variables }, result: records }`
 * @returns new records of the layer variable; `[]` if there are none
 */
export function convertMarkerData(widget: unknown, dataList: unknown): Out[] {
  const source = record(widget);
  const layer = record(displayOf(source)["layer_variable"]);
  const origin = get(record(get(layer, "origin")), "id");
  const isLayer = (data: Source) =>
    origin !== undefined && get(data, "origin") === origin && firstVariable(data) === get(layer, "variable");
  const markers = list(source["data"])
    .filter(isSource)
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
  const out = isSource(item) && !Array.isArray(item) ? (copy(item) as Out) : {};
  const metadata = isSource(out["metadata"]) ? (out["metadata"] as Out) : {};
  const old = metadata["fixed_position"];
  const positions: Out = isSource(old) ? (old as Out) : {};
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
