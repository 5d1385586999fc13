import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSources, root } from "./imports.ts";

const imports = readSources().flatMap((source) => source.imports);
const svg = readFileSync(join(root, "docs", "screens", "house.svg"), "utf8");
const drawing = svg.replaceAll("&#45;", "-").replaceAll("&gt;", ">");

/** Boxes by their height on the page, and what the arrows of each lead to. */
const heights = new Map<string, number>();
for (const [, name = "", y] of drawing.matchAll(/class="node">\n<title>(.+)<\/title>[\s\S]*?<text [^>]*y="([-.\d]+)"/g))
  heights.set(name, Number(y));
const arrows = [...drawing.matchAll(/<title>(.+)->(.+)<\/title>/g)].map(([, from = "", to = ""]) => ({ from, to }));

function boxOf(file: string): string {
  const inside = new Map([
    ["compile-cache.ts", "cli.ts"],
    ["lib/official-types.ts", "index.ts"],
  ]).get(file);
  const names = [...heights.keys()].filter((name) => file === name || file.startsWith(`${name}/`));
  return inside ?? names.sort((a, b) => b.length - a.length)[0] ?? file;
}

const leadsTo = (from: string, to: string): boolean =>
  arrows.some((arrow) => arrow.from === from && (arrow.to === to || leadsTo(arrow.to, to)));

describe("the drawing in docs/how-it-works.md", () => {
  it("is drawn from the imports as they are; `node scripts/house-drawing.js` draws it again", {
    tags: ["slow"],
  }, () => {
    const script = join(root, "scripts", "house-drawing.js");
    const { stdout, stderr } = spawnSync(process.execPath, [script, "--print"], { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout === svg).toBe(true);
  });

  it("has a way of arrows for every import, and a box for every file", () => {
    const own = imports.filter(({ to }) => /\.tsx?$/.test(to)).map(({ from, to }) => [boxOf(from), boxOf(to)] as const);
    const missing = own.filter(([from, to]) => from !== to && !leadsTo(from, to));
    expect(missing.map(([from, to]) => `${from} -> ${to}`)).toEqual([]);
    expect(own.length).toBeGreaterThan(1000);
  });

  it("has an arrow only where something is imported, and none upwards", () => {
    const imported = new Set(imports.map(({ from, to }) => `${boxOf(from)} -> ${boxOf(to)}`));
    expect(arrows.length).toBeGreaterThan(20);
    expect(arrows.filter(({ from, to }) => !imported.has(`${from} -> ${to}`))).toEqual([]);
    const heightOf = (name: string) => heights.get(name) ?? Number.NaN;
    expect(arrows.filter(({ from, to }) => !(heightOf(to) > heightOf(from)))).toEqual([]);
  });
});
