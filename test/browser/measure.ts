import type { Page } from "playwright-core";

/** An element of a drawing as it is shown, in pixels from the corner of its SVG. */
export interface Shape {
  readonly tag: string;
  readonly class: string;
  readonly fill: string;
  readonly text: string;
  /** Points of a path that has straight lines only. */
  readonly points: readonly (readonly [number, number])[];
  /** Lines that begin anew in a path. */
  readonly starts: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: number;
  readonly y: number;
}

/** What a figure shows. */
export interface Measured {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
  readonly texts: readonly Shape[];
  /** Cells of a table, by row; the headings first. */
  readonly rows: readonly (readonly string[])[];
  /** All words, those outside of an SVG as well. */
  readonly words: string;
}

/** Runs in the browser. */
function measureAll(): Measured[] {
  const shapeOf = (element: Element, outer: DOMRect): Shape => {
    const box = element.getBoundingClientRect();
    const d = element.getAttribute("d") ?? "";
    const matrix = element instanceof SVGGraphicsElement ? element.getScreenCTM() : null;
    const points = [...d.matchAll(/[ML](-?[\d.]+)[ ,](-?[\d.]+)/g)].map(([, x, y]) => {
      const at = new DOMPoint(Number(x), Number(y)).matrixTransform(matrix ?? undefined);
      return [at.x - outer.left, at.y - outer.top] as const;
    });
    const [left, right, top, bottom] = [box.left, box.right, box.top, box.bottom];
    return {
      tag: element.tagName,
      class: element.getAttribute("class") ?? "",
      fill: element.getAttribute("fill") ?? "",
      text: element.tagName === "text" ? (element.textContent ?? "") : "",
      points,
      starts: d.split("M").length - 1,
      ...{ left: left - outer.left, right: right - outer.left, top: top - outer.top, bottom: bottom - outer.top },
      ...{ x: (left + right) / 2 - outer.left, y: (top + bottom) / 2 - outer.top },
    };
  };
  return [...document.querySelectorAll(".iot-widget")].map((figure) => {
    const svg = figure.querySelector(".iot-svg");
    const outer = (svg ?? figure).getBoundingClientRect();
    const all = [...(svg?.querySelectorAll("rect, circle, line, path, text, image") ?? [])];
    const shapes = all.map((each) => shapeOf(each, outer));
    return {
      ...{ width: outer.width, height: outer.height, shapes, texts: shapes.filter(({ tag }) => tag === "text") },
      rows: [...figure.querySelectorAll("tr")].map((row) => [...row.children].map((cell) => cell.textContent ?? "")),
      words: (figure as HTMLElement).innerText,
    };
  });
}

/** Draws figures into a page, and measures them. */
export async function measure(page: Page, styles: string, figures: readonly string[]): Promise<Measured[]> {
  // Nothing shrinks: a pixel of the page is one of the drawing.
  const places = figures.map((figure) => `<div style="width:max-content;min-width:480px">${figure}</div>`);
  await page.setContent(`<!DOCTYPE html><meta charset="utf-8"><style>${styles}</style>${places.join("")}`);
  return page.evaluate(measureAll);
}

/** Texts that leave the drawing, and pairs that stand on each other. */
export function badTexts({ texts, width, height }: Measured): string[] {
  const cut = texts.filter(
    ({ left, right, top, bottom }) => left < -1 || right > width + 1 || top < -3 || bottom > height + 3,
  );
  const over = texts.flatMap((a, i) =>
    texts.slice(i + 1).flatMap((b) => {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      // A line of text is higher than its letters.
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      return wide > 1 && high > 4 ? [`${a.text} on ${b.text}`] : [];
    }),
  );
  return [...cut.map(({ text }) => `${text} is cut`), ...over];
}

/** The straight line through the first and the last of some pairs, in both directions. */
export function lineThrough(pairs: readonly (readonly [value: number, at: number])[]) {
  const [[v1, a1] = [0, 0], [v2, a2] = [1, 1]] = [pairs[0], pairs.at(-1)];
  const slope = (a2 - a1) / (v2 - v1);
  return {
    at: (value: number): number => a1 + (value - v1) * slope,
    valueAt: (at: number): number => v1 + (at - a1) / slope,
  };
}

const numberOf = (text: string): number => Number(text.replaceAll(",", ""));
const isNumber = (text: string): boolean => /^-?[\d,]+(?:\.\d+)?$/.test(text);

/** The scale at the left (or right) of a drawing, by its marks. */
export function valueAxis({ texts, width }: Measured, side: "left" | "right" = "left") {
  const marks = texts.filter(
    ({ text, x }) => isNumber(text) && (side === "left" ? x < width / 3 : x > (width * 2) / 3),
  );
  return lineThrough(marks.map(({ text, y }) => [numberOf(text), y] as const).sort(([a], [b]) => a - b));
}

/** The axis of times below a drawing, by its marks such as 06:00, the first of them at or after a time. */
export function timeAxis({ texts, shapes }: Measured, fromMs: number) {
  const lines = shapes.filter((each) => each.tag === "line" && each.class === "iot-rule" && each.bottom - each.top < 6);
  const marks = texts.filter(({ text }) => /^\d\d:\d\d$/.test(text)).sort((a, b) => a.x - b.x);
  let ms = fromMs;
  const pairs = marks.map(({ text }, i) => {
    const [hour = 0, minute = 0] = text.split(":").map(Number);
    const day = Math.floor(ms / 86_400_000) * 86_400_000;
    const next = day + (hour * 60 + minute) * 60_000;
    ms = next < ms ? next + 86_400_000 : next;
    return [ms, lines.sort((a, b) => a.x - b.x)[i]?.x ?? Number.NaN] as const;
  });
  return lineThrough(pairs);
}

/** Meters between two places, over a sphere. */
export function haversine([lat1, lng1]: readonly [number, number], [lat2, lng2]: readonly [number, number]): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const half = (a: number, b: number): number => Math.sin(radians(b - a) / 2) ** 2;
  const a = half(lat1, lat2) + Math.cos(radians(lat1)) * Math.cos(radians(lat2)) * half(lng1, lng2);
  return 2 * 6_371_008.8 * Math.asin(Math.sqrt(a));
}
