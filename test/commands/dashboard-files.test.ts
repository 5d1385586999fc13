import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

const CURRENT = "65a1000000000000000b0002";
const FREEZER = "name:Freezer 1";

type Document = Record<string, unknown> & { id: string; label: string };

let here: SandboxUnderTest;
let cwd: string;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
beforeEach(() => {
  cwd = temporaryFolder();
});
afterAll(() => here.close());

const iot = (...args: readonly string[]) => runHere(args, { env: here.env, cwd });

async function ok(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await iot(...args);
  if (code !== 0) throw new Error(`iot ${args.join(" ")} ended with ${code}:\n${stderr}`);
  return stdout;
}

async function request<T>(method: string, path: string, body?: object): Promise<T> {
  const { url, tokens } = here.sandbox;
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { token: tokens.profile, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return ((await answer.json()) as { result: T }).result;
}

let copies = 0;

/** A dashboard of the test's own: a copy of the seed's present one. */
async function ownDashboard(label?: string): Promise<string> {
  copies += 1;
  const made = await request<{ dashboard_id: string }>("POST", `/dashboard/${CURRENT}/duplicate`, {
    new_label: label ?? `Own ${copies}`,
  });
  return made.dashboard_id;
}

/** All files below a folder with their texts. */
function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(join(cwd, folder), { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => name.endsWith(".json"));
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(cwd, folder, name), "utf8")]));
}

function documentOf(path: string): Document {
  return JSON.parse(readFileSync(join(cwd, path), "utf8")) as Document;
}

function change(path: string, members: object): void {
  writeFileSync(join(cwd, path), JSON.stringify({ ...documentOf(path), ...members }));
}

const widgetFile = (folder: string, start: string): string =>
  join(folder, "widgets", readdirSync(join(cwd, folder, "widgets")).find((name) => name.startsWith(start)) ?? start);

describe("dashboard export", () => {
  it("writes the dashboard, the names of what it uses, and a file per widget", async () => {
    await ok("dashboard", "export", CURRENT, "--out", "d");
    const folder = join("d", "plant-overview");
    const dashboard = documentOf(join(folder, "dashboard.json"));
    const widgets = readdirSync(join(cwd, folder, "widgets"));
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

  it("changes no file of a dashboard that did not change, though it was looked at and shared", async () => {
    await ok("dashboard", "export", "--all", "--out", "d");
    const before = filesIn("d");
    await request("GET", `/dashboard/${CURRENT}/share/public?expire_time=never`);
    await request("PUT", `/dashboard/${CURRENT}`, { label: "Plant overview" });
    const again = await iot("dashboard", "export", "--all", "--out", "d");
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("no file changed") });
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
    expect(readdirSync(join(cwd, "d"))).toEqual(["renamed"]);
    const names = readdirSync(join(cwd, "d/renamed/widgets"));
    expect(names).toContain(`gale-${wind.id}.json`);
    expect(names).not.toContain(`wind-${wind.id}.json`);
  });

  it("gives two dashboards with one label two folders", async () => {
    const [first, second] = [await ownDashboard("Twins"), await ownDashboard("Twins")];
    await ok("dashboard", "export", first, second, "--out", "d");
    expect(readdirSync(join(cwd, "d"))).toEqual(["twins", `twins-${second}`]);
  });

  it("writes nothing in a dry run, and nothing through a link", async () => {
    await ok("dashboard", "export", CURRENT, "--out", "d", "--dry-run");
    expect(existsSync(join(cwd, "d"))).toBe(false);
    mkdirSync(join(cwd, "d/plant-overview"), { recursive: true });
    symlinkSync(temporaryFolder(), join(cwd, "d/plant-overview/widgets"));
    writeFileSync(join(cwd, "d/plant-overview/dashboard.json"), JSON.stringify({ id: CURRENT }));
    expect(await iot("dashboard", "export", CURRENT, "--out", "d", "--yes")).toMatchObject({ code: 7 });
  });

  it("uses the folder of the project file, which must be below it", async () => {
    writeFileSync(join(cwd, "iot.config.json"), '{"dashboards":"boards"}');
    await ok("dashboard", "export", CURRENT);
    expect(existsSync(join(cwd, "boards/plant-overview/dashboard.json"))).toBe(true);
    writeFileSync(join(cwd, "iot.config.json"), '{"dashboards":"../boards"}');
    expect(await iot("dashboard", "export", CURRENT)).toMatchObject({ code: 3 });
  });
});

describe("dashboard diff", () => {
  it("is empty and ends with 0 for what was just exported", async () => {
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
