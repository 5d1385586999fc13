import { isRecord } from "../../lib/core/json.ts";

type Place = readonly [longitude: number, latitude: number];

const EARTH_KM = 6371.0088;

function placeOf(value: unknown): Place | undefined {
  if (!Array.isArray(value)) return undefined;
  const [longitude, latitude]: unknown[] = value;
  return typeof longitude === "number" && typeof latitude === "number" ? [longitude, latitude] : undefined;
}

/** Distance over the ground, in kilometres. */
function distanceKm([longitude1, latitude1]: Place, [longitude2, latitude2]: Place): number {
  const rad = (degrees: number): number => (degrees * Math.PI) / 180;
  const dLat = rad(latitude2 - latitude1);
  const dLng = rad(longitude2 - longitude1);
  const half = Math.sin(dLat / 2) ** 2 + Math.cos(rad(latitude1)) * Math.cos(rad(latitude2)) * Math.sin(dLng / 2) ** 2;
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(half)));
}

/** Counts the edges that a line to the east crosses. The ring may be closed or open. */
function isInPolygon([x, y]: Place, corners: readonly Place[]): boolean {
  let inside = false;
  corners.forEach(([x1, y1], index) => {
    const [x2, y2] = corners[(index + 1) % corners.length] ?? [x1, y1];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  });
  return inside;
}

/**
 * Whether a location is in an area: `{center, radius}` in kilometres, or `{coordinates}`; `undefined` if it is not an
 * area.
 */
export function isInside(area: unknown, place: unknown): boolean | undefined {
  const point = placeOf(place);
  if (!isRecord(area) || point === undefined) return undefined;
  const center = placeOf(area["center"]);
  if (center !== undefined) {
    const { radius } = area;
    return typeof radius === "number" ? distanceKm(center, point) <= radius : undefined;
  }
  const coordinates: unknown[] = Array.isArray(area["coordinates"]) ? area["coordinates"] : [];
  // A ring may be nested in a list, as in GeoJSON polygons.
  const [first] = coordinates;
  const ring: unknown[] =
    coordinates.length === 1 && Array.isArray(first) && Array.isArray(first[0]) ? first : coordinates;
  const corners = ring.map(placeOf).filter((corner) => corner !== undefined);
  return corners.length < 3 ? undefined : isInPolygon(point, corners);
}
