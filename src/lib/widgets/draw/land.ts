import type { Spot } from "./geo.ts";
import { METERS_A_DEGREE, type View } from "./globe.ts";
import { LAND, LAND_UNIT } from "./land-outline.ts";
import { path } from "./markup.ts";

interface Ring {
  readonly spots: readonly Spot[];
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}

function ringIn(text: string): Ring {
  const steps = text.split(" ").map(Number);
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
  rings ??= LAND.trim().split("\n").map(ringIn);
  return rings;
}

/** The part of a ring on one side of a line, the line included. */
function cut(spots: readonly Spot[], key: "x" | "y", limit: number, sign: 1 | -1): readonly Spot[] {
  const kept: Spot[] = [];
  let last = spots.at(-1);
  for (const spot of spots) {
    const isIn = (spot[key] - limit) * sign >= 0;
    if (last !== undefined && isIn !== (last[key] - limit) * sign >= 0) {
      const part = (limit - last[key]) / (spot[key] - last[key]);
      kept.push(
        key === "x"
          ? { x: limit, y: last.y + (spot.y - last.y) * part }
          : { x: last.x + (spot.x - last.x) * part, y: limit },
      );
    }
    if (isIn) kept.push(spot);
    last = spot;
  }
  return kept;
}

/** Outlines are true to about ten kilometers: nearer than this, they would be beside the coast. */
const LEAST_METERS = 800_000;

/** Whether the land can be drawn as far away as a map is. */
export const isFarEnough = (view: View): boolean => view.width / view.pixels(1) >= LEAST_METERS;

/** The land in a view. Points nearer to each other than a pixel are one, and so are islands. */
export function land(view: View): string {
  const margin = 4 / view.pixels(METERS_A_DEGREE);
  const area = {
    ...{ west: view.west - 2 * margin, east: view.east + 2 * margin },
    ...{ south: view.south - margin, north: view.north + margin },
  };
  const parts = [-360, 0, 360].flatMap((turn) => allRings().map((ring) => outline(view, ring, turn, area)));
  const d = parts.join("");
  return d === "" ? "" : path(d, { class: "iot-coast" });
}

function outline(view: View, ring: Ring, turn: number, area: Omit<Ring, "spots">): string {
  const [west, east] = [area.west - turn, area.east - turn];
  const { south, north } = area;
  if (ring.west > east || ring.east < west || ring.south > north || ring.north < south) return "";
  let { spots } = ring;
  if (ring.west < west) spots = cut(spots, "x", west, 1);
  if (ring.east > east) spots = cut(spots, "x", east, -1);
  if (ring.south < south) spots = cut(spots, "y", south, 1);
  if (ring.north > north) spots = cut(spots, "y", north, -1);
  let d = "";
  let count = 0;
  let [lastX, lastY] = [Number.NaN, Number.NaN];
  for (const spot of spots) {
    const [x, y] = [tenth(view.x(spot.x + turn)), tenth(view.y(spot.y))];
    if (Math.abs(x - lastX) + Math.abs(y - lastY) < 1.2) continue;
    d += `${count === 0 ? "M" : "L"}${x} ${y}`;
    count += 1;
    [lastX, lastY] = [x, y];
  }
  return count < 3 ? "" : `${d}Z`;
}

const tenth = (value: number): number => Math.round(value * 10) / 10;
