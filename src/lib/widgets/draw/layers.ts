import { get } from "../readers.ts";
import { chosen, colorOf } from "./color.ts";
import { tickFormat } from "./format.ts";
import { canvas, noData } from "./frame.ts";
import { fileIn, positionOf, type Spot } from "./geo.ts";
import { iconIn, isPin } from "./icons.ts";
import { type Box, picture, placeIn } from "./images.ts";
import { pin } from "./map.ts";
import { at, label, path, rect, round, TICK, TICK_BELOW, tag } from "./markup.ts";
import { belowFirst, Names } from "./names.ts";
import { below, idIn, numberIn, textOf } from "./read.ts";
import { fixedScale, niceScale, type Scale } from "./scale.ts";
import { type Draw, lastReading, readings, type Scene, type Shown, shownOf, themeColor, withUnit } from "./scene.ts";

interface Ground {
  readonly back: string;
  /** Where a position from 0 to 1 lies on the image, or on its box where the size of the image is not known. */
  readonly at: (spot: Spot) => readonly [number, number];
}

/** The background of a layer. */
function ground(scene: Scene, address: string, box: Box): Ground {
  const image = address === "" ? undefined : scene.images(address);
  const note =
    image !== undefined || address === ""
      ? ""
      : label(box.x + 10, box.y + box.height - 10, address, { ...TICK, max: box.width - 20 });
  const back =
    image === undefined
      ? rect(box.x, box.y, box.width, box.height, { class: "iot-place", rx: 6 }) + note
      : picture(scene, address, box);
  const place = placeIn(scene, box, image);
  return { back, at: ({ x, y }) => [place.x + x * place.width, place.y + y * place.height] };
}

/** Room above the uppermost pin for its head, and below the lowest one for its texts. */
function boxFor({ width, height }: Scene, spots: readonly Spot[]): Box {
  const top = spots.some(({ y }) => y < 0.14) ? 30 : 8;
  const bottom = spots.some(({ y }) => y > 0.84) ? 36 : 14;
  return { x: 14, y: top, width: width - 28, height: height - top - bottom };
}

/** Where a pin belongs: its own position, that in the record of the layer, or one after the other without any. */
function spotOf(scene: Scene, shown: Shown, place: number, count: number): Spot {
  const own = scene.records.last(shown.variable, shown.origin);
  const found = own && positionOf(below(own.raw, "metadata"));
  if (found !== undefined) return found;
  const layer = below(scene.d, "layer");
  const stored = scene.records.last(textOf(layer, "variable"), idIn(get(layer, "origin")));
  const metadata = below(stored?.raw, "metadata");
  const key = shown.origin ?? "";
  return (
    positionOf(metadata, key) ?? positionOf(metadata, key + shown.variable) ?? { x: (place + 1) / (count + 1), y: 0.5 }
  );
}

function layerImage({ d, records }: Scene): string {
  const layer = below(d, "layer");
  const stored = records.last(textOf(layer, "variable"), idIn(get(layer, "origin")));
  const background = below(d, "background");
  return (
    textOf(d, "background_path") ||
    textOf(background, "url", "path") ||
    (stored === undefined ? "" : fileIn(stored.raw))
  );
}

/** Value and name of a pin, at least its value; what has no room is in the description. */
function captionOf(names: Names, box: Box, [value, name]: readonly [string, string], max: number): string {
  const first = { text: value, size: 12, bold: true, max };
  const both = names.put([first, { text: name, size: 12, soft: true, max }], belowFirst(box, 12, 2));
  return both || names.put([first], belowFirst(box, 12));
}

/** Pins over an image. */
const pinned =
  (kind: string): Draw =>
  (scene) => {
    const { d, width, height } = scene;
    const all = shownOf(scene);
    if (all.length === 0) return noData(scene, "No variables");
    const places = all.map((shown, i) => spotOf(scene, shown, i, all.length));
    const { back, at: where } = ground(scene, layerImage(scene), boxFor(scene, places));
    const spots = places.map(where);
    const isJoined = get(d, "connect_markers") === true || get(d, "show_polyline") === true;
    const look = { class: "iot-rule", fill: "none", "stroke-width": 2 };
    const joined =
      isJoined && spots.length > 1
        ? path(spots.map(([x, y], i) => `${i === 0 ? "M" : "L"}${at(x, y)}`).join(""), look)
        : "";
    const names = new Names({ x: 2, y: 2, width: width - 4, height: height - 2 });
    for (const [x, y] of spots) names.take({ x: x - 10, y: y - 28, width: 20, height: 28 });
    const told: string[] = [];
    const pins: string[] = [];
    const texts: string[] = [];
    for (const [i, shown] of all.entries()) {
      const [x, y] = spots[i] ?? [0, 0];
      const last = lastReading(scene, shown);
      const met = chosen(get(shown.settings, "color_conditions"), last?.value);
      const icon = iconIn(met) || iconIn(shown.settings);
      const text = last === undefined ? "–" : withUnit(last);
      told.push(`${shown.name}: ${text}`);
      pins.push(pin(x, y, { own: colorOf(get(met, "color")) ?? shown.hue.own, place: i }, isPin(icon) ? "" : icon));
      texts.push(captionOf(names, { x: x - 10, y: y - 28, width: 20, height: 31 }, [text, shown.name], width * 0.3));
    }
    return canvas(scene, `${kind}. ${told.join("; ")}`, back, joined, ...pins, ...texts);
  };

export const imageMarker = pinned("image marker");
export const compose = pinned("composed");

const HEAT = ["#2563eb", "#06b6d4", "#22c55e", "#eab308", "#f97316", "#dc2626"] as const;
const MAX_SPOTS = 400;
/** Width of a cell of a heat map, in pixels. */
const CELL = 6;

/** The step of the key that a part of the scale, from 0 to 1, has the color of. */
const heatStep = (part: number): number => Math.max(0, Math.min(HEAT.length - 1, Math.floor(part * HEAT.length)));

interface HeatSpot {
  readonly x: number;
  readonly y: number;
  readonly number: number;
}

/**
 * The average of the values around each point, nearer ones counting more, in the colors of the key. What no value is near to
 * stays free. Cells of one color are one path.
 */
function heat(
  spots: readonly HeatSpot[],
  box: Box,
  radius: number,
  partOf: (value: number) => number,
): readonly string[] {
  const paths = HEAT.map(() => "");
  for (let y = box.y; y < box.y + box.height; y += CELL) {
    const row = spots.filter((spot) => Math.abs(spot.y - y - CELL / 2) < radius);
    if (row.length === 0) continue;
    let run: { step: number; from: number } | undefined;
    const close = (to: number): void => {
      if (run !== undefined)
        paths[run.step] += `M${round(run.from)} ${round(y)}h${round(to - run.from)}v${CELL}H${round(run.from)}z`;
      run = undefined;
    };
    for (let x = box.x; x < box.x + box.width; x += CELL) {
      const value = averageAt(row, x + CELL / 2, y + CELL / 2, radius);
      const step = value === undefined ? undefined : heatStep(partOf(value));
      if (step === run?.step) continue;
      close(x);
      run = step === undefined ? undefined : { step, from: x };
    }
    close(Math.ceil(box.width / CELL) * CELL + box.x);
  }
  return paths;
}

/** Weights fall from the value to the edge of its circle, where they are 0. */
function averageAt(spots: readonly HeatSpot[], x: number, y: number, radius: number): number | undefined {
  let [sum, weights] = [0, 0];
  for (const spot of spots) {
    const part = ((spot.x - x) ** 2 + (spot.y - y) ** 2) / radius ** 2;
    if (part >= 1) continue;
    const weight = ((1 - part) / (part + 0.02)) ** 2;
    sum += weight * spot.number;
    weights += weight;
  }
  return weights > 0 ? sum / weights : undefined;
}

/** Values as a surface of colors over an image. */
export const heatMap: Draw = (scene) => {
  const { d, width, height } = scene;
  const all = shownOf(scene);
  const hasScale = get(d, "show_scale") !== false;
  const area = { x: 14, y: 8, width: width - 28, height: height - 22 - (hasScale ? 40 : 0) };
  const { back, at: where } = ground(scene, heatImage(scene, all[0]), area);
  const spots = all.flatMap((shown) => heatSpots(scene, shown, where)).slice(-MAX_SPOTS);
  if (spots.length === 0) return noData(scene, "No positions");
  const scale = heatScale(scene, spots);
  const radius = Math.min(90, height / 7, Math.max(10, (numberIn(get(d, "radius")) ?? 4) * 8));
  const surface = heat(spots, area, radius, (value) => scale.part(value)).map((d, step) =>
    d === "" ? "" : path(d, { fill: HEAT[step], "fill-opacity": 0.72 }),
  );
  const text = tickFormat(scale.ticks, below(all[0]?.settings, "number_format"), scene.style);
  const told = all.map((shown) => shown.name).join(", ");
  return canvas(
    scene,
    `heat map of ${told}: ${spots.length} values from ${text(scale.min)} to ${text(scale.max)}`,
    back,
    tag(
      "svg",
      { ...area, viewBox: `${round(area.x)} ${round(area.y)} ${round(area.width)} ${round(area.height)}` },
      ...surface,
    ),
    ...(hasScale ? [heatKey(scene, scale, text)] : []),
  );
};

function heatImage(scene: Scene, first: Shown | undefined): string {
  const source = below(scene.d, "source");
  const met = chosen(get(source, "conditions"), lastReading(scene, first)?.value);
  return get(source, "type") === "conditional" ? textOf(met, "url") : textOf(source, "static_image");
}

function heatSpots(scene: Scene, shown: Shown, where: Ground["at"]): readonly HeatSpot[] {
  return readings(scene, shown)
    .slice(-MAX_SPOTS)
    .flatMap(({ number, point }) => {
      const spot = positionOf(below(point.raw, "metadata"));
      if (spot === undefined) return [];
      const [x, y] = where(spot);
      return [{ x, y, number }];
    });
}

function heatScale({ d }: Scene, spots: readonly HeatSpot[]): Scale {
  const fixed = below(d, "scale");
  const [min, max] = [numberIn(get(fixed, "minimum")), numberIn(get(fixed, "maximum"))];
  if (get(fixed, "type") === "fixed" && min !== undefined && max !== undefined && min < max)
    return fixedScale(min, max);
  const numbers = spots.map(({ number }) => number);
  return niceScale(numbers, false);
}

/** The colors with the values between them, and what the surface shows. */
function heatKey(scene: Scene, scale: Scale, text: (value: number) => string): string {
  const { width, height } = scene;
  const fill = themeColor(scene, "text");
  const half = Math.min(120, width / 2 - 56);
  const step = (half * 2) / HEAT.length;
  const [start, y] = [width / 2 - half, height - 40];
  const boxes = HEAT.map((color, i) => rect(start + i * step, y, step, 10, { fill: color, "fill-opacity": 0.72 }));
  const ends = [scale.min, scale.max].map((value, i) =>
    label(width / 2 + (i === 0 ? -1 : 1) * (half + 8), y + 9, text(value), {
      ...TICK,
      anchor: i === 0 ? "end" : "start",
      fill,
      max: 46,
    }),
  );
  const about = label(width / 2, y + 26, "average of the values near each place", {
    ...TICK_BELOW,
    fill,
    max: width - 20,
  });
  return boxes.join("") + ends.join("") + about;
}
