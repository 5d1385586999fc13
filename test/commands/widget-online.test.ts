import { afterAll, describe, expect, it } from "vitest";
import { CURRENT, dashboardPlace } from "../helpers/dashboard-folders.ts";

const place = await dashboardPlace();
const { iot, ok, changesOf, ownDashboard, request, stateOf } = place;
afterAll(() => place.close());

type Row = Record<string, unknown> & { id: string; label: string };
const board = (id: string): readonly string[] => ["--dashboard", id];
const json = async <T>(...args: readonly string[]): Promise<T> => JSON.parse(await ok(...args, "--json")) as T;
const freezer = ["name:Freezer temperature", ...board("name:Plant overview")] as const;

describe("widget list and get", () => {
  it("show the widgets with their tabs and places, in the order of the arrangement", async () => {
    const rows = await json<Row[]>("widget", "list", "--dashboard", CURRENT, "--all");
    const { widgets } = await stateOf(CURRENT);
    expect(rows.map(({ id }) => id)).toEqual(widgets.map(({ id }) => id));
    expect(rows[0]).toMatchObject({ label: "Wind", type: "angular", tab: "Overview", x: 0, y: 0, width: 4, height: 4 });
    const cards = await ok(
      "widget",
      "list",
      "--dashboard",
      CURRENT,
      "--filter",
      "type=card",
      "--fields",
      "label",
      "--no-header",
    );
    expect(cards).toBe("Freezer 1\n");
    expect(await json<Row>("widget", "get", ...freezer)).toMatchObject({ type: "line_chart", tab: "Overview" });
  });

  it("name the flag that is missing, and end with 6 for what is not there", async () => {
    expect(await iot("widget", "list")).toMatchObject({ code: 2, stderr: expect.stringContaining("--dashboard") });
    expect(await iot("widget", "get", "name:Nobody", ...board(CURRENT))).toMatchObject({ code: 6 });
    expect(await iot("widget", "get", "65a10000000000000000ffff", ...board(CURRENT))).toMatchObject({ code: 6 });
  });

  it("never show the token of a widget", async () => {
    const own = await ownDashboard();
    await ok("widget", "token", "name:Wind", ...board(own));
    expect(await ok("widget", "get", "name:Wind", ...board(own), "--json")).not.toContain('"token"');
  });
});

describe("widget create, update and delete", () => {
  it("put the widget on the dashboard, move it, and take it off", async () => {
    const own = await ownDashboard();
    const made = await json<Row>(
      "widget",
      "create",
      ...board(own),
      "--label",
      "Door",
      "--type",
      "note",
      "--tab",
      "More",
    );
    expect(made).toMatchObject({ label: "Door", type: "note", tab: "More", x: 0, width: 4, height: 4 });
    const { dashboard } = await stateOf(own);
    const places = dashboard["arrangement"] as { widget_id: string; y: number; height: number; tab: string }[];
    const last = places.at(-1);
    expect(last?.widget_id).toBe(made.id);
    const above = places.filter(({ tab, widget_id }) => tab === last?.tab && widget_id !== made.id);
    expect(last?.y).toBe(Math.max(...above.map(({ y, height }) => y + height)));

    const moved = await json<Row>("widget", "update", made.id, ...board(own), "--x", "2", "--label", "Gate");
    expect(moved).toMatchObject({ label: "Gate", x: 2, tab: "More", type: "note" });
    expect(await iot("widget", "delete", made.id, ...board(own))).toMatchObject({ code: 2 });
    expect(await json("widget", "delete", made.id, ...board(own), "--yes")).toEqual([{ id: made.id, name: "Gate" }]);
    const after = (await stateOf(own)).dashboard["arrangement"] as { widget_id: string }[];
    expect(after.map(({ widget_id }) => widget_id)).not.toContain(made.id);
    await expect(request("GET", `/dashboard/${own}/widget/${made.id}`)).rejects.toThrow();
  });

  it("keep the analysis of a widget that is changed, until it is detached", async () => {
    const own = await ownDashboard();
    const analysis = "65a1000000000000000a0001";
    const about = ["widget", "update", "name:Wind", ...board(own)] as const;
    expect(await json(...about, "--analysis", analysis)).toMatchObject({ analysis_run: analysis });
    expect(await json(...about, "--realtime")).toMatchObject({ analysis_run: analysis, realtime: true });
    expect(await json(...about, "--detach")).toMatchObject({ analysis_run: null });
  });

  it("remove the new widget again when the dashboard refuses its place", async () => {
    const own = await ownDashboard();
    place.here.sandbox.faults.set([{ route: `PUT /dashboard/${own}`, kind: "status", status: 400, count: 1 }]);
    const sent = await changesOf(async () => {
      const made = await iot("widget", "create", ...board(own), "--label", "Door", "--type", "note");
      expect(made).toMatchObject({ code: 1, stdout: "" });
    });
    expect(sent.map((line) => line.split(" ")[0])).toEqual(["POST", "PUT", "DELETE"]);
  });

  it("leave everything as it was when a part is refused", async () => {
    const own = await ownDashboard();
    const [wind] = (await stateOf(own)).widgets;
    place.here.sandbox.faults.set([
      { route: `DELETE /dashboard/${own}/widget/*`, kind: "status", status: 400, count: 1 },
    ]);
    expect(await iot("widget", "delete", "name:Wind", ...board(own), "--yes")).toMatchObject({ code: 1, stdout: "" });
    const places = (await stateOf(own)).dashboard["arrangement"] as { widget_id: string; width: number }[];
    expect(places.find(({ widget_id }) => widget_id === wind?.id)).toMatchObject({ x: 0, y: 0, width: 4 });
    place.here.sandbox.faults.set([{ route: `PUT /dashboard/${own}`, kind: "status", status: 400, count: 1 }]);
    const about = [
      "widget",
      "update",
      "name:Wind",
      ...board(own),
      "--label",
      "Gale",
      "--realtime",
      "--x",
      "4",
    ] as const;
    expect(await iot(...about)).toMatchObject({ code: 1, stdout: "" });
    const after = (await stateOf(own)).widgets.find(({ id }) => id === wind?.id);
    expect(after).toMatchObject({ label: "Wind", realtime: null });
  });

  it("print the requests of a dry run, and need the name to delete several", async () => {
    const own = await ownDashboard();
    const two = ["widget", "delete", "name:Wind", "name:Humidity", ...board(own)] as const;
    const sent = await changesOf(async () => {
      const planned = await json<{ method: string }[]>(...two, "--dry-run");
      expect(planned.map(({ method }) => method)).toEqual(["PUT", "DELETE", "DELETE"]);
      expect(await iot(...two, "--yes")).toMatchObject({ code: 2 });
      expect(
        await iot("widget", "create", ...board(own), "--label", "x", "--type", "note", "--x", "10", "--width", "4"),
      ).toMatchObject({ code: 2 });
      expect(await iot("widget", "update", "name:Wind", ...board(own))).toMatchObject({ code: 2 });
    });
    expect(sent).toEqual([]);
  });
});

describe("widget data", () => {
  it("reads what the widget shows", async () => {
    const rows = await json<Record<string, unknown>[]>("widget", "data", ...freezer);
    expect(rows.length).toBeGreaterThan(10);
    expect(rows[0]).toMatchObject({ entry: 1, variable: "temperature", device: "65a1000000000000000d0001" });
    expect(rows[0]?.["value"]).toEqual(expect.any(Number));
    const later = await json<Record<string, unknown>[]>("widget", "data", ...freezer, "--from", "-3h");
    expect(later.length).toBeLessThan(rows.length);
  });

  it("reads lists of devices with the columns of the widget", async () => {
    const text = await ok("widget", "data", "name:Devices", ...board(CURRENT));
    expect(text.split("\n")[0]).toMatch(/^entry\tdevice\tname|^entry\tname/);
    expect(text).toContain("Freezer 1");
  });

  it("needs a device for the placeholders of a blueprint", async () => {
    const about = ["widget", "data", "name:Level of the chosen silo", ...board("name:Silo, any of them")] as const;
    expect(await json(...about)).toEqual([]);
    const [row] = await json<Record<string, unknown>[]>(...about, "--choose", "silo=name:Silo north");
    expect(row).toMatchObject({ variable: "level", device: "65a1000000000000000d0005" });
    expect(await iot(...about, "--choose", "nobody=name:Silo north")).toMatchObject({ code: 2 });
  });
});

describe("widget token and run-button", () => {
  it("make a token that reads the widget, and ask before it takes the place of another", async () => {
    const own = await ownDashboard();
    const { widget, token } = await json<{ widget: string; token: string }>(
      "widget",
      "token",
      "name:Wind",
      ...board(own),
    );
    const read = await fetch(`${place.here.sandbox.url}/data/${own}/${widget}`, { headers: { token } });
    expect(read.status).toBe(200);
    expect(await iot("widget", "token", "name:Wind", ...board(own))).toMatchObject({ code: 2, stdout: "" });
    expect((await ok("widget", "token", "name:Wind", ...board(own), "--yes")).trim()).not.toBe(token);
  });

  it("run the analysis of the button, by its text too", async () => {
    const about = ["widget", "run-button", "name:Freezer 1", ...board(CURRENT)] as const;
    expect(await json(...about)).toMatchObject({ button: "Report now", analysis: "65a1000000000000000a0001" });
    expect(await iot(...about, "--button", "Nothing")).toMatchObject({ code: 6 });
    expect(await iot(...about, "--scope", "7")).toMatchObject({ code: 3 });
    const planned = await json<{ body: unknown }[]>(...about, "--scope", '{"a":1}', "--dry-run");
    expect(planned[0]?.body).toEqual({ scope: { a: 1 } });
  });
});

describe("dashboards", () => {
  it("are created with tabs and tags, changed, duplicated and deleted", async () => {
    const made = await json<Row>(
      "dashboard",
      "create",
      "--label",
      "Rooms",
      "--tab",
      "One",
      "--tab",
      "Two",
      "--tag",
      "site=7",
    );
    const { dashboard } = await stateOf(made.id);
    const tabs = dashboard["tabs"] as { key: string; value: string }[];
    expect(tabs.map(({ value }) => value)).toEqual(["One", "Two"]);
    expect(new Set(tabs.map(({ key }) => key)).size).toBe(2);
    expect(dashboard["tags"]).toEqual([{ key: "site", value: "7" }]);
    await ok("dashboard", "update", made.id, "--tag", "floor=2", "--hidden", "--description", "All of them");
    const changed = (await stateOf(made.id)).dashboard;
    expect(changed).toMatchObject({ visible: false, description: "All of them" });
    expect(changed["tags"]).toEqual([
      { key: "site", value: "7" },
      { key: "floor", value: "2" },
    ]);
    const twin = await json<Row>("dashboard", "duplicate", made.id, "--label", "Rooms, trial");
    expect(twin.label).toBe("Rooms, trial");
    expect(await iot("dashboard", "delete", made.id)).toMatchObject({ code: 2 });
    expect(await json("dashboard", "delete", made.id, "--yes")).toEqual([{ id: made.id, name: "Rooms" }]);
    expect(await iot("dashboard", "delete", twin.id, CURRENT, "--yes")).toMatchObject({ code: 2 });
    expect(await iot("dashboard", "create")).toMatchObject({ code: 2 });
  });

  it("are shared with a key that ends in time", async () => {
    const own = await ownDashboard();
    const before = Date.now();
    const shared = await json<{ token: string; expire_time: string }>("dashboard", "share", own, "--expire", "2d");
    const made = Date.parse(shared.expire_time) - 2 * 86_400_000;
    expect(made).toBeGreaterThanOrEqual(before);
    expect(made).toBeLessThanOrEqual(Date.now());
    const [first] = (await stateOf(own)).widgets;
    const url = `${place.here.sandbox.url}/data/${own}/${first?.id}`;
    expect((await fetch(url, { headers: { token: shared.token } })).status).toBe(200);
    expect(await iot("dashboard", "share", own, "--expire", "2001-01-01")).toMatchObject({ code: 2 });
  });

  it("name the devices and analyses they use", async () => {
    expect(await json<Row[]>("dashboard", "devices", CURRENT)).toContainEqual(
      expect.objectContaining({ id: "65a1000000000000000d0001", name: "Freezer 1" }),
    );
    expect((await json<Row[]>("dashboard", "analyses", CURRENT)).map(({ id }) => id)).toContain(
      "65a1000000000000000a0001",
    );
  });

  it("have an address, with a tab, that is not opened without a terminal", async () => {
    const address = `${place.here.sandbox.url}/dashboard/${CURRENT}`;
    expect(await ok("dashboard", "open", CURRENT)).toBe(`${address}\n`);
    expect(await ok("dashboard", "open", CURRENT, "--tab", "More")).toBe(`${address}?tab=1705050000102\n`);
    expect(await iot("dashboard", "open", CURRENT, "--tab", "None")).toMatchObject({ code: 6 });
  });
});
