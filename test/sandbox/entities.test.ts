import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Resources as Client, Resources } from "../../src/index.ts";
import { createSandbox, manualClock, type Sandbox } from "../../src/sandbox/index.ts";
import { call, ok } from "./client.ts";

const NOW_MS = Date.parse("2026-05-14T10:37:21.500Z");
const clock = manualClock(NOW_MS);
let sandbox: Sandbox;
let token: string;
let entities: Client["entities"];

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty", clock });
  token = sandbox.tokens.profile;
  entities = new Resources({ token, region: { api: sandbox.url, sse: sandbox.eventsUrl } }).entities;
});
afterAll(() => sandbox.close());
beforeEach(() => clock.set(NOW_MS));

const SCHEMA = {
  city: { type: "string", required: true },
  zone: { type: "int" },
  opened: { type: "timestamp" },
  note: { type: "text" },
  size: { type: "float" },
  open: { type: "boolean" },
  extra: { type: "json" },
} as const;

const INDEX = { place_idx: { fields: ["city", "zone", "opened"] } };

async function newEntity(): Promise<string> {
  const { id } = await entities.create({ name: "Sites", schema: SCHEMA, index: INDEX });
  return id;
}

const send = (id: string, body: unknown) => call(sandbox, "POST", `/entity/${id}/data`, { token, body });
const get = (id: string, query: string) => call(sandbox, "GET", `/entity/${id}/data?${query}`, { token });

describe("an entity", () => {
  it("has the fields and indexes of its maker and those of the platform", async () => {
    const id = await newEntity();
    const info = await entities.info(id);
    expect(info).toEqual({
      id,
      profile: sandbox.profileId,
      name: "Sites",
      schema: {
        id: { type: "uuid", required: true },
        ...SCHEMA,
        created_at: { type: "timestamp", required: true },
        updated_at: { type: "timestamp", required: true },
      },
      index: {
        id_idx: { fields: ["id"] },
        id_created_at_idx: { fields: ["id", "created_at"] },
        id_updated_at_idx: { fields: ["id", "updated_at"] },
        ...INDEX,
      },
      tags: [],
      payload_decoder: null,
      created_at: new Date(NOW_MS),
      updated_at: new Date(NOW_MS),
    });
    expect(await entities.edit(id, { name: "Places", tags: [{ key: "kind", value: "site" }] })).toEqual({
      message: "Entity Successfully Updated",
    });
    const listed = await entities.list({ filter: { name: "plac*" } });
    expect(listed).toEqual([
      { id, profile: sandbox.profileId, name: "Places", tags: [{ key: "kind", value: "site" }] },
    ]);
    await send(id, { city: "Oslo" });
    expect(await entities.delete(id)).toBe("Entity Successfully Removed");
    await expect(entities.info(id)).rejects.toThrow("Entity Not Found");
    await expect(entities.amount(id)).rejects.toThrow("Entity Not Found");
  });

  it.each([
    ["a name of other characters", { schema: { City: { type: "string" } } }, "schema.City"],
    ["an unknown type", { schema: { city: { type: "blob" } } }, "schema.city.type"],
    ["an index without fields", { index: { a: { fields: [] } } }, "index.a.fields"],
    ["an index of six fields", { index: { a: { fields: ["a", "b", "c", "d", "e", "f"] } } }, "index.a.fields"],
    ["an index of a field there is not", { index: { a: { fields: ["city"] } } }, "index.a"],
    ["an index of json", { schema: { x: { type: "json" } }, index: { a: { fields: ["x"] } } }, "index.a"],
  ])("is refused with %s", async (_, part, field) => {
    const answer = await call(sandbox, "POST", "/entity", { token, body: { name: "Wrong", ...part } });
    expect([answer.status, Object.keys(answer.body.field_errors ?? {})]).toEqual([400, [field]]);
  });

  it("may have fields named like members of objects", async () => {
    const named = { name: "Names", schema: { constructor: { type: "string" } } };
    const { id } = await ok<{ id: string }>(sandbox, "POST", "/entity", { token, body: named });
    await entities.sendEntityData(id, { id: "a" });
    expect(await entities.getEntityData(id)).toMatchObject([{ id: "a", constructor: null }]);
    const body = '{"name":"Proto","schema":{"__proto__":{"type":"string"}}}';
    const headers = { "content-type": "application/json" };
    const answer = await call(sandbox, "POST", "/entity", { token, raw: body, headers });
    expect(answer.status).toBeLessThan(500);
  });
});

describe("rows", () => {
  it("keep their types; fields that are not set are null", async () => {
    const id = await newEntity();
    const row = {
      id: "site-1",
      city: "Oslo",
      zone: 3,
      opened: "2020-01-02",
      note: "n".repeat(30_000),
      size: 1.5,
      open: true,
      extra: { a: [1] },
    };
    expect(await entities.sendEntityData(id, [row, { city: "Bergen" }])).toBe("2 Data Added");
    const [bergen, oslo] = await entities.getEntityData(id);
    expect(oslo).toEqual({
      ...row,
      opened: "2020-01-02T00:00:00.000Z",
      created_at: new Date(NOW_MS),
      updated_at: new Date(NOW_MS),
    });
    expect(bergen).toMatchObject({ city: "Bergen", zone: null, opened: null, note: null, open: null, extra: null });
    expect(bergen?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await entities.amount(id)).toBe(2);
  });

  it.each([
    ["a required field is missing", { zone: 1 }, { "0.city": ["Required"] }],
    ["a required field is null", { city: null }, { "0.city": ["Required"] }],
    ["a text is too long", { city: "c".repeat(256) }, { "0.city": ["At most 255 characters"] }],
    ["a long text is too long", { city: "a", note: "n".repeat(30_001) }, { "0.note": ["At most 30000 characters"] }],
    ["a number is a text", { city: "a", zone: "1" }, { "0.zone": ["Must be a whole number"] }],
    ["a whole number is none", { city: "a", zone: 1.5 }, { "0.zone": ["Must be a whole number"] }],
    ["a date is none", { city: "a", opened: "soon" }, { "0.opened": ["Must be a date"] }],
    ["a flag is a text", { city: "a", open: "yes" }, { "0.open": ["Must be true or false"] }],
    ["json is above 10 kB", { city: "a", extra: { x: "y".repeat(10_240) } }, { "0.extra": ["At most 10 kB"] }],
    ["a field is unknown", { city: "a", colour: "red" }, { "0.colour": ["There is no such field"] }],
    ["the second of two is wrong", [{ city: "a" }, { city: 1 }], { "1.city": ["Must be a text"] }],
  ])("are refused when %s, and nothing is stored", async (_, body, errors) => {
    const id = await newEntity();
    const answer = await send(id, body);
    expect([answer.status, answer.body.message, answer.body.field_errors]).toEqual([
      400,
      "Error on Body parameters",
      errors,
    ]);
    expect(await entities.amount(id)).toBe(0);
  });

  it("with an id that is there are changed member by member", async () => {
    const id = await newEntity();
    await entities.sendEntityData(id, { id: "a", city: "Oslo", zone: 1 });
    clock.advance(1000);
    expect(await entities.sendEntityData(id, { id: "a", zone: 2 })).toBe("1 Data Added");
    expect(await entities.getEntityData(id)).toMatchObject([
      { id: "a", city: "Oslo", zone: 2, created_at: new Date(NOW_MS), updated_at: new Date(NOW_MS + 1000) },
    ]);
  });

  it("are edited by id, unknown ones skipped", async () => {
    const id = await newEntity();
    await entities.sendEntityData(id, { id: "a", city: "Oslo", zone: 1 });
    expect(
      await entities.editEntityData(id, [
        { id: "a", zone: null },
        { id: "b", zone: 1 },
      ]),
    ).toBe("1 item(s) updated");
    expect(await entities.getEntityData(id)).toMatchObject([{ city: "Oslo", zone: null }]);
    await expect(entities.editEntityData(id, { id: "a", city: null })).rejects.toThrow("Error on Body parameters");
    const answer = await call(sandbox, "PUT", `/entity/${id}/data`, { token, body: { zone: 1 } });
    expect(answer.body.field_errors).toEqual({ "0.id": ["Required"] });
  });

  it("are deleted by id, ten at most, or all at once", async () => {
    const id = await newEntity();
    await entities.sendEntityData(
      id,
      ["a", "b", "c"].map((row) => ({ id: row, city: "x" })),
    );
    expect(await entities.deleteEntityData(id, { ids: ["a", "a", "z"] })).toBe("1 item(s) deleted");
    await expect(entities.deleteEntityData(id, { ids: Array.from({ length: 11 }, (_, i) => `${i}`) })).rejects.toThrow(
      "You have exceeded the maximum number of 10 items",
    );
    expect(await entities.emptyEntityData(id)).toBe("Data Successfully Removed");
    expect(await entities.amount(id)).toBe(0);
  });

  it("are taken a hundred at a time", async () => {
    const id = await newEntity();
    const many = (count: number) => Array.from({ length: count }, () => ({ city: "x" }));
    expect((await send(id, many(100))).body.result).toBe("100 Data Added");
    expect((await send(id, many(101))).body.message).toBe(
      "You have exceeded the maximum number of 100 items in a single request",
    );
  });
});

describe("reading rows along an index", () => {
  let id: string;
  beforeAll(async () => {
    id = await newEntity();
    for (const [at, [city, zone, opened]] of (
      [
        ["Oslo", 1, "2020-01-01"],
        ["Oslo", 2, "2022-01-01"],
        ["Oslo", 2, "2021-01-01"],
        ["Bergen", 1, "2019-01-01"],
        ["Oslo", 2, null],
      ] as const
    ).entries()) {
      clock.set(NOW_MS + at * 1000);
      await entities.sendEntityData(id, { id: `r${at}`, city, zone, opened });
    }
  });

  const ids = async (query: Parameters<Client["entities"]["getEntityData"]>[1]): Promise<string[]> =>
    (await entities.getEntityData(id, query)).map((row) => row.id);

  it("gives the newest first, or the oldest", async () => {
    expect(await ids({})).toEqual(["r4", "r3", "r2", "r1", "r0"]);
    expect(await ids({ order_by: "asc" })).toEqual(["r0", "r1", "r2", "r3", "r4"]);
    expect(await ids({ amount: 2, page: 2 })).toEqual(["r2", "r1"]);
    expect(await ids({ amount: 2, page: 4 })).toEqual([]);
  });

  it("orders by the last field of the index, empty ones last", async () => {
    expect(await ids({ index: "place_idx" })).toEqual(["r1", "r2", "r0", "r3", "r4"]);
    expect(await ids({ index: "place_idx", order_by: "asc" })).toEqual(["r3", "r0", "r2", "r1", "r4"]);
  });

  it("filters by a prefix of the index, the last field by a range too", async () => {
    const index = "place_idx";
    expect(await ids({ index, filter: { city: "Oslo" } })).toEqual(["r1", "r2", "r0", "r4"]);
    expect(await ids({ index, filter: { city: "Oslo", zone: 2 } })).toEqual(["r1", "r2", "r4"]);
    const opened = { start: "2021-01-01", end: "2021-12-31" };
    expect(await ids({ index, filter: { city: "Oslo", zone: 2, opened } })).toEqual(["r2"]);
    expect(await ids({ index, filter: { city: "Oslo", zone: { start: 2 } } })).toEqual(["r1", "r2", "r4"]);
    expect(await ids({ filter: { id: "r3" } })).toEqual(["r3"]);
    expect(await ids({ index, filter: { city: "Oslo", zone: "" } })).toEqual(["r1", "r2", "r0", "r4"]);
    expect(await ids({ index, filter: { city: "oslo" } })).toEqual([]);
  });

  it.each([
    ["filter[zone]=2&index=place_idx", "Invalid filter: it must name the fields of index"],
    ["filter[city]=Oslo&filter[opened]=2021&index=place_idx", "Invalid filter: it must name the fields of index"],
    ["filter[created_at]=2021", "Invalid filter: it must name the fields of index"],
    ["filter[city]=Oslo", "Invalid filter: it must name the fields of index"],
    ["filter[city][start]=A&filter[zone]=1&index=place_idx", "Invalid filter: only the last field may be a range"],
    ["filter[colour]=red&index=place_idx", 'Invalid filter: there is no field "colour"'],
    ["filter[city]=Oslo&filter[zone]=two&index=place_idx", 'Invalid filter: "zone" is a int'],
    ["filter=text", "Invalid filter: it must name fields"],
    ["index=other", "Invalid index"],
    ["index=constructor", "Invalid index"],
  ])("refuses %s", async (query, message) => {
    const answer = await get(id, query);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(message);
  });

  it("gives the fields that are asked for", async () => {
    const answer = await get(id, "fields=city,zone,none&amount=1");
    expect(answer.body.result).toEqual([{ id: "r4", city: "Oslo", zone: 2 }]);
  });
});

describe("rows sent to an entity", () => {
  it("lose every field when they carry dates of their own", async () => {
    const id = await newEntity();
    const created_at = "2024-01-01T00:00:00.000Z";
    expect((await send(id, [{ id: "copy", city: "Oslo", zone: 1, created_at }])).body.result).toBe("1 Data Added");
    expect(await entities.getEntityData(id, {})).toMatchObject([{ id: "copy", city: null, zone: null }]);
    expect((await entities.getEntityData(id, {}))[0]?.created_at).not.toEqual(new Date(created_at));
  });

  it("go through the parser of the entity, which off and null remove", async () => {
    const id = await newEntity();
    const source =
      "payload = payload.map((row) => ({ ...row, zone: row.zone + 1, opened: dayjs(row.opened).toISOString() }));";
    await entities.edit(id, { payload_decoder: Buffer.from(source).toString("base64") });
    await entities.sendEntityData(id, { id: "a", city: "Oslo", zone: 1, opened: "2024-01-01" });
    expect(await entities.getEntityData(id, {})).toMatchObject([{ zone: 2, opened: "2024-01-01T00:00:00.000Z" }]);
    await entities.edit(id, { payload_decoder: Buffer.from("payload = [{ none: 1 }]").toString("base64") });
    expect((await send(id, { city: "Oslo" })).body.field_errors).toMatchObject({
      "0.none": ["There is no such field"],
    });
    await entities.edit(id, { payload_decoder: Buffer.from("nothing()").toString("base64") });
    expect((await send(id, { city: "Oslo" })).body.message).toBe("nothing is not defined (entity parser, line 1)");
    await entities.edit(id, { payload_decoder: "off" });
    expect((await entities.info(id)).payload_decoder).toBeNull();
    expect((await send(id, { city: "Oslo" })).body.result).toBe("1 Data Added");
    await expect(entities.edit(id, { payload_decoder: "x".repeat(65_537) })).rejects.toThrow("Error on Body");
  });
});

describe("the schema of an entity", () => {
  it("has at most 30 fields and 10 indexes of its own", async () => {
    const schema = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `f${"abcdefghijklmnopqrstuvwxyz_"[at % 27]}${at < 27 ? "" : "x"}`,
        { type: "int" } as const,
      ]),
    );
    const index = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`i${at}`, { fields: ["fa"] }]));
    const { id } = await entities.create({ name: "Full", schema, index });
    const field = { schema: { more: { action: "create", type: "int" } } } as const;
    await expect(entities.editSchemaIndex(id, field)).rejects.toThrow("Error on Body parameters");
    await expect(
      entities.editSchemaIndex(id, { index: { more: { action: "create", fields: ["fb"] } } }),
    ).rejects.toThrow("Error on Body parameters");
  });

  it("takes new fields, renames and deletes them with their values", async () => {
    const id = await newEntity();
    await entities.sendEntityData(id, { id: "a", city: "Oslo", zone: 1, open: true, extra: { b: 2 }, note: "old" });
    const done = { message: "Entity Successfully Updated" };
    expect(await entities.editSchemaIndex(id, { schema: { colour: { action: "create", type: "string" } } })).toEqual(
      done,
    );
    expect(await entities.renameField(id, "open", "is_open")).toEqual(done);
    expect(await entities.renameField(id, "extra", "more")).toEqual(done);
    expect(await entities.renameField(id, "zone", "area")).toEqual(done);
    expect(await entities.deleteField(id, "note")).toEqual(done);
    const [row] = await entities.getEntityData(id, { index: "place_idx", filter: { city: "Oslo", area: 1 } });
    expect(row).toMatchObject({ area: 1, is_open: true, more: { b: 2 }, colour: null });
    expect(row).not.toHaveProperty("note");
    const info = await entities.info(id);
    expect(info.index["place_idx"]).toEqual({ fields: ["city", "area", "opened"] });
    expect(Object.keys(info.schema)).toEqual([
      "id",
      "city",
      "area",
      "opened",
      "size",
      "is_open",
      "more",
      "created_at",
      "updated_at",
      "colour",
    ]);
  });

  it("makes a field required when every row has it", async () => {
    const id = await newEntity();
    await entities.sendEntityData(id, { id: "a", city: "Oslo" });
    await expect(entities.updateField(id, "zone", { required: true })).rejects.toThrow("Error on Body parameters");
    await entities.editEntityData(id, { id: "a", zone: 1 });
    await entities.updateField(id, "zone", { required: true });
    await expect(entities.sendEntityData(id, { city: "Bergen" })).rejects.toThrow("Error on Body parameters");
    await entities.updateField(id, "zone", { required: false });
    expect(await entities.sendEntityData(id, { city: "Bergen" })).toBe("1 Data Added");
  });

  it.each([
    ["another type", { schema: { zone: { action: "update", type: "string" } } }, "The type cannot change"],
    ["a name that is taken", { schema: { zone: { action: "rename", new_name: "city" } } }, 'There is a field "city"'],
    ["a field that is there", { schema: { zone: { action: "create", type: "int" } } }, "There is a field of this name"],
    ["no field of its own", { schema: { none: { action: "delete" } } }, "There is no such field"],
    ["a field of every entity", { schema: { id: { action: "delete" } } }, "This field belongs to every entity"],
    ["a field an index uses", { schema: { zone: { action: "delete" } } }, 'The index "place_idx" uses this field'],
    [
      "a required field beside rows",
      { schema: { x: { action: "create", type: "int", required: true } } },
      "required field cannot be added to an entity with existing data",
    ],
    ["an index of every entity", { index: { id_idx: { action: "delete" } } }, "This index belongs to every entity"],
    ["a field without an action", { schema: { x: { type: "int" } } }, "The action must be"],
    ["an index without an action", { index: { x: { fields: ["city"] } } }, "The action must be"],
    ["no index of its own", { index: { none: { action: "delete" } } }, "There is no such index"],
    [
      "an index that is there",
      { index: { place_idx: { action: "create", fields: ["city"] } } },
      "There is an index of this name",
    ],
    ["an index of json", { index: { x_idx: { action: "create", fields: ["extra"] } } }, "is of type json"],
  ])("refuses %s", async (_, body, text) => {
    const id = await newEntity();
    await entities.sendEntityData(id, { city: "Oslo" });
    const answer = await call(sandbox, "PUT", `/entity/${id}/schema`, { token, body });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body.field_errors)).toContain(JSON.stringify(text).slice(1, -1));
    expect((await entities.info(id)).schema).toHaveProperty("zone.type", "int");
  });

  it("deletes an index with its field in one request", async () => {
    const id = await newEntity();
    await entities.editSchemaIndex(id, {
      schema: { zone: { action: "delete" } },
      index: { place_idx: { action: "delete" }, city_idx: { action: "create", fields: ["city"] } },
    });
    await entities.sendEntityData(id, { id: "a", city: "Oslo" });
    expect(await entities.getEntityData(id, { index: "city_idx", filter: { city: "Oslo" } })).toHaveLength(1);
    expect(await entities.deleteIndex(id, "city_idx")).toEqual({ message: "Entity Successfully Updated" });
    expect((await get(id, "index=city_idx")).body.message).toBe("Invalid index");
  });
});

it("writes its rows to a file as CSV", async () => {
  const id = await newEntity();
  await entities.sendEntityData(id, { id: "a", city: 'Oslo, "west"', zone: 1, extra: { b: 1 } });
  const body = { file_address: "/backup/sites", headers: true };
  const result = await ok(sandbox, "POST", `/entity/${id}/data/backup`, { token, body });
  expect(result).toEqual({ file_address: "backup/sites.csv" });
  const file = await call(sandbox, "GET", `/file/${sandbox.profileId}/backup/sites.csv`, { token });
  expect(file.text.split("\n")).toEqual([
    "id,city,zone,opened,note,size,open,extra,created_at,updated_at",
    'a,"Oslo, ""west""",1,,,,,"{""b"":1}",2026-05-14T10:37:21.500Z,2026-05-14T10:37:21.500Z',
    "",
  ]);
});

it("tells listeners of its channel about rows", async () => {
  const id = await newEntity();
  const stop = new AbortController();
  const stream = await fetch(`${sandbox.eventsUrl}?channels=entity_data.${id}&token=${token}`, { signal: stop.signal });
  await entities.sendEntityData(id, { id: "a", city: "Oslo" });
  let text = "";
  for await (const chunk of stream.body ?? []) {
    text += Buffer.from(chunk).toString("utf8");
    if (text.includes("data:")) break;
  }
  stop.abort();
  const frame = JSON.parse(/data: (.*)/.exec(text)?.[1] ?? "{}");
  expect(frame).toMatchObject({ channel: `entity_data.${id}`, payload: [{ id: "a", city: "Oslo" }] });
});
