import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { drawWidget, widgetStyles } from "../../src/lib/widgets/draw/index.ts";
import { drawings, options } from "../lib/widgets/drawings.ts";
import { launch } from "./browser.ts";

/** One place on the sheet, in pixels of the page; the picture has half of them. */
const TILE = { width: 408, height: 312, columns: 8 } as const;
const STYLES = `body{margin:0;background:#888;display:grid;grid-template-columns:repeat(${TILE.columns},${TILE.width}px);
  grid-auto-rows:${TILE.height}px}div{padding:4px;box-sizing:border-box;overflow:hidden}`;
/** Share of the blocks of a tile that may look different: letters of other fonts do, a missing bar does more. */
const MOST = 0.02;

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

function sheetOf(theme: "light" | "dark"): string {
  const tiles = drawings.map(({ new: widget }) => `<div>${drawWidget(widget, undefined, { ...options, theme })}</div>`);
  return `<!DOCTYPE html><meta charset="utf-8"><style>${STYLES}${widgetStyles()}</style>${tiles.join("")}`;
}

interface Sheets {
  readonly now: string;
  readonly stored: string;
  readonly tile: { readonly width: number; readonly height: number };
}

/** Runs in the browser: the share of different blocks of eight by eight pixels, tile by tile. */
async function differences({ now, stored, tile }: Sheets): Promise<number[] | string> {
  const pixelsOf = async (base64: string): Promise<ImageData> => {
    const blob = await (await fetch(`data:image/png;base64,${base64}`)).blob();
    const bitmap = await createImageBitmap(blob);
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context?.drawImage(bitmap, 0, 0);
    return context?.getImageData(0, 0, bitmap.width, bitmap.height) ?? new ImageData(1, 1);
  };
  const [a, b] = await Promise.all([pixelsOf(now), pixelsOf(stored)]);
  if (a.width !== b.width || a.height !== b.height) return `${a.width}x${a.height}, stored ${b.width}x${b.height}`;
  const average = ({ data, width }: ImageData, x: number, y: number, channel: number): number => {
    let sum = 0;
    for (let i = 0; i < 64; i++) sum += data[((y + (i >> 3)) * width + x + (i & 7)) * 4 + channel] ?? 0;
    return sum / 64;
  };
  const shares: number[] = [];
  for (let top = 0; top + tile.height <= a.height; top += tile.height) {
    for (let left = 0; left + tile.width <= a.width; left += tile.width) {
      let [different, all] = [0, 0];
      for (let y = top; y + 8 <= top + tile.height; y += 8) {
        for (let x = left; x + 8 <= left + tile.width; x += 8) {
          all += 1;
          if ([0, 1, 2].some((channel) => Math.abs(average(a, x, y, channel) - average(b, x, y, channel)) > 24))
            different += 1;
        }
      }
      shares.push(different / all);
    }
  }
  return shares;
}

it.each(["light", "dark"] as const)("every drawing looks as in the stored sheet, in %s", async (theme) => {
  const rows = Math.ceil(drawings.length / TILE.columns);
  const viewport = { width: TILE.width * TILE.columns, height: TILE.height * rows };
  const page = await browser.newPage({ viewport, deviceScaleFactor: 0.5, colorScheme: theme });
  await page.setContent(sheetOf(theme));
  const path = join(import.meta.dirname, "pictures", `drawings-${theme}.png`);
  const now = await page.screenshot();
  if (process.env["UPDATE_DRAWINGS"] === "1") writeFileSync(path, now);
  if (!existsSync(path)) throw new Error(`${path} is missing: write it with UPDATE_DRAWINGS=1, and look at it`);
  const found = await page.evaluate(differences, {
    now: now.toString("base64"),
    stored: readFileSync(path, "base64"),
    tile: { width: TILE.width / 2, height: TILE.height / 2 },
  });
  const shares = typeof found === "string" ? found : found.map((share, i) => ({ name: drawings[i]?.name, share }));
  expect(typeof shares === "string" ? shares : shares.filter(({ share }) => share > MOST)).toEqual([]);
  await page.close();
});
