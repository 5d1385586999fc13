import { isRecord } from "../../core/json.ts";
import { get, list, record, type Source } from "../readers.ts";
import { colorOf } from "./color.ts";
import { below, idIn, numberIn, textIn, textOf } from "./read.ts";
import type { Point } from "./records.ts";
import type { Scene } from "./scene.ts";

/** A location on the globe, or on a picture. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** `location` of a record: GeoJSON, or `lat` and `lng`. */
export function placeOf(raw: Source): Spot | undefined {
  const location = record(get(raw, "location"));
  const inside = spotIn(get(location, "coordinates"));
  const [lng, lat] = [numberIn(get(location, "lng") ?? get(location, "lon")), numberIn(get(location, "lat"))];
  return inside ?? (lng === undefined || lat === undefined ? undefined : earthly(lng, lat));
}

function spotIn(value: unknown): Spot | undefined {
  const [lng, lat] = list(value).map(numberIn);
  return lng === undefined || lat === undefined ? undefined : earthly(lng, lat);
}

const earthly = (lng: number, lat: number): Spot | undefined =>
  Math.abs(lng) <= 360 && Math.abs(lat) <= 90 ? { x: lng, y: lat } : undefined;

/** A geofence: a polygon, or a circle with a radius in meters. */
export interface Fence {
  readonly name: string;
  readonly color: string | undefined;
  readonly corners: readonly Spot[];
  readonly radiusM: number;
}

const MAX_FENCES = 100;
const MAX_CORNERS = 500;

/** The geofences of a map, stored as records of their variable. */
export function fencesOf({ d, records }: Scene): readonly Fence[] {
  const source = below(below(d, "geofence"), "variable");
  const variable = textOf(source, "variable");
  return variable === ""
    ? []
    : records
        .of(variable, idIn(get(source, "origin")))
        .slice(-MAX_FENCES)
        .flatMap((point) => fenceIn(point) ?? []);
}

function fenceIn({ raw, value }: Point): Fence | undefined {
  const metadata = below(raw, "metadata");
  const shape = [get(metadata, "geolocation"), metadata, value]
    .map(record)
    .find((each) => get(each, "coordinates") !== undefined || get(each, "center") !== undefined);
  if (shape === undefined) return undefined;
  const about = {
    name: textOf(metadata, "eventDescription", "event", "name"),
    color: colorOf(get(metadata, "eventColor") ?? get(metadata, "color")),
  };
  const radius = numberIn(get(shape, "radius"));
  // Geofences of actions have their radius in kilometers.
  const center = spotIn(get(shape, "center"));
  if (center !== undefined) return { ...about, corners: [center], radiusM: (radius ?? 0) * 1000 };
  const coordinates = list(get(shape, "coordinates"));
  const own = spotIn(coordinates);
  if (own !== undefined) return { ...about, corners: [own], radiusM: radius ?? 0 };
  const outline = Array.isArray(list(coordinates[0])[0]) ? list(coordinates[0]) : coordinates;
  const corners = outline.slice(0, MAX_CORNERS).flatMap((corner) => spotIn(corner) ?? []);
  return corners.length < 3 ? undefined : { ...about, corners, radiusM: 0 };
}

/**
 * Position on a picture, from 0 to 1: `x` and `y` of the metadata, or of `fixed_position` under the key of the pin.
 * Numbers above 1 are percent.
 */
export function positionOf(metadata: Source, key?: string): Spot | undefined {
  const from = key === undefined ? metadata : record(get(below(metadata, "fixed_position"), key));
  const [x, y] = [numberIn(get(from, "x")), numberIn(get(from, "y"))];
  if (x === undefined || y === undefined || x < 0 || y < 0) return undefined;
  const scale = x > 1 || y > 1 ? 100 : 1;
  return { x: Math.min(1, x / scale), y: Math.min(1, y / scale) };
}

/** The image address that a record holds. */
export const fileIn = (raw: Source): string => {
  const metadata = below(raw, "metadata");
  const file = get(metadata, "file");
  return isRecord(file) ? textOf(file, "url") : textOf(metadata, "url") || textIn(get(raw, "value"));
};
