import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./imports.ts";

const modules = [
  { file: "icon-paths.ts", script: "icons.js", make: "iconModule", most: 40_000 },
  { file: "land-outline.ts", script: "land.js", make: "landModule", most: 60_000 },
] as const;

it.each(modules)("$file is what scripts/$script writes, and small", async ({ file, script, make, most }) => {
  const made: Record<string, unknown> = await import(join(root, "scripts", script));
  const write = made[make];
  const text = typeof write === "function" ? write() : undefined;
  expect(text).toBe(readFileSync(join(root, "src/lib/widgets/draw", file), "utf8"));
  expect(Buffer.byteLength(String(text))).toBeLessThanOrEqual(most);
});
