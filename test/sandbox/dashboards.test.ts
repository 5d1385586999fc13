import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { SEED_ACCOUNTS, SEED_PROFILES, SEED_TOKENS } from "../helpers/seed.ts";
import { call, newDevice, ok } from "./client.ts";

interface Dashboard {
  readonly id: string;
  readonly label: string;
  readonly arrangement: readonly Record<string, unknown>[];
  readonly [member: string]: unknown;
}

let sandbox: Sandbox;
let token: string;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
  token = sandbox.tokens.profile;
});
afterAll(() => sandbox.close());

const get = <T>(path: string) => ok<T>(sandbox, "GET", path, { token });
const send = <T>(method: string, path: string, body?: unknown) => ok<T>(sandbox, method, path, { token, body });

async function newDashboard(members: object = {}): Promise<string> {
  return (await send<{ dashboard: string }>("POST", "/dashboard", { label: "Board", ...members })).dashboard;
}

async function newWidget(dashboard: string, members: object = {}): Promise<string> {
  const body = { label: "Widget", type: "angular", display: { alias: "x" }, ...members };
  return (await send<{ widget: string }>("POST", `/dashboard/${dashboard}/widget/`, body)).widget;
}

describe("dashboards", () => {
  it("are created with defaults and keep unknown members as sent", async () => {
    const id = await newDashboard({
      tabs: [{ key: "1", value: "One", own: true }],
      filter: { period: { enabled: true } },
    });
    expect(await get(`/dashboard/${id}`)).toMatchObject({
      id,
      profile: sandbox.profileId,
      label: "Board",
      type: "dashboard",
      visible: true,
      arrangement: [],
      tabs: [{ key: "1", value: "One", own: true }],
      filter: { period: { enabled: true } },
      last_access: null,
    });
  });

  it("are listed by label; the older name of it is accepted and left out", async () => {
    await newDashboard({ label: "Zebra" });
    await newDashboard({ label: "aardvark" });
    const rows = await get<Dashboard[]>("/dashboard?fields=id,name,label&filter[label]=*a*&orderBy=label,asc");
    expect(rows[0]?.label).toBe("aardvark");
    expect(rows.at(-1)?.label).toBe("Zebra");
    expect(Object.keys(rows[0] ?? {}).sort()).toEqual(["id", "label", "tags"]);
  });

  it("replace the arrangement whole, and refuse one that is not well formed", async () => {
    const id = await newDashboard();
    const place = { widget_id: "65a1000000000000000b0001", x: 0, y: 1.5, width: 2, height: 1, tab: null, minWidth: 1 };
    await send("PUT", `/dashboard/${id}`, { arrangement: [place] });
    expect((await get<Dashboard>(`/dashboard/${id}`)).arrangement).toEqual([place]);
    const bad = await call(sandbox, "PUT", `/dashboard/${id}`, { token, body: { arrangement: [{ x: 1 }] } });
    expect(bad.status).toBe(400);
    const tabs = Array.from({ length: 11 }, (_, index) => ({ key: `${index}`, value: "t" }));
    expect((await call(sandbox, "PUT", `/dashboard/${id}`, { token, body: { tabs } })).status).toBe(400);
  });

  it("are copied with their widgets under new ids, and the arrangement follows", async () => {
    const id = await newDashboard();
    const widget = await newWidget(id);
    await send("PUT", `/dashboard/${id}`, { arrangement: [{ widget_id: widget, x: 1, y: 2, width: 3, height: 4 }] });
    const copied = await send<{ dashboard_id: string; message: string }>("POST", `/dashboard/${id}/duplicate`, {
      new_label: "Copy of board",
    });
    expect(copied.message).toBe("Copy sent");
    const copy = await get<Dashboard>(`/dashboard/${copied.dashboard_id}`);
    expect(copy.label).toBe("Copy of board");
    const [place] = copy.arrangement;
    expect(place).toMatchObject({ x: 1, y: 2 });
    expect(place?.["widget_id"]).not.toBe(widget);
    expect(await get(`/dashboard/${copy.id}/widget/${String(place?.["widget_id"])}`)).toMatchObject({
      label: "Widget",
    });
    expect(await send("POST", `/dashboard/${id}/duplicate`)).toMatchObject({ message: "Copy sent" });
  });

  it("take their widgets and keys with them", async () => {
    const id = await newDashboard();
    const widget = await newWidget(id);
    const key = await get<{ token: string; expire_time: string }>(`/dashboard/${id}/share/public?expire_time=1%20day`);
    expect(Date.parse(key.expire_time)).toBeGreaterThan(Date.now());
    expect((await call(sandbox, "GET", `/data/${id}/${widget}`, { token: key.token })).status).toBe(200);
    expect(await send("DELETE", `/dashboard/${id}`)).toBe("Successfully Removed");
    expect((await call(sandbox, "GET", `/dashboard/${id}/widget/${widget}`, { token })).status).toBe(404);
    expect((await call(sandbox, "GET", `/data/${id}/${widget}`, { token: key.token })).status).toBe(401);
  });

  it("name the devices and analyses their widgets use", async () => {
    const id = await newDashboard();
    const device = await newDevice(sandbox);
    await newWidget(id, { data: [{ origin: device.device_id, variables: ["a"] }, { origin: device.device_id }] });
    const about = await ok<{ id: string }>(sandbox, "GET", "/info", { token: sandbox.tokens.analysis });
    await newWidget(id, { analysis_run: about.id });
    expect(await get(`/dashboard/${id}/devices`)).toEqual([
      { id: device.device_id, name: "Test device", bucket: device.device_id },
    ]);
    expect(await get(`/dashboard/${id}/analysis`)).toEqual([{ id: about.id, name: expect.any(String) }]);
  });
});

describe("widgets", () => {
  it("are stored as sent, old ones too, and keep member order and odd values", async () => {
    const id = await newDashboard();
    const legacy = {
      label: "Old gauge",
      type: "gauge",
      display: { gauge_type: "angular", range: { min: null, max: "100" }, vars_labels: { "a:1": "ä\u0000" }, "": 0 },
      realtime: "true",
      data: [{ origin: "65a1000000000000000d0001", variables: "temperature", bucket: "65a1000000000000000d0001" }],
    };
    const widget = await newWidget(id, legacy);
    const shown = await get<Record<string, unknown>>(`/dashboard/${id}/widget/${widget}`);
    expect(shown).toMatchObject({ ...legacy, id: widget, dashboard: id });
    expect(JSON.stringify(shown["display"])).toBe(JSON.stringify(legacy.display));
  });

  it("replace each member whole, and lose their analysis when an edit leaves it out", async () => {
    const id = await newDashboard();
    const widget = await newWidget(id, { display: { a: 1, b: 2 }, analysis_run: "65a1000000000000000a0001" });
    await send("PUT", `/dashboard/${id}/widget/${widget}`, { display: { c: 3 } });
    const shown = await get<Record<string, unknown>>(`/dashboard/${id}/widget/${widget}`);
    expect(shown).toMatchObject({ label: "Widget", type: "angular", analysis_run: null });
    expect(shown["display"]).toEqual({ c: 3 });
  });

  it("are found only on their own dashboard", async () => {
    const [one, two] = [await newDashboard(), await newDashboard()];
    const widget = await newWidget(one);
    for (const [method, path] of [
      ["GET", `/dashboard/${two}/widget/${widget}`],
      ["PUT", `/dashboard/${two}/widget/${widget}`],
      ["DELETE", `/dashboard/${two}/widget/${widget}`],
      ["GET", `/data/${two}/${widget}`],
    ] as const) {
      const answer = await call(sandbox, method, path, { token, ...(method === "PUT" && { body: {} }) });
      expect([answer.status, answer.body.message], method).toEqual([404, "Widget Not Found"]);
    }
    const missing = await call(sandbox, "POST", `/dashboard/65a1000000000000000b9999/widget`, {
      token,
      body: { label: "x", type: "y", display: {} },
    });
    expect([missing.status, missing.body.message]).toEqual([404, "Dashboard Not Found"]);
  });

  it("leave their place in the arrangement when they are deleted", async () => {
    const id = await newDashboard();
    const [gone, stays] = [await newWidget(id), await newWidget(id)];
    const arrangement = [gone, stays].map((widget_id) => ({ widget_id, x: 0, y: 0, width: 1, height: 1 }));
    await send("PUT", `/dashboard/${id}`, { arrangement });
    expect(await send("DELETE", `/dashboard/${id}/widget/${gone}`)).toBe("Successfully Removed");
    expect((await get<Dashboard>(`/dashboard/${id}`)).arrangement).toEqual(arrangement);
  });

  it("get an embed token that opens their dashboard's data and nothing else", async () => {
    const [id, other] = [await newDashboard(), await newDashboard()];
    const [widget, foreign] = [await newWidget(id), await newWidget(other)];
    const path = `/dashboard/${id}/widget/${widget}/token`;
    const { widget_token } = await get<{ widget_token: string }>(path);
    const status = async (at: string) => (await call(sandbox, "GET", at, { token: widget_token })).status;
    expect(await status(`/data/${id}/${widget}`)).toBe(200);
    expect(await status(`/data/${other}/${foreign}`)).toBe(401);
    expect(await status(`/dashboard/${id}`)).toBe(401);
    await get(path);
    expect(await status(`/data/${id}/${widget}`)).toBe(401);
  });
});

describe("widget data", () => {
  interface Content {
    readonly content: readonly { readonly result: readonly Record<string, unknown>[] }[];
  }

  it("answers one content entry per data entry, in order, with the old names beside the new", async () => {
    const id = await newDashboard();
    const device = await newDevice(sandbox);
    const rows = [1, 2, 3].map((value) => ({ variable: "a", value, group: `g${value}` }));
    await ok(sandbox, "POST", "/data", { token: device.token, body: rows });
    const widget = await newWidget(id, {
      data: [
        { origin: device.device_id, variables: ["a"], query: "last_value" },
        { origin: device.device_id, variables: ["a"], query: "count" },
        { query: "default" },
        { origin: "65a1000000000000000d9999", variables: ["a"] },
      ],
    });
    const { content } = await get<Content>(`/data/${id}/${widget}`);
    expect(content.map(({ result }) => result.length)).toEqual([1, 1, 0, 0]);
    expect(content[0]?.result[0]).toMatchObject({
      variable: "a",
      device: device.device_id,
      origin: device.device_id,
      serie: expect.stringMatching(/^g/),
    });
    expect(content[1]?.result[0]).toMatchObject({ variable: "a", value: 3 });
  });

  it("takes the device a blueprint stands for, and the dates of the viewer", async () => {
    const id = await newDashboard({ type: "blueprint" });
    const device = await newDevice(sandbox);
    const body = [
      { variable: "a", value: 1, time: "2026-01-01T00:00:00Z" },
      { variable: "a", value: 2, time: "2026-02-01T00:00:00Z" },
    ];
    await ok(sandbox, "POST", "/data", { token: device.token, body });
    const blueprint = "65a1000000000000000e0001";
    const widget = await newWidget(id, { data: [{ origin: blueprint, variables: ["a"], overwrite: true }] });
    const chosen = `blueprint_devices[0][origin]=${blueprint}&blueprint_devices[0][id]=${device.device_id}`;
    const count = async (query: string) =>
      (await get<Content>(`/data/${id}/${widget}?${query}`)).content[0]?.result.length;
    expect(await count("")).toBe(0);
    expect(await count(chosen)).toBe(2);
    expect(await count(`${chosen}&overwrite[start_date]=2026-01-15&overwrite[end_date]=2026-03-01`)).toBe(1);
  });

  it("shows devices with their tags and parameters for resource entries", async () => {
    const id = await newDashboard();
    const device = await newDevice(sandbox, {
      name: "Listed",
      tags: [{ key: "list", value: "yes" }],
      configuration_params: [{ key: "k", value: "v" }],
    });
    const filter = [{ key: "list", value: "yes" }];
    const resource = ["name", "tags.list", "param.k"].map((view) => ({ type: "device", filter, view }));
    const widget = await newWidget(id, { resource });
    const { content } = await get<Content>(`/data/${id}/${widget}`);
    expect(content[0]?.result).toEqual([
      { device: device.device_id, name: "Listed", "tags.list": "yes", "param.k": "v" },
    ]);
    const change = { device: device.device_id, name: "Renamed", "tags.list": "no", "param.k": "w" };
    expect(await send("PUT", `/data/${id}/${widget}/resource`, change)).toBe("Resource Updated");
    expect(await get(`/device/${device.device_id}`)).toMatchObject({
      name: "Renamed",
      tags: [{ key: "list", value: "no" }],
    });
    expect(await get(`/device/${device.device_id}/params`)).toMatchObject([{ key: "k", value: "w" }]);
  });

  it("is written, changed and deleted through the widget", async () => {
    const id = await newDashboard();
    const widget = await newWidget(id);
    const [one, two] = [await newDevice(sandbox), await newDevice(sandbox)];
    const body = [
      { origin: one.device_id, variable: "a", value: 1 },
      { origin: two.device_id, variable: "a", value: 2 },
      { origin: one.device_id, variable: "b", value: 3 },
    ];
    const path = `/data/${id}/${widget}`;
    expect(await send("POST", path, body)).toEqual(["2 Data Added", "1 Data Added"]);
    await send("POST", `${path}?bypass_bucket=true`, body);
    const rows = await get<{ id: string; value: number }[]>(`/device/${one.device_id}/data`);
    expect(rows).toHaveLength(2);
    const change = { origin: one.device_id, id: rows[0]?.id, value: 99 };
    expect(await send("PUT", `${path}/data`, change)).toBe("Device Data Updated");
    expect(await send("DELETE", `${path}?ids[0]=${rows[1]?.id}:${one.device_id}`)).toBe("Successfully Removed");
    expect(await get(`/device/${one.device_id}/data`)).toMatchObject([{ value: 99 }]);
    expect((await call(sandbox, "DELETE", path, { token })).status).toBe(400);
    expect((await call(sandbox, "POST", path, { token, body: [{ variable: "a" }] })).status).toBe(400);
  });
});

describe("profiles", () => {
  it("are listed and read, the own one as current", async () => {
    expect(await get("/profile")).toMatchObject([{ id: SEED_PROFILES.demoPlant }, { id: SEED_PROFILES.empty }]);
    const current = await get<{ info: object; account_plan: string }>("/profile/current");
    expect(current).toMatchObject({
      info: { id: sandbox.profileId, account: SEED_ACCOUNTS.demo.id },
      account_plan: "scale",
    });
    expect(await get(`/profile/${sandbox.profileId}`)).toEqual(current);
    const foreign = await call(sandbox, "GET", `/profile/${SEED_PROFILES.otp}`, { token });
    expect([foreign.status, foreign.body.message]).toEqual([404, "Profile Not Found"]);
    expect((await call(sandbox, "GET", "/profile/nonsense", { token })).body.message).toBe("Invalid Profile ID");
  });

  it("count what they hold", async () => {
    const before = await get<{ amount: { device: number } }>("/profile/current/summary");
    await newDevice(sandbox);
    const after = await get<{ amount: { device: number }; limit?: object }>("/profile/current/summary?onlyAmount=true");
    expect(after.amount.device).toBe(before.amount.device + 1);
    expect(after.limit).toBeUndefined();
  });

  it("make, list and delete tokens", async () => {
    const created = await send<Record<string, string>>("POST", "/profile/current/token", {
      name: "CI",
      permission: "read",
      expire_time: "2 days",
    });
    expect(created["token"]).toMatch(/^p-/);
    expect(created["expire_date"]).toBe(created["expire_time"]);
    const [first] = await get<Record<string, string>[]>("/profile/current/token?fields=name,token,permission,ref_id");
    expect(first).toEqual({ name: "CI", token: created["token"], permission: "read", ref_id: sandbox.profileId });
    expect(await send("DELETE", `/profile/current/token/${created["token"]}`)).toBe("Token Successfully Removed");
    expect((await call(sandbox, "GET", "/info", { token: created["token"] ?? "" })).status).toBe(401);
    expect((await call(sandbox, "DELETE", `/profile/current/token/${SEED_TOKENS.empty}`, { token })).status).toBe(404);
  });

  it("name their account", async () => {
    const account = await get<Record<string, unknown>>("/account");
    expect(account).toMatchObject({ id: SEED_ACCOUNTS.demo.id, email: SEED_ACCOUNTS.demo.email, plan: "scale" });
    expect(JSON.stringify(account)).not.toContain("password");
  });
});

describe("the log of changes of dashboards", () => {
  const logged = async (id: string): Promise<readonly string[]> => {
    interface Log {
      readonly queryId: string;
      readonly events: readonly { readonly message: string }[];
    }
    const { queryId } = await get<Log>(`/profile/current/auditlog?resourceID=${id}`);
    const { events } = await get<Log>(`/profile/current/auditlog/${queryId}`);
    return events.map(({ message }) => message).sort();
  };

  it("holds each change of a widget once, and nothing of its tokens", async () => {
    const id = await newDashboard();
    const widget = await newWidget(id);
    await send("PUT", `/dashboard/${id}/widget/${widget}`, { label: "Changed" });
    await get(`/dashboard/${id}/widget/${widget}/token`);
    await get(`/dashboard/${id}/share/public`);
    await send("DELETE", `/dashboard/${id}/widget/${widget}`);
    expect(await logged(id)).toEqual([
      "Dashboard Board was created",
      "Widget Changed was deleted",
      "Widget Changed was updated",
      "Widget Widget was created",
    ]);
  });

  it("holds a copy and a deletion once, without the widgets that come and go with them", async () => {
    const id = await newDashboard();
    await newWidget(id);
    const copied = await send<{ dashboard_id: string }>("POST", `/dashboard/${id}/duplicate`, {});
    await send("DELETE", `/dashboard/${copied.dashboard_id}`);
    expect(await logged(copied.dashboard_id)).toEqual([
      "Dashboard Board copy was created",
      "Dashboard Board copy was deleted",
    ]);
  });

  it("holds an installed template once", async () => {
    const dashboard = await newDashboard({ label: "Source" });
    await newWidget(dashboard);
    const template = await send<string>("POST", "/template", { name: "T", dashboard });
    const installed = await send<{ dashboard: string }>("POST", `/template/${template}`);
    expect(await logged(installed.dashboard)).toEqual(["Dashboard Source was created"]);
    expect(await logged(template)).toEqual([]);
  });
});
