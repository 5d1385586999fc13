import { get } from "../readers.ts";
import { chosenColor, colorOf, fillOf, type Hue, strokeOf } from "./color.ts";
import { canvas, noData } from "./frame.ts";
import { fencesOf, placeOf, type Spot } from "./geo.ts";
import { legend } from "./legend.ts";
import { at, circle, label, line, paint, path, rect, round, TICK_BELOW, tag, VALUE } from "./markup.ts";
import { below } from "./read.ts";
import { fixedScale } from "./scale.ts";
import { type Draw, reading, type Scene, type Shown, shownOf, withUnit } from "./scene.ts";

const METERS_A_DEGREE = 111_320;
const MAX_PINS = 300;

interface View {
  readonly x: (lng: number) => number;
  readonly y: (lat: number) => number;
  /** Pixels of a distance at the middle of the map. */
  readonly pixels: (meters: number) => number;
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}

/** The last places of each variable over a plain grid of degrees. No tiles are loaded. */
export const map: Draw = (scene) => {
  const { d, width, height } = scene;
  const tracks = shownOf(scene).map((shown) => ({ shown, points: placesOf(scene, shown) }));
  const fences = fencesOf(scene);
  const all = tracks.flatMap(({ points }) => points.map(({ spot }) => spot));
  for (const { corners, radiusM } of fences) {
    const margin = radiusM / METERS_A_DEGREE;
    for (const { x, y } of corners) all.push({ x: x - margin, y: y - margin }, { x: x + margin, y: y + margin });
  }
  if (all.length === 0) return noData(scene, "No locations");
  const key = legend(
    tracks.map(({ shown }) => ({ name: shown.name, hue: pinHue(shown, undefined) })),
    width,
  );
  const view = viewOf(all, width, height - key.height);
  const markers = tracks.map((track) => markersOf(track, view));
  const groups = get(d, "group_markers") === true ? groupsOf(markers.flat()) : markers.flat().map((each) => [each]);
  const told = tracks.map(({ shown, points }) => `${shown.name}: ${points.length} locations`);
  return canvas(
    scene,
    `map. ${told.join("; ")}; ${fences.length} geofences`,
    tag(
      "svg",
      { width, height: height - key.height, viewBox: `0 0 ${width} ${height - key.height}` },
      rect(0, 0, width, height - key.height, { class: "iot-land", rx: 6 }),
      graticule(view, width, height - key.height),
      ...fences.map(({ corners, radiusM, color, name }) => {
        const look = {
          ...paint(color, "iot-fence"),
          "fill-opacity": 0.18,
          ...(color === undefined ? {} : { stroke: color }),
          "stroke-width": 1.5,
        };
        const [first] = corners;
        if (first === undefined) return "";
        const shape =
          corners.length === 1
            ? circle(view.x(first.x), view.y(first.y), Math.max(4, view.pixels(radiusM)), look)
            : path(
                `${corners.map((spot, i) => `${i === 0 ? "M" : "L"}${at(view.x(spot.x), view.y(spot.y))}`).join("")}Z`,
                look,
              );
        return shape + label(view.x(first.x), view.y(first.y) - 8, name, { ...TICK_BELOW, max: 140 });
      }),
      ...(get(d, "show_lines") === true ? markers.map(trail) : []),
      ...groups.map((group) => drawGroup(scene, group)),
    ),
    key.at(height - key.height + 2),
  );
};

interface Place {
  readonly spot: Spot;
  readonly value: unknown;
  readonly text: string;
}

interface Track {
  readonly shown: Shown;
  readonly points: readonly Place[];
}

function placesOf(scene: Scene, shown: Shown): readonly Place[] {
  const onlyLast = get(below(scene.d, "center_options"), "show_only_last_values") === true;
  const points = scene.records.of(shown.variable, shown.origin).slice(onlyLast ? -1 : -MAX_PINS);
  return points.flatMap((point) => {
    const spot = placeOf(point.raw);
    if (spot === undefined) return [];
    const found = reading(scene, shown, point);
    return [{ spot, value: found.value, text: withUnit(found) }];
  });
}

function pinHue({ settings, hue }: Shown, value: unknown): Hue {
  const pin = below(settings, "pin_config");
  const isConditional = get(pin, "icon_type") === "conditional";
  const own =
    (isConditional ? chosenColor(get(pin, "icon_conditions"), value) : undefined) ?? colorOf(get(pin, "color"));
  return { own: own ?? hue.own, place: hue.place };
}

function viewOf(spots: readonly Spot[], width: number, height: number): View {
  let [west, east, south, north] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of spots)
    [west, east, south, north] = [Math.min(west, x), Math.max(east, x), Math.min(south, y), Math.max(north, y)];
  const middle = { x: (west + east) / 2, y: Math.max(-80, Math.min(80, (south + north) / 2)) };
  const squeeze = Math.cos((middle.y * Math.PI) / 180);
  // At least about 500 meters, and a margin for the pins with their names.
  const perDegree = Math.min(
    (width * 0.76) / Math.max(0.005, (east - west) * squeeze),
    Math.max(30, height - 72) / Math.max(0.005, north - south),
  );
  return {
    x: (lng) => width / 2 + (lng - middle.x) * squeeze * perDegree,
    y: (lat) => height / 2 + 14 - (lat - middle.y) * perDegree,
    pixels: (meters) => (meters / METERS_A_DEGREE) * perDegree,
    west: middle.x - width / 2 / perDegree / squeeze,
    east: middle.x + width / 2 / perDegree / squeeze,
    south: middle.y - (height / 2 - 14) / perDegree,
    north: middle.y + (height / 2 + 14) / perDegree,
  };
}

function graticule(view: View, width: number, height: number): string {
  const degrees = (value: number, [plus, minus]: readonly [string, string]): string =>
    `${Number(Math.abs(value).toFixed(5))}°${value < 0 ? minus : value > 0 ? plus : ""}`;
  const across = fixedScale(view.west, view.east, Math.max(2, Math.floor(width / 80))).ticks;
  const upright = fixedScale(view.south, view.north, Math.max(2, Math.floor(height / 50))).ticks;
  // No degrees where they would be cut off.
  const east = across.map((lng) => {
    const x = view.x(lng);
    const text = x > width - 50 ? "" : degrees(lng, ["E", "W"]);
    return line(x, 0, x, height) + label(x + 4, height - 6, text, { size: 10, soft: true });
  });
  const north = upright.map((lat) => {
    const y = view.y(lat);
    const text = y < 16 || y > height - 20 ? "" : degrees(lat, ["N", "S"]);
    return line(0, y, width, y) + label(6, y - 4, text, { size: 10, soft: true });
  });
  return [...east, ...north].join("");
}

/** A place on the map, in pixels. */
interface Marker {
  readonly x: number;
  readonly y: number;
  readonly hue: Hue;
  /** What stands above a pin; undefined for the dots of earlier places. */
  readonly name: string | undefined;
}

const markersOf = ({ shown, points }: Track, view: View): readonly Marker[] =>
  points.map(({ spot, value, text }, i) => ({
    x: view.x(spot.x),
    y: view.y(spot.y),
    hue: pinHue(shown, value),
    name: i === points.length - 1 ? `${shown.name} ${text}`.trim() : undefined,
  }));

function trail(markers: readonly Marker[]): string {
  const hue = markers.at(-1)?.hue;
  if (hue === undefined || markers.length < 2) return "";
  return path(markers.map(({ x, y }, i) => `${i === 0 ? "M" : "L"}${at(x, y)}`).join(""), {
    ...strokeOf(hue),
    fill: "none",
    "stroke-width": 2,
    "stroke-dasharray": "6 4",
  });
}

/** Markers nearer to each other than this are one with `group_markers`. */
const GROUP_PIXELS = 40;

/** Each marker joins the first group that is near it, pins before dots: the name of a pin stays at its place. */
function groupsOf(markers: readonly Marker[]): readonly (readonly Marker[])[] {
  const groups: Marker[][] = [];
  for (const marker of [...markers].sort((a, b) => Number(a.name === undefined) - Number(b.name === undefined))) {
    const near = groups.find(([first]) => first && Math.hypot(first.x - marker.x, first.y - marker.y) < GROUP_PIXELS);
    if (near === undefined) groups.push([marker]);
    else near.push(marker);
  }
  return groups;
}

function drawGroup(scene: Scene, markers: readonly Marker[]): string {
  const [first] = markers;
  if (first === undefined) return "";
  const { x, y, hue } = first;
  const names = markers.flatMap(({ name }) => name ?? []).join(", ");
  const title = label(x, y - (markers.length > 1 ? 20 : 32), names, { ...VALUE, size: 11, max: scene.width / 3 });
  if (markers.length === 1)
    return (
      (first.name === undefined ? circle(x, y, 3.5, { ...fillOf(hue), "fill-opacity": 0.6 }) : pin(x, y, fillOf(hue))) +
      title
    );
  const count = label(x, y + 4, String(markers.length), { ...VALUE, size: 12 });
  return (
    circle(x, y, 14, { class: "iot-panel" }) +
    circle(x, y, 14, { fill: "none", "stroke-width": 3, ...strokeOf(hue) }) +
    count +
    title
  );
}

/** A pin whose tip is at the point. */
export function pin(x: number, y: number, look: Readonly<Record<string, string | number | undefined>>): string {
  const [px, py] = [round(x), round(y)];
  return (
    path(
      `M${px} ${py}C${round(x - 4)} ${round(y - 8)} ${round(x - 9)} ${round(y - 12)} ${round(x - 9)} ${round(y - 18)}A9 9 0 1 1 ${round(x + 9)} ${round(y - 18)}C${round(x + 9)} ${round(y - 12)} ${round(x + 4)} ${round(y - 8)} ${px} ${py}Z`,
      look,
    ) + circle(x, y - 18, 3.4, { class: "iot-panel" })
  );
}
