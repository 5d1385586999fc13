import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, manualClock, type Sandbox } from "../../src/sandbox/index.ts";
import { matchesWildcard } from "../../src/sandbox/store/list-records.ts";
import { growthOf, IN_PROPORTION } from "../helpers/growth.ts";
import { call, newDevice, ok } from "./client.ts";

interface Row {
  readonly id: string;
  readonly name?: string;
  readonly tags: readonly { key: string; value: string }[];
  readonly [member: string]: unknown;
}

const clock = manualClock(Date.parse("2026-05-10T00:00:00Z"));
const DAY_MS = 86_400_000;

let sandbox: Sandbox;

const list = (query: string): Promise<Row[]> => ok(sandbox, "GET", `/device?${query}`, { token: sandbox.tokens.read });
const names = async (query: string): Promise<unknown[]> => (await list(query)).map((row) => row.name);

const DEVICES = [
  {
    name: "Alpha pump",
    tags: [
      { key: "site", value: "North" },
      { key: "kind", value: "pump" },
    ],
  },
  { name: "alpha valve", tags: [{ key: "site", value: "South" }], active: false },
  { name: "Beta 100%", tags: [{ key: "Site", value: "North East" }] },
  { name: "Beta_100", tags: [], visible: false },
  { name: "Größe ÄÖÜ", tags: [{ key: "site", value: "ÉTÉ" }], serie_number: "0012" },
] as const;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty", clock });
  for (const device of DEVICES) {
    await newDevice(sandbox, device);
    clock.advance(DAY_MS);
  }
});
afterAll(() => sandbox.close());

describe("fields", () => {
  it("are a few of the record unless others are named; id and tags always come along", async () => {
    const [first] = await list("amount=1");
    expect(Object.keys(first ?? {}).sort()).toEqual(["connector", "id", "name", "network", "tags"]);
    const [named] = await list("amount=1&fields[0]=active&fields[1]=nonsense&fields[2]=__proto__");
    expect(Object.keys(named ?? {}).sort()).toEqual(["active", "id", "tags"]);
  });

  it("of a device list hold the id of the bucket, and resolved names when asked for", async () => {
    const [row] = await list("amount=1&fields=bucket&resolveBucketName=True&resolveConnectorName=true");
    expect(row).toMatchObject({ bucket: row?.id, bucket_name: "Alpha pump", connector_name: expect.any(String) });
  });
});

describe("a list that differs from the others", () => {
  const get = (path: string) => call(sandbox, "GET", path, { token: sandbox.tokens.profile });
  const make = (path: string, body: object) => ok(sandbox, "POST", path, { token: sandbox.tokens.profile, body });

  it.each([
    ["/analysis", "run_on", ["nonsense", "interval"]],
    ["/am", "active", ["tags", "id"]],
    ["/run/users", "last_login", ["email", "company"]],
  ])("%s refuses an orderBy it cannot follow, and takes %s", async (path, good, bad) => {
    expect((await get(`${path}?orderBy=${good},desc`)).status).toBe(200);
    expect((await get(`${path}?orderBy=`)).status).toBe(200);
    for (const orderBy of [...bad.map((field) => `${field},asc`), `${good},sideways`]) {
      const { status, body } = await get(`${path}?orderBy=${orderBy}`);
      expect([status, body.message], orderBy).toEqual([400, "Invalid orderBy parameter"]);
    }
  });

  it("/analysis ignores filter[run_on] and shows tags and last_run whatever is asked for", async () => {
    await make("/analysis", { name: "One", run_on: "tago" });
    for (const runOn of ["tago", "external", "nonsense"]) {
      const { body } = await get(`/analysis?filter[run_on]=${runOn}&filter[name]=One&fields=name`);
      const [row] = body.result as Row[];
      expect(Object.keys(row ?? {}).sort(), runOn).toEqual(["id", "last_run", "name", "tags"]);
    }
    expect((await get("/analysis?filter[name]=Two")).body.result).toEqual([]);
  });

  it("/sql shows id, name and tags whatever is asked for, and orders by what it can", async () => {
    await make("/sql", { name: "Levels", query: "SELECT d.id FROM devices() AS d" });
    const { status, body } = await get("/sql?fields[0]=query&fields[1]=active&orderBy=nonsense,asc");
    expect([status, body.result]).toEqual([200, [{ id: expect.any(String), name: "Levels", tags: [] }]]);
  });

  it.each(["permissions", "targets"])("/am fails when it is asked for %s", async (field) => {
    const { status, body } = await get(`/am?fields[0]=name&fields[1]=${field}`);
    expect([status, body.message]).toEqual([500, "Sorry, Internal Error"]);
  });

  it.each(["connector", "network"])("/integration/%s shows the catalogue without a token", async (name) => {
    const path = `/integration/${name}/`;
    await make(path, name === "connector" ? { name: "Own", networks: [] } : { name: "Own" });
    const names = async (query: string, options: { token?: string } = { token: sandbox.tokens.profile }) => {
      const { body } = await call(sandbox, "GET", `${path}?${query}`, options);
      return body.status ? (body.result as Row[]).map((row) => row.name) : [body.message];
    };
    const own = await names(`filter[profile]=${sandbox.profileId}`);
    const open = await names("", {});
    expect([own, open]).toEqual([expect.arrayContaining(["Own"]), expect.not.arrayContaining(["Own"])]);
    expect([...own, ...open].sort()).toEqual(await names(""));
    expect(await names("", { token: "wrong" })).toEqual(["Authorization Denied"]);
  });

  it("/secrets is filtered by tags, by a key alone and by a value alone", async () => {
    await make("/secrets", { key: "FIRST", value: "123456", tags: [{ key: "site", value: "north" }] });
    await make("/secrets", { key: "SECOND", value: "123456", tags: [{ key: "kind", value: "south" }] });
    const keys = async (tag: string) => {
      const { body } = await get(`/secrets?fields=key&filter[tags][0]${tag}`);
      return (body.result as { key: string }[]).map(({ key }) => key);
    };
    expect([await keys("[key]=site"), await keys("[value]=south")]).toEqual([["FIRST"], ["SECOND"]]);
  });
});

describe("pages", () => {
  it("follow each other without gap or overlap, and end with an empty one", async () => {
    const seen = [
      ...(await names("amount=2&page=1")),
      ...(await names("amount=2&page=2")),
      ...(await names("amount=2&page=3")),
    ];
    expect(seen).toEqual(["Alpha pump", "alpha valve", "Beta 100%", "Beta_100", "Größe ÄÖÜ"]);
    expect(await names("amount=2&page=4")).toEqual([]);
    expect(await names("amount=2&page=99999999999999999999")).toEqual([]);
  });

  it("take the default for numbers that make no sense", async () => {
    for (const query of ["page=0", "page=-3", "page=x", "amount=0", "amount=x", "amount=", "page=1.9", "amount=1e9"]) {
      expect(await names(query), query).toHaveLength(5);
    }
    expect(await names("amount=-5")).toHaveLength(1);
  });
});

describe("order", () => {
  it("is by name, and goes either way, whatever the case of the letters", async () => {
    expect(await names("orderBy=name,desc")).toEqual([
      "Größe ÄÖÜ",
      "Beta_100",
      "Beta 100%",
      "alpha valve",
      "Alpha pump",
    ]);
    expect(await names("orderBy[0]=created_at&orderBy[1]=desc&amount=1")).toEqual(["Größe ÄÖÜ"]);
    expect(await names("orderBy=created_at&amount=1")).toEqual(["Alpha pump"]);
  });

  it("falls back to the default when it cannot be read", async () => {
    const usual = await names("");
    for (const query of [
      "orderBy=nonsense,asc",
      "orderBy=name,sideways",
      "orderBy=",
      "orderBy=name';DROP TABLE entity,asc",
    ]) {
      expect(await names(query), query).toEqual(usual);
    }
  });

  it("puts missing values last in both directions", async () => {
    const [last] = await list("filter[name]=Beta_100");
    const token = await ok<{ token: string }[]>(sandbox, "GET", `/device/token/${last?.id}`, {
      token: sandbox.tokens.profile,
    });
    await ok(sandbox, "POST", "/data", { token: token[0]?.token ?? "", body: { variable: "a", value: 1 } });
    expect((await names("orderBy=last_input,asc"))[0]).toBe("Beta_100");
    expect((await names("orderBy=last_input,desc"))[0]).toBe("Beta_100");
  });
});

describe("filters", () => {
  it("match the whole text unless a star stands for the rest, in any case", async () => {
    expect(await names("filter[name]=alpha")).toEqual([]);
    expect(await names("filter[name]=ALPHA PUMP".replace(" ", "%20"))).toEqual(["Alpha pump"]);
    expect(await names("filter[name]=alpha*")).toEqual(["Alpha pump", "alpha valve"]);
    expect(await names("filter[name]=*A*V*")).toEqual(["alpha valve"]);
    expect(await names(`filter[name]=${encodeURIComponent("größe äöü")}`)).toEqual(["Größe ÄÖÜ"]);
    expect(await names("filter[name]=***")).toHaveLength(5);
  });

  it("take percent and underscore for ordinary characters", async () => {
    expect(await names(`filter[name]=${encodeURIComponent("beta 100%")}`)).toEqual(["Beta 100%"]);
    expect(await names(`filter[name]=${encodeURIComponent("%*")}`)).toEqual([]);
    expect(await names("filter[name]=beta_1*")).toEqual(["Beta_100"]);
  });

  it("do not take longer with every star of a pattern made to take long", async () => {
    await newDevice(sandbox, { name: "a".repeat(40), tags: [{ key: "hostile", value: "a".repeat(1_000) }] });
    const find = async (stars: number) => {
      expect(await names(`filter[name]=${"a*".repeat(stars)}b`)).toEqual([]);
      expect(await names(`filter[tags][0][value]=${"*a".repeat(stars)}b`)).toEqual([]);
    };
    // A few stars are enough to tell: with each, a search that tries all ways takes many times as long.
    expect(await growthOf(find, 1)).toBeLessThan(IN_PROPORTION);
    await find(400);
  });

  it("by tag: each condition must hold for one tag; key and value take stars; JSON text is accepted", async () => {
    const north = "filter[tags][0][key]=site&filter[tags][0][value]=north*";
    expect(await names(north)).toEqual(["Alpha pump", "Beta 100%"]);
    expect(await names(`${north}&filter[tags][1][key]=kind&filter[tags][1][value]=PUMP`)).toEqual(["Alpha pump"]);
    expect(await names("filter[tags][0][key]=kind")).toEqual(["Alpha pump"]);
    expect(await names("filter[tags][0][value]=south")).toEqual(["alpha valve"]);
    expect(await names(`filter[tags]=${encodeURIComponent('[{"key":"site","value":"été"}]')}`)).toEqual(["Größe ÄÖÜ"]);
    const bad = await call(sandbox, "GET", "/device?filter[tags]={bad", { token: sandbox.tokens.read });
    expect(bad.status).toBe(400);
  });

  it("by id take one or a list; by flag take any spelling; by date take moments and durations", async () => {
    const all = await list("fields=created_at&orderBy=created_at,asc");
    const [a, b] = all;
    expect(await names(`filter[id]=${a?.id}`)).toEqual(["Alpha pump"]);
    expect(await names(`filter[id][0]=${a?.id}&filter[id][1]=${b?.id}`)).toHaveLength(2);
    expect(await names("filter[active]=False")).toEqual(["alpha valve"]);
    expect(await names("filter[visible]=0")).toEqual(["Beta_100"]);
    expect(await names("filter[created_at]=2026-05-14")).toContain("Größe ÄÖÜ");
    expect(await names("filter[created_at]=2026-05-14")).not.toContain("Alpha pump");
    expect(await names("filter[created_at]=4 days".replace(" ", "%20"))).not.toContain("Alpha pump");
    const range = "filter[created_at][start]=2026-05-10&filter[created_at][end]=2026-05-11T12:00:00Z";
    expect(await names(range)).toEqual(["Alpha pump", "alpha valve"]);
    const createdAt = encodeURIComponent(String(a?.["created_at"]));
    // Both ends belong to it.
    expect(await names(`filter[created_at][start]=${createdAt}&filter[created_at][end]=${createdAt}`)).toEqual([
      "Alpha pump",
    ]);
    expect((await call(sandbox, "GET", "/device?filter[created_at]=soon", { token: sandbox.tokens.read })).status).toBe(
      400,
    );
  });

  it("that are empty or unknown count as absent", async () => {
    const usual = await names("");
    for (const query of [
      "filter[name]=",
      "filter=",
      "filter[nonsense]=1",
      "nonsense=1",
      "filter[tags]=",
      "filter[id]=",
    ]) {
      expect(await names(query), query).toEqual(usual);
    }
  });

  it("find devices by serial number", async () => {
    expect(await names("serial=0012")).toEqual(["Größe ÄÖÜ"]);
    expect(await names("serial=nope")).toEqual([]);
  });
});

describe("wildcards in memory", () => {
  it("agree with a regular expression", () => {
    const letters = fc.stringMatching(/^[abA*%_]{0,8}$/);
    fc.assert(
      fc.property(letters, fc.stringMatching(/^[abAB%_]{0,10}$/), (pattern, text) => {
        const escaped = pattern.toLowerCase().replaceAll(/[%_]/g, "\\$&").replaceAll("*", ".*");
        expect(matchesWildcard(text, pattern)).toBe(
          new RegExp(`^${escaped.replaceAll("\\_", "_").replaceAll("\\%", "%")}$`).test(text.toLowerCase()),
        );
      }),
    );
  });
});

describe("tag keys", () => {
  it("are listed once each", async () => {
    const keys = await ok<string[]>(sandbox, "GET", "/tags/keys/device", { token: sandbox.tokens.read });
    expect(keys).toEqual(expect.arrayContaining(["kind", "site"]));
    expect(new Set(keys).size).toBe(keys.length);
    expect(await ok(sandbox, "GET", "/tags/keys/nonsense", { token: sandbox.tokens.read })).toEqual([]);
  });
});

describe("the public catalogue", () => {
  it("is listed beside the profile's own, unless filter[public] is there", async () => {
    const get = (path: string) => ok<Row[]>(sandbox, "GET", path, { token: sandbox.tokens.read });
    const all = await get("/integration/connector/");
    const own = await get("/integration/connector/?filter[public]=true");
    expect(all.length).toBeGreaterThan(own.length);
    const info = await ok<Row>(
      sandbox,
      "GET",
      `/integration/network/${(await get("/integration/network/"))[0]?.id}?fields=name`,
      {
        token: sandbox.tokens.read,
      },
    );
    expect(Object.keys(info).sort()).toEqual(["id", "name", "tags"]);
  });
});
