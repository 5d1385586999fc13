import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { call, newDevice, ok } from "./client.ts";

type Tuple = readonly string[];

interface Rule {
  readonly targets: readonly Tuple[];
  readonly permissions: readonly {
    readonly effect: string;
    readonly action: readonly string[];
    readonly resource: Tuple;
  }[];
}

let sandbox: Sandbox;
let profileToken: string;
/** Carries site=north. */
let device: string;
let deviceToken: string;
/** Carries site=south. */
let otherDevice: string;
let dashboard: string;
let user: { readonly id: string; readonly token: string };
let analysis: { readonly id: string; readonly token: string };
let rules: string[] = [];

const tag = (key: string, value: string) => ({ key, value });
const admin = <T = unknown>(method: string, path: string, body?: unknown): Promise<T> =>
  ok<T>(sandbox, method, path, { token: profileToken, ...(body !== undefined && { body }) });

async function setRules(...wanted: readonly Rule[]): Promise<void> {
  for (const id of rules) await admin("DELETE", `/am/${id}`);
  rules = [];
  for (const rule of wanted) {
    const { am_id } = await admin<{ am_id: string }>("POST", "/am", { name: "rule", ...rule });
    rules.push(am_id);
  }
}

async function status(token: string, method: string, path: string, body?: unknown): Promise<number> {
  return (await call(sandbox, method, path, { token, ...(body !== undefined && { body }) })).status;
}

const may = async (token: string, path: string): Promise<boolean> => (await status(token, "GET", path)) === 200;

const allow = (resource: Tuple, ...action: readonly string[]) => ({ effect: "allow", action, resource });
const deny = (resource: Tuple, ...action: readonly string[]) => ({ effect: "deny", action, resource });

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty", access: "enforced" });
  profileToken = sandbox.tokens.profile;
  const made = await newDevice(sandbox, { tags: [tag("site", "north")] });
  device = made.device_id;
  deviceToken = made.token;
  otherDevice = (await newDevice(sandbox, { tags: [tag("site", "south")] })).device_id;
  dashboard = (
    await admin<{ dashboard: string }>("POST", "/dashboard", { label: "Board", tags: [tag("site", "north")] })
  ).dashboard;
  const created = await admin<{ user: string }>("POST", "/run/users", {
    name: "Uma",
    email: "uma@example.test",
    password: "secret",
    timezone: "UTC",
    active: true,
    tags: [tag("site", "north"), tag("role", "viewer")],
  });
  const login = await admin<{ token: string }>("GET", `/run/users/${created.user}/login`);
  user = { id: created.user, token: login.token };
  analysis = await admin<{ id: string; token: string }>("POST", "/analysis", {
    name: "Report",
    run_on: "external",
    tags: [tag("site", "north"), tag("role", "viewer")],
  });
});
afterAll(() => sandbox.close());
beforeEach(() => setRules());

/** Targets by what they name, and whether that is the principal. */
const targets = (type: string, id: string): readonly (readonly [string, Tuple, boolean])[] => [
  ["every one", [type], true],
  ["its id", [type, "id", id], true],
  ["another id", [type, "id", "65a1000000000000000d0001"], false],
  ["its tag", [type, "tag.key", "role", "tag.value", "viewer"], true],
  ["another value of its tag", [type, "tag.key", "role", "tag.value", "editor"], false],
  ["a tag it has not", [type, "tag.key", "team", "tag.value", "viewer"], false],
  ["a key it has", [type, "tag_match", "site"], true],
  ["a key it has not", [type, "tag_match", "team"], false],
  ["two parts", [type, "id"], false],
  ["four parts", [type, "tag.key", "role", "tag.value"], false],
  ["six parts", [type, "tag.key", "role", "tag.value", "viewer", "more"], false],
  ["the other type", [type === "analysis" ? "run_user" : "analysis"], false],
];

/** Resources by what they name: whether that is the north device, and the south one. */
const resources = (): readonly (readonly [string, Tuple, boolean, boolean])[] => [
  ["every device", ["device"], true, true],
  ["its id", ["device", "id", device], true, false],
  ["its tag", ["device", "tag.key", "site", "tag.value", "north"], true, false],
  ["the other's tag", ["device", "tag.key", "site", "tag.value", "south"], false, true],
  ["a tag with the principal's value", ["device", "tag_match", "site"], true, false],
  ["a tag the principal has and the device has not", ["device", "tag_match", "role"], false, false],
  ["two parts", ["device", "id"], false, false],
  ["four parts", ["device", "tag.key", "site", "tag.value"], false, false],
  ["six parts", ["device", "tag.key", "site", "tag.value", "north", "more"], false, false],
  ["another type", ["dashboard"], false, false],
];

describe.each(["run_user", "analysis"] as const)("a rule for a %s", (type) => {
  const principal = () => (type === "run_user" ? user : analysis);
  const both = async (): Promise<readonly boolean[]> => [
    await may(principal().token, `/device/${device}`),
    await may(principal().token, `/device/${otherDevice}`),
  ];

  /** Each target with a resource that is the device, and each resource with a target that is the principal; or all with all. */
  const pairs = (isAll: boolean) =>
    targets(type, principal().id).flatMap((one) =>
      resources()
        .filter((other) => isAll || one[0] === "its id" || other[0] === "every device")
        .map((other) => [one, other] as const),
    );

  async function expectAllowed(isAll: boolean): Promise<void> {
    for (const [[whom, target, isTarget], [what, resource, north, south]] of pairs(isAll)) {
      await setRules({ targets: [target], permissions: [allow(resource, "access")] });
      expect(await both(), `${whom}: ${what}`).toEqual([isTarget && north, isTarget && south]);
    }
  }

  async function expectDenied(isAll: boolean): Promise<void> {
    for (const [[whom, target, isTarget], [what, resource, north, south]] of pairs(isAll)) {
      const everything: Rule = { targets: [[type]], permissions: [allow(["device"], "access")] };
      await setRules(everything, { targets: [target], permissions: [deny(resource, "access")] });
      expect(await both(), `${whom}: ${what}`).toEqual([!(isTarget && north), !(isTarget && south)]);
    }
  }

  it("reaches whom its targets name, and what its resources name", () => expectAllowed(false));

  it("takes away what it denies, from whatever else is allowed", () => expectDenied(false));

  it("does both for every target with every resource", { tags: ["slow"] }, async () => {
    await expectAllowed(true);
    await expectDenied(true);
  });

  it("is the same in whatever order it names its permissions and targets, and rules were made", async () => {
    const all = allow(["device"], "access");
    const not = deny(["device", "id", device], "access");
    const id = principal().id;
    for (const permissions of [
      [all, not],
      [not, all],
    ]) {
      await setRules({
        targets: [
          [type, "id", "65a1000000000000000d0001"],
          [type, "id", id],
        ],
        permissions,
      });
      expect(await both()).toEqual([false, true]);
    }
    const one = { targets: [[type]], permissions: [all] };
    const two = { targets: [[type]], permissions: [not] };
    for (const order of [
      [one, two],
      [two, one],
    ]) {
      await setRules(...order);
      expect(await both()).toEqual([false, true]);
    }
  });

  it("is about the actions it names, and only while it is active", async () => {
    const path = `/device/${device}`;
    await setRules({ targets: [[type]], permissions: [allow(["device"], "edit", "delete")] });
    expect(await may(principal().token, path)).toBe(false);
    await setRules({
      targets: [[type]],
      permissions: [allow(["device"], "edit", "access"), deny(["device"], "delete")],
    });
    expect(await may(principal().token, path)).toBe(true);
    await admin("PUT", `/am/${rules[0]}`, { active: false });
    expect(await may(principal().token, path)).toBe(false);
    await admin("PUT", `/am/${rules[0]}`, { active: true });
    expect(await may(principal().token, path)).toBe(true);
  });

  it("makes lists hold the allowed rows only, on every page", async () => {
    const list = async (query = ""): Promise<unknown> => {
      const rows = await ok<{ id: string }[]>(sandbox, "GET", `/device${query}`, { token: principal().token });
      return rows.map(({ id }) => id);
    };
    await setRules({ targets: [[type]], permissions: [allow(["device", "tag_match", "site"], "access")] });
    expect(await list()).toEqual([device]);
    expect(await list("?amount=1&page=1")).toEqual([device]);
    expect(await list("?amount=1&page=2")).toEqual([]);
    await setRules({
      targets: [[type]],
      permissions: [allow(["device"], "access"), deny(["device", "id", device], "access")],
    });
    expect(await list()).toEqual([otherDevice]);
    await setRules();
    const answer = await call(sandbox, "GET", "/device", { token: principal().token });
    const expected = type === "run_user" ? [200, []] : [401, undefined];
    expect([answer.status, answer.body.result]).toEqual(expected);
  });
});

const NOWHERE = "65a1000000000000000d00ff";

/** Routes an analysis calls, with the permission each needs. */
const routes = (): readonly (readonly [
  method: string,
  path: string,
  resource: string,
  action: string,
  body?: unknown,
])[] => [
  ["GET", `/device/${device}`, "device", "access"],
  ["POST", "/device", "device", "create", {}],
  ["PUT", `/device/${device}`, "device", "edit", {}],
  ["DELETE", `/device/${NOWHERE}`, "device", "delete"],
  ["GET", `/device/${device}/params`, "device", "access"],
  ["POST", `/device/${device}/params`, "device", "edit", []],
  ["GET", `/device/token/${device}`, "device", "token_access"],
  ["POST", "/device/token", "device", "token_access", { device, name: "t", permission: "full" }],
  ["DELETE", "/device/token/00000000-0000-4000-8000-000000000000", "device", "token_access"],
  ["GET", `/device/${device}/data`, "device", "get_data"],
  ["GET", `/device/${device}/data_amount`, "device", "get_data"],
  ["POST", `/device/${device}/data`, "device", "send_data", [{ variable: "v", value: 1 }]],
  ["PUT", `/device/${device}/data`, "device", "edit_data", []],
  ["DELETE", `/device/${device}/data`, "device", "delete_data"],
  ["POST", `/device/${device}/empty`, "device", "delete_data"],
  ["GET", `/device/${device}/chunk`, "device", "manage_chunks"],
  ["DELETE", `/device/${device}/chunk/1_2`, "device", "manage_chunks"],
  ["POST", `/device/${device}/chunk/copy`, "device", "manage_chunks", {}],
  ["POST", `/device/${device}/data/backup`, "device", "export_data", {}],
  ["POST", `/device/${device}/chunk/backup`, "device", "export_data", {}],
  ["POST", `/device/${device}/data/restore`, "device", "import_data", {}],
  ["GET", `/dashboard/${dashboard}`, "dashboard", "access"],
  ["POST", "/dashboard", "dashboard", "create", {}],
  ["PUT", `/dashboard/${dashboard}`, "dashboard", "edit", {}],
  ["DELETE", `/dashboard/${NOWHERE}`, "dashboard", "delete"],
  ["POST", `/dashboard/${NOWHERE}/duplicate`, "dashboard", "duplicate", {}],
  ["GET", `/dashboard/${dashboard}/devices`, "dashboard", "related_devices"],
  ["GET", `/dashboard/${dashboard}/analysis`, "dashboard", "related_analysis"],
  ["POST", `/dashboard/${NOWHERE}/widget`, "dashboard", "edit", {}],
  ["GET", `/data/${dashboard}/${NOWHERE}`, "dashboard", "access"],
  ["POST", `/data/files/${dashboard}/${NOWHERE}`, "dashboard", "access", {}],
  ["POST", `/entity/${NOWHERE}/data/backup`, "entity", "get_data", {}],
  ["GET", "/profile/current/addons", "account", "access_profile"],
  ["GET", `/analysis/${analysis.id}`, "analysis", "access"],
  ["PUT", `/analysis/${analysis.id}`, "analysis", "edit", {}],
  ["POST", `/analysis/${NOWHERE}/run`, "analysis", "run", {}],
  ["POST", "/action", "action", "create", {}],
  ["GET", `/run/users/${user.id}`, "run_user", "access"],
  ["POST", "/run/users", "run_user", "create", {}],
  ["PUT", `/run/users/${user.id}`, "run_user", "edit", {}],
  ["DELETE", `/run/users/${NOWHERE}`, "run_user", "delete"],
  ["GET", `/run/users/${NOWHERE}/login`, "run_user", "login_as_user"],
  ["GET", "/am/settings", "access_management", "access"],
  ["POST", "/am", "access_management", "create", {}],
  ["PUT", `/am/${NOWHERE}`, "access_management", "edit", {}],
  ["DELETE", `/am/${NOWHERE}`, "access_management", "delete"],
  ["GET", "/account", "account", "access"],
  ["GET", "/profile/current", "account", "access_profile"],
  ["GET", "/profile/current/statistics", "account", "access_profile_statistics"],
  ["GET", "/files?path=/reports", "file", "access"],
  ["GET", "/secrets/65a1000000000000000d00ff", "secrets", "access"],
  ["POST", "/secrets", "secrets", "create", {}],
  ["GET", "/run", "run", "access"],
  ["PUT", "/run", "run", "edit", {}],
];

describe("the routes", () => {
  it("open for exactly the action each of them needs", async () => {
    for (const [method, path, resource, action, body] of routes()) {
      const name = `${method} ${path} ${resource} ${action}`;
      await setRules({ targets: [["analysis"]], permissions: [allow([resource], "something_else")] });
      expect(await status(analysis.token, method, path, body), name).toBe(401);
      await setRules({ targets: [["analysis"]], permissions: [allow([resource], action)] });
      expect(await status(analysis.token, method, path, body), name).not.toBe(401);
    }
  });

  it("that only an account may use stay shut to every analysis", async () => {
    const everything = ["device", "account", "run", "access_management"].map((resource) =>
      allow([resource], "access", "create", "edit", "delete", "access_profile"),
    );
    await setRules({ targets: [["analysis"]], permissions: everything });
    for (const [method, path] of [
      ["DELETE", "/account"],
      ["PUT", "/account"],
      ["POST", "/profile/current/token"],
      ["DELETE", "/profile/current"],
      ["POST", "/account/subscription"],
      ["GET", "/profile/current/auditlog"],
    ] as const) {
      expect(await status(analysis.token, method, path, method === "GET" ? undefined : {}), path).toBe(401);
    }
  });

  it("an analysis is made for need no rule: its own facts and its services", async () => {
    expect(await status(analysis.token, "GET", "/info")).toBe(200);
    const line = { message: "hello", timestamp: 1_750_000_000_000 };
    expect(await status(analysis.token, "POST", "/analysis/services/console/send", line)).toBe(200);
  });

  it("of portal users are few, whatever rules say", async () => {
    await setRules({ targets: [["run_user"]], permissions: [allow(["device"], "access", "edit", "delete", "create")] });
    expect(await status(user.token, "PUT", `/device/${device}`, {})).toBe(401);
    expect(await status(user.token, "POST", "/device", {})).toBe(401);
    expect(await status(user.token, "DELETE", `/device/${device}`)).toBe(401);
    expect(await status(user.token, "GET", "/am")).toBe(401);
    expect(await status(user.token, "POST", "/run/users", {})).toBe(401);
  });

  it("of portal users are also entities with their rows, portal users and stored queries, where rules allow it", async () => {
    const { id: entity } = await admin<{ id: string }>("POST", "/entity", { name: "sites", schema: {} });
    const query = { name: "all", query: "SELECT d.id FROM devices() AS d" };
    const { id: sql } = await admin<{ id: string }>("POST", "/sql", query);
    const reads = [`/entity/${entity}`, `/entity/${entity}/data`, `/run/users/${user.id}`, `/sql/${sql}`];
    const lists = ["/entity", "/run/users", "/sql"];
    const execute = (): Promise<number> => status(user.token, "POST", `/sql/${sql}/execute`, {});
    const idsIn = async (path: string): Promise<unknown[]> =>
      (await ok<{ id: string }[]>(sandbox, "GET", path, { token: user.token })).map(({ id }) => id);
    for (const path of reads) expect(await status(user.token, "GET", path), path).toBe(401);
    for (const path of lists) expect(await idsIn(path), path).toEqual([]);

    const own = [allow(["entity"], "access"), allow(["run_user", "id", user.id], "access"), allow(["sql"], "access")];
    await setRules({ targets: [["run_user"]], permissions: own });
    for (const path of reads) expect(await status(user.token, "GET", path), path).toBe(200);
    expect([await idsIn("/entity"), await idsIn("/run/users"), await idsIn("/sql")]).toEqual([
      [entity],
      [user.id],
      [sql],
    ]);
    expect(await execute()).toBe(401);
    await setRules({ targets: [["run_user"]], permissions: [allow(["sql", "id", sql], "execute")] });
    expect(await execute()).toBe(200);
    expect(await status(user.token, "POST", `/entity/${entity}/data`, [{}])).toBe(401);
  });

  it("of a profile open by its id", async () => {
    const other = "65a1000000000000000f00aa";
    const path = `/profile/${sandbox.profileId}`;
    for (const [id, expected] of [
      [sandbox.profileId, 200],
      [other, 401],
    ] as const) {
      await setRules({ targets: [["analysis"]], permissions: [allow(["account", "id", id], "access_profile")] });
      expect([
        await status(analysis.token, "GET", path),
        await status(analysis.token, "GET", "/profile/current"),
      ]).toEqual([expected, expected]);
    }
  });
});

describe("the dashboard of a portal user", () => {
  it("opens with its widgets and their data, and lets widgets be moved only with that permission", async () => {
    const { widget } = await admin<{ widget: string }>("POST", `/dashboard/${dashboard}/widget`, {
      label: "Level",
      type: "card",
      display: {},
      data: [{ origin: device, query: "last_item", variables: ["level"] }],
    });
    await ok(sandbox, "POST", "/data", { token: deviceToken, body: [{ variable: "level", value: 7 }] });
    const paths = [
      `/dashboard/${dashboard}`,
      `/dashboard/${dashboard}/widget/${widget}`,
      `/data/${dashboard}/${widget}`,
    ];
    for (const path of paths) expect(await status(user.token, "GET", path), path).toBe(401);

    await setRules({ targets: [["run_user"]], permissions: [allow(["dashboard", "id", dashboard], "access")] });
    for (const path of paths) expect(await status(user.token, "GET", path), path).toBe(200);
    const shown = await ok<{ content: { result: { value: number }[] }[] }>(
      sandbox,
      "GET",
      `/data/${dashboard}/${widget}`,
      {
        token: user.token,
      },
    );
    expect(shown.content[0]?.result[0]?.value).toBe(7);
    const sent = [{ variable: "level", value: 8, origin: device }];
    expect(await status(user.token, "POST", `/data/${dashboard}/${widget}`, sent)).toBe(200);

    const arrangement = [{ widget_id: widget, x: 0, y: 0, width: 1, height: 1, tab: null }];
    expect(await status(user.token, "PUT", `/dashboard/${dashboard}`, { arrangement })).toBe(401);
    await setRules({ targets: [["run_user"]], permissions: [allow(["dashboard"], "access", "arrangement")] });
    expect(await status(user.token, "PUT", `/dashboard/${dashboard}`, { arrangement })).toBe(200);
    expect(await status(user.token, "PUT", `/dashboard/${dashboard}`, { arrangement, label: "Mine" })).toBe(401);
  });
});

describe("files", () => {
  it("open under the path a rule names, and nowhere beside it", async () => {
    const file = Buffer.from("text").toString("base64");
    await setRules({
      targets: [["analysis"]],
      permissions: [allow(["file", "path", "/reports"], "access", "upload", "delete")],
    });
    const upload = (...filenames: readonly string[]): Promise<number> =>
      status(
        analysis.token,
        "POST",
        "/files",
        filenames.map((filename) => ({ filename, file })),
      );
    expect(await upload("/reports/a.txt")).toBe(200);
    expect(await upload("reports/deep/b.txt")).toBe(200);
    for (const outside of ["/reports-old/a.txt", "/other.txt", "reports/../other.txt", "/reports/../../x"]) {
      const isInside = outside === "reports/../other.txt" || outside === "/reports/../../x";
      // What leads out of a folder is dropped, so these two end inside.
      expect(await upload(outside), outside).toBe(isInside ? 200 : 401);
    }
    expect(await upload("/reports/c.txt", "/other.txt")).toBe(401);
    expect(await status(analysis.token, "GET", "/files?path=/reports")).toBe(200);
    expect(await status(analysis.token, "GET", "/files?path=/")).toBe(401);
    expect(await status(analysis.token, "DELETE", "/files", ["reports/a.txt"])).toBe(200);
    expect(await status(analysis.token, "DELETE", "/files", ["report"])).toBe(401);
  });
});

describe("an analysis that rules bind", () => {
  const to = (...resource: Tuple) => ({ targets: [["analysis"]], permissions: [allow(resource, "access")] });

  it("reads through a dashboard what its widgets show, not a device it chooses instead", async () => {
    const { widget } = await admin<{ widget: string }>("POST", `/dashboard/${dashboard}/widget`, {
      ...{ label: "Level", type: "card", display: {} },
      data: [{ origin: device, query: "last_item", variables: ["level"] }],
    });
    await ok(sandbox, "POST", "/data", { token: deviceToken, body: [{ variable: "level", value: 7 }] });
    const path = `/data/${dashboard}/${widget}?blueprint_devices[0][origin]=${device}&blueprint_devices[0][id]=`;
    const rowsOf = async (id: string): Promise<number> => {
      const shown = await ok<{ content: { result: unknown[] }[] }>(sandbox, "GET", `${path}${id}`, {
        token: analysis.token,
      });
      return shown.content[0]?.result.length ?? 0;
    };
    const write = (): Promise<number> =>
      status(analysis.token, "POST", `${path}${otherDevice}`, [{ variable: "level", value: 1, origin: device }]);
    await admin("PUT", `/device/${otherDevice}`, { active: true });
    await setRules(to("dashboard"), to("device", "id", device));
    expect([await rowsOf(device), await rowsOf(otherDevice), await write()]).toEqual([1, 0, 404]);
    expect(await admin("GET", `/device/${otherDevice}/data`)).toEqual([]);
    await setRules(to("dashboard"), to("device"));
    expect(await write()).toBe(200);
    expect(await rowsOf(otherDevice)).toBe(1);
  });

  it("lists of a network the devices it may see, with their tokens only where it may read them", async () => {
    const { connector } = await admin<{ connector: string }>("GET", `/device/${device}`);
    const listed = async (): Promise<readonly (readonly [id: string, hasToken: boolean])[]> => {
      const path = `/integration/network/${connector}/devices`;
      const rows = await ok<{ id: string; token: string }[]>(sandbox, "GET", path, { token: analysis.token });
      return rows.map(({ id, token }) => [id, token !== ""] as const);
    };
    await setRules(to("network"));
    expect(await listed()).toEqual([]);
    await setRules(to("network"), to("device", "id", device));
    expect(await listed()).toEqual([[device, false]]);
    await setRules(to("network"), {
      targets: [["analysis"]],
      permissions: [allow(["device", "id", device], "access", "token_access")],
    });
    expect(await listed()).toEqual([[device, true]]);
  });
});

describe("an analysis that may open and make dashboards", () => {
  it("runs no other analysis from one, and makes no template of what it may not see", async () => {
    const body = { label: "Button", type: "card", display: {} };
    const { widget } = await admin<{ widget: string }>("POST", `/dashboard/${dashboard}/widget`, body);
    const other = await admin<{ id: string }>("POST", "/analysis", { name: "Other", run_on: "external" });
    const permissions = [allow(["dashboard", "id", dashboard], "access"), allow(["dashboard"], "create")];
    const run = (): Promise<number> =>
      status(analysis.token, "POST", `/analysis/${other.id}/run/${dashboard}/${widget}`, { scope: [] });
    const template = (member: object): Promise<number> =>
      status(analysis.token, "POST", "/template", {
        ...{ name: "Copy", image_logo: "a", image_main: "b", setup: { config: [] } },
        ...member,
      });
    await setRules({ targets: [["analysis"]], permissions });
    expect([await run(), await template({ analysis: other.id }), await template({ dashboard: NOWHERE })]).toEqual([
      401, 401, 401,
    ]);
    expect(await template({ dashboard })).not.toBe(401);
    const opened = [...permissions, allow(["analysis", "id", other.id], "run", "access")];
    await setRules({ targets: [["analysis"]], permissions: opened });
    expect(await run()).toBe(200);
    expect(await template({ analysis: other.id })).not.toBe(401);
  });
});

describe("rules themselves", () => {
  it("are listed without targets and permissions, and shown with those that allow first, cut to five parts", async () => {
    const long = ["device", "tag.key", "site", "tag.value", "north", "more"];
    await setRules({ targets: [["analysis"]], permissions: [deny(["device"], "edit"), allow(long, "access")] });
    const [id = ""] = rules;
    const [listed] = await admin<Record<string, unknown>[]>("GET", "/am");
    expect(Object.keys(listed ?? {}).sort()).toEqual(["active", "created_at", "id", "name", "profile", "tags"]);
    const shown = await admin<Record<string, unknown>>("GET", `/am/${id}`);
    expect(shown).toMatchObject({
      active: true,
      permissions: [
        { effect: "allow", resource: long.slice(0, 5) },
        { effect: "deny", resource: ["device"] },
      ],
    });
    expect(await admin("PUT", `/am/${id}`, { permissions: [] })).toBe("Access Management Successfully Updated");
    expect(await admin<Record<string, unknown>>("GET", `/am/${id}`)).toMatchObject({ permissions: [], name: "rule" });
  });

  it("are refused when they make no sense, with the member that is wrong", async () => {
    const body = {
      name: "x",
      targets: [["run_user"]],
      permissions: [{ effect: "maybe", action: ["access"], resource: ["device"] }],
    };
    const answer = await call(sandbox, "POST", "/am", { token: profileToken, body });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      status: false,
      message: { permissions: [{ message: "Invalid enum value. Expected 'allow' | 'deny', received 'maybe'" }] },
    });
    const refusal = async (changes: object): Promise<unknown> => {
      const wrong = { ...body, permissions: [allow(["device"], "access")], ...changes };
      return (await call(sandbox, "POST", "/am", { token: profileToken, body: wrong })).body.message;
    };
    const resource = expect.stringMatching(/^Invalid enum value\. Expected 'device' \| .*, received 'note'$/);
    expect(await refusal({ permissions: [allow(["note"], "access")] })).toEqual({
      permissions: [{ message: resource }],
    });
    expect(await refusal({ targets: [["profile"]] })).toEqual({
      targets: [{ message: "Invalid enum value. Expected 'analysis' | 'run_user', received 'profile'" }],
    });
    expect(await refusal({ targets: [] })).toEqual({
      targets: [{ message: "Array must contain at least 1 element(s)" }],
    });
    const required = [{ message: "Required" }];
    expect(await refusal({ permissions: undefined, targets: undefined })).toEqual({
      permissions: required,
      targets: required,
    });
    expect((await call(sandbox, "GET", `/am/${NOWHERE}`, { token: profileToken })).body).toEqual({
      status: false,
      message: "Access Management Not Found",
    });
  });
});

describe("what rules can be made of", () => {
  it("names 21 resources, and creation by everything but an id", async () => {
    type Choice = { value: string; match_by: string[] };
    const { resources, settings } = await admin<{
      resources: Record<string, unknown>;
      settings: { analysis: Record<string, Choice[]>; run_user: Record<string, Choice[]> };
    }>("GET", "/am/settings");
    expect(Object.keys(resources)).toHaveLength(21);
    const matches = (list: Choice[] | undefined, value: string): unknown =>
      list?.find((choice) => choice.value === value)?.match_by;
    expect(matches(settings.analysis["device"], "create")).toEqual(["any", "tag", "tag_match"]);
    expect(matches(settings.analysis["device"], "edit")).toEqual(["any", "id", "tag", "tag_match"]);
    expect(matches(settings.analysis["account"], "access_profile")).toEqual(["any", "id"]);
    expect(settings.run_user["sql"]?.map(({ value }) => value)).toEqual(["access", "execute"]);
  });
});

/** Actions with the ways to name what they are done to. */
const onRecords = (...actions: readonly string[]) =>
  actions.map((value) => [value, value === "create" ? "any tag tag_match" : "any id tag tag_match"]);
const onAll = (...actions: readonly string[]) => actions.map((value) => [value, "any"]);
const onPaths = (...actions: readonly string[]) => actions.map((value) => [value, "any path"]);
const ordinary = ["access", "create", "edit", "delete"];
const data = ["get_data", "send_data", "edit_data", "delete_data"];

describe("the catalogue of access rules", () => {
  interface Choice {
    readonly label: string;
    readonly value: string;
    readonly description: string;
    readonly match_by: readonly string[];
  }
  interface Settings {
    readonly resources: Readonly<Record<string, { readonly label: string }>>;
    readonly settings: Readonly<Record<"analysis" | "run_user", Readonly<Record<string, readonly Choice[]>>>>;
  }
  const matches = (table: Readonly<Record<string, readonly Choice[]>>) =>
    Object.fromEntries(
      Object.entries(table).map(([name, list]) => [
        name,
        list.map(({ value, match_by }) => [value, match_by.join(" ")]),
      ]),
    );

  it("names every resource and every action, with the ways to match them", async () => {
    const { resources, settings } = await admin<Settings>("GET", "/am/settings");
    expect(resources).toEqual({
      device: { label: "Device" },
      dashboard: { label: "Dashboard" },
      entity: { label: "Entity" },
      analysis: { label: "Analysis" },
      action: { label: "Action" },
      run_user: { label: "Run user" },
      file: { label: "File" },
      access_management: { label: "Access management" },
      account: { label: "Account" },
      secrets: { label: "Secrets" },
      dictionary: { label: "Dictionary" },
      network: { label: "Network" },
      connector: { label: "Connector" },
      service_authorization: { label: "Service authorization" },
      run: { label: "Run" },
      notification: { label: "Notification" },
      email: { label: "E-mail" },
      sms: { label: "SMS" },
      mqtt: { label: "MQTT" },
      attachment: { label: "Attachment" },
      sql: { label: "SQL" },
    });
    expect(matches(settings.analysis)).toEqual({
      device: onRecords(...ordinary, "token_access", ...data, "manage_chunks", "export_data", "import_data"),
      dashboard: onRecords(...ordinary, "duplicate", "related_devices", "related_analysis"),
      entity: onRecords(...ordinary, ...data),
      analysis: onRecords(...ordinary, "run", "upload", "token_access"),
      action: onRecords(...ordinary),
      run_user: onRecords(...ordinary, "login_as_user", "notification"),
      file: onPaths("access", "upload", "edit", "delete"),
      access_management: onRecords(...ordinary),
      account: [...onAll("access"), ["access_profile", "any id"], ...onAll("access_profile_statistics")],
      secrets: onRecords(...ordinary),
      dictionary: onRecords(...ordinary),
      network: onRecords(...ordinary, "token_access"),
      connector: onRecords(...ordinary),
      service_authorization: onAll(...ordinary),
      run: onAll("access", "edit"),
      notification: onAll(...ordinary),
      sql: onRecords(...ordinary, "execute"),
    });
    expect(matches(settings.run_user)).toEqual({
      device: onRecords("access", "get_data", "send_data"),
      dashboard: onRecords("access", "arrangement"),
      entity: onRecords("access"),
      run_user: onRecords("access"),
      sql: onRecords("access", "execute"),
      file: onPaths("access"),
      dictionary: onRecords("access"),
    });
    expect(settings.analysis["run_user"]?.find(({ value }) => value === "login_as_user")).toEqual({
      label: "Login as user",
      value: "login_as_user",
      description: "Login as user: Run user",
      match_by: ["any", "id", "tag", "tag_match"],
    });
  });
});

describe("a dictionary that a rule names", () => {
  it("is read by id and by slug, and kept from others by both", async () => {
    const make = async (slug: string): Promise<string> => {
      const body = { name: slug, slug, fallback: "en-US" };
      const { dictionary } = await admin<{ dictionary: string }>("POST", "/dictionary", body);
      await admin("PUT", `/dictionary/${dictionary}/en-US`, { dictionary: { HELLO: "Hello" } });
      return dictionary;
    };
    const [open, shut] = [await make("OPEN"), await make("SHUT")];
    const reads = async () =>
      Promise.all([open, "OPEN", shut, "SHUT"].map((name) => may(user.token, `/dictionary/${name}/en-US`)));
    const targets = [["run_user"]];
    await setRules({ targets, permissions: [allow(["dictionary", "id", open], "access")] });
    expect(await reads()).toEqual([true, true, false, false]);
    const permissions = [allow(["dictionary"], "access"), deny(["dictionary", "id", shut], "access")];
    await setRules({ targets, permissions });
    expect(await reads()).toEqual([true, true, false, false]);
  });
});

describe("how far rules reach", () => {
  it("follows the option: analyses are free until a rule names them, bound from the start, or never", async () => {
    const reach = async (access: "open" | "enforced" | undefined): Promise<readonly number[]> => {
      const other = await createSandbox({ seed: "empty", ...(access !== undefined && { access }) });
      const token = other.tokens.profile;
      const target = (await newDevice(other)).device_id;
      const get = async (): Promise<number> =>
        (await call(other, "GET", `/device/${target}`, { token: other.tokens.analysis })).status;
      const before = await get();
      const rule = { name: "r", targets: [["analysis"]], permissions: [allow(["dashboard"], "access")] };
      await ok(other, "POST", "/am", { token, body: rule });
      const after = await get();
      await other.close();
      return [before, after];
    };
    expect(await reach(undefined)).toEqual([200, 401]);
    expect(await reach("enforced")).toEqual([401, 401]);
    expect(await reach("open")).toEqual([200, 200]);
  });
});
