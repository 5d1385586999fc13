import { describe, expect, it } from "vitest";
import { Network, Resources, RunUser } from "../../../src/index.ts";
import { checkListQuery, wholeNumber } from "../../../src/lib/api/check-query.ts";
import { InputError } from "../../../src/lib/core/errors.ts";
import { failureOf, token } from "../../helpers/fault-client.ts";
import { collect } from "../../helpers/operations.ts";
import { manualClock, scripted, success } from "../../helpers/scripted-transport.ts";

const problemOf = (query: unknown): unknown => {
  try {
    return checkListQuery(query);
  } catch (error) {
    return error;
  }
};

describe("a query that the platform would not understand", () => {
  it.each<[unknown, string, string]>([
    [{ amount: "x" }, "amount", 'Invalid amount: it must be a whole number of at least 1, not "x"'],
    [{ amount: -1 }, "amount", "Invalid amount: it must be a whole number of at least 1, not -1"],
    [{ amount: 1.5 }, "amount", "Invalid amount: it must be a whole number of at least 1, not 1.5"],
    [{ amount: "0" }, "amount", 'Invalid amount: it must be a whole number of at least 1, not "0"'],
    [{ amount: Number.POSITIVE_INFINITY }, "amount", "a whole number of at least 1, not Infinity"],
    [{ page: -1 }, "page", "Invalid page: it must be a whole number of at least 1, not -1"],
    [{ page: true }, "page", "not true"],
    [{ page: [2] }, "page", "not an array"],
    [{ fields: "name" }, "fields", 'Invalid fields: it must be an array of names such as ["id", "name"], not "name"'],
    [{ fields: ["id", 3] }, "fields", "not an array"],
    [{ fields: { id: true } }, "fields", "not an object"],
    [{ filter: 3 }, "filter", 'Invalid filter: it must be an object of conditions such as { name: "Pump*" }, not 3'],
    [{ filter: "name=Pump" }, "filter", 'not "name=Pump"'],
    [{ filter: [{ name: "Pump" }] }, "filter", "not an array"],
    [{ filter: new Map([["name", "Pump"]]) }, "filter", "not an object"],
    [{ filter: Promise.resolve({ name: "Pump" }) }, "filter", "not an object"],
    [{ filter: () => ({ name: "Pump" }) }, "filter", "not a function"],
    [{ orderBy: ["name"] }, "orderBy", 'it must be a field and a direction such as ["name", "asc"], not an array'],
    [{ orderBy: ["name", "up"] }, "orderBy", "not an array"],
    [{ orderBy: "name,up" }, "orderBy", 'not "name,up"'],
    [{ orderBy: { name: "asc" } }, "orderBy", "not an object"],
    [
      "name=Pump",
      "query",
      'Invalid query: it must be an object such as { filter: { name: "Pump*" } }, not "name=Pump"',
    ],
    [[{ filter: {} }], "query", "not an array"],
    [3, "query", "not 3"],
  ])("fails: %j", (query, field, message) => {
    const problem = problemOf(query);
    expect(problem).toBeInstanceOf(InputError);
    expect(problem).toMatchObject({ field, message: expect.stringContaining(message) });
  });

  it("is described in a few words, whatever it holds", () => {
    const itself: unknown[] = [];
    itself.push(itself);
    for (const value of ["x".repeat(100_000), Array.from({ length: 100_000 }, () => "id"), itself, Symbol("a")]) {
      expect(String(problemOf({ filter: value })).length).toBeLessThan(200);
    }
  });

  it.each<unknown>([
    undefined,
    null,
    {},
    { page: 2, amount: 50, fields: ["id"], filter: { name: "Pump*" }, orderBy: ["name", "desc"] },
    { page: "2", amount: "050" },
    { page: 0, amount: "", fields: null, filter: false, orderBy: "" },
    { fields: [], orderBy: [] },
    { orderBy: "created_at" },
    { orderBy: ["name", "ASC"] },
    { filter: Object.create(null) },
    { resolveBucketName: true, customer: 7 },
  ])("is none of these, which keep their meaning: %j", (query) => {
    expect(checkListQuery(query)).toEqual(query ?? {});
  });

  it("has numbers that may be strings of digits", () => {
    expect([wholeNumber("050", "amount"), wholeNumber(7n, "amount"), wholeNumber(0, "amount")]).toEqual([
      50,
      7,
      undefined,
    ]);
  });
});

/** What programs without types pass. */
type Loose = never;

function offline() {
  const transport = scripted(success([]));
  const params = { token, transport, clock: manualClock(), region: "us-e1", attempts: 1 } as const;
  return { transport, it: { ...params, resources: new Resources(params) } };
}

type Offline = ReturnType<typeof offline>["it"];

/** Every call with a list query; the others of its resource build on it. */
const lists: readonly (readonly [name: string, call: (it: Offline, query: Loose) => Promise<unknown>])[] = [
  ["accessManagement.list", ({ resources }, query) => resources.accessManagement.list(query)],
  ["actions.list", ({ resources }, query) => resources.actions.list(query)],
  ["analysis.list", ({ resources }, query) => resources.analysis.list(query)],
  ["buckets.list", ({ resources }, query) => resources.buckets.list(query)],
  ["connectors.list", ({ resources }, query) => resources.integration.connectors.list(query)],
  ["networks.list", ({ resources }, query) => resources.integration.networks.list(query)],
  ["networks.tokenList", ({ resources }, query) => resources.integration.networks.tokenList("n1", query)],
  ["dashboards.list", ({ resources }, query) => resources.dashboards.list(query)],
  ["devices.list", ({ resources }, query) => resources.devices.list(query)],
  ["devices.listStreaming", ({ resources }, query) => collect(resources.devices.listStreaming(query))],
  ["devices.all", ({ resources }, query) => collect(resources.devices.all(query))],
  ["devices.tokenList", ({ resources }, query) => resources.devices.tokenList("d1", query)],
  ["dictionaries.list", ({ resources }, query) => resources.dictionaries.list(query)],
  ["entities.list", ({ resources }, query) => resources.entities.list(query)],
  ["entities.getEntityData", ({ resources }, query) => resources.entities.getEntityData("e1", query)],
  ["entities.allEntityData", ({ resources }, query) => collect(resources.entities.allEntityData("e1", query))],
  ["notifications.list", ({ resources }, query) => resources.notifications.list(query)],
  ["notifications.all", ({ resources }, query) => collect(resources.notifications.all(query))],
  ["profiles.tokenList", ({ resources }, query) => resources.profiles.tokenList("p1", query)],
  ["run.listUsers", ({ resources }, query) => resources.run.listUsers(query)],
  ["secrets.list", ({ resources }, query) => resources.secrets.list(query)],
  ["serviceAuthorization.tokenList", ({ resources }, query) => resources.serviceAuthorization.tokenList(query)],
  ["sql.list", ({ resources }, query) => resources.sql.list(query)],
  ["tagocores.list", ({ resources }, query) => resources.tagocores.list(query)],
  ["tagocores.standaloneDeviceList", ({ resources }, query) => resources.tagocores.standaloneDeviceList("c1", query)],
  ["Network.deviceList", (params, query) => new Network(params).deviceList("c1", query)],
  ["Network.allDevices", (params, query) => collect(new Network(params).allDevices("c1", query))],
  ["RunUser.notificationList", (params, query) => new RunUser(params).notificationList("example.tago.run", query)],
];

/** Queries of their own, by what is wrong with them. */
const others: readonly (readonly [
  name: string,
  query: unknown,
  call: (it: Offline, query: Loose) => Promise<unknown>,
])[] = [
  ["widgets.getData", { page: "x" }, ({ resources }, query) => resources.dashboards.widgets.getData("b1", "w1", query)],
  ["entities.getEntityData", { amount: -1 }, ({ resources }, query) => resources.entities.getEntityData("e1", query)],
  ["sql.tables", { amount: "x" }, ({ resources }, query) => resources.sql.tables(query)],
  ["billing.getPaymentHistory", { amount: "x" }, ({ resources }, query) => resources.billing.getPaymentHistory(query)],
  ["billing.allPayments", { amount: "x" }, ({ resources }, query) => collect(resources.billing.allPayments(query))],
  ["files.list", { quantity: "x" }, ({ resources }, query) => resources.files.list(query)],
  ["files.all", "/reports", ({ resources }, query) => collect(resources.files.all(query))],
];

describe("nothing is sent for", () => {
  it.each(
    lists.flatMap(([name, call]) => ([{ filter: 3 }, "id=1"] as const).map((query) => [name, query, call] as const)),
  )("%s(%j)", async (_name, query, call) => {
    const { it: params, transport } = offline();
    expect(await failureOf(call(params, query as Loose))).toMatchObject({ name: "InputError" });
    expect(transport.requests).toHaveLength(0);
  });

  it.each(others)("%s(%j)", async (_name, query, call) => {
    const { it: params, transport } = offline();
    expect(await failureOf(call(params, query as Loose))).toMatchObject({ name: "InputError" });
    expect(transport.requests).toHaveLength(0);
  });
});

it("reads page after page from a page that is a string of digits", async () => {
  const rows = [{ id: "a" }, { id: "b" }];
  const transport = scripted(success(rows), success(rows), success([]));
  const params = { token, transport, clock: manualClock(), region: "us-e1", attempts: 1 } as const;
  await collect(new Resources(params).devices.all({ page: "2" as unknown as number, amount: 2 }));
  expect(transport.requests.map(({ url }) => new URL(url).searchParams.get("page"))).toEqual(["2", "3", "4"]);
});
