import type { LoadedImage } from "./loaded-image.ts";
import { type Attributes, label, rect, tag } from "./markup.ts";
import { textOf } from "./read.ts";
import type { Scene } from "./scene.ts";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where in its box an image is, by the `object_fit` of the widget; the box itself where its size is not known. */
export function placeIn({ d }: Scene, box: Box, image: LoadedImage | undefined): Box {
  const { width = 0, height = 0 } = image ?? {};
  const fit = textOf(d, "object_fit");
  if (!(width > 0 && height > 0) || fit === "fill") return box;
  const scales = [box.width / width, box.height / height];
  const scale = fit === "cover" ? Math.max(...scales) : Math.min(...scales);
  const [w, h] = [width * scale, height * scale];
  return { x: box.x + (box.width - w) / 2, y: box.y + (box.height - h) / 2, width: w, height: h };
}

const FITS: Readonly<Record<string, string>> = { cover: "xMidYMid slice", fill: "none" };

export const imageTag = (href: string, box: Box, fit = ""): string =>
  tag("image", { href, ...box, preserveAspectRatio: (Object.hasOwn(FITS, fit) && FITS[fit]) || "xMidYMid meet" });

/** The image of an address where it may be loaded; else a box with the address as text, as for videos and pages. */
export function picture(scene: Scene, address: string, box: Box, glyph: keyof typeof glyphs = "image"): string {
  const image = glyph === "image" ? scene.images(address) : undefined;
  if (image !== undefined) return imageTag(image.href, box, textOf(scene.d, "object_fit"));
  const { x, y, width, height } = box;
  const size = Math.min(48, height / 3);
  const [left, top] = [x + width / 2 - size / 2, y + height / 2 - size * 0.8];
  return (
    rect(x, y, width, height, { class: "iot-place", rx: 6 }) +
    (height < 60
      ? ""
      : tag("svg", { x: left, y: top, width: size, height: size, viewBox: "0 0 24 24" }, glyphs[glyph])) +
    label(x + width / 2, height < 60 ? y + height / 2 + 4 : top + size + 18, address || `No ${glyph}`, {
      anchor: "middle",
      soft: true,
      size: 12,
      max: width - 16,
    })
  );
}

const stroke: Attributes = { class: "iot-glyph" };
const glyphs = {
  image:
    tag("rect", { ...stroke, x: 3, y: 4, width: 18, height: 16, rx: 2 }) +
    tag("circle", { ...stroke, cx: 9, cy: 10, r: 1.8 }) +
    tag("path", { ...stroke, d: "M3 18l6-5 4 3 4-4 4 4" }),
  video:
    tag("rect", { ...stroke, x: 3, y: 4, width: 18, height: 16, rx: 3 }) +
    tag("path", { ...stroke, d: "M10 8.5v7l6-3.5z" }),
  page:
    tag("rect", { ...stroke, x: 3, y: 4, width: 18, height: 16, rx: 2 }) +
    tag("path", { ...stroke, d: "M3 8.5h18M6 6.3h.1M8.5 6.3h.1" }),
} as const;
