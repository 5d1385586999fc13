import { get } from "../readers.ts";
import { chosen, chosenColor, colorOf, fillOf, type Hue, inkOn, strokeOf } from "./color.ts";
import { formatNumber, type Style } from "./format.ts";
import { canvas, noData } from "./frame.ts";
import { type Fence, fencesOf, placeOf, type Spot } from "./geo.ts";
import { METERS_A_DEGREE, roundDistance, type View, viewOf } from "./globe.ts";
import { glyph, iconIn, isPin } from "./icons.ts";
import type { Box } from "./images.ts";
import { isFarEnough, land } from "./land.ts";
import { legend } from "./legend.ts";
import { at, circle, label, line, paint, path, rect, round, TICK_BELOW, tag, VALUE } from "./markup.ts";
import { around, Names } from "./names.ts";
import { below } from "./read.ts";
import { fixedScale } from "./scale.ts";
import { type Draw, reading, type Scene, type Shown, shownOf, withUnit } from "./scene.ts";

const MAX_PINS = 300;

/** The last locations of each variable over degrees, and over the outline of the land where it is true enough. No tiles are loaded. */
export const map: Draw = (scene) => {
  const { d, width } = scene;
  const tracks = shownOf(scene).map((shown) => ({ shown, points: placesOf(scene, shown) }));
  const fences = fencesOf(scene);
  const all = [...tracks.flatMap(({ points }) => points.map(({ spot }) => spot)), ...fences.flatMap(edgesOf)];
  if (all.length === 0) return noData(scene, "No locations");
  const key = legend(
    tracks.map(({ shown }) => ({ name: shown.name, hue: pinHue(shown, undefined) })),
    width,
  );
  const view = viewOf(all, width, scene.height - key.height);
  const { height } = view;
  const markers = tracks.map((track) => markersOf(track, view));
  const groups = get(d, "group_markers") === true ? groupsOf(markers.flat()) : markers.flat().map((each) => [each]);
  const names = new Names({ x: 2, y: 2, width: width - 4, height: height - 4 });
  const scaleBar = scaleOf(view, scene.style, names);
  for (const group of groups) names.take(boxOf(group));
  // What has no room for its name is in the legend.
  const titles = groups.map((group) => titleOf(group, names, width / 3));
  const shapes = fences.map((fence) => fenceShape(fence, view));
  const fenceTitles = fences.map((fence) => fenceTitle(fence, view, names));
  const told = tracks.map(({ shown, points }) => `${shown.name}: ${counted(points.length, "location")}`);
  return canvas(
    scene,
    `map. ${told.join("; ")}; ${counted(fences.length, "geofence")}`,
    tag(
      "svg",
      { width, height, viewBox: `0 0 ${width} ${height}` },
      ground(view),
      graticule(view, names),
      ...shapes,
      ...(get(d, "show_lines") === true ? tracks.map((track, i) => trail(track, view, markers[i]?.at(-1)?.hue)) : []),
      ...groups.map(drawGroup),
      ...fenceTitles,
      ...titles,
      scaleBar,
    ),
    key.at(height + 2),
  );
};

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** What a map is drawn over: sea and land from far away, an even surface from near. */
function ground(view: View): string {
  const { width, height } = view;
  if (!isFarEnough(view)) return rect(0, 0, width, height, { class: "iot-land", rx: 6 });
  const [top, bottom] = [Math.max(0, view.y(90)), Math.min(height, view.y(-90))];
  return (
    rect(0, 0, width, height, { class: "iot-land", rx: 6 }) +
    rect(0, top, width, bottom - top, { class: "iot-sea" }) +
    land(view)
  );
}

/** The ends of a geofence: its corners, or the box around its circle. */
function edgesOf({ corners, radiusM }: Fence): readonly Spot[] {
  if (radiusM === 0) return corners;
  const high = radiusM / METERS_A_DEGREE;
  return corners.flatMap(({ x, y }) => {
    const wide = high / Math.max(0.1, Math.cos((y * Math.PI) / 180));
    return [
      { x: x - wide, y: Math.max(-90, y - high) },
      { x: x + wide, y: Math.min(90, y + high) },
    ];
  });
}

/** Longitudes in a row, each as near to the one before it as it can be: none goes around the world. */
function inRow(spots: readonly Spot[], view: View): readonly Spot[] {
  let last: number | undefined;
  return spots.map(({ x, y }) => {
    const lng = view.near(x);
    last = last === undefined ? lng : lng + Math.round((last - lng) / 360) * 360;
    return { x: last, y };
  });
}

/** Path data through spots. */
const lineThrough = (spots: readonly Spot[], view: View): string =>
  spots.map(({ x, y }, i) => `${i === 0 ? "M" : "L"}${at(view.x(x), view.y(y))}`).join("");

function fenceShape({ corners, radiusM, color }: Fence, view: View): string {
  const look = {
    ...paint(color, "iot-fence"),
    "fill-opacity": 0.18,
    ...(color === undefined ? {} : { stroke: color }),
    "stroke-width": 1.5,
  };
  const [first] = corners;
  if (first === undefined) return "";
  if (corners.length > 1) return path(`${lineThrough(inRow(corners, view), view)}Z`, look);
  const [x, y, high] = [view.x(view.near(first.x)), view.y(first.y), view.pixels(radiusM)];
  // Away from the latitude in the middle, degrees of longitude are drawn too wide or too narrow, and so are circles.
  const wide = (view.x(radiusM / METERS_A_DEGREE) - view.x(0)) / Math.max(0.02, Math.cos((first.y * Math.PI) / 180));
  if (high < 4 || Math.abs(wide - high) < 0.5) return circle(x, y, Math.max(4, high), look);
  const half = (sign: 1 | -1): string => `a${round(wide)} ${round(high)} 0 1 1 ${round(2 * sign * wide)} 0`;
  return path(`M${at(x - wide, y)}${half(1)}${half(-1)}Z`, look);
}

function fenceTitle({ corners, radiusM, name }: Fence, view: View, names: Names): string {
  const [first] = corners;
  if (first === undefined || name === "") return "";
  const [x, y] = [view.x(view.near(first.x)), view.y(first.y)];
  const above = y - (corners.length > 1 ? 0 : Math.max(4, view.pixels(radiusM)));
  const points = [
    { x, y: y - 8 },
    { x, y: above - 4 },
    { x, y: above + 14 },
    ...around({ x, y, width: 0, height: 0 }, 11),
  ];
  return names.put([{ text: name, ...TICK_BELOW, max: 140 }], points);
}

/** A bar as long as a round distance is at the latitude in the middle, and the way to the north. */
function scaleOf(view: View, style: Style, names: Names): string {
  const { meters, text } = roundDistance(view, Math.min(110, view.width / 4));
  const [right, y] = [view.width - 10, view.height - 24];
  const left = right - view.pixels(meters);
  const shown = text((value) => formatNumber(value, { show_thousand: true }, style));
  names.take({ x: left - 4, y: y - 20, width: right - left + 8, height: 26 });
  names.take({ x: right - 14, y: 4, width: 20, height: 32 });
  return (
    path(`M${at(left, y - 5)}V${round(y)}H${round(right)}V${round(y - 5)}`, { class: "iot-bar", fill: "none" }) +
    label((left + right) / 2, y - 7, shown, { size: 10, anchor: "middle" }) +
    path(`M${at(right - 5, 34)}V22M${at(right - 9, 26)}L${at(right - 5, 20)}L${at(right - 1, 26)}`, {
      class: "iot-bar",
      fill: "none",
    }) +
    label(right - 5, 16, "N", { size: 10, anchor: "middle" })
  );
}

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

/** The icon that a condition chooses, or that of the pin; none for one that is a pin itself. */
function pinIcon({ settings }: Shown, value: unknown): string {
  const pin = below(settings, "pin_config");
  const met = get(pin, "icon_type") === "conditional" ? chosen(get(pin, "icon_conditions"), value) : undefined;
  const icon = iconIn(met) || iconIn(pin);
  return isPin(icon) ? "" : icon;
}

function pinHue({ settings, hue }: Shown, value: unknown): Hue {
  const pin = below(settings, "pin_config");
  const isConditional = get(pin, "icon_type") === "conditional";
  const own =
    (isConditional ? chosenColor(get(pin, "icon_conditions"), value) : undefined) ?? colorOf(get(pin, "color"));
  return { own: own ?? hue.own, place: hue.place };
}

/** Lines of degrees, with their names where nothing else stands. */
function graticule(view: View, names: Names): string {
  const { width, height } = view;
  const degrees = (value: number, [plus, minus]: readonly [string, string]): string =>
    `${Number(Math.abs(value).toFixed(5))}°${value < 0 ? minus : value > 0 ? plus : ""}`;
  const across = fixedScale(view.west, view.east, Math.max(2, Math.floor(width / 80))).ticks;
  const upright = fixedScale(view.south, view.north, Math.max(2, Math.floor(height / 50))).ticks;
  const style = { size: 10, soft: true } as const;
  const [top, bottom] = [Math.max(0, view.y(90)), Math.min(height, view.y(-90))];
  const east = across.map((lng) => {
    const x = view.x(lng);
    const turned = lng - Math.round(lng / 360) * 360;
    const text = Math.abs(turned) === 180 ? "180°" : degrees(turned, ["E", "W"]);
    return line(x, top, x, bottom) + names.put([{ text, ...style }], [{ x: x + 4, y: height - 6, anchor: "start" }]);
  });
  const north = upright
    .filter((lat) => Math.abs(lat) <= 90)
    .map((lat) => {
      const y = view.y(lat);
      return (
        line(0, y, width, y) +
        names.put([{ text: degrees(lat, ["N", "S"]), ...style }], [{ x: 6, y: y - 4, anchor: "start" }])
      );
    });
  return [...east, ...north].join("");
}

/** A location on the map, in pixels. */
interface Marker {
  readonly x: number;
  readonly y: number;
  readonly hue: Hue;
  readonly icon: string;
  /** What stands beside a pin; undefined for the dots of earlier locations. */
  readonly name: string | undefined;
}

const markersOf = ({ shown, points }: Track, view: View): readonly Marker[] =>
  points.map(({ spot, value, text }, i) => ({
    x: view.x(view.near(spot.x)),
    y: view.y(spot.y),
    hue: pinHue(shown, value),
    icon: pinIcon(shown, value),
    name: i === points.length - 1 ? `${shown.name} ${text}`.trim() : undefined,
  }));

function trail({ points }: Track, view: View, hue: Hue | undefined): string {
  if (hue === undefined || points.length < 2) return "";
  const spots = inRow(
    points.map(({ spot }) => spot),
    view,
  );
  const look = { ...strokeOf(hue), fill: "none", "stroke-width": 2, "stroke-dasharray": "6 4" };
  // A trail that leaves the map at one side comes back at the other.
  const turns = new Set(spots.map(({ x }) => Math.round((view.near(x) - x) / 360) * 360));
  return path(
    [...turns]
      .map((turn) =>
        lineThrough(
          spots.map(({ x, y }) => ({ x: x + turn, y })),
          view,
        ),
      )
      .join(""),
    look,
  );
}

/** Markers nearer to each other than this are one with `group_markers`. */
const GROUP_PIXELS = 40;

/** Each marker joins the first group that is near it, pins before dots: the name of a pin stays at its location. */
function groupsOf(markers: readonly Marker[]): readonly (readonly Marker[])[] {
  const groups: Marker[][] = [];
  for (const marker of [...markers].sort((a, b) => Number(a.name === undefined) - Number(b.name === undefined))) {
    const near = groups.find(([first]) => first && Math.hypot(first.x - marker.x, first.y - marker.y) < GROUP_PIXELS);
    if (near === undefined) groups.push([marker]);
    else near.push(marker);
  }
  return groups;
}

const GROUP_RADIUS = 15;

/** What a marker, or several that are one, takes of the map. */
function boxOf(markers: readonly Marker[]): Box {
  const { x = 0, y = 0, name } = markers[0] ?? {};
  if (markers.length > 1)
    return { x: x - GROUP_RADIUS, y: y - GROUP_RADIUS, width: 2 * GROUP_RADIUS, height: 2 * GROUP_RADIUS };
  return name === undefined
    ? { x: x - 3, y: y - 3, width: 6, height: 6 }
    : { x: x - 10, y: y - 28, width: 20, height: 28 };
}

function titleOf(markers: readonly Marker[], names: Names, max: number): string {
  const text = markers.flatMap(({ name }) => name ?? []).join(", ");
  return text === "" ? "" : names.put([{ text, ...VALUE, size: 11, max }], around(boxOf(markers), 11));
}

function drawGroup(markers: readonly Marker[]): string {
  const [first] = markers;
  if (first === undefined) return "";
  const { x, y, hue, name, icon } = first;
  if (markers.length === 1)
    return name === undefined ? circle(x, y, 3.5, { ...fillOf(hue), "fill-opacity": 0.6 }) : pin(x, y, hue, icon);
  return (
    circle(x, y, 14, { class: "iot-panel" }) +
    circle(x, y, 14, { fill: "none", "stroke-width": 3, ...strokeOf(hue) }) +
    label(x, y + 4, String(markers.length), { ...VALUE, size: 12 })
  );
}

/** A pin whose tip is at the point, with its icon in the head. */
export function pin(x: number, y: number, hue: Hue, icon: string): string {
  const [px, py] = [round(x), round(y)];
  const ink = hue.own === undefined ? "#fff" : inkOn(hue.own);
  return (
    path(
      `M${px} ${py}C${round(x - 4)} ${round(y - 8)} ${round(x - 9)} ${round(y - 12)} ${round(x - 9)} ${round(y - 18)}A9 9 0 1 1 ${round(x + 9)} ${round(y - 18)}C${round(x + 9)} ${round(y - 12)} ${round(x + 4)} ${round(y - 8)} ${px} ${py}Z`,
      fillOf(hue),
    ) + (glyph(x, y - 18, 12, icon, { stroke: ink }) ?? circle(x, y - 18, 3.4, { class: "iot-panel" }))
  );
}
