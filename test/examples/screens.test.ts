import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../contract/imports.ts";
import { cliPath } from "../helpers/cli.ts";
import { checkScreens } from "../helpers/screens.ts";

const folder = join(root, "docs", "screens");
const names = readdirSync(folder);

describe("docs/screens", () => {
  it('shows what the program shows; "npm run docs:screens" draws it again', async () => {
    expect(await checkScreens({ IOT_TEST_CLI: await cliPath() })).toBe("");
  });

  it("has small pictures, and no picture that no page shows", () => {
    const pages = [join(root, "README.md"), ...readdirSync(join(root, "docs")).map((name) => join(root, "docs", name))]
      .filter((path) => path.endsWith(".md"))
      .map((path) => readFileSync(path, "utf8"))
      .join("\n");
    const pictures = names.filter((name) => name !== "screens.json");
    const most = (name: string): number => (name === "tour.svg" ? 2_000_000 : 150_000);
    expect(pictures.filter((name) => statSync(join(folder, name)).size > most(name))).toEqual([]);
    expect(pictures.filter((name) => !pages.includes(`screens/${name}`))).toEqual([]);
  });

  it("names no folder, port or token of the machine that drew it", () => {
    const texts = names.filter((name) => name.endsWith(".svg")).map((name) => readFileSync(join(folder, name), "utf8"));
    const written = texts.map((text) => text.replaceAll(/data:image[^"]*/g, ""));
    expect(texts.length).toBeGreaterThan(3);
    for (const text of written)
      expect(text).not.toMatch(/127\.0\.0\.1|localhost|\/tmp|\/home|[0-9a-f]{8}-[0-9a-f]{4}-/);
  });
});
