import type { Spot } from "./geo.ts";

/** A degree of latitude on a sphere of the mean radius of the earth. */
export const METERS_A_DEGREE = 111_195;

/** Where the earth is on a drawing: degrees are even steps, true at the latitude in the middle. North is up. */
export interface View {
  readonly x: (lng: number) => number;
  readonly y: (lat: number) => number;
  /** The same longitude, as far from the middle as it can be seen from there: over the antimeridian where that is nearer. */
  readonly near: (lng: number) => number;
  /** Pixels of a distance at the latitude in the middle. */
  readonly pixels: (meters: number) => number;
  readonly width: number;
  readonly height: number;
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}

/** Room above the uppermost pin and below the lowest one, for names and the scale. */
const MARGIN = 50;
/** Degrees that are shown around a single spot, about 500 meters. */
const LEAST = 0.005;

/** Longitudes from a start eastwards: that of the usual map, or another one where they lie much closer together from there. */
function startOf(spots: readonly Spot[]): number {
  const all = [...new Set(spots.map(({ x }) => turned(x, -180)))].sort((a, b) => a - b);
  const [first = 0, last = 0] = [all[0], all.at(-1)];
  let [start, least] = [-180, (last - first) * 0.75];
  for (const [i, lng] of all.entries()) {
    const before = all[i - 1];
    if (before === undefined || before + 360 - lng >= least) continue;
    [start, least] = [lng, before + 360 - lng];
  }
  return start;
}

/** A longitude within the 360 degrees from a start. */
const turned = (lng: number, start: number): number => {
  const turn = (lng - start) % 360;
  return start + (turn < 0 ? turn + 360 : turn);
};

export function viewOf(spots: readonly Spot[], width: number, height: number): View {
  const start = startOf(spots);
  let [west, east, south, north] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of spots) {
    const lng = turned(x, start);
    [west, east, south, north] = [Math.min(west, lng), Math.max(east, lng), Math.min(south, y), Math.max(north, y)];
  }
  const middle = { x: (west + east) / 2, y: Math.max(-80, Math.min(80, (south + north) / 2)) };
  const squeeze = Math.cos((middle.y * Math.PI) / 180);
  const [across, upright] = [(east - west) * squeeze, north - south];
  const least = Math.max(across, upright) < LEAST / 50 ? LEAST : LEAST / 50;
  const perDegree = Math.min(
    (width * 0.76) / Math.max(least, across),
    Math.max(30, height - 2 * MARGIN) / Math.max(least, upright),
  );
  return {
    x: (lng) => width / 2 + (lng - middle.x) * squeeze * perDegree,
    y: (lat) => height / 2 - (lat - (south + north) / 2) * perDegree,
    near: (lng) => turned(lng, start),
    pixels: (meters) => (meters / METERS_A_DEGREE) * perDegree,
    width,
    height,
    west: middle.x - width / 2 / perDegree / squeeze,
    east: middle.x + width / 2 / perDegree / squeeze,
    south: (south + north) / 2 - height / 2 / perDegree,
    north: (south + north) / 2 + height / 2 / perDegree,
  };
}

/** A round distance of at most some pixels, for the scale of a map. */
export function roundDistance(
  view: View,
  most: number,
): { readonly meters: number; readonly text: (write: (value: number) => string) => string } {
  const whole = most / view.pixels(1);
  const power = 10 ** Math.floor(Math.log10(whole));
  const meters = ([5, 2].find((step) => step * power <= whole) ?? 1) * power;
  return { meters, text: (write) => (meters < 1_000 ? `${write(meters)} m` : `${write(meters / 1_000)} km`) };
}
