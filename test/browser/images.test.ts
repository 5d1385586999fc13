import { expect, it } from "vitest";
import { consoleUnderTest, sendAs } from "./browser.ts";

const here = consoleUnderTest();
const DEVICE = "65a1000000000000000d0001";
/** Twice as wide as high. */
const PLAN = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><rect width="200" height="100" fill="#456"/></svg>`;

it("loads images of the sandbox's own files, private ones as well, and puts pins where they belong on them", async () => {
  const { resources, sandbox, ui } = here;
  await resources.files.uploadBase64([{ filename: "/plans/hall.svg", file: btoa(PLAN), public: false }]);
  const [own] = await resources.profiles.list();
  const profile = own?.id ?? "";
  const [path, elsewhere] = [`/file/${profile}/plans/hall.svg`, `https://api.tago.io/file/${profile}/plans/hall.svg`];
  await sendAs(sandbox, DEVICE, [
    { variable: "north", value: 1, metadata: { x: 0.25, y: 0.5 } },
    { variable: "south", value: 2, metadata: { x: 0.75, y: 0.6 } },
  ]);
  const shown = ["north", "south"].map((variable) => ({ origin: DEVICE, variable }));
  const data = shown.map(({ origin, variable }) => ({ origin, variables: [variable], query: "last_value" }));
  const widgets = [
    { label: "Scheme", type: "compose", data, display: { background_path: path, variables: shown } },
    {
      label: "Hall",
      type: "image",
      data: [],
      display: { source: { type: "static", static_image: sandbox.url + path } },
    },
    { label: "Elsewhere", type: "image", data: [], display: { source: { type: "static", static_image: elsewhere } } },
  ];
  const { dashboard } = await resources.dashboards.create({ label: "Plans" });
  const arrangement = [];
  for (const [place, widget] of widgets.entries()) {
    const made = await resources.dashboards.widgets.create(dashboard, widget);
    arrangement.push({ widget_id: made.widget, x: 0, y: place * 4, width: 2, height: 4 });
  }
  await resources.dashboards.edit(dashboard, { arrangement });
  const asked: string[] = [];
  ui.page.on("request", (request) => asked.push(new URL(request.url()).origin));
  await ui.open(`dashboards/${dashboard}`);
  const image = (name: string) => ui.page.locator(".widget", { hasText: name }).locator("image");
  await Promise.all([image("Scheme").waitFor(), image("Hall").waitFor()]);
  await ui.page.locator(".widget", { hasText: "Elsewhere" }).locator(".iot-place").waitFor();
  expect(await image("Elsewhere").count()).toBe(0);
  expect([...new Set(asked)]).toEqual([sandbox.url]);
  // The picture is as wide as its box is, or as high: the pins are on it, not on the box.
  const { box, pins } = await ui.page.locator(".widget", { hasText: "Scheme" }).evaluate((widget) => {
    const { x, y, width, height } = widget.querySelector("image")?.getBoundingClientRect() ?? new DOMRect();
    const tips = [...widget.querySelectorAll("path[class^=iot-f]")].map((pin) => pin.getBoundingClientRect());
    return { box: { x, y, width, height }, pins: tips.map((pin) => [pin.x + pin.width / 2, pin.bottom] as const) };
  });
  const width = Math.min(box.width, box.height * 2);
  const [left, top] = [box.x + (box.width - width) / 2, box.y + (box.height - width / 2) / 2];
  const wanted = [
    [0.25, 0.5],
    [0.75, 0.6],
  ].map(([x = 0, y = 0]) => [expect.closeTo(left + x * width, 0), expect.closeTo(top + (y * width) / 2, 0)]);
  expect(pins).toEqual(wanted);
});
