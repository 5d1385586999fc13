import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../helpers/cli.ts";
import { CURRENT, dashboardPlace } from "../helpers/dashboard-folders.ts";

const FREEZER = "name:Freezer 1";

const place = await dashboardPlace();
const { iot, ok, request, ownDashboard, filesIn, documentOf, change, widgetFile, path } = place;
beforeEach(() => place.newFolder());
afterAll(() => place.close());

describe("dashboard export", () => {
  it("writes the dashboard, the names of what it uses, and a file per widget", async () => {
    await ok("dashboard", "export", CURRENT, "--out", "d");
    const folder = join("d", "plant-overview");
    const dashboard = documentOf(join(folder, "dashboard.json"));
    const widgets = readdirSync(path(join(folder, "widgets")));
    expect(dashboard).toMatchObject({ id: CURRENT, label: "Plant overview", type: "dashboard" });
    expect(widgets.length).toBe((dashboard["arrangement"] as unknown[]).length);
    expect(widgets).toContain("freezer-temperature-65a100000000000000020003.json");
    const { devices } = documentOf(join(folder, "references.json"));
    expect(devices).toContainEqual({ id: expect.any(String), name: "Freezer 1" });
  });

  it("holds nothing that changes by itself, with the keys in order", async () => {
    await request("GET", `/dashboard/${CURRENT}/share/public?expire_time=never`);
    await ok("dashboard", "export", "--all", "--out", "d");
    for (const text of Object.values(filesIn("d"))) {
      expect(text).not.toMatch(/"(created_at|updated_at|last_access|profile|token|public_token_expire)":/);
      expect(text.endsWith("}\n")).toBe(true);
    }
    const keys = Object.keys(documentOf(join("d", "plant-overview", "dashboard.json")));
    expect(keys).toEqual([...keys].sort());
  });

  it("changes no file of a dashboard that did not change, though it was looked at and shared", {
    tags: ["slow"],
  }, async () => {
    await ok("dashboard", "export", "--all", "--out", "d");
    const before = filesIn("d");
    await request("GET", `/dashboard/${CURRENT}/share/public?expire_time=never`);
    await request("PUT", `/dashboard/${CURRENT}`, { label: "Plant overview" });
    const again = await iot("dashboard", "export", "--all", "--out", "d");
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("no files changed") });
    await ok("dashboard", "export", "--all", "--out", "e");
    expect(filesIn("d")).toEqual(before);
    expect(filesIn("e")).toEqual(before);
  });

  it("asks before it overwrites and deletes, and follows new labels", async () => {
    const id = await ownDashboard("Renamed");
    await ok("dashboard", "export", id, "--out", "d");
    const wind = documentOf(widgetFile("d/renamed", "wind-"));
    await request("PUT", `/dashboard/${id}/widget/${wind.id}`, { ...wind, label: "../../Gale" });
    await request("PUT", `/dashboard/${id}`, { label: "Other" });
    const refused = await iot("dashboard", "export", id, "--out", "d");
    expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("--yes") });
    await ok("dashboard", "export", id, "--out", "d", "--yes");
    expect(readdirSync(path("d"))).toEqual(["renamed"]);
    const names = readdirSync(path("d/renamed/widgets"));
    expect(names).toContain(`gale-${wind.id}.json`);
    expect(names).not.toContain(`wind-${wind.id}.json`);
  });

  it("gives two dashboards with one label two folders", async () => {
    const [first, second] = [await ownDashboard("Twins"), await ownDashboard("Twins")];
    await ok("dashboard", "export", first, second, "--out", "d");
    expect(readdirSync(path("d"))).toEqual(["twins", `twins-${second}`]);
  });

  it("writes nothing in a dry run, and nothing through a link", { tags: ["posix"] }, async () => {
    await ok("dashboard", "export", CURRENT, "--out", "d", "--dry-run");
    expect(existsSync(path("d"))).toBe(false);
    mkdirSync(path("d/plant-overview"), { recursive: true });
    symlinkSync(temporaryFolder(), path("d/plant-overview/widgets"));
    writeFileSync(path("d/plant-overview/dashboard.json"), JSON.stringify({ id: CURRENT }));
    expect(await iot("dashboard", "export", CURRENT, "--out", "d", "--yes")).toMatchObject({ code: 7 });
  });

  it("uses the folder of the project file, which must be below it", async () => {
    writeFileSync(path("iot.config.json"), '{"dashboards":"boards"}');
    await ok("dashboard", "export", CURRENT);
    expect(existsSync(path("boards/plant-overview/dashboard.json"))).toBe(true);
    writeFileSync(path("iot.config.json"), '{"dashboards":"../boards"}');
    expect(await iot("dashboard", "export", CURRENT)).toMatchObject({ code: 3 });
  });
});

describe("dashboard diff", () => {
  it("is empty and ends with 0 for what was just exported", { tags: ["slow"] }, async () => {
    await ok("dashboard", "export", "--all", "--out", "d");
    expect(await iot("dashboard", "diff", "d")).toMatchObject({ code: 0, stdout: "" });
    expect(await iot("dashboard", "diff", "d", "--json")).toMatchObject({ code: 0, stdout: "[]\n" });
  });

  it("names every place that differs, and ends with 11", async () => {
    await ok("dashboard", "export", CURRENT, "--out", "d");
    const folder = join("d", "plant-overview");
    const file = widgetFile(folder, "wind-");
    const wind = documentOf(file);
    change(file, { display: { ...(wind["display"] as object), alias: "Gale" }, realtime: false });
    change(join(folder, "dashboard.json"), { description: "By hand" });
    const { code, stdout } = await iot("dashboard", "diff", "d", "--json");
    expect(code).toBe(11);
    const about = { dashboard: CURRENT, label: "Plant overview", change: "changed" };
    const widget = { ...about, what: "widget", widget: wind.id, widget_label: "Wind", type: "angular" };
    expect(JSON.parse(stdout)).toEqual([
      { ...about, what: "dashboard", path: "description", new: "By hand" },
      { ...widget, path: "display.alias", old: "Wind on the roof", new: "Gale" },
      { ...widget, path: "realtime", new: false },
    ]);
    const text = await iot("dashboard", "diff", folder);
    expect(text.stdout).toContain('~ widget "Wind" angular');
    expect(text.stdout).toContain('      - "Wind on the roof"\n      + "Gale"\n');
    expect(text.stdout).not.toContain("\u001b");
    expect((await iot("dashboard", "diff", "d", "--color", "always")).stdout).toContain("\u001b[32m");
  });

  it("compares with another dashboard and finds the widgets by what they are", async () => {
    const copy = await ownDashboard("Copy");
    const { code, stdout } = await iot("dashboard", "diff", CURRENT, "--dashboard", copy, "--json");
    expect(code).toBe(11);
    expect(JSON.parse(stdout)).toEqual([
      expect.objectContaining({ path: "label", old: "Copy", new: "Plant overview" }),
    ]);
    expect(await iot("dashboard", "diff", CURRENT)).toMatchObject({ code: 2 });
  });

  it("takes other devices into account, by id and by name", async () => {
    await ok("dashboard", "export", CURRENT, "--out", "d");
    const other = "name:Weather station";
    const { code, stdout } = await iot("dashboard", "diff", "d", "--map-device", `${FREEZER}=${other}`, "--json");
    expect(code).toBe(11);
    const paths = (JSON.parse(stdout) as { path: string }[]).map(({ path }) => path);
    expect(paths).toContain("data[0].origin");
    expect(paths.every((path) => path.includes("origin") || path.includes("["))).toBe(true);
  });
});
