import { get } from "../readers.ts";
import { chosen, chosenColor, fillOf } from "./color.ts";
import { tickFormat } from "./format.ts";
import { type Box, canvas, noData, picture } from "./frame.ts";
import { fileIn, positionOf, type Spot } from "./geo.ts";
import { pin } from "./map.ts";
import { at, circle, label, path, rect, TICK, tag } from "./markup.ts";
import { below, idIn, numberIn, textOf } from "./read.ts";
import { fixedScale, niceScale } from "./scale.ts";
import { type Draw, lastReading, readings, type Scene, type Shown, shownOf, themeColor, withUnit } from "./scene.ts";

/** The background of a layer, and where positions from 0 to 1 lie on it. */
function ground(
  scene: Scene,
  address: string,
  bottom = 0,
): { readonly back: string; readonly at: (spot: Spot) => readonly [number, number] } {
  const box: Box = { x: 14, y: 8, width: scene.width - 28, height: scene.height - 22 - bottom };
  const hasImage = scene.images && address !== "";
  const note =
    hasImage || address === ""
      ? ""
      : label(box.x + 10, box.y + box.height - 10, address, { ...TICK, max: box.width - 20 });
  const back = hasImage
    ? picture(scene, address, box)
    : rect(box.x, box.y, box.width, box.height, { class: "iot-place", rx: 6 }) + note;
  return { back, at: ({ x, y }) => [box.x + 12 + x * (box.width - 24), box.y + 34 + y * (box.height - 60)] };
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

/** Pins over an image. */
const pinned =
  (kind: string): Draw =>
  (scene) => {
    const { d, width } = scene;
    const all = shownOf(scene);
    const { back, at: where } = ground(scene, layerImage(scene));
    if (all.length === 0) return noData(scene, "No variables");
    const told: string[] = [];
    const spots = all.map((shown, i) => where(spotOf(scene, shown, i, all.length)));
    const isJoined = get(d, "connect_markers") === true || get(d, "show_polyline") === true;
    const joined =
      isJoined && spots.length > 1
        ? path(spots.map(([x, y], i) => `${i === 0 ? "M" : "L"}${at(x, y)}`).join(""), {
            class: "iot-rule",
            fill: "none",
            "stroke-width": 2,
          })
        : "";
    const pins = all.map((shown, i) => {
      const [x, y] = spots[i] ?? [0, 0];
      const last = lastReading(scene, shown);
      const color = chosenColor(get(shown.settings, "color_conditions"), last?.value);
      const hue = { own: color ?? shown.hue.own, place: i };
      const text = last === undefined ? "–" : withUnit(last);
      told.push(`${shown.name}: ${text}`);
      const [left, middle, right] = [x < width * 0.15, "middle", x > width * 0.85] as const;
      const anchor = left ? "start" : right ? "end" : middle;
      const style = { size: 12, anchor, max: width * 0.22 } as const;
      return (
        pin(x, y, fillOf(hue)) +
        label(x, y + 15, text, { ...style, bold: true }) +
        label(x, y + 30, shown.name, { ...style, soft: true })
      );
    });
    return canvas(scene, `${kind}. ${told.join("; ")}`, back, joined, ...pins);
  };

export const imageMarker = pinned("image marker");
export const compose = pinned("composed");

const HEAT = ["#2563eb", "#06b6d4", "#22c55e", "#eab308", "#f97316", "#dc2626"];
const MAX_SPOTS = 400;

const heatColor = (part: number): string =>
  HEAT[Math.max(0, Math.min(HEAT.length - 1, Math.floor(part * HEAT.length)))] ?? "#2563eb";

/** Values as spots of colour over an image. */
export const heatMap: Draw = (scene) => {
  const { d, width, height } = scene;
  const source = below(d, "source");
  const all = shownOf(scene);
  const [first] = all;
  const met = chosen(get(source, "conditions"), lastReading(scene, first)?.value);
  const address = get(source, "type") === "conditional" ? textOf(met, "url") : textOf(source, "static_image");
  const hasScale = get(d, "show_scale") !== false;
  const { back, at: where } = ground(scene, address, hasScale ? 40 : 0);
  const spots = all
    .flatMap((shown) =>
      readings(scene, shown)
        .slice(-MAX_SPOTS)
        .flatMap(({ number, point }) => {
          const spot = positionOf(below(point.raw, "metadata"));
          return spot === undefined ? [] : [{ number, spot }];
        }),
    )
    .slice(-MAX_SPOTS);
  if (spots.length === 0) return noData(scene, "No positions");
  const fixed = below(d, "scale");
  const [min, max] = [numberIn(get(fixed, "minimum")), numberIn(get(fixed, "maximum"))];
  const isFixed = get(fixed, "type") === "fixed" && min !== undefined && max !== undefined && min < max;
  const scale = isFixed
    ? fixedScale(min, max)
    : niceScale(
        spots.map(({ number }) => number),
        false,
      );
  const r = Math.min(90, height / 7, Math.max(10, (numberIn(get(d, "radius")) ?? 4) * 8));
  const blots = spots.map(({ number, spot }) => {
    const [x, y] = where(spot);
    const fill = heatColor(scale.part(number));
    return tag("g", { fill, "fill-opacity": 0.26 }, ...[1, 0.66, 0.33].map((part) => circle(x, y, r * part, {})));
  });
  const half = Math.min(120, width / 2 - 56);
  const step = (half * 2) / HEAT.length;
  const key = HEAT.map((fill, i) => rect(width / 2 - half + i * step, height - 30, step, 10, { fill }));
  const fill = themeColor(scene, "text");
  const text = tickFormat(scale.ticks, below(all[0]?.settings, "number_format"), scene.style);
  const ends = [scale.min, scale.max].map((value, i) =>
    label(width / 2 + (i === 0 ? -1 : 1) * (half + 8), height - 21, text(value), {
      ...TICK,
      anchor: i === 0 ? "end" : "start",
      fill,
      max: 46,
    }),
  );
  const told = all.map((shown) => shown.name).join(", ");
  return canvas(
    scene,
    `heat map of ${told}: ${spots.length} values from ${text(scale.min)} to ${text(scale.max)}`,
    back,
    ...blots,
    ...(hasScale ? [...key, ...ends] : []),
  );
};
