import { get } from "../readers.ts";
import { at, CAPTION, circle, label, line, paint, path, polar, ring, roomFor, sizeFor, TICK, VALUE } from "./markup.ts";
import { gauge, type Level, zonesOf } from "./range.ts";
import type { Scene } from "./scene.ts";
import { themeColor } from "./scene.ts";

interface Arc {
  readonly cx: number;
  readonly cy: number;
  readonly r: number;
  readonly from: number;
  readonly to: number;
}

/** The greatest arc of this opening that fits. */
function arcIn({ width, height }: Scene, opening: number, side: number, top: number, bottom: number): Arc {
  const half = opening / 2;
  const down = half > 90 ? -Math.cos((half * Math.PI) / 180) : 0;
  const wide = half >= 90 ? 1 : Math.sin((half * Math.PI) / 180);
  const r = Math.max(20, Math.min((height - top - bottom) / (1 + down), (width / 2 - side) / wide));
  const rest = height - top - bottom - r * (1 + down);
  return { cx: width / 2, cy: top + Math.max(0, rest / 2) + r, r, from: -half, to: half };
}

/** Room beside an arc for its marks. */
const roomBeside = ({ scale, marksOf }: Level): number =>
  Math.max(40, ...scale.ticks.map((tick) => 16 + roomFor(marksOf(scale)(tick))));

const angleAt = ({ from, to }: Arc, part: number): number => from + (to - from) * part;

function tickMarks({ scale, marksOf }: Level, arc: Arc, r: number): string {
  const mark = marksOf(scale);
  return scale.ticks
    .map((tick) => {
      const angle = angleAt(arc, scale.part(tick));
      const [x, y] = polar(arc.cx, arc.cy, r, angle);
      const turned = Math.sin((angle * Math.PI) / 180);
      const anchor = Math.abs(turned) < 0.3 ? "middle" : turned > 0 ? "start" : "end";
      return label(x, y + 4, mark(tick), { ...TICK, anchor, max: 60 });
    })
    .join("");
}

function bands(scene: Scene, { scale }: Level, arc: Arc, outer: number, inner: number): string {
  return zonesOf(get(scene.colors, "fill"), scale)
    .map((zone) =>
      path(ring(arc.cx, arc.cy, outer, inner, angleAt(arc, zone.from), angleAt(arc, zone.to)), { fill: zone.color }),
    )
    .join("");
}

function needle(arc: Arc, part: number, length: number, color: string | undefined): string {
  const angle = angleAt(arc, part);
  const [tip, left, right] = [
    polar(arc.cx, arc.cy, length, angle),
    polar(arc.cx, arc.cy, 5, angle - 90),
    polar(arc.cx, arc.cy, 5, angle + 90),
  ];
  return (
    path(`M${at(...left)}L${at(...tip)}L${at(...right)}Z`, paint(color, "iot-ink")) +
    circle(arc.cx, arc.cy, 8, paint(color, "iot-ink")) +
    circle(arc.cx, arc.cy, 3.5, { class: "iot-panel" })
  );
}

function caption({ width, height }: Scene, { name, value, text }: Level, y: number, r: number): readonly string[] {
  return [
    label(width / 2, y, value, { ...VALUE, size: Math.max(13, Math.min(24, r * 0.26)), fill: text, max: width - 30 }),
    label(width / 2, Math.min(height - 6, y + 20), name, { ...CAPTION, max: width - 30 }),
  ];
}

const outline = (scene: Scene): { readonly stroke?: string } => {
  const color = themeColor(scene, "outline");
  return color === undefined ? {} : { stroke: color };
};

/** A needle over an arc. */
export const angular = gauge((scene, level) => {
  const arc = arcIn(scene, 220, roomBeside(level), 26, 34);
  const { cx, cy, r } = arc;
  return [
    path(ring(cx, cy, r, r - 12, arc.from, arc.to), { class: "iot-track", ...outline(scene) }),
    path(ring(cx, cy, r, r - 12, arc.from, angleAt(arc, level.part)), paint(level.fill, "iot-accent")),
    bands(scene, level, arc, r + 6, r + 2),
    tickMarks(level, arc, r + 14),
    needle(arc, level.part, r - 20, undefined),
    ...caption(scene, level, Math.min(scene.height - 24, cy + r * 0.34 + 26), r),
  ];
});

/** A thick half ring, filled up to the value. */
export const solid = gauge((scene, level) => {
  const arc = arcIn(scene, 180, 14, 18, 46);
  const { cx, cy, r } = arc;
  const ends = [level.scale.min, level.scale.max].map((end, i) =>
    label(cx + (i === 0 ? -1 : 1) * r * 0.81, cy + 18, level.marksOf(level.scale)(end), {
      size: 12,
      soft: true,
      anchor: "middle",
      max: r * 0.5,
    }),
  );
  return [
    path(ring(cx, cy, r, r * 0.62, arc.from, arc.to), { class: "iot-track", ...outline(scene) }),
    path(ring(cx, cy, r, r * 0.62, arc.from, angleAt(arc, level.part)), paint(level.fill, "iot-accent")),
    bands(scene, level, arc, r + 7, r + 3),
    ...ends,
    label(cx, cy - 6, level.value, {
      ...VALUE,
      size: sizeFor(level.value, r * 1.15, Math.min(30, r * 0.22)),
      fill: level.text,
      max: r * 1.15,
    }),
    label(cx, cy + 36, level.name, { ...CAPTION, max: scene.width - 40 }),
  ];
});

/** The meter of an amplifier. */
export const vuMeter = gauge((scene, level) => {
  const arc = arcIn(scene, 110, roomBeside(level), 34, 52);
  const { cx, cy, r } = arc;
  const marks = Array.from({ length: 21 }, (_, i) => {
    const angle = angleAt(arc, i / 20);
    return line(...polar(cx, cy, r, angle), ...polar(cx, cy, r - (i % 5 === 0 ? 12 : 6), angle), { class: "iot-rule" });
  });
  return [
    bands(scene, level, arc, r + 4, r),
    path(ring(cx, cy, r + 1, r, arc.from, arc.to), { class: "iot-accent", ...outline(scene) }),
    ...marks,
    tickMarks(level, arc, r + 14),
    needle(arc, level.part, r - 6, level.fill),
    ...caption(scene, level, Math.min(scene.height - 26, cy + 32), r),
  ];
});

/** A knob with dots around it. */
export const dial = gauge((scene, level) => {
  const arc = arcIn(scene, 270, roomBeside(level), 28, 30);
  const { cx, cy, r } = arc;
  const dots = Array.from({ length: 31 }, (_, i) => {
    const [x, y] = polar(cx, cy, r, angleAt(arc, i / 30));
    const isOn = i / 30 <= level.part + 1e-9;
    return circle(x, y, 3.2, isOn ? paint(level.fill, "iot-accent") : { class: "iot-track" });
  });
  const [x, y] = polar(cx, cy, r * 0.66, angleAt(arc, level.part));
  return [
    ...dots,
    tickMarks(level, arc, r + 12),
    circle(cx, cy, r * 0.78, { class: "iot-knob", ...outline(scene) }),
    circle(x, y, 5, paint(level.fill, "iot-accent")),
    label(cx, cy + 8, level.value, {
      ...VALUE,
      size: sizeFor(level.value, r * 1.15, Math.min(26, r * 0.24)),
      fill: level.text,
      max: r * 1.15,
    }),
    label(cx, Math.min(scene.height - 6, cy + r * 0.72 + 30), level.name, { ...CAPTION, max: scene.width - 40 }),
  ];
}, 6);
