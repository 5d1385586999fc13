import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { axeFindings, type ConsoleUnderTest, consoleUnderTest, sendAs, showWidgets } from "./browser.ts";

const MACHINE = "65a1000000000000000d0008";
const TIME = "2026-01-05T10:00:00.000Z";

const chart = {
  type: "line_chart",
  label: "Power of all",
  data: [{ origin: MACHINE, variables: ["power", "note"], qty: 100 }],
  display: { variables: [{ origin: MACHINE, variable: "power", alias: "Power" }] },
};
const table = {
  type: "dynamic_table",
  label: "Rows",
  data: [{ origin: MACHINE, variables: ["power"], qty: 5 }],
  display: { variables: [{ id: "p", alias: "Power", data: { origin: MACHINE, variable: "power" } }] },
};

/** Chooses from the menu of a widget, and returns what the browser saves. */
async function saved({ ui: { page } }: ConsoleUnderTest, widget: string, item: string) {
  await page.getByRole("button", { name: `Menu of ${widget}`, exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: item }).click(),
  ]);
  return { name: download.suggestedFilename(), content: readFileSync(await download.path()) };
}

describe.each(["light", "dark"] as const)("a widget that is saved, in %s colors", (colorScheme) => {
  const here = consoleUnderTest({ colorScheme });
  beforeAll(async () => {
    await sendAs(here.sandbox, MACHINE, [
      { variable: "power", value: -3, unit: "W", time: TIME, group: "a" },
      { variable: "power", value: 12, unit: "W", time: "2026-01-05T11:00:00.000Z", group: "b" },
      { variable: "note", value: '=1+1, "x"', time: TIME, group: "c", metadata: { by: "me" } },
    ]);
    await showWidgets(here, [chart, table]);
    await here.ui.page.locator(".cell .iot-svg").first().waitFor();
  });

  it("as SVG is a file of its own in these colors, that no style sheet is needed for", async () => {
    const { name, content } = await saved(here, "Power of all", "Save as SVG");
    expect(name).toBe("power-of-all.svg");
    const text = content.toString();
    expect(text).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(text).not.toMatch(/<script|<style|foreignObject|var\(|class="iot-[fl]\d/);
    expect(text).toContain(">Power of all</text>");
    const shown = await here.ui.page
      .locator(".cell .iot-widget")
      .first()
      .evaluate((figure) => {
        const { backgroundColor } = getComputedStyle(figure);
        return [backgroundColor, getComputedStyle(figure.querySelector("path") ?? figure).stroke];
      });
    expect(shown.filter((color) => !text.includes(color))).toEqual([]);
  });

  it.each(["Power of all", "Rows"])(
    "as PNG has the background of the page, and something on it: %s",
    async (widget) => {
      const { name, content } = await saved(here, widget, "Save as PNG");
      expect(name).toMatch(/\.png$/);
      const [background, colors, width] = await here.ui.page.evaluate(
        async (data) => {
          const image = new Image();
          image.src = data;
          await image.decode();
          const canvas = document.createElement("canvas");
          [canvas.width, canvas.height] = [image.width, image.height];
          const context = canvas.getContext("2d");
          context?.drawImage(image, 0, 0);
          const pixels = context?.getImageData(0, 0, image.width, image.height).data ?? [];
          const all = new Map<string, number>();
          for (let i = 0; i < pixels.length; i += 4) {
            const color = [...pixels.slice(i, i + 3)].join();
            all.set(color, (all.get(color) ?? 0) + 1);
          }
          const [[most] = []] = [...all].sort(([, x], [, y]) => y - x);
          return [most, all.size, image.width] as const;
        },
        `data:image/png;base64,${content.toString("base64")}`,
      );
      expect(background).toBe(colorScheme === "dark" ? "26,32,39" : "255,255,255");
      expect(colors).toBeGreaterThan(20);
      expect(width).toBeGreaterThan(600);
    },
  );

  it("as CSV has every record, and nothing that a program for tables would calculate", async () => {
    const { name, content } = await saved(here, "Power of all", "Save data as CSV");
    expect(name).toBe("power-of-all.csv");
    const [head, ...rows] = content.toString().trimEnd().split("\r\n");
    expect(head).toBe("time,device,variable,value,unit,group,metadata,id");
    expect(rows.map((row) => row.replace(/,\w{24}$/, "")).sort()).toEqual([
      `${TIME},${MACHINE},note,"'=1+1, ""x""",,c,"{""by"":""me""}"`,
      `${TIME},${MACHINE},power,-3,W,a,`,
      `2026-01-05T11:00:00.000Z,${MACHINE},power,12,W,b,`,
    ]);
  });

  it("is chosen in a menu that the keyboard moves in, leaves and closes", async () => {
    const { page } = here.ui;
    const button = page.getByRole("button", { name: "Menu of Power of all" });
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await button.press("Enter");
    await expect.poll(focused).toBe("Save as SVG");
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press("ArrowUp");
    expect(await focused()).toBe("Zoom out");
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toBe("Save as SVG");
    await page.keyboard.press("Escape");
    expect(await page.getByRole("menu").count()).toBe(0);
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    await button.click();
    await page.locator("h1").click();
    await expect.poll(() => page.getByRole("menu").count()).toBe(0);
  });
});

describe("a dashboard on paper", () => {
  const here = consoleUnderTest({ colorScheme: "dark" });

  it("has no frame, light colors, and no widget on two pages", async () => {
    const { page, open } = here.ui;
    await open("dashboards/65a1000000000000000b0002");
    await page.locator(".cell .iot-svg").first().waitFor();
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    for (const part of ["header.top", "nav#views", "main > footer", ".menu-place", ".full-screen"])
      expect(await page.locator(part).first().isVisible(), part).toBe(false);
    const inks = await page
      .locator(".cell")
      .evaluateAll((cells) =>
        cells.map((cell) => [
          getComputedStyle(cell).breakInside,
          getComputedStyle(cell.querySelector(".widget") ?? cell).backgroundColor,
          getComputedStyle(cell.querySelector(".iot-widget") ?? cell).backgroundColor,
        ]),
      );
    expect(inks.length).toBeGreaterThan(5);
    for (const [inside, card, drawing] of inks) {
      expect([inside, card]).toEqual(["avoid", "rgb(255, 255, 255)"]);
      expect(["rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"]).toContain(drawing);
    }
    await page.emulateMedia({ media: null });
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("system");
  });
});
