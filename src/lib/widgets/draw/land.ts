import type { Spot } from "./geo.ts";
import type { View } from "./globe.ts";
import { LAND, LAND_UNIT } from "./land-outline.ts";
import { path, round } from "./markup.ts";

interface Ring {
  readonly spots: readonly Spot[];
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

function numbersIn(text: string): number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const char of text) {
    const digit = DIGITS.indexOf(char);
    value |= (digit & 31) << shift;
    shift += 5;
    if (digit > 31) continue;
    numbers.push(value % 2 === 0 ? value / 2 : -(value + 1) / 2);
    [value, shift] = [0, 0];
  }
  return numbers;
}

function ringIn(text: string): Ring {
  const steps = numbersIn(text);
  const spots: Spot[] = [];
  let [x, y] = [0, 0];
  let [west, east, south, north] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < steps.length; i += 2) {
    x += steps[i] ?? 0;
    y += steps[i + 1] ?? 0;
    const spot = { x: x * LAND_UNIT, y: y * LAND_UNIT };
    spots.push(spot);
    [west, east] = [Math.min(west, spot.x), Math.max(east, spot.x)];
    [south, north] = [Math.min(south, spot.y), Math.max(north, spot.y)];
  }
  return { spots, west, east, south, north };
}

let rings: readonly Ring[] | undefined;

/** Read once: it takes a few milliseconds. */
function allRings(): readonly Ring[] {
  rings ??= LAND.trim().split(/\s+/).map(ringIn);
  return rings;
}

/** The part of a ring on one side of a line, the line included. */
function cut(spots: readonly Spot[], key: "x" | "y", limit: number, sign: 1 | -1): readonly Spot[] {
  const isIn = (spot: Spot): boolean => (spot[key] - limit) * sign >= 0;
  const other = key === "x" ? "y" : "x";
  return spots.flatMap((spot, i) => {
    const last = spots.at(i - 1) ?? spot;
    const part = (limit - last[key]) / (spot[key] - last[key]);
    const at = last[other] + (spot[other] - last[other]) * part;
    const crossing = key === "x" ? { x: limit, y: at } : { x: at, y: limit };
    if (isIn(spot)) return isIn(last) ? [spot] : [crossing, spot];
    return isIn(last) ? [crossing] : [];
  });
}

/** Outlines are true to some kilometers: nearer than this, they would be beside the coast. */
const LEAST_METERS = 400_000;

/** Whether the land can be drawn as far away as a map is. */
export const isFarEnough = (view: View): boolean => view.width / view.pixels(1) >= LEAST_METERS;

/** The land in a view. Points nearer to each other than a pixel are one, and so are islands. */
export function land(view: View): string {
  const edge = 4 / view.pixels(111_195);
  const [west, east] = [view.west - edge * 2, view.east + edge * 2];
  const [south, north] = [view.south - edge, view.north + edge];
  const parts = [-360, 0, 360].flatMap((turn) =>
    allRings().flatMap((ring) => {
      if (ring.west + turn > east || ring.east + turn < west || ring.south > north || ring.north < south) return [];
      const moved = ring.spots.map(({ x, y }) => ({ x: x + turn, y }));
      return outline(view, cut(cut(cut(cut(moved, "x", west, 1), "x", east, -1), "y", south, 1), "y", north, -1));
    }),
  );
  return parts.length === 0 ? "" : path(parts.join(""), { class: "iot-coast" });
}

function outline(view: View, spots: readonly Spot[]): string[] {
  const kept: (readonly [number, number])[] = [];
  for (const spot of spots) {
    const [x, y] = [view.x(spot.x), view.y(spot.y)];
    const [lastX, lastY] = kept.at(-1) ?? [Number.NaN, 0];
    if (!(Math.hypot(x - lastX, y - lastY) < 1)) kept.push([x, y]);
  }
  if (kept.length < 3) return [];
  return [`M${kept.map(([x, y]) => `${tenth(x)} ${tenth(y)}`).join("L")}Z`];
}

const tenth = (value: number): number => round(Math.round(value * 10) / 10);
