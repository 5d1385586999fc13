import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { CURRENT, dashboardPlace } from "../helpers/dashboard-folders.ts";

const FREEZER = "65a1000000000000000d0001";
const WEATHER = "65a1000000000000000d0002";

const place = await dashboardPlace();
const { iot, ok, request, ownDashboard, changesOf, stateOf, filesIn, documentOf, change, widgetFile, path } = place;
beforeEach(() => place.newFolder());
afterAll(() => place.close());

interface Row {
  readonly id: string;
  readonly label: string;
  readonly outcome: string;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly snapshot?: string;
}

const rowsOf = (text: string): Row[] => JSON.parse(text) as Row[];

async function written(...args: readonly string[]): Promise<Row> {
  const [row] = rowsOf(await ok(...args, "--json"));
  if (row === undefined) throw new Error("nothing was written");
  return row;
}

/** Files with every id replaced by its number of appearance. */
function withoutIds(files: Record<string, string>): string[] {
  const seen = new Map<string, string>();
  const plain = (text: string): string =>
    text.replace(/65a10000000000000[0-9a-f]{7}|[0-9a-f]{24}/g, (id) => {
      if (/^65a1000000000000000[ad]/.test(id)) return id;
      seen.set(id, seen.get(id) ?? `#${seen.size}`);
      return seen.get(id) ?? id;
    });
  const entries = Object.entries(files);
  const boards = entries.filter(([name]) => name.endsWith("dashboard.json")).map(([, text]) => plain(text));
  return [...boards, ...entries.map(([name, text]) => `${plain(name)} ${plain(text)}`).sort()];
}

/** What somebody looking at the dashboard sees: places, tabs and widgets, without ids and times. */
async function shown(id: string): Promise<unknown> {
  const { dashboard, widgets } = await stateOf(id);
  const places = (dashboard["arrangement"] as Record<string, unknown>[]).map(({ widget_id: _, ...where }) => where);
  const said = widgets.map(({ id: _, dashboard: __, created_at: ___, updated_at: ____, ...rest }) =>
    Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null)),
  );
  return { tabs: dashboard["tabs"], tags: dashboard["tags"], places, said };
}

const snapshotCount = (): Promise<number> =>
  ok("dashboard", "snapshot", "list", "--json").then((text) => rowsOf(text).length);

it("a rollback leads a widget to the one that it creates again", async () => {
  const id = await ownDashboard();
  const [target, button] = (await stateOf(id)).widgets.map((widget) => String(widget["id"]));
  await request("PUT", `/dashboard/${id}/widget/${button}`, { label: `to ${target}` });
  await ok("dashboard", "snapshot", "create", id);
  await request("DELETE", `/dashboard/${id}/widget/${target}`);
  const arrangement = [{ widget_id: button, x: 0, y: 0, width: 1, height: 1 }];
  await request("PUT", `/dashboard/${id}`, { arrangement });
  await ok("dashboard", "rollback", "last", "--yes");
  const [again, other] = (await stateOf(id)).widgets;
  expect(again?.["id"]).not.toBe(target);
  expect(other).toMatchObject({ id: button, label: `to ${again?.["id"]}` });
});

describe("dashboard import", () => {
  it("makes a new dashboard that says the same, down to the files of its export", { tags: ["slow"] }, async () => {
    await ok("dashboard", "export", CURRENT, "--out", "d");
    const row = await written("dashboard", "import", "d");
    expect(row).toMatchObject({ label: "Plant overview", outcome: "created", updated: 0, deleted: 0 });
    expect(row.id).not.toBe(CURRENT);
    expect(await shown(row.id)).toEqual(await shown(CURRENT));
    await ok("dashboard", "export", row.id, "--out", "e");
    expect(withoutIds(filesIn("e"))).toEqual(withoutIds(filesIn("d")));
    await request("DELETE", `/dashboard/${row.id}`);
  });

  it("counts null as absent, as in the platform's own JSON", { tags: ["slow"] }, async () => {
    await ok("dashboard", "export", CURRENT, "--out", "d");
    change("d/plant-overview/dashboard.json", { blueprint_devices: null, tabs: null, icon: null });
    const { id } = await written("dashboard", "import", "d", "--name", "With nulls");
    expect((await stateOf(id)).dashboard).toMatchObject({ label: "With nulls", tabs: [] });
    await request("DELETE", `/dashboard/${id}`);
  });

  it("takes the old widgets of the legacy dashboard, and a blueprint, as they are", { tags: ["slow"] }, async () => {
    for (const id of ["65a1000000000000000b0001", "65a1000000000000000b0003"]) {
      await ok("dashboard", "export", id, "--out", id);
      const row = await written("dashboard", "import", id, "--name", `%s ${id}`);
      expect(await shown(row.id)).toEqual(await shown(id));
    }
  });

  it("puts other devices in, by id, by name, and in the keys of old tables", async () => {
    const legacy = "65a1000000000000000b0001";
    await ok("dashboard", "export", legacy, "--out", "d");
    const map = `${FREEZER}=name:Weather station`;
    const row = await written("dashboard", "import", "d", "--name", "Mapped", "--map-device", map);
    const text = JSON.stringify((await stateOf(row.id)).widgets);
    expect(text).not.toContain(FREEZER);
    expect(text).toContain(`"${WEATHER}temperature"`);
  });

  it("finds devices by their name, and says which are missing before anything is written", {
    tags: ["slow"],
  }, async () => {
    await ok("dashboard", "export", CURRENT, "--out", "d");
    const file = "d/plant-overview/references.json";
    const strange = "65a1000000000000000dffff";
    const text = JSON.stringify(filesIn("d"));
    for (const [name, content] of Object.entries(filesIn("d"))) {
      writeFileSync(path(join("d", name)), content.replaceAll(FREEZER, strange));
    }
    expect(text).toContain(FREEZER);
    const row = await written("dashboard", "import", "d", "--name", "By name");
    expect(JSON.stringify(await stateOf(row.id))).not.toContain(strange);
    writeFileSync(path(file), readFileSync(path(file), "utf8").replace("Freezer 1", "Nobody"));
    const sent = await changesOf(async () => {
      const refused = await iot("dashboard", "import", "d", "--name", "No");
      expect(refused).toMatchObject({ code: 3, stdout: "", stderr: expect.stringContaining("Nobody") });
    });
    expect(sent).toEqual([]);
    expect((await iot("dashboard", "import", "d", "--name", "Kept", "--allow-missing")).code).toBe(0);
  });

  it("notes new ids in the map file, and apply finds the dashboard by it", async () => {
    await ok("dashboard", "export", CURRENT, "--out", "d");
    const row = await written("dashboard", "import", "d", "--name", "Noted", "--map-file", "ids.json");
    const maps = documentOf("ids.json") as unknown as { dashboards: Record<string, string>; widgets: object };
    expect(maps.dashboards).toEqual({ [CURRENT]: row.id });
    expect(Object.keys(maps.widgets).length).toBe(row.created);
    const again = await written("dashboard", "apply", "d", "--map-file", "ids.json", "--yes");
    expect(again).toMatchObject({ id: row.id, outcome: "updated", created: 0, updated: 0, deleted: 0 });
    expect((await stateOf(row.id)).dashboard.label).toBe("Plant overview");
    await request("DELETE", `/dashboard/${row.id}`);
  });

  it("prints every request of a dry run and sends none", async () => {
    await ok("dashboard", "export", CURRENT, "--out", "d");
    const sent = await changesOf(async () => {
      const requests = JSON.parse(await ok("dashboard", "import", "d", "--dry-run", "--json")) as { method: string }[];
      const files = Object.keys(filesIn("d")).filter((name) => name.includes("widgets")).length;
      expect(requests.map(({ method }) => method)).toEqual(["POST", ...Array(files).fill("POST"), "PUT"]);
    });
    expect(sent).toEqual([]);
  });

  it("writes over a dashboard with --overwrite, after a snapshot", { tags: ["slow"] }, async () => {
    const own = await ownDashboard();
    await ok("dashboard", "import", join(place.examples, "cold-store"), "--overwrite", own, "--confirm", "Cold store");
    expect((await stateOf(own)).widgets.map(({ label }) => label)).toEqual(["Temperature now", "Temperature today"]);
    await ok("dashboard", "rollback", "last", "--yes");
    expect(await shown(own)).toEqual(await shown(CURRENT));
  });
});

describe("dashboard apply", () => {
  it("creates, changes and deletes widgets, keeps the arrangement, and leaves nothing to do", async () => {
    const own = await ownDashboard("Applied");
    await ok("dashboard", "export", own, "--out", "d");
    const folder = "d/applied";
    const wind = widgetFile(folder, "wind-");
    change(wind, { label: "Gale", realtime: false });
    const gone = documentOf(widgetFile(folder, "humidity-"));
    rmSync(path(widgetFile(folder, "humidity-")));
    const board = documentOf(join(folder, "dashboard.json"));
    const places = (board["arrangement"] as { widget_id: string }[]).filter(({ widget_id }) => widget_id !== gone.id);
    const tab = (board["tabs"] as { key: string }[])[1]?.key;
    writeFileSync(path(join(folder, "widgets/new.json")), JSON.stringify({ ...gone, id: "fresh", label: "Fresh" }));
    const added = { widget_id: "fresh", x: 8, y: 40, width: 2, height: 3, tab };
    change(join(folder, "dashboard.json"), { arrangement: [...places, added], description: "By hand" });

    expect(await iot("dashboard", "apply", "d")).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
    let row: Row | undefined;
    const sent = await changesOf(async () => {
      row = await written("dashboard", "apply", "d", "--yes");
    });
    expect(row).toMatchObject({ id: own, outcome: "updated", created: 1, updated: 1, deleted: 1 });
    expect(sent.map((line) => line.split(" ")[0])).toEqual(["POST", "PUT", "PUT", "DELETE"]);

    const { dashboard, widgets } = await stateOf(own);
    const labels = widgets.map(({ label }) => label);
    expect(dashboard["description"]).toBe("By hand");
    expect(labels).toContain("Gale");
    expect(labels).not.toContain("Humidity");
    const { widget_id: _, ...where } = added;
    expect((dashboard["arrangement"] as object[]).at(-1)).toMatchObject(where);
    expect(labels.at(-1)).toBe("Fresh");
    expect(await iot("dashboard", "apply", "d", "--check")).toMatchObject({ code: 0, stdout: "" });
    expect(await written("dashboard", "apply", "d")).toMatchObject({ outcome: "unchanged" });

    await ok("dashboard", "rollback", row?.snapshot ?? "", "--yes");
    expect((await stateOf(own)).widgets.map(({ label }) => label)).toEqual(
      expect.arrayContaining(["Wind", "Humidity", "Freezer temperature"]),
    );
  });

  it("shows what differs with --check and ends with 11; nothing is written", { tags: ["slow"] }, async () => {
    const own = await ownDashboard("Checked");
    await ok("dashboard", "export", own, "--out", "d");
    change("d/checked/dashboard.json", { description: "Other" });
    const { code, stdout } = await iot("dashboard", "apply", "d", "--check", "--json");
    expect([code, JSON.parse(stdout)]).toEqual([11, [expect.objectContaining({ path: "description", new: "Other" })]]);
    expect((await stateOf(own)).dashboard["description"] ?? null).toBe(null);
  });

  it("takes back what others changed on the platform, when the files did not change", { tags: ["slow"] }, async () => {
    const own = await ownDashboard("Drifted");
    await ok("dashboard", "export", own, "--out", "d");
    await request("PUT", `/dashboard/${own}`, { label: "Strange", description: "x" });
    expect((await iot("dashboard", "diff", "d")).code).toBe(11);
    await ok("dashboard", "apply", "d", "--yes");
    expect((await iot("dashboard", "diff", "d")).code).toBe(0);
  });

  it("refuses with 7 when both changed since the export, unless told to overwrite", { tags: ["slow"] }, async () => {
    const own = await ownDashboard("Both");
    await ok("dashboard", "export", own, "--out", "d");
    await request("PUT", `/dashboard/${own}`, { description: "theirs" });
    change("d/both/dashboard.json", { visible: false });
    const refused = await iot("dashboard", "apply", "d", "--yes");
    expect(refused).toMatchObject({ code: 7, stdout: "", stderr: expect.stringContaining("changed since") });
    expect((await stateOf(own)).dashboard["description"]).toBe("theirs");
    await ok("dashboard", "apply", "d", "--yes", "--overwrite");
    expect((await stateOf(own)).dashboard).toMatchObject({ description: null, visible: false });
    // What was applied is what both know now.
    await request("PUT", `/dashboard/${own}`, { description: "again" });
    await ok("dashboard", "apply", "d", "--yes");
  });

  it("needs the name to delete several widgets", { tags: ["slow"] }, async () => {
    const own = await ownDashboard("Emptied");
    await ok("dashboard", "export", own, "--out", "d");
    rmSync(path("d/emptied/widgets"), { recursive: true });
    change("d/emptied/dashboard.json", { arrangement: [] });
    expect(await iot("dashboard", "apply", "d", "--yes")).toMatchObject({ code: 2 });
    expect(await written("dashboard", "apply", "d", "--confirm", "Emptied")).toMatchObject({ created: 0, updated: 0 });
    expect((await stateOf(own)).widgets).toEqual([]);
  });

  it("makes the dashboard when there is none, and finds it by its label the next time", async () => {
    const folder = join(place.examples, "cold-store");
    expect(await written("dashboard", "apply", folder)).toMatchObject({ outcome: "created", created: 2 });
    expect(await written("dashboard", "apply", folder)).toMatchObject({ outcome: "unchanged" });
  });

  it("takes everything back when the platform refuses a part", { tags: ["slow"] }, async () => {
    const own = await ownDashboard("Refused");
    await ok("dashboard", "export", own, "--out", "d");
    const before = await shown(own);
    const wind = documentOf(widgetFile("d/refused", "wind-"));
    change(widgetFile("d/refused", "wind-"), { label: "Gale" });
    writeFileSync(path("d/refused/widgets/new.json"), JSON.stringify({ ...wind, id: "fresh" }));
    const tags = Array.from({ length: 3 }, (_, i) => ({ key: `k${i}`, value: "" }));
    change("d/refused/dashboard.json", { tags, theme: { any: true } });
    place.here.sandbox.faults.set([{ route: `PUT /dashboard/${own}`, kind: "status", status: 400, count: 1 }]);
    const { code, stderr } = await iot("dashboard", "apply", "d", "--yes");
    expect([code, stderr]).toEqual([1, expect.stringContaining("was restored to its previous state")]);
    expect(await shown(own)).toEqual(before);
    expect(await written("dashboard", "apply", "d", "--yes")).toMatchObject({ outcome: "updated", created: 1 });
  });

  it("keeps a snapshot before every write, and none where nothing is written", { tags: ["slow"] }, async () => {
    const own = await ownDashboard("Kept");
    await ok("dashboard", "export", own, "--out", "d");
    const before = await snapshotCount();
    await ok("dashboard", "apply", "d");
    expect(await snapshotCount()).toBe(before);
    change("d/kept/dashboard.json", { description: "x" });
    await ok("dashboard", "apply", "d", "--yes");
    expect(await snapshotCount()).toBe(before + 1);
  });
});

describe("dashboard copy", () => {
  it("makes a new dashboard in the same environment, with other devices", { tags: ["slow"] }, async () => {
    const before = await snapshotCount();
    const row = await written("dashboard", "copy", CURRENT, "--map-device", `${FREEZER}=${WEATHER}`);
    expect(row.label).toBe("Plant overview (copy)");
    expect(JSON.stringify((await stateOf(row.id)).widgets)).not.toContain(FREEZER);
    expect(await snapshotCount()).toBe(before + 1);
  });

  it("goes to another environment, whose stored token is used, and asks where that is protected", {
    tags: ["slow"],
  }, async () => {
    const other = await dashboardPlace();
    const { url, eventsUrl, tokens } = other.here.sandbox;
    const addresses = ["--api-url", url, "--events-url", eventsUrl];
    await ok("env", "add", "other", ...addresses);
    expect(await iot("dashboard", "copy", CURRENT, "--to-env", "other")).toMatchObject({ code: 4, stdout: "" });
    expect(other.here.requests()).toEqual([]);
    await place.iotWith(tokens.profile, "auth", "login", "--with-token", "--env", "other");
    const row = await written("dashboard", "copy", CURRENT, "--to-env", "other", "--name", "From here");
    expect((await other.stateOf(row.id)).widgets.length).toBe((await stateOf(CURRENT)).widgets.length);
    await ok("dashboard", "export", CURRENT, "--out", "d");
    change("d/plant-overview/dashboard.json", { label: "From here" });
    const [diff] = rowsOf(
      (await iot("dashboard", "diff", "d", "--to-env", "other", "--dashboard", row.id, "--json")).stdout,
    );
    expect(diff).toBe(undefined);
    await ok("env", "update", "other", "--protected");
    const refused = await iot("dashboard", "copy", CURRENT, "--to-env", "other", "--yes");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("protected") });
    await other.close();
  });
});

describe("files nobody should trust", () => {
  const board = { id: "a", label: "Board", arrangement: [{ widget_id: "w", x: 0, y: 0, width: 1, height: 1 }] };
  const widget = { id: "w", label: "Widget", type: "note", display: {} };

  async function refuse(files: Record<string, string | object>): Promise<string> {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(path(join("d", name, "..")), { recursive: true });
      writeFileSync(path(join("d", name)), typeof content === "string" ? content : JSON.stringify(content));
    }
    let said = "";
    for (const verb of ["import", "apply", "diff"]) {
      const before = place.here.sandbox.requestLog().at(-1)?.n;
      const { code, stdout, stderr } = await iot("dashboard", verb, "d");
      expect({ verb, code, stdout }).toEqual({ verb, code: 3, stdout: "" });
      expect(stderr.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
      expect(place.here.sandbox.requestLog().at(-1)?.n).toBe(before);
      said = stderr;
    }
    return said;
  }

  it.each([
    ["an id with a slash", { ...board, id: "../../etc" }, widget, "dashboard.json", "id: must be an id"],
    ["an id of a widget with a slash", board, { ...widget, id: "w/../x" }, "widgets/w.json", "id: must be an id"],
    [
      "control characters in a label",
      { ...board, label: "a\u001b[31m" },
      widget,
      "dashboard.json",
      "label: must not contain",
    ],
    ["a wrong type", board, { ...widget, display: [] }, "widgets/w.json", "display:"],
    ["a missing label", { id: "a" }, widget, "dashboard.json", "label:"],
    [
      "a place without a widget",
      { ...board, arrangement: [{ ...board.arrangement[0], widget_id: "z" }] },
      widget,
      "dashboard.json",
      "arrangement[0]",
    ],
    [
      "two tabs with one key",
      {
        ...board,
        tabs: [
          { key: "t", value: "" },
          { key: "t", value: "" },
        ],
      },
      widget,
      "dashboard.json",
      "tabs",
    ],
    ["broken JSON", board, '{"id": "w",', "widgets/w.json", "not valid JSON"],
    ["a list", board, [widget], "widgets/w.json", "JSON object"],
    [
      "deep nesting",
      board,
      `{"id":"w","label":"","type":"x","display":${'{"a":'.repeat(5000)}1${"}".repeat(5001)}`,
      "widgets/w.json",
      "deep",
    ],
    [
      "a very large file",
      board,
      `${JSON.stringify(widget)}${" ".repeat(17 * 1024 * 1024)}`,
      "widgets/w.json",
      "larger than",
    ],
  ] as const)("end with 3, the file and the place: %s", async (_, dashboard, other, file, says) => {
    const stderr = await refuse({ "dashboard.json": dashboard, "widgets/w.json": other });
    expect(stderr).toContain(file);
    expect(stderr.toLowerCase()).toContain(says.toLowerCase());
  });

  it("are refused when two have one id, or one is a link to another file of this machine", {
    tags: ["posix"],
  }, async () => {
    expect(await refuse({ "dashboard.json": board, "widgets/w.json": widget, "widgets/v.json": widget })).toContain(
      "w.json",
    );
    place.newFolder();
    mkdirSync(path("d/widgets"), { recursive: true });
    symlinkSync("/etc/passwd", path("d/widgets/w.json"));
    expect(await refuse({ "dashboard.json": board })).toContain("not a plain file");
    expect(readdirSync(path("d/widgets"))).toEqual(["w.json"]);
  });

  it("are refused when the folder is none, or holds none", async () => {
    expect(await iot("dashboard", "import", "nowhere")).toMatchObject({ code: 3 });
    mkdirSync(path("empty"));
    expect(await iot("dashboard", "apply", "empty")).toMatchObject({ code: 3 });
    writeFileSync(path("ids.json"), JSON.stringify({ dashboards: { a: "../b" } }));
    expect(await iot("dashboard", "apply", place.examples, "--map-file", "ids.json")).toMatchObject({ code: 3 });
  });
});
