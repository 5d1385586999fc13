import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Migration } from "../../../src/lib/widgets/migration.ts";
import type { App } from "../../../src/sandbox/app.ts";
import { toDataDevice } from "../../../src/sandbox/data/device.ts";
import { parseDataQuery } from "../../../src/sandbox/data/query.ts";
import type { WireRow } from "../../../src/sandbox/data/types.ts";
import { historyOf } from "../../../src/sandbox/seeds/history.ts";
import { loadSeed } from "../../../src/sandbox/seeds/index.ts";
import type { EntityDocument } from "../../../src/sandbox/store/document.ts";
import * as seed from "../../helpers/seed.ts";
import { NOW_MS, seededApp } from "./seeded-app.ts";

const { SEED_ACCOUNTS, SEED_DASHBOARDS, SEED_DEVICES, SEED_PROFILES, SEED_TOKENS } = seed;
const DAY_MS = 86_400_000;
const EXAMPLE_FILE = new URL("../../../examples/legacy-widgets.json", import.meta.url);

let app: App;
let close: () => Promise<void>;

beforeAll(() => {
  ({ app, close } = seededApp());
});
afterAll(() => close());

function device(name: seed.SeedDeviceName): EntityDocument {
  return app.collection("device").need(SEED_DEVICES[name], SEED_PROFILES.demoPlant);
}

function read(name: seed.SeedDeviceName, params: Record<string, string>): unknown {
  return app.data.read(toDataDevice(device(name)), parseDataQuery(params, NOW_MS));
}

function rows(name: seed.SeedDeviceName, params: Record<string, string>): WireRow[] {
  return read(name, params) as WireRow[];
}

describe("the seed account", () => {
  it("lets the demo account in and shows its two profiles", () => {
    const { email, password, id } = SEED_ACCOUNTS.demo;
    expect(app.accounts.verify({ email, password }).id).toBe(id);
    expect(app.accounts.profiles(id).map((profile) => profile.name)).toEqual(["Demo Plant", "Empty"]);
  });

  it("shares Demo Plant with the second account", () => {
    const { email, password, id } = SEED_ACCOUNTS.shared;
    app.accounts.verify({ email, password });
    expect(app.accounts.profiles(id)).toEqual([
      expect.objectContaining({ id: SEED_PROFILES.demoPlant, from_share: true }),
    ]);
  });

  it("asks the third account for the code of its authenticator", () => {
    const { email, password } = SEED_ACCOUNTS.otp;
    expect(() => app.accounts.verify({ email, password })).toThrow(
      '{"otp_enabled":true,"otp_autosend":"authenticator"}',
    );
  });

  it("has tokens of every permission, one of them expired and one with an hour left", () => {
    const permissions = [SEED_TOKENS.full, SEED_TOKENS.read, SEED_TOKENS.write].map((token) =>
      app.tokens.authorize(token),
    );
    expect(permissions.map((found) => found?.permission)).toEqual(["full", "read", "write"]);
    expect(app.tokens.authorize(SEED_TOKENS.expired)).toBeUndefined();
    expect(app.tokens.authorize(SEED_TOKENS.oneHour)?.expireTime).toBe(new Date(NOW_MS + 3_600_000).toISOString());
    expect(app.tokens.authorize(SEED_TOKENS.analysis)?.kind).toBe("analysis");
    expect(app.tokens.authorize(SEED_TOKENS.empty)?.profile).toBe(SEED_PROFILES.empty);
  });

  it("lists a public catalogue and what belongs to the plant", () => {
    const names = (kind: "connector" | "network", profile: string): unknown[] =>
      app
        .collection(kind)
        .list(profile, {})
        .map((item) => item["name"]);
    expect(names("connector", SEED_PROFILES.demoPlant)).toEqual(["Custom HTTPS", "Plant meter", "Soil Probe S2"]);
    expect(names("network", SEED_PROFILES.empty)).toEqual(["HTTPS", "LoRaWAN Demo"]);
  });

  it("leaves the profile Empty empty", () => {
    expect(app.collection("device").count(SEED_PROFILES.empty)).toBe(0);
    expect(app.collection("dashboard").count(SEED_PROFILES.empty)).toBe(0);
  });
});

describe("the seed devices", () => {
  it("are twelve, each with tags, parameters and a token of its own", () => {
    expect(app.collection("device").count(SEED_PROFILES.demoPlant)).toBe(12);
    for (const [name, id] of Object.entries(SEED_DEVICES)) {
      expect(id).toMatch(/^[0-9a-f]{24}$/);
      const document = app.collection("device").need(id, SEED_PROFILES.demoPlant);
      expect(document["tags"], name).not.toEqual([]);
      expect(app.params.list(id), name).not.toEqual([]);
      const token = seed.SEED_DEVICE_TOKENS[name as seed.SeedDeviceName];
      expect(app.tokens.authorize(token)).toMatchObject({ kind: "device", refId: id, permission: "full" });
    }
  });

  it("hold the amounts the limits and tests are about", () => {
    const amounts = Object.fromEntries(Object.entries(SEED_DEVICES).map(([name, id]) => [name, app.data.amount(id)]));
    expect(amounts).toEqual({
      freezer: 5_760,
      weather: 8_640,
      waterMeter: 1_440,
      truck: 1_001,
      siloNorth: 168,
      siloEast: 168,
      siloWest: 168,
      settings: 9,
      inactive: 10,
      vibration: 49_990,
      mainMeter: 2_688,
      soil: 1_440,
    });
  });

  it("reach up to now, and never past it", () => {
    for (const name of Object.keys(SEED_DEVICES) as seed.SeedDeviceName[]) {
      const [newest] = rows(name, { qty: "1" });
      const age = NOW_MS - Date.parse(newest?.time ?? "");
      expect(age, name).toBeGreaterThanOrEqual(0);
      expect(age, name).toBeLessThan(DAY_MS);
      expect(device(name)["last_input"], name).toBe(newest?.time);
    }
  });

  it("keep the freezer cold, with its compressor on a third of the time", () => {
    const average = read("freezer", { query: "avg", variables: "temperature", start_date: "1 week" });
    expect(average).toBeGreaterThan(-22);
    expect(average).toBeLessThan(-15);
    const running = read("freezer", { query: "count", variables: "compressor", value: "true" });
    expect(Number(running) / 2_880).toBeGreaterThan(0.25);
    expect(Number(running) / 2_880).toBeLessThan(0.4);
  });

  it("put the truck's track into chunks and its fence beside them", () => {
    const [fence] = rows("truck", { query: "last_item", variables: "geofence" });
    expect(fence?.metadata).toMatchObject({ event: "inside" });
    const chunks = app.data.chunks(toDataDevice(device("truck")));
    expect(chunks.reduce((sum, chunk) => sum + chunk.amount, 0)).toBe(1_000);
    expect(rows("truck", { variables: "location", qty: "10000" }).every((row) => row.location !== undefined)).toBe(
      true,
    );
  });

  it("keep all of the water meter's days within its retention", () => {
    expect(app.data.chunks(toDataDevice(device("waterMeter")))).toHaveLength(31);
  });

  it("let ten more rows into the large device, then refuse", () => {
    const large = toDataDevice(device("vibration"));
    const row = { variable: "vibration", value: 1 };
    expect(() => app.data.write(large, Array(11).fill(row))).toThrow(
      "The device has reached the limit of 50000 data registers",
    );
    expect(app.data.amount(large.id)).toBe(49_990);
  });

  it("give the soil probe a serial number and the authorization it came in with", () => {
    const [token] = app.tokens.list("device", SEED_DEVICES.soil);
    expect(token).toMatchObject({ serieNumber: "0004A30B001C0530", name: "Default" });
    expect(token?.lastAuthorization).toMatch(/^at[0-9a-f]{32}$/);
  });
});

describe("two seeds", () => {
  it("give the same rows with the same ids when they are the same number", { tags: ["slow"] }, async () => {
    const other = seededApp();
    const query = parseDataQuery({ qty: "300", details: "true" }, NOW_MS);
    for (const id of Object.values(SEED_DEVICES)) {
      const storage = toDataDevice(app.collection("device").need(id, SEED_PROFILES.demoPlant));
      expect(other.app.data.read(storage, query)).toEqual(app.data.read(storage, query));
    }
    await other.close();
  });

  it("give other values at the same times when they are not", () => {
    const [, demo] = loadSeed("demo").layers;
    const freezer = demo?.of("devices").find(({ record }) => record.id === SEED_DEVICES.freezer)?.record.history ?? [];
    const [first, same, other] = [3, 3, 4].map((number) => historyOf(freezer, "freezer", NOW_MS, number));
    expect(first).not.toEqual([]);
    expect(same).toEqual(first);
    expect(other?.map((row) => row.timeMs)).toEqual(first?.map((row) => row.timeMs));
    expect(other?.map((row) => row.value)).not.toEqual(first?.map((row) => row.value));
  });
});

describe("the seed dashboards", () => {
  /** Every legacy type, with the key of its variants (docs/internals/platform/model.md, Legacy widget types). */
  const VARIANTS: readonly (readonly [type: string, key?: string, value?: string])[] = [
    ...["angular", "solid", "clock", "vu_meter", "dial"].map((value) => ["gauge", "gauge_type", value] as const),
    ...["spline", "area", "bar_horizontal", "bar_vertical", "multiple_axis"].map(
      (value) => ["chart", "chart_type", value] as const,
    ),
    ...["circle", "semicircle"].map((value) => ["pie", "pie_type", value] as const),
    ...["dynamic", "static"].map((value) => ["table", "table_type", value] as const),
    ...["form", "switches"].map((value) => ["input", "input_type", value] as const),
    ...["heat_map", "image_marker", "compose", "virtualization_layer"].map(
      (value) => ["layer", "layer_type", value] as const,
    ),
    ...["static_image", "static_video"].map((value) => ["image", "type_media", value] as const),
    ...["image", "static_video"].map((value) => ["media", "type_media", value] as const),
    ...["step_button", "incremental_button", "push_button", "keypad", "card", "tile", "icon"].map(
      (type) => [type] as const,
    ),
    ...["map", "note", "iframe", "display", "cylinder", "grainbin", "dial"].map((type) => [type] as const),
  ];
  const CURRENT_TYPES: readonly string[] = [
    ...["angular", "solid", "clock", "vu-meter", "dial", "line_chart", "area_chart", "horizontal_bar_chart"],
    ...["vertical_bar_chart", "multiple_axis_chart", "pie", "semidonut", "card", "tile", "map", "image", "video"],
    ...["image_marker", "heat_map", "compose", "display", "note", "iframe", "cylinder", "grainbin", "dynamic_table"],
    ...["static_table", "icon", "keypad", "step_button", "push_button", "control", "form"],
  ];
  const legacy = seed.LEGACY_WIDGETS;

  it.each(VARIANTS)("include a legacy %s %s %s", (type, key, value) => {
    const found = legacy.filter(
      (widget) => widget.type === type && (key === undefined || widget.display[key] === value),
    );
    expect(found).not.toEqual([]);
  });

  it("are all legacy ones in the eyes of the converter, and convertible", () => {
    const example: unknown = JSON.parse(readFileSync(EXAMPLE_FILE, "utf8"));
    const others = Array.isArray(example) ? example : [];
    expect(others).toHaveLength(6);
    for (const widget of [...legacy, ...others]) {
      expect(Migration.isOldStructure(widget), widget.label).toBe(true);
      const converted = Migration.convertWidget(widget);
      expect(Migration.isOldStructure(converted), widget.label).toBe(false);
    }
  });

  it("include one widget of every type of the present format", () => {
    const types = app
      .collection("widget")
      .children(SEED_DASHBOARDS.current)
      .map((widget) => String(widget["type"]));
    expect(CURRENT_TYPES.filter((type) => !types.includes(type))).toEqual([]);
  });

  it("use at most ten tabs and arrange every widget in one of them", () => {
    for (const id of Object.values(SEED_DASHBOARDS)) {
      const dashboard = app.collection("dashboard").need(id, SEED_PROFILES.demoPlant);
      const tabs = (dashboard["tabs"] as { key: string }[]).map((tab) => tab.key);
      const arranged = dashboard["arrangement"] as { widget_id: string; tab: string }[];
      expect(tabs.length).toBeLessThanOrEqual(10);
      expect(arranged.every((place) => tabs.includes(place.tab))).toBe(true);
      const widgets = app.collection("widget").children(id);
      expect(widgets.map((widget) => widget.id).sort()).toEqual(arranged.map((place) => place.widget_id).sort());
    }
  });

  it("show only variables that the seed devices hold", () => {
    for (const widget of legacy) {
      for (const { origin, variables } of widget.data ?? []) {
        const found = Object.entries(SEED_DEVICES).find(([, id]) => id === origin);
        expect(found, widget.label).toBeDefined();
        const [name] = found ?? ["freezer"];
        const held = rows(name as seed.SeedDeviceName, { query: "last_item", variables: variables.join(",") });
        expect(held.map((row) => row.variable).sort(), widget.label).toEqual([...variables].sort());
      }
    }
  });
});
