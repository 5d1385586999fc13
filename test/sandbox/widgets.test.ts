import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { call, newDevice, ok } from "./client.ts";

interface Content {
  readonly content: readonly {
    readonly result: readonly Record<string, unknown>[];
    readonly cacheTime: string | null;
  }[];
}

const SILO = "65a1000000000000000e0001";
const STORE = "65a1000000000000000e0002";

let sandbox: Sandbox;
let token: string;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty", clock: new Date("2026-06-15T12:00:00Z") });
  token = sandbox.tokens.profile;
});
afterAll(() => sandbox.close());

const send = <T>(method: string, path: string, body?: unknown) => ok<T>(sandbox, method, path, { token, body });

async function newWidget(widget: object, dashboard: object = {}): Promise<string> {
  const { dashboard: id } = await send<{ dashboard: string }>("POST", "/dashboard", { label: "Board", ...dashboard });
  const body = { label: "Widget", type: "line_chart", display: {}, ...widget };
  return `${id}/${(await send<{ widget: string }>("POST", `/dashboard/${id}/widget`, body)).widget}`;
}

const read = (path: string, query = "", as = token) =>
  ok<Content>(sandbox, "GET", `/data/${path}?${query}`, { token: as });
const values = async (path: string, query = "", as = token) =>
  (await read(path, query, as)).content[0]?.result.map((row) => row["value"]);
const chosen = (...pairs: readonly (readonly [origin: string, id: string])[]) =>
  pairs
    .map(([origin, id], i) => `blueprint_devices[${i}][origin]=${origin}&blueprint_devices[${i}][id]=${id}`)
    .join("&");

/** A device with one row, and tags. */
async function tagged(value: number, tags: Readonly<Record<string, string>>): Promise<string> {
  const list = Object.entries(tags).map(([key, text]) => ({ key, value: text }));
  const device = await newDevice(sandbox, { tags: list });
  await ok(sandbox, "POST", "/data", { token: device.token, body: { variable: "v", value } });
  return device.device_id;
}

describe("blueprint devices", () => {
  let north: string;
  let south: string;
  let other: string;
  let widget: string;

  beforeAll(async () => {
    north = await tagged(1, { kind: "silo", site: "north" });
    south = await tagged(2, { kind: "store", site: "south" });
    other = await tagged(3, { kind: "store", site: "north" });
    widget = await newWidget(
      { data: [SILO, STORE].map((origin) => ({ origin, variables: ["v"], query: "last_value" })) },
      {
        type: "blueprint",
        blueprint_devices: [
          { id: SILO, name: "silo", conditions: [{ key: "kind", value: "silo" }] },
          {
            id: STORE,
            name: "store",
            conditions: [{ key: "kind", value: "store" }],
            filter_conditions: [{ blueprint_device: SILO, tag_key: "site", type: "tag_match" }],
          },
        ],
      },
    );
  });

  const both = async (query: string, as = token) =>
    (await read(widget, query, as)).content.map(({ result }) => result.map((row) => row["value"]));

  it("are those of the request, in brackets or as JSON text", async () => {
    expect(await both(chosen([SILO, north], [STORE, other]))).toEqual([[1], [3]]);
    const text = encodeURIComponent(JSON.stringify([{ origin: SILO, id: north }]));
    expect(await both(`blueprint_devices=${text}`)).toEqual([[1], []]);
    const bad = await call(sandbox, "GET", `/data/${widget}?blueprint_devices={`, { token });
    expect(bad.status).toBe(400);
  });

  it("give nothing when none is chosen, or one that lacks the tags", async () => {
    expect(await both("")).toEqual([[], []]);
    expect(await both(chosen([SILO, other]))).toEqual([[], []]);
  });

  it("share the tags that tie one placeholder to another", async () => {
    expect(await both(chosen([SILO, north], [STORE, south]))).toEqual([[1], []]);
    expect(await both(chosen([STORE, south]))).toEqual([[], [2]]);
  });

  it("take what forms write", async () => {
    const query = chosen([SILO, north]);
    const body = { origin: SILO, variable: "note", value: "full" };
    expect(await send("POST", `/data/${widget}?${query}`, body)).toEqual(["1 Data Added"]);
    expect(await send("GET", `/device/${north}/data?variables=note`)).toMatchObject([{ value: "full", device: north }]);
    const missing = await call(sandbox, "POST", `/data/${widget}`, { token, body });
    expect([missing.status, missing.body.message]).toEqual([404, "Device Not Found"]);
  });

  it("let a public key choose for declared placeholders and read no other device", async () => {
    const plain = await newWidget({ data: [{ origin: north, variables: ["v"] }] });
    const key = async (path: string) =>
      (await send<{ token: string }>("GET", `/dashboard/${path.slice(0, 24)}/share/public`)).token;
    expect(await both(chosen([SILO, north]), await key(widget))).toEqual([[1], []]);
    const publicKey = await key(plain);
    expect(await values(plain, "", publicKey)).toEqual([1]);
    expect(await values(plain, chosen([north, south]), publicKey)).toEqual([1]);
    expect(await values(plain, chosen([north, south]))).toEqual([2]);
  });
});

describe("public keys", () => {
  it("open the data of their dashboard until they expire, and nothing else", async () => {
    const path = await newWidget({});
    const dashboard = path.slice(0, 24);
    const key = await send<{ token: string; expire_time: string }>(
      "GET",
      `/dashboard/${dashboard}/share/public?expire_time=1%20hour`,
    );
    expect(key.expire_time).toBe("2026-06-15T13:00:00.000Z");
    expect(await send("GET", `/dashboard/${dashboard}`)).toMatchObject({ public_token_expire: key.expire_time });
    const status = async (method: string, at: string, body?: unknown) =>
      (await call(sandbox, method, at, { token: key.token, body })).status;
    expect(await status("GET", `/data/${path}`)).toBe(200);
    for (const at of [
      `/dashboard/${dashboard}`,
      "/dashboard",
      "/device",
      `/dashboard/${path.replace("/", "/widget/")}`,
    ])
      expect(await status("GET", at), at).toBe(401);
    for (const [method, at] of [
      ["POST", `/data/${path}`],
      ["PUT", `/data/${path}/data`],
      ["PUT", `/data/${path}/resource`],
      ["DELETE", `/data/${path}?ids[0]=a:b`],
    ] as const)
      expect(await status(method, at, {}), method).toBe(401);
    const moved = await fetch(`${sandbox.url}/__sandbox/clock`, {
      method: "PUT",
      body: JSON.stringify({ advance: 3_600_000 }),
      headers: { "content-type": "application/json", ...sandbox.inspectionHeaders },
    });
    expect(moved.status).toBe(200);
    expect(await status("GET", `/data/${path}`)).toBe(401);
  });

  it("are refused with a time that is none", async () => {
    const path = await newWidget({});
    const answer = await call(sandbox, "GET", `/dashboard/${path.slice(0, 24)}/share/public?expire_time=soon`, {
      token,
    });
    expect(answer.status).toBe(400);
  });
});

describe("pages of widget data", () => {
  let device: string;

  beforeAll(async () => {
    const made = await newDevice(sandbox);
    device = made.device_id;
    const rows = Array.from({ length: 30 }, (_, value) => ({
      variable: "v",
      value,
      time: new Date(Date.UTC(2026, 5, 14, 0, value)).toISOString(),
    }));
    await ok(sandbox, "POST", "/data", { token: made.token, body: rows });
  });

  it("hold 15 rows without a query, whatever amount says, except in tables", async () => {
    const entry = { origin: device, variables: ["v"] };
    const chart = await newWidget({ data: [entry] });
    expect(await values(chart, "page=1&amount=20")).toHaveLength(15);
    const table = await newWidget({ type: "dynamic_table", data: [entry] });
    expect(await values(table)).toHaveLength(15);
    expect(await values(table, "page=1&amount=4")).toEqual([29, 28, 27, 26]);
    expect(await values(table, "page=2&amount=4")).toEqual([25, 24, 23, 22]);
    expect(await values(table, "page=9&amount=4")).toEqual([]);
  });

  it("end where the entry's own qty does", async () => {
    const table = await newWidget({ type: "table", data: [{ origin: device, variables: ["v"], qty: 6 }] });
    expect(await values(table, "page=1&amount=4")).toEqual([29, 28, 27, 26]);
    expect(await values(table, "page=2&amount=4")).toEqual([25, 24]);
    expect(await values(table, "page=3&amount=4")).toEqual([]);
  });

  it("are bounded by the dates of the viewer, as far as the entry lets them be", async () => {
    const entry = { origin: device, variables: ["v"], start_date: "2026-06-14T00:10:00Z" };
    const overwrite = "overwrite[start_date]=2026-06-14T00:28:00Z";
    expect(await values(await newWidget({ data: [entry] }), overwrite)).toEqual([29, 28]);
    expect(await values(await newWidget({ data: [{ ...entry, overwrite: false }] }), overwrite)).toHaveLength(15);
    const text = encodeURIComponent('{"start_date":"2026-06-14T00:29:00Z"}');
    expect(await values(await newWidget({ data: [entry] }), `overwrite=${text}`)).toEqual([29]);
  });

  it("come from the device of an origin that is written as an object", async () => {
    const widget = await newWidget({ data: [{ origin: { id: device }, variables: ["v"], query: "last_value" }] });
    expect(await values(widget)).toEqual([29]);
  });

  it("stay the same for as long as the widget's cache says", async () => {
    const made = await newDevice(sandbox);
    const write = (value: number) =>
      ok(sandbox, "POST", "/data", { token: made.token, body: { variable: "v", value } });
    await write(1);
    const data = [{ origin: made.device_id, variables: ["v"], query: "count" }];
    const cached = await newWidget({ data, cache: { expiration: "1 minute" } });
    const plain = await newWidget({ data });
    const [first] = (await read(cached)).content;
    expect(first?.cacheTime).toMatch(/^2026-/);
    await write(2);
    expect((await read(cached)).content[0]).toEqual(first);
    expect(await values(plain)).toEqual([2]);
    expect((await read(plain)).content[0]?.cacheTime).toBeNull();
    expect(await values(cached, "page=1")).toEqual([2]);
  });
});

describe("entities in widgets", () => {
  it("give their rows, by index and by columns", async () => {
    const { id } = await send<{ id: string }>("POST", "/entity", {
      name: "orders",
      schema: { size: { type: "int" }, note: { type: "string" } },
      index: { size_idx: { fields: ["size"] } },
    });
    await send(
      "POST",
      `/entity/${id}/data`,
      [1, 2, 3].map((size) => ({ size, note: `n${size}` })),
    );
    const filter = { size: { start: 2, end: 3 } };
    const widget = await newWidget({
      type: "dynamic_table",
      data: [{ origin: id, variables: ["size"], index: "size_idx", order_by: "asc", filter }],
      resource: ["note", "size"].map((view) => ({ type: "entity", origin: id, view })),
    });
    const [rows, table] = (await read(widget)).content;
    expect(rows?.result).toEqual([2, 3].map((size) => ({ id: expect.any(String), size, origin: id })));
    expect(table?.result.map(({ note }) => note).sort()).toEqual(["n1", "n2", "n3"]);
    const written = await call(sandbox, "POST", `/data/${widget}`, {
      token,
      body: { origin: id, variable: "a", value: 1 },
    });
    expect([written.status, written.body.message]).toEqual([404, "Device Not Found"]);
  });
});

describe("writing through widgets", () => {
  it("keeps the value before an edit in the metadata", async () => {
    const device = await newDevice(sandbox);
    const widget = await newWidget({});
    await send("POST", `/data/${widget}`, {
      origin: device.device_id,
      variable: "a",
      value: 1,
      metadata: { own: true },
    });
    const rows = () => send<Record<string, unknown>[]>("GET", `/device/${device.device_id}/data`);
    const [row] = await rows();
    const change = { origin: device.device_id, id: row?.["id"], value: 2 };
    await send("PUT", `/data/${widget}/data?bypass_bucket=true`, change);
    expect(await rows()).toMatchObject([{ value: 1 }]);
    await send("PUT", `/data/${widget}/data`, change);
    expect(await rows()).toMatchObject([{ value: 2, metadata: { own: true, old_value: 1 } }]);
  });

  it("stores nothing when the widget says so", async () => {
    const device = await newDevice(sandbox);
    const widget = await newWidget({ display: { bypass_bucket: true } });
    const body = { origin: device.device_id, variable: "a", value: 1 };
    expect(await send("POST", `/data/${widget}`, body)).toEqual(["1 Data Added"]);
    expect(await send("GET", `/device/${device.device_id}/data_amount`)).toBe(0);
  });

  it("refuses changes of immutable data", async () => {
    const device = await newDevice(sandbox, { type: "immutable", chunk_period: "month", chunk_retention: 1 });
    const widget = await newWidget({});
    await send("POST", `/data/${widget}`, { origin: device.device_id, variable: "a", value: 1 });
    const [row] = await send<{ id: string }[]>("GET", `/device/${device.device_id}/data`);
    const edit = await call(sandbox, "PUT", `/data/${widget}/data`, {
      token,
      body: { origin: device.device_id, id: row?.id, value: 2 },
    });
    expect([edit.status, edit.body.message]).toEqual([400, "You cannot edit data on immutable device"]);
    const gone = await call(sandbox, "DELETE", `/data/${widget}?ids[0]=${row?.id}:${device.device_id}`, { token });
    expect([gone.status, gone.body.message]).toEqual([400, "Data in immutable devices cannot be deleted"]);
  });

  it("changes all devices of a list, or none", async () => {
    const [one, two] = [await newDevice(sandbox), await newDevice(sandbox)];
    const widget = await newWidget({});
    const path = `/data/${widget}/resource`;
    const changes = [one, two].map(({ device_id }, index) => ({ device: device_id, name: `Named ${index}` }));
    expect(await send("PUT", path, changes)).toBe("Resource Updated");
    expect(await send("GET", `/device/${two.device_id}`)).toMatchObject({ name: "Named 1" });
    const missing = { device: "65a1000000000000000d9999", name: "Nobody" };
    const answer = await call(sandbox, "PUT", path, { token, body: [{ ...changes[0], name: "Other" }, missing] });
    expect([answer.status, answer.body.message]).toEqual([404, "Device Not Found"]);
    expect(await send("GET", `/device/${one.device_id}`)).toMatchObject({ name: "Named 0" });
    for (const body of [
      [],
      { name: "x" },
      { device: one.device_id, "tags.a": { b: 1 } },
      { device: one.device_id, "tags.": "x" },
      "text",
    ])
      expect((await call(sandbox, "PUT", path, { token, body })).status, JSON.stringify(body)).toBe(400);
  });
});
